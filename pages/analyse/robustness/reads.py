"""What the Robustness page reads: finished runs, runs on variants, what came of them, a preview of variants."""

from __future__ import annotations

from core.domain.results.runs import Run, RunState
from core.robustness.result import Robustness
from core.robustness.service import VariantRun
from core.robustness.service import robustness as read_robustness
from core.robustness.service import variant_runs as read_variant_runs
from core.store.database import Store
from core.testset.variants.making import Recipe, Variants
from core.testset.variants.service import parent_of, preview_variants
from pages.kit import cache, project_reads
from pages.kit.frame import Page


def finished(page: Page) -> dict[str, Run]:
    """Finished runs that variants can be made for, newest first, by id."""
    sets = {one.id: one for one in project_reads.test_sets(page.store, page.project.id)}
    return {
        run.id: run
        for run in project_reads.runs(page.store, page.project.id)
        if run.state is RunState.FINISHED and run.test_set_id in sets and not parent_of(sets[run.test_set_id])
    }


def variant_runs(page: Page) -> dict[str, VariantRun]:
    """The runs on variants, newest first, by id."""
    return {item.run.id: item for item in _variant_runs(page.store, page.project.id)}


@cache.read("runs", "test_sets")
def _variant_runs(store: Store, project_id: str) -> tuple[VariantRun, ...]:
    return read_variant_runs(store, project_id)


@cache.shared("runs", "answers", "scores", "test_sets")
def result(store: Store, project_id: str, variant_run: str) -> Robustness:
    """What came of a run on variants, beside the run before.

    Args:
        store: The store.
        project_id: The project, whose answers and scores decide the result.
        variant_run: The run.
    """
    return read_robustness(store, variant_run)


@cache.read("test_sets", max_entries=8)
def preview(store: Store, test_set_id: str, kind: str, n: int, seed: int, rate: float) -> Variants:
    """Some variants of one kind by rules alone.

    Raises:
        InvalidInput: They cannot be made.
    """
    return preview_variants(store, test_set_id, Recipe(kinds=(kind,), n=n, seed=seed, rate=rate, repeats=1))
