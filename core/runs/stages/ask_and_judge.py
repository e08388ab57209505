"""The two stages of a run that may wait for somebody: asking the target, and judging what it answered."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from itertools import islice

from core.domain.errors import TargetFailed
from core.domain.results.responses import Response, Score
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase
from core.judging import Judge
from core.runs.scores.measuring import Progress
from core.runs.scores.verdict import verdict_score
from core.runs.stages.pipeline import Stage
from core.store.database import Store
from core.store.results import runs, scores

ASKING, JUDGING = "Asking", "Judging"

JUDGE_BATCH = 200
"""Answers read, and judged by rules, at a time."""

Answered = list[tuple[TestCase, Response]]


def ask(answer: Callable[[str, str], Response], case: TestCase) -> Response:
    """One case put to a target; a failure becomes a response without an answer, with the reason."""
    started = time.perf_counter()
    try:
        return answer(case.case_id, case.question)
    except TargetFailed as error:
        return Response(case_id=case.case_id, answer=None, latency_s=time.perf_counter() - started, error=str(error))


class Asking:
    """Puts the cases of a run that have no answer to its target.

    Args:
        store: Where the run is.
        run: The run.
        ask: Puts a case to its target; called from several threads.
        cases: Cases of the run, in the order in which they are asked.
        answered: Those that have an answer.
        at_once: The most cases in flight.
        actor: Who started the run.
        progress: Told how many are answered.
        passed: Told of the answers that were just committed.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        ask: Callable[[TestCase], Response],
        cases: Sequence[TestCase],
        answered: Collection[str],
        *,
        at_once: int,
        actor: str,
        progress: Progress,
        passed: Callable[[list[Response]], None],
    ) -> None:
        self._store, self._run, self._ask, self._actor = store, run, ask, actor
        self._at_once = at_once
        self._progress, self._passed = progress, passed
        self._todo = deque(case for case in cases if case.case_id not in answered)
        self._total = len(cases)
        self._done = self._total - len(self._todo)
        self._closed = False

    @property
    def left(self) -> int:
        """Cases without a committed answer."""
        return self._total - self._done

    @property
    def unasked(self) -> int:
        """Cases not put to the target yet; none may be left while answers still wait to be committed."""
        return len(self._todo)

    def begin(self) -> Stage[TestCase, Response]:
        """The stage, once it is known how far it was."""
        self._progress(ASKING, self._done, self._total)
        return Stage(
            at_once=self._at_once,
            ready=lambda: not self._closed,
            take=self._take,
            work=lambda case: [self._ask(case)],
            keep=self._keep,
        )

    def _take(self) -> TestCase | None:
        self._closed = not self._todo
        return None if self._closed else self._todo.popleft()

    def _keep(self, batch: list[Response]) -> None:
        run = self._run
        with self._store.write(
            self._actor, "run.answer", project_id=run.project_id, subject=run.id, detail={"responses": len(batch)}
        ) as connection:
            runs.save_responses(connection, run.id, batch)
        self._done += len(batch)
        self._progress(ASKING, self._done, self._total)
        self._passed(batch)


class Judging:
    """Judges the answers of a run that have no verdict.

    An answer that waits for the judge stays in the store until its turn comes: a slow judge costs no memory. A judge
    that waits for somebody gets one answer at a time, each of its callers its own; one that goes by rules gets many.

    Args:
        store: Where the run is.
        run: The run.
        judge: Its judge.
        cases: Cases of the run.
        judged: Those that have a verdict.
        actor: Who started the run.
        progress: Told how many are judged.
        may_begin: Whether answers may be judged now.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        judge: Judge,
        cases: Sequence[TestCase],
        judged: Collection[str],
        *,
        actor: str,
        progress: Progress,
        may_begin: Callable[[], bool],
    ) -> None:
        self._store, self._run, self._judge, self._actor = store, run, judge, actor
        self._progress, self._may_begin = progress, may_begin
        self._cases = {case.case_id: case for case in cases if case.case_id not in judged}
        self._total = len(cases)
        self._done = self._taken = self._total - len(self._cases)
        self._waiting: deque[str] = deque()
        self._read: deque[tuple[TestCase, Response]] = deque()
        self._begun = self._closed = False

    @property
    def left(self) -> int:
        """Cases without a committed verdict."""
        return self._total - self._done

    def add(self, answered: Collection[str]) -> None:
        """Takes note of committed answers."""
        self._waiting.extend(case_id for case_id in answered if case_id in self._cases)

    def begin(self) -> Stage[Answered, Score]:
        """The stage."""
        return Stage(
            at_once=self._judge.concurrency,
            ready=self._ready,
            take=self._take,
            work=self._verdicts,
            keep=self._keep,
        )

    def _ready(self) -> bool:
        none_left = self._taken == self._total
        ready = not self._closed and self._may_begin() and bool(none_left or self._waiting or self._read)
        if ready and not self._begun:
            self._begun = True
            self._progress(JUDGING, self._done, self._total)
        return ready

    def _take(self) -> Answered | None:
        if not self._read and self._waiting:
            some = [self._waiting.popleft() for _ in range(min(JUDGE_BATCH, len(self._waiting)))]
            with self._store.read() as connection:
                responses = runs.responses(connection, self._run.id, some)
            self._read.extend((self._cases[case_id], responses[case_id]) for case_id in some)
        piece = [self._read.popleft() for _ in islice(range(len(self._read)), self._at_a_time())]
        self._taken += len(piece)
        self._closed = not piece
        return piece or None

    def _at_a_time(self) -> int:
        return 1 if self._judge.concurrency > 1 else JUDGE_BATCH

    def _verdicts(self, answered: Answered) -> list[Score]:
        return [verdict_score(case.case_id, self._judge.judge(case, response)) for case, response in answered]

    def _keep(self, batch: list[Score]) -> None:
        run = self._run
        with self._store.write(
            self._actor, "run.judge", project_id=run.project_id, subject=run.id, detail={"scores": len(batch)}
        ) as connection:
            scores.put(connection, run.id, batch)
        self._done += len(batch)
        self._progress(JUDGING, self._done, self._total)
