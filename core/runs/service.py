"""Starting, resuming and retrying runs; each is a job of the kind ``evaluate``.

The kind ``score`` has a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role, SourceKind
from core.jobs import Follower, Job, JobContext, JobState, job
from core.jobs import get as get_job
from core.jobs import resume as resume_job
from core.jobs import start as start_job
from core.net.gate.refusals import recorded
from core.project.service import require
from core.runs.execute import LOCK_SECONDS, execute_run
from core.runs.models import run_judge
from core.runs.retrying import forget_failures
from core.runs.scores.choice import metric_names, named_metrics
from core.runs.stages.first_answers import ACCEPTED
from core.runs.stages.progress import StagesBeside
from core.runs.target import run_target
from core.store import sources
from core.store.database import Store
from core.store.results import runs
from core.store.testset import testsets

EVALUATE = "evaluate"
"""The kind of the jobs that execute a run."""
EVIDENCE = "find_evidence"
"""The kind of the jobs that search the documents for what a run failed at; one follows each run."""


@job(EVALUATE)
def evaluate_job(context: JobContext) -> bool:
    """Executes the run named in the job's parameters; whether it is finished."""
    return execute_run(
        context.store,
        str(context.params["run_id"]),
        actor=context.actor,
        progress=StagesBeside(context.progress),
        should_stop=context.should_stop,
    )


def create_run(
    store: Store,
    test_set_id: str,
    *,
    actor: str,
    target: str,
    judge: str = "match",
    seed: int = 0,
    options: Mapping[str, object] | None = None,
) -> Run:
    """Stores a planned run after opening its target and its judge once.

    Args:
        store: Where the test set lives.
        test_set_id: A frozen test set.
        actor: Who does it.
        target: Target spec.
        judge: Judge spec.
        seed: Of every random choice of the run.
        options: ``k``, ``mode``, ``retriever``, ``concurrency``, ``rate`` and ``timeout_s`` of the target;
            ``judge_repeats``, ``judge_match_first``, ``judge_tolerance`` and ``judge_coarse_dates``; ``budget`` (money)
            and ``budget_calls``; ``metrics``, the names of what answers are scored with besides the verdict; and for
            those ``encoder``, ``nli``, ``precision`` and ``language``.

    Raises:
        Conflict: The test set is not frozen.
        InvalidInput: The target or the judge cannot be opened as asked, or there is no such metric.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        corpus = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if not test_set.frozen:
        raise Conflict(f"Test set {test_set.name} is not frozen.", "Freeze it on the Test set page first.")
    run = Run(
        id=new_id("run"),
        project_id=test_set.project_id,
        test_set_id=test_set_id,
        target=target,
        judge=judge,
        corpus_id=corpus.id if corpus else "",
        seed=seed,
        options=_with_metrics(options or {}),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    with recorded(store, run.project_id, actor):
        run_target(store, run)
        run_judge(store, run)
    with store.write(
        actor, "run.create", project_id=run.project_id, subject=run.id, detail={"target": target, "judge": judge}
    ) as connection:
        runs.put(connection, run)
    return run


def start_run(store: Store, run_id: str, *, actor: str) -> Job:
    """Starts a worker for a planned run, or goes on with one that stopped.

    Raises:
        Conflict: The run is finished, or its worker is alive.
    """
    with _starting(store, run_id):
        with store.read() as connection:
            run = runs.get(connection, run_id)
        require(store, run.project_id, actor, Role.VALIDATOR)
        if run.state is RunState.FINISHED:
            raise Conflict(f"Run {run_id} is finished.", "Retry its failed cases, or start a new run.")
        # A finished job of an unfinished run: its failed cases were forgotten and the new job never came to be.
        if run.job_id and get_job(store, run.job_id).state is not JobState.FINISHED:
            return resume_job(store, run.job_id, actor)
        return _new_job(store, run, actor)


def accept_answers(store: Store, run_id: str, *, actor: str) -> Run:
    """Lets a run go on whose first answers looked misread: a person found them to be as they should be.

    A finished run stays as it is.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, Role.VALIDATOR)
    if run.state is RunState.FINISHED:
        return run
    with store.write(actor, "run.accept_answers", project_id=run.project_id, subject=run_id) as connection:
        current = runs.get(connection, run_id)
        accepted = replace(current, options={**current.options, ACCEPTED: "accepted"})
        runs.put(connection, accepted)
    return accepted


def set_budget(store: Store, run_id: str, *, actor: str, money: float | None, calls: int | None) -> Run:
    """Gives a run another budget; what it has spent counts on.

    Args:
        store: Where the run is.
        run_id: A run that is not finished.
        actor: Who does it.
        money: The most it may spend, in the currency of the price table; None for no limit.
        calls: The most calls; None for no limit.

    Raises:
        Conflict: The run is finished.
        InvalidInput: A limit is below 0, or there is no price for one of its models.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, Role.VALIDATOR)
    if run.state is RunState.FINISHED:
        raise Conflict(f"Run {run_id} is finished.", "A budget applies only to calls that are still to be made.")
    limits = {"budget": money, "budget_calls": calls}
    options = {name: value for name, value in run.options.items() if name not in limits}
    changed = replace(run, options=options | {name: value for name, value in limits.items() if value is not None})
    run_judge(store, changed)
    with store.write(actor, "run.budget", project_id=run.project_id, subject=run_id, detail=limits) as connection:
        current = runs.get(connection, run_id)
        runs.put(connection, replace(current, options=changed.options))
    return changed


def retry_failed(store: Store, run_id: str, *, actor: str) -> Job:
    """Asks again only the cases whose target failed, and judges again those whose judge did.

    Raises:
        InvalidInput: No case failed.
        Conflict: The run is still going, or is being scored.
    """
    with _starting(store, run_id):
        with store.read() as connection:
            run = runs.get(connection, run_id)
        require(store, run.project_id, actor, Role.VALIDATOR)
        if run.state is not RunState.FINISHED:
            raise Conflict(f"Run {run_id} is not finished.", "Wait for it, or resume it first.")
        if not forget_failures(store, run_id, actor=actor):
            raise InvalidInput(f"No case of run {run_id} failed.", "There is nothing to retry.")
        return _new_job(store, run, actor)


def _with_metrics(options: Mapping[str, object]) -> dict[str, object]:
    """The options with the metrics' names as the registry writes them."""
    names = metric_names(options)
    checked = {"metrics": [metric.name for metric in named_metrics(names)]} if names else {}
    return {**{name: value for name, value in options.items() if name != "metrics"}, **checked}


def _starting(store: Store, run_id: str) -> AbstractContextManager[None]:
    """Two clicks start one worker."""
    return store.exclusive(f"start-{run_id}", what=f"The start of run {run_id}", seconds=LOCK_SECONDS)


def _new_job(store: Store, run: Run, actor: str) -> Job:
    started = start_job(
        store,
        project_id=run.project_id,
        kind=EVALUATE,
        params={"run_id": run.id},
        actor=actor,
        subject=run.id,
        then=Follower(kind=EVIDENCE, params={"run_id": run.id}) if run.corpus_id else None,
    )
    with store.write(
        actor, "run.start", project_id=run.project_id, subject=run.id, detail={"job": started.id}
    ) as connection:
        current = runs.get(connection, run.id)
        runs.put(connection, replace(current, job_id=started.id))
    return started
