"""Robustness in a project: variants made and run by a worker, and what came of them beside the run before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import new_id
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestSet
from core.jobs import Job, JobContext, job, start
from core.robustness.reading import answered_of
from core.robustness.result import Robustness, robustness_of
from core.runs.scores.edits import score_range
from core.runs.service import create_run, start_run
from core.runs.target import searches_here
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from core.testset.variants.registry import find_kinds
from core.testset.variants.service import VariantPlan, build_variants, parent_of

KIND = "vary_test_set"
PARENT_RUN = "parent_run"
"""The option of a run on variants that names the run its answers are compared with."""
DROPPED_OPTIONS = frozenset({PARENT_RUN, "experiment"})
"""Options of a run that the run on its variants does not take over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRun:
    """A run on variants and the run before, None where that is not there."""

    run: Run
    test_set: TestSet
    parent: Run | None


def variant_runs(store: Store, project_id: str) -> tuple[VariantRun, ...]:
    """The runs of a project on variants, newest first, each with the run it is compared with."""
    with store.read() as connection:
        stored = runs.all(connection, project_id)
        sets = {test_set.id: test_set for test_set in testsets.all(connection, project_id)}
    return tuple(
        VariantRun(run=run, test_set=sets[run.test_set_id], parent=_parent(run, sets[run.test_set_id], stored))
        for run in stored
        if run.test_set_id in sets and parent_of(sets[run.test_set_id])
    )


def _parent(run: Run, test_set: TestSet, stored: list[Run]) -> Run | None:
    """The run that is named, else the newest finished one of the same system on the parents."""
    named = str(run.options.get(PARENT_RUN, ""))
    candidates = [one for one in stored if one.test_set_id == parent_of(test_set)]
    if named:
        return next((one for one in candidates if one.id == named), None)
    return next(
        (
            one
            for one in candidates
            if one.state is RunState.FINISHED and one.target == run.target and _kept(one) == _kept(run)
        ),
        None,
    )


def _kept(run: Run) -> dict[str, object]:
    return {name: value for name, value in run.options.items() if name not in DROPPED_OPTIONS}


def create_variant_run(store: Store, parent_run_id: str, test_set_id: str, *, actor: str) -> Run:
    """Plans a run of variants with the system, judge and options of the run before.

    Raises:
        NotFound: There is no such run or test set.
        InvalidInput: The test set does not hold variants of the cases of that run.
    """
    with store.read() as connection:
        parent = runs.get(connection, parent_run_id)
        test_set = testsets.get(connection, test_set_id)
    if parent_of(test_set) != parent.test_set_id:
        raise InvalidInput(
            f"Test set {test_set.name} holds no variants of the cases of run {parent_run_id}.",
            "Choose variants that were made from the test set of that run.",
        )
    return create_run(
        store,
        test_set_id,
        actor=actor,
        target=parent.target,
        judge=parent.judge,
        seed=parent.seed,
        options={**_kept(parent), PARENT_RUN: parent.id},
    )


def start_variants(store: Store, parent_run_id: str, plan: VariantPlan, *, actor: str) -> Job:
    """Starts a worker that makes variants of the cases of a finished run, and runs them with the same system.

    Returns:
        Its job; the run's id is its ``run_id`` once it is made, see :func:`run_of_job`.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The run is not finished, the plan cannot be met, or a passage cannot be planted for this system.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        parent = runs.get(connection, parent_run_id)
    if parent.state is not RunState.FINISHED:
        raise InvalidInput(
            f"Run {parent_run_id} is not finished, so that nothing can be compared with it.", "Finish it first."
        )
    refuse_unfit(parent, plan)
    params: dict[str, Any] = {
        "parent_run": parent_run_id,
        "test_set_id": new_id("ts"),
        "plan": plan.as_params(),
    }
    return start(
        store, project_id=parent.project_id, kind=KIND, params=params, actor=actor, subject=params["test_set_id"]
    )


def refuse_unfit(parent: Run, plan: VariantPlan) -> None:
    """Refuses what cannot be tried with the system of a run.

    Raises:
        InvalidInput: A kind is unknown, or plants a passage where the system searches documents of its own, or the
            answers of the system are a recording, which has none to variants.
    """
    kinds = find_kinds(plan.recipe.kinds)
    if parent.target.startswith("recorded:"):
        raise InvalidInput(
            f"The answers of run {parent.id} are a recording, which has none to variants.",
            "Write the variants with perturb, have your system answer them, and run these answers as a recording.",
        )
    plants = [kind.spec.name for kind in kinds if kind.spec.plants]
    if plants and not searches_here(parent.target, parent.options):
        raise InvalidInput(
            f"The system searches documents of its own, so that no passage can be planted: {', '.join(plants)}.",
            "Leave out this kind, or test a target that searches the documents here.",
        )


@job(KIND)
def variants_job(context: JobContext) -> bool:
    """Makes the variants that the job's parameters describe and starts their run; whether it is done."""
    store, params = context.store, context.params
    plan_params = params["plan"]
    if not isinstance(plan_params, Mapping):
        raise InvalidInput("The job has no plan.", "Start it again.")
    with store.read() as connection:
        parent = runs.get(connection, str(params["parent_run"]))
    try:
        test_set = build_variants(
            store,
            parent.test_set_id,
            VariantPlan.of(plan_params),
            actor=context.actor,
            test_set_id=str(params["test_set_id"]),
            job_id=context.job.id,
            progress=context.progress,
            should_stop=context.should_stop,
        )
    except Stopped:
        return False
    run = run_on(store, test_set.id)
    if run is None:
        run = create_variant_run(store, parent.id, test_set.id, actor=context.actor)
    if not run.job_id and run.state is not RunState.FINISHED:
        start_run(store, run.id, actor=context.actor)
    return True


def run_on(store: Store, test_set_id: str) -> Run | None:
    """The newest run of a test set, None where there is none."""
    with store.read() as connection:
        stored = runs.all(connection, None)
    return next((run for run in stored if run.test_set_id == test_set_id), None)


def robustness(store: Store, run_id: str, parent_run_id: str = "") -> Robustness:
    """What became of the variants of a run, beside the run before.

    Args:
        store: Where both are.
        run_id: The run on variants.
        parent_run_id: The run on their parents; empty for the one it was made for.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The run has no variants.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        test_set = testsets.get(connection, run.test_set_id)
        if not parent_run_id:
            parent = _parent(run, test_set, runs.all(connection, run.project_id))
            parent_run_id = parent.id if parent else ""
        variants = answered_of(connection, run_id)
        wanted = {answered.case.attributes.get("parent", "") for answered in variants.values()} - {""}
        parents = answered_of(connection, parent_run_id, wanted) if parent_run_id else {}
        counts = scores.counts(connection, run_id, run.test_set_id)
    if not wanted:
        raise InvalidInput(f"Run {run_id} has no variants.", "Make some with perturb, or on the Robustness page.")
    ranges = {name: score_range(name) for name in counts if name != VERDICT_METRIC}
    return robustness_of(parents, list(variants.values()), ranges=ranges, seed=run.seed)
