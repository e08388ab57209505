"""Scores the answers of a finished run with further judges; stored scores are never requested again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput
from core.domain.results.responses import Response, Score
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.jobs import Job, JobContext, job, list_jobs
from core.jobs import start as start_job
from core.judges.scorers import JudgeOptions, JudgeScorer, chat_within, judge_metric, open_scorer
from core.net.gate.refusals import recorded
from core.project.service import require
from core.runs.scores.measuring import LOCK_SECONDS, Progress, keep_columns, scoring_lock
from core.runs.stages.in_flight import batches, in_turn
from core.store.database import Store
from core.store.results import measurements, runs, scores
from core.store.results.cases import run_inputs
from core.store.results.scores import RunMetric

KIND = "compare_judges"
"""The kind of the jobs that score a run with further judges."""
STAGE = "Judging"
CHUNK = 200
"""Answers that rules score between two commits."""
FAILED = frozenset({Status.API_ERROR, Status.TIMEOUT, Status.TRUNCATED, Status.PARSE_FAILED, Status.BUDGET_STOPPED})
"""Failures that another attempt may resolve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingScores:
    """The cases that a judge still has to score.

    Attributes:
        run_metric: How its scores are made, as stored.
        case_ids: Cases without a score made this way.
    """

    run_metric: RunMetric
    case_ids: tuple[str, ...]


def judge_again(
    store: Store,
    run_id: str,
    judges: Sequence[str],
    *,
    actor: str,
    options: JudgeOptions | None = None,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Scores the answers of a finished run with further judges; their scores become metrics of the run.

    A case that has a score of the same judge, made the same way, is skipped, so a job that was killed only does the
    remaining cases. With another model, prompt or option each old score stays until its new one is committed.

    Args:
        store: Where the run is.
        run_id: The run.
        judges: Specs, see :func:`core.judges.scorers.open_scorer`.
        actor: Who requested it.
        options: How models are queried.
        progress: Called with the number of cases done, over all judges.
        should_stop: Called before each case.

    Returns:
        Whether all cases are done; False when it was stopped.

    Raises:
        NotFound: There is no such run.
        InvalidInput: A judge cannot be opened, or two would be stored under one name.
        Conflict: The run is not finished, or another process scores it.
        BudgetSpent: The budget is used up; the scores so far are kept.
    """
    with scoring_lock(store, run_id):
        run = _finished_run(store, run_id)
        chat = chat_within(store, run, options or JudgeOptions())
        scorers = [open_scorer(store, run, spec, options, chat=chat) for spec in _distinct(judges)]
        with store.read() as connection:
            case_ids = run_inputs.answered_cases(connection, run)
        pending = [_begin(store, run, scorer, case_ids, actor) for scorer in scorers]
        total = len(case_ids) * len(scorers)
        done = total - sum(len(item.case_ids) for item in pending)
        progress(STAGE, done, total)
        for scorer, item in zip(scorers, pending, strict=True):
            reached = 0
            for batch in _scored(store, run, scorer, item.case_ids, should_stop):
                _commit(store, run, batch, item.run_metric, actor)
                reached += len(batch)
                progress(STAGE, done + reached, total)
            done += reached
            if reached < len(item.case_ids):
                return False
            _finish(store, run, item.run_metric, actor)
        return True


def start_judging(
    store: Store, run_id: str, judges: Sequence[str], *, actor: str, options: JudgeOptions | None = None
) -> Job:
    """Starts a worker that scores a finished run with further judges.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A judge cannot be opened, or two would be stored under one name.
        Conflict: The run is not finished, or is being judged already.
    """
    with store.exclusive(f"start-{run_id}", what=f"The start of run {run_id}", seconds=LOCK_SECONDS):
        with store.read() as connection:
            run = runs.get(connection, run_id)
        require(store, run.project_id, actor, Role.VALIDATOR)
        _finished_run(store, run_id)
        specs = _distinct(judges)
        for spec in specs:
            with recorded(store, run.project_id, actor):
                open_scorer(store, run, spec, options)
        if (active_job := judging_job(store, run)) is not None:
            raise Conflict(f"Run {run_id} is being judged by job {active_job.id}.", "Wait for it, or stop it.")
        return start_job(
            store,
            project_id=run.project_id,
            kind=KIND,
            params={"run_id": run_id, "judges": specs, **asdict(options or JudgeOptions())},
            actor=actor,
            subject=run_id,
        )


def judging_job(store: Store, run: Run, *, active: bool = True) -> Job | None:
    """The active job that scores a run with further judges; with `active` false the newest one in any state."""
    judging_jobs = [item for item in list_jobs(store, run.project_id) if item.kind == KIND and item.subject == run.id]
    return next((item for item in judging_jobs if item.state.active or not active), None)


@job(KIND)
def compare_judges_job(context: JobContext) -> bool:
    """Scores the run named in the job's parameters; returns whether all cases are done."""
    params = context.params
    judges = params.get("judges")
    calls, money = params.get("calls"), params.get("money")
    return judge_again(
        context.store,
        str(params["run_id"]),
        [str(spec) for spec in judges] if isinstance(judges, list | tuple) else [],
        actor=context.actor,
        options=JudgeOptions(
            repeats=int(str(params.get("repeats") or 1)),
            match_first=bool(params.get("match_first")),
            calls=None if calls is None else int(str(calls)),
            money=None if money is None else float(str(money)),
        ),
        progress=context.progress,
        should_stop=context.should_stop,
    )


def _distinct(judges: Sequence[str]) -> list[str]:
    by_metric: dict[str, str] = {}
    for spec in (text.strip() for text in judges if text.strip()):
        existing = by_metric.setdefault(judge_metric(spec), spec)
        if existing != spec:
            raise InvalidInput(
                f"The judges {existing} and {spec} would be stored under one name.", "Compare them one after the other."
            )
    if not by_metric:
        raise InvalidInput("No judge is named.", "Name at least one, such as match.")
    return list(by_metric.values())


def _finished_run(store: Store, run_id: str) -> Run:
    with store.read() as connection:
        run = runs.get(connection, run_id)
    if run.state is not RunState.FINISHED:
        raise Conflict(f"Run {run_id} is not finished.", "Wait for it, or resume it first.")
    return run


def _begin(store: Store, run: Run, scorer: JudgeScorer, case_ids: Sequence[str], actor: str) -> PendingScores:
    """Stores how the judge's scores are made; a finished judge with failed calls begins a new attempt.

    A new attempt covers all cases again: answers that a model has given come from the ledger and cost nothing.
    """
    with store.read() as connection:
        stored = scores.run_metric(connection, run.id, scorer.metric)
    options = dict(scorer.options)
    attempt = int(str(stored.options.get("attempt", 0))) if stored else 0
    if attempt:
        options["attempt"] = attempt
    if stored is not None and (stored.version, dict(stored.options)) == (scorer.version, options):
        if not stored.finished or not _failures(store, run, scorer.metric, case_ids):
            return PendingScores(run_metric=stored, case_ids=tuple(_unreached(store, run, stored, case_ids)))
        options["attempt"] = attempt + 1
    run_metric = RunMetric(
        metric=scorer.metric,
        version=scorer.version,
        options=options,
        scored_by=actor,
        generation=(stored.generation if stored else 0) + 1,
    )
    detail: dict[str, object] = {scorer.metric: {"version": run_metric.version, **options}}
    with store.write(actor, "run.judge_begin", project_id=run.project_id, subject=run.id, detail=detail) as connection:
        scores.drop_columns(connection, run.id, {scorer.metric})
        scores.put_run_metrics(connection, run.id, [run_metric])
    return PendingScores(run_metric=run_metric, case_ids=tuple(_unreached(store, run, run_metric, case_ids)))


def _failures(store: Store, run: Run, metric: str, case_ids: Sequence[str]) -> bool:
    with store.read() as connection:
        metric_scores = scores.light(connection, run.id, case_ids, [metric])
    return any(score[metric].status in FAILED for score in metric_scores.values())


def _unreached(store: Store, run: Run, run_metric: RunMetric, case_ids: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(case_ids), run_inputs.PART):
        part = case_ids[start : start + run_inputs.PART]
        with store.read() as connection:
            reached = measurements.reached(connection, run.id, part, {run_metric.metric: run_metric.generation})
        yield from (case_id for case_id in part if (case_id, run_metric.metric) not in reached)


def _scored(
    store: Store, run: Run, scorer: JudgeScorer, case_ids: Sequence[str], should_stop: Callable[[], bool]
) -> Iterator[list[Score]]:
    def score_pair(pair: tuple[TestCase, Response]) -> Score:
        return scorer.score(*pair)

    pairs = _pairs(store, run, case_ids, contexts=scorer.contexts)
    if scorer.concurrency > 1:
        yield from batches(score_pair, pairs, scorer.concurrency, should_stop)
    else:
        yield from in_turn(score_pair, pairs, CHUNK, should_stop)


def _pairs(store: Store, run: Run, case_ids: Sequence[str], *, contexts: bool) -> Iterator[tuple[TestCase, Response]]:
    for start in range(0, len(case_ids), run_inputs.PART):
        with store.read() as connection:
            part = list(run_inputs.pairs(connection, run, case_ids[start : start + run_inputs.PART], contexts=contexts))
        yield from part


def _commit(store: Store, run: Run, batch: Sequence[Score], run_metric: RunMetric, actor: str) -> None:
    detail: dict[str, object] = {"scores": len(batch), "metrics": [run_metric.metric]}
    with store.write(actor, "run.judge", project_id=run.project_id, subject=run.id, detail=detail) as connection:
        unchanged = measurements.commit(
            connection,
            run.id,
            batch,
            {run_metric.metric: run_metric.generation},
            reasons={run_metric.metric: "Judged again; the changed value stays."},
            actor=actor,
            at=_now(),
        )
        if unchanged:
            detail["kept"] = [f"{metric} of {case_id}" for case_id, metric in unchanged]


def _finish(store: Store, run: Run, run_metric: RunMetric, actor: str) -> None:
    with store.write(
        actor, "run.judge_finish", project_id=run.project_id, subject=run.id, detail={"metrics": [run_metric.metric]}
    ) as connection:
        scores.put_run_metrics(
            connection, run.id, [replace(run_metric, finished=True, scored_at=_now(), scored_by=actor)]
        )
    keep_columns(store, run, [run_metric.metric])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
