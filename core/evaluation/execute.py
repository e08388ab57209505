"""Asking the target, judging the answers; every committed step is final and a resumed run only does the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from itertools import islice

from core.domain.cases import TestCase
from core.domain.documents import Corpus
from core.domain.errors import TargetFailed
from core.domain.responses import Judgement, Response, Score, Status, Verdict
from core.domain.runs import VERDICT_METRIC, Run, RunState
from core.judging import Judge, open_judge
from core.store import runs, sources, testsets
from core.store.database import Store
from core.targets import Target, open_target

COMMIT_SECONDS = 0.2
"""Answers of a fast target are committed together, this often; one of a slow target waits no longer than this."""

LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""

JUDGE_BATCH = 200

Progress = Callable[[str, int, int], None]
"""Stage, cases done, cases in all."""


def execute_run(
    store: Store,
    run_id: str,
    *,
    actor: str,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Does what is left of a run: asks unanswered cases, then judges unjudged answers. A finished run stays as it is.

    Args:
        store: Where the run lives.
        run_id: The run.
        actor: Who started it.
        progress: Told the stage and the cases done.
        should_stop: Asked before each case.

    Returns:
        Whether the run is finished; False when it was asked to stop.

    Raises:
        NotFound: The run, its test set or its corpus does not exist.
        InvalidInput: The target or the judge cannot be opened.
        Conflict: Another process executes the run.
    """
    with store.exclusive(run_id, what=f"Run {run_id}", seconds=LOCK_SECONDS):
        with store.read() as connection:
            run = runs.get(connection, run_id)
            cases = testsets.cases(connection, run.test_set_id)
        if run.state is RunState.FINISHED:
            return True
        target = run_target(store, run)
        judge = open_judge(run.judge)
        _set_state(store, run, RunState.RUNNING, actor)
        if not _ask_all(store, run, target, cases, actor=actor, progress=progress, should_stop=should_stop):
            return False
        if not _judge_all(store, run, judge, cases, actor=actor, progress=progress, should_stop=should_stop):
            return False
        _set_state(store, run, RunState.FINISHED, actor)
        return True


def run_target(store: Store, run: Run) -> Target:
    """Opens the target of a run over its corpus."""
    corpus: Corpus | None = None
    if run.corpus_id:
        with store.read() as connection:
            corpus = sources.corpus(connection, run.corpus_id)
    k = run.options.get("k")
    return open_target(run.target, corpus) if k is None else open_target(run.target, corpus, k=int(str(k)))


def verdict_score(case_id: str, judgement: Judgement) -> Score:
    """A judgement as the score that is stored: 1 correct, 0 incorrect, none when not judged."""
    judged = judgement.verdict is not Verdict.NOT_JUDGED
    return Score(
        case_id=case_id,
        metric=VERDICT_METRIC,
        value=float(judgement.verdict is Verdict.CORRECT) if judged else None,
        status=Status.SCORED if judged else Status.NOT_JUDGED,
        detail={
            "verdict": judgement.verdict.value,
            "rule": judgement.rule,
            "reason": judgement.reason,
            **judgement.detail,
        },
    )


def ask(target: Target, case: TestCase) -> Response:
    """One case put to the target; a failure becomes a response without an answer, with the reason."""
    started = time.perf_counter()
    try:
        return target.answer(case.case_id, case.question)
    except TargetFailed as error:
        return Response(case_id=case.case_id, answer=None, latency_s=time.perf_counter() - started, error=str(error))


def _ask_all(
    store: Store,
    run: Run,
    target: Target,
    cases: Sequence[TestCase],
    *,
    actor: str,
    progress: Progress,
    should_stop: Callable[[], bool],
) -> bool:
    with store.read() as connection:
        answered = runs.answered_ids(connection, run.id)
    todo = [case for case in cases if case.case_id not in answered]
    done = len(cases) - len(todo)
    progress("Asking", done, len(cases))
    for batch in answers(target, todo, should_stop):
        with store.write(
            actor, "run.answer", project_id=run.project_id, subject=run.id, detail={"responses": len(batch)}
        ) as connection:
            runs.save_responses(connection, run.id, batch)
        done += len(batch)
        progress("Asking", done, len(cases))
    return done == len(cases)


def _judge_all(
    store: Store,
    run: Run,
    judge: Judge,
    cases: Sequence[TestCase],
    *,
    actor: str,
    progress: Progress,
    should_stop: Callable[[], bool],
) -> bool:
    with store.read() as connection:
        judged = runs.scores(connection, run.id, VERDICT_METRIC)
    todo = [case for case in cases if case.case_id not in judged]
    done = len(cases) - len(todo)
    progress("Judging", done, len(cases))
    left = iter(todo)
    while batch := list(islice(left, JUDGE_BATCH)):
        if should_stop():
            return False
        with store.read() as connection:
            responses = runs.responses(connection, run.id, [case.case_id for case in batch])
        scores = [verdict_score(case.case_id, judge.judge(case, responses[case.case_id])) for case in batch]
        with store.write(
            actor, "run.judge", project_id=run.project_id, subject=run.id, detail={"scores": len(scores)}
        ) as connection:
            runs.save_scores(connection, run.id, scores)
        done += len(batch)
        progress("Judging", done, len(cases))
    return True


def answers(target: Target, cases: Sequence[TestCase], should_stop: Callable[[], bool]) -> Iterator[list[Response]]:
    """Answers as they arrive, a commit's worth at a time; never more than the target's concurrency in flight.

    Args:
        target: The system under test.
        cases: What to ask, in order.
        should_stop: Asked before each case; what is in flight is still waited for.
    """
    waiting = iter(cases)
    batch: list[Response] = []
    opened = time.monotonic()
    with ThreadPoolExecutor(max_workers=target.concurrency, thread_name_prefix="ask") as pool:
        flying: set[Future[Response]] = set()
        while True:
            while len(flying) < target.concurrency and not should_stop() and (case := next(waiting, None)):
                flying.add(pool.submit(ask, target, case))
            if not flying:
                break
            due = max(0.0, opened + COMMIT_SECONDS - time.monotonic()) if batch else None
            arrived, flying = wait(flying, timeout=due, return_when=FIRST_COMPLETED)
            batch += [future.result() for future in arrived]
            if batch and time.monotonic() >= opened + COMMIT_SECONDS:
                yield batch
                batch, opened = [], time.monotonic()
    if batch:
        yield batch


def _set_state(store: Store, run: Run, state: RunState, actor: str) -> None:
    finished_at = datetime.now(UTC).isoformat(timespec="seconds") if state is RunState.FINISHED else ""
    with store.write(actor, f"run.{state.value}", project_id=run.project_id, subject=run.id) as connection:
        runs.set_state(connection, run.id, state, finished_at=finished_at)
