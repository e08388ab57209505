"""Which two runs are compared where nobody chose: run A is the earlier one."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.results.runs import Run


def after_unasked(runs: Sequence[Run], current: Run | None) -> Run:
    """Run B: the run in view, or the one that followed it where it is the first of its questions and its judge.

    Args:
        runs: Those that can be compared, newest first; at least one.
        current: The run in view.
    """
    if current not in runs or current is None:
        return runs[0]
    at = runs.index(current)
    if any(_alike(run, current) for run in runs[at + 1 :]):
        return current
    return next((run for run in reversed(runs[:at]) if _alike(run, current)), current)


def before(runs: Sequence[Run], after: Run) -> list[Run]:
    """What run A may be, the likeliest first: of the same questions and judge, earlier than B, the newest of these.

    Args:
        runs: Those that can be compared, newest first.
        after: Run B.
    """
    later = {run.id for run in runs[: runs.index(after)]}
    return sorted(
        (run for run in runs if run.id != after.id),
        key=lambda run: (run.test_set_id != after.test_set_id, run.judge != after.judge, run.id in later),
    )


def _alike(first: Run, second: Run) -> bool:
    return (first.test_set_id, first.judge) == (second.test_set_id, second.judge)
