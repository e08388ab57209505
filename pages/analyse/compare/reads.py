"""What the page reads: the comparison of two runs."""

from __future__ import annotations

from core.comparison.result import Comparison
from core.comparison.service import compare_runs
from core.comparison.several import Against, against
from core.diagnosis.service.evidence import QUICK_S
from core.store.database import Store
from pages.kit import cache


@cache.read("runs", "answers", "scores", "test_sets", "sources", "evidence", max_entries=4)
def comparison(store: Store, project_id: str, first: str, second: str, accept: bool) -> Comparison:
    """Run `second` against run `first`, with the modules that are known at once."""
    return compare_runs(store, first, second, accept=accept, seconds=QUICK_S)


@cache.read("runs", "scores", "test_sets", max_entries=8)
def others(store: Store, project_id: str, first: str, run_ids: tuple[str, ...]) -> tuple[Against, ...]:
    """The accuracy of several runs against that of run `first`."""
    return against(store, first, run_ids)
