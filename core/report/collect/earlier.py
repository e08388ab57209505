"""The earlier run that a report compares its run with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.comparison.result import Comparison
from core.comparison.service import compare_runs
from core.domain.errors import InvalidInput
from core.domain.results.runs import Run, RunState
from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier run, and what changed since."""

    run: Run
    comparison: Comparison


def earlier_runs(run: Run, newest_first: Sequence[Run]) -> tuple[Run, ...]:
    """The finished runs of the same test set and judge that were made before a run, newest first."""
    ids = [one.id for one in newest_first]
    before = newest_first[ids.index(run.id) + 1 :] if run.id in ids else ()
    return tuple(
        one
        for one in before
        if one.state is RunState.FINISHED and (one.test_set_id, one.judge) == (run.test_set_id, run.judge)
    )


def earlier(
    store: Store, run: Run, newest_first: Sequence[Run], against: str = "", *, seconds: float | None = None
) -> Earlier | None:
    """What changed since an earlier run; None where there is none to compare with.

    Args:
        store: Where both are.
        run: The run of the report.
        newest_first: All runs of its project.
        against: The run to compare with; the newest of :func:`earlier_runs` where it is empty.
        seconds: The longest search for evidence.

    Raises:
        InvalidInput: The stated run is not of the project, not finished, of another test set or judge, or the run
            itself.
    """
    if run.state is not RunState.FINISHED:
        return None
    if against:
        chosen = next((one for one in newest_first if one.id == against), None)
        if chosen is None:
            raise InvalidInput(
                f"The project of run {run.id} has no run {against}.", "Name a finished run of the same project."
            )
    else:
        chosen = next(iter(earlier_runs(run, newest_first)), None)
        if chosen is None:
            return None
    return Earlier(run=chosen, comparison=compare_runs(store, chosen.id, run.id, seconds=seconds))
