"""Executing a run: asked, judged and scored; every committed step is final and a resumed run only does the rest.

What waits for somebody goes on side by side: an answer is judged and measured while others are still asked for, each
stage within its own limit. What needs the processor alone is done in turn, since side by side it takes no less time.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from functools import partial
from threading import Event

from core.domain.results.responses import Response
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.llm import SharedLedger
from core.runs.models import JUDGE_AT_ONCE, chat_of, limited, prompts_of, run_judge
from core.runs.retrieved_ids import under_own_ids
from core.runs.scores.arriving import ArrivingAnswers
from core.runs.scores.choice import models_of_run
from core.runs.scores.measuring import Progress, keep_columns, score_answers, scoring_lock
from core.runs.stages.ask_and_judge import Asking, Judging, ask
from core.runs.stages.first_answers import FirstAnswers
from core.runs.stages.first_failures import FirstFailures
from core.runs.stages.in_flight import COMMIT_SECONDS
from core.runs.stages.pipeline import flow
from core.runs.target import run_target
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs
from core.store.testset import testsets

LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""

Scoring = Callable[..., bool]
"""Measures what there is to measure; whether all of it is done."""


def execute_run(
    store: Store,
    run_id: str,
    *,
    actor: str,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
    shared: SharedLedger | None = None,
) -> bool:
    """Does what is left of a run: asks unanswered cases, judges unjudged answers, scores with the metrics it names.

    A finished run stays as it is.

    Args:
        store: Where the run lives.
        run_id: The run.
        actor: Who started it.
        progress: Told the stage and the cases done; stages that go on side by side report in turns and may do so from
            another thread, see `core.runs.stages.progress`.
        should_stop: Asked before each case.
        shared: A ledger that its models' calls are looked for in, and copied to, besides the store's own.

    Returns:
        Whether the run is finished; False when it was asked to stop.

    Raises:
        NotFound: The run, its test set or its corpus does not exist.
        InvalidInput: The target, the judge or a model of a metric cannot be opened.
        BudgetSpent: Nothing more may be spent on it; what was answered and judged is kept.
        AlwaysFails: Its first questions all failed for one reason that lasts; they are asked again once it goes on.
        DoubtfulAnswers: Its first answers look misread; they are kept.
        Conflict: Another process executes the run.
    """
    with store.exclusive(run_id, what=f"Run {run_id}", seconds=LOCK_SECONDS):
        with store.read() as connection:
            run = runs.get(connection, run_id)
            cases = testsets.cases(connection, run.test_set_id)
        if run.state is RunState.FINISHED:
            return True
        chat = chat_of(store, run, shared)
        target = run_target(store, run, cases, chat)
        judge = run_judge(store, run, chat)
        metrics, models = models_of_run(
            store,
            run,
            chat=limited(chat, run.options, JUDGE_AT_ONCE),
            prompts=prompts_of(store, run.project_id),
        )
        _set_state(store, run, RunState.RUNNING, actor)
        failing = FirstFailures(store, run, actor)
        with store.read() as connection:
            answered = runs.answered_ids(connection, run.id)
            judged = scores.of_metric(connection, run.id, VERDICT_METRIC)
            contexts = bool(answered) and run_inputs.has_contexts(connection, run.id)
            documents = document_mappings.of_run(connection, run)
        waits = target.concurrency > 1 or judge.concurrency > 1
        arriving = ArrivingAnswers(answered, contexts=contexts)

        def passed(batch: list[Response]) -> None:
            case_ids = [response.case_id for response in batch]
            arriving.add(case_ids, contexts=any(response.contexts for response in batch))
            if not asking.left:
                arriving.complete()
            judging.add(case_ids)

        first = FirstAnswers(store, run, cases)
        asking = Asking(
            store,
            run,
            first.watching(under_own_ids(partial(ask, failing.watching(target.answer)), documents)),
            cases,
            answered,
            at_once=target.concurrency,
            actor=actor,
            progress=progress,
            passed=passed,
        )
        judging = Judging(
            store,
            run,
            judge,
            cases,
            judged,
            actor=actor,
            progress=progress,
            may_begin=lambda: waits or not asking.left,
        )
        judging.add([case.case_id for case in cases if case.case_id in answered])
        if not asking.left:
            arriving.complete()
        elif target.words_to_encode and not target.prepare(progress, should_stop):
            return False

        def leaves() -> bool:
            return bool((failing.stop or first.doubtful) and asking.unasked) or should_stop()

        def asked_and_judged() -> bool:
            through = flow([asking.begin(), judging.begin()], leaves)
            if asking.left:
                failing.settle()
                first.settle()
            return through and not asking.left and not judging.left

        if not metrics:
            finished = asked_and_judged()
        else:
            scoring = partial(score_answers, store, run, metrics, models, actor=actor, progress=progress)
            with scoring_lock(store, run_id):
                if waits:
                    finished = _side_by_side(asked_and_judged, scoring, arriving, should_stop)
                else:
                    finished = asked_and_judged() and scoring(should_stop=should_stop)
        if not finished:
            return False
        _set_state(store, run, RunState.FINISHED, actor)
        keep_columns(store, run, [VERDICT_METRIC])
        return True


def _side_by_side(
    asked_and_judged: Callable[[], bool], scoring: Scoring, arriving: ArrivingAnswers, should_stop: Callable[[], bool]
) -> bool:
    """Measures answers while others are asked for and judged; a failure of the measuring is raised after these."""
    halted = Event()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="scoring") as pool:
        measured = pool.submit(scoring, should_stop=halted.is_set, arriving=arriving)
        finished = False
        try:
            finished = asked_and_judged()
        finally:
            if not finished:
                halted.set()
                arriving.leave()
        while finished and not wait([measured], timeout=COMMIT_SECONDS).done:
            if should_stop():
                halted.set()
        return measured.result() and finished


def _set_state(store: Store, run: Run, state: RunState, actor: str) -> None:
    finished_at = datetime.now(UTC).isoformat(timespec="seconds") if state is RunState.FINISHED else ""
    with store.write(actor, f"run.{state.value}", project_id=run.project_id, subject=run.id) as connection:
        runs.set_state(connection, run.id, state, finished_at=finished_at)
