"""Asking the target, judging the answers; every committed step is final and a resumed run only does the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice

from core.domain.errors import TargetFailed
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase
from core.judging import Judge
from core.runs.first_answers import FirstAnswers
from core.runs.in_flight import batches, in_turn
from core.runs.models import chat_of, run_judge
from core.runs.scores.scoring import Progress, keep_columns, models_of_run, score_answers, scoring_lock
from core.runs.scores.verdict import verdict_score
from core.runs.target import run_target
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from core.targets import Target

LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""

JUDGE_BATCH = 200
"""Answers read, and judged by rules, at a time."""


def execute_run(
    store: Store,
    run_id: str,
    *,
    actor: str,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Does what is left of a run: asks unanswered cases, judges unjudged answers, scores with the metrics it names.

    A finished run stays as it is.

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
        InvalidInput: The target, the judge or a model of a metric cannot be opened.
        BudgetSpent: Nothing more may be spent on it; what was answered and judged is kept.
        DoubtfulAnswers: Its first answers look misread; they are kept.
        Conflict: Another process executes the run.
    """
    with store.exclusive(run_id, what=f"Run {run_id}", seconds=LOCK_SECONDS):
        with store.read() as connection:
            run = runs.get(connection, run_id)
            cases = testsets.cases(connection, run.test_set_id)
        if run.state is RunState.FINISHED:
            return True
        chat = chat_of(store, run)
        target = run_target(store, run, cases, chat)
        judge = run_judge(store, run, chat)
        metrics, models = models_of_run(store, run)
        _set_state(store, run, RunState.RUNNING, actor)
        if not _ask_all(store, run, target, cases, actor=actor, progress=progress, should_stop=should_stop):
            return False
        if not _judge_all(store, run, judge, cases, actor=actor, progress=progress, should_stop=should_stop):
            return False
        if metrics:
            with scoring_lock(store, run_id):
                if not score_answers(
                    store, run, metrics, models, actor=actor, progress=progress, should_stop=should_stop
                ):
                    return False
        _set_state(store, run, RunState.FINISHED, actor)
        keep_columns(store, run, [VERDICT_METRIC])
        return True


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
    if todo and target.words_to_encode and not target.prepare(progress, should_stop):
        return False
    progress("Asking", done, len(cases))
    first = FirstAnswers(store, run, cases)
    for batch in batches(
        first.watching(partial(ask, target)), todo, target.concurrency, lambda: first.doubtful or should_stop()
    ):
        with store.write(
            actor, "run.answer", project_id=run.project_id, subject=run.id, detail={"responses": len(batch)}
        ) as connection:
            runs.save_responses(connection, run.id, batch)
        done += len(batch)
        progress("Asking", done, len(cases))
    if done < len(cases):
        first.settle()
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
        judged = scores.of_metric(connection, run.id, VERDICT_METRIC)
    todo = [case for case in cases if case.case_id not in judged]
    done = len(cases) - len(todo)
    progress("Judging", done, len(cases))

    def verdict(answer: tuple[TestCase, Response]) -> Score:
        case, response = answer
        return verdict_score(case.case_id, judge.judge(case, response))

    waits = judge.concurrency > 1
    judgements = (batches if waits else in_turn)(
        verdict, _answered(store, run, todo), judge.concurrency if waits else JUDGE_BATCH, should_stop
    )
    for verdicts in judgements:
        with store.write(
            actor, "run.judge", project_id=run.project_id, subject=run.id, detail={"scores": len(verdicts)}
        ) as connection:
            scores.put(connection, run.id, verdicts)
        done += len(verdicts)
        progress("Judging", done, len(cases))
    return done == len(cases)


def _answered(store: Store, run: Run, cases: Sequence[TestCase]) -> Iterator[tuple[TestCase, Response]]:
    """Cases with their answers, read as they are wanted."""
    remaining = iter(cases)
    while some := list(islice(remaining, JUDGE_BATCH)):
        with store.read() as connection:
            responses = runs.responses(connection, run.id, [case.case_id for case in some])
        for case in some:
            yield case, responses[case.case_id]


def _set_state(store: Store, run: Run, state: RunState, actor: str) -> None:
    finished_at = datetime.now(UTC).isoformat(timespec="seconds") if state is RunState.FINISHED else ""
    with store.write(actor, f"run.{state.value}", project_id=run.project_id, subject=run.id) as connection:
        runs.set_state(connection, run.id, state, finished_at=finished_at)
