"""How runs and test sets are called on screens."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.results.runs import Run, RunState
from core.domain.specs import short_spec
from core.domain.testset.cases import TestSet
from core.targets.protocol import CLOSED_BOOK, ORACLE
from pages.kit.look import numbers

MODES = {CLOSED_BOOK: "closed book", ORACLE: "oracle"}
"""Modes that a name tells; one with retrieval tells k."""


def target_name(run: Run) -> str:
    """The target of a run with its k or its mode.

    >>> run = Run(id="r", project_id="p", test_set_id="t", target="keyword", options={"k": 3})
    >>> target_name(run)
    'keyword (k = 3)'
    """
    name, mode = short_spec(run.target), MODES.get(str(run.options.get("mode")), "")
    setting = mode or (f"k = {run.options['k']}" if "k" in run.options else "")
    return f"{name} ({setting})" if setting else name


def run_label(run: Run, sets: dict[str, TestSet]) -> str:
    """How a run is called in a list: time, target, test set.

    What tells runs apart comes first: a narrow box cuts the end, and runs of one test set share it.

    >>> run = Run(id="r", project_id="p", test_set_id="t", target="bm25", created_at="2026-03-11T14:05")
    >>> run_label(run, {"t": TestSet(id="t", project_id="p", name="Facts of the order desk")})
    '2026-03-11 14:05 UTC, bm25 on Facts of the order desk v1'
    """
    test_set = sets.get(run.test_set_id)
    of = f"{test_set.name} v{test_set.version}" if test_set else run.test_set_id
    return f"{numbers.when(run.created_at)}, {target_name(run)} on {of}"


def test_set_label(test_set: TestSet) -> str:
    """How a test set is called in a list: name, version, whether it is frozen."""
    return f"{test_set.name} v{test_set.version}{'' if test_set.frozen else ' (draft)'}"


def standing(run: Run, runs: Sequence[Run]) -> str:
    """How a run in view stands among the others, in a sentence.

    Args:
        run: The run in view.
        runs: The project's runs, newest first, without those on variants of questions.

    >>> first, second, third = (
    ...     Run(id=name, project_id="p", test_set_id="t", target="x", state=state, created_at=f"2026-03-1{day}T14:05")
    ...     for day, (name, state) in enumerate([("a", "finished"), ("b", "finished"), ("c", "running")], start=1)
    ... )
    >>> standing(second, [third, second, first])
    'Showing the newest finished run, 2026-03-12 14:05 UTC; a later run is still going.'
    >>> standing(first, [third, second, first])
    'Showing the run of 2026-03-11 14:05 UTC; a later run is finished.'
    >>> standing(third, [third, second, first])
    'Showing a run that is not finished, 2026-03-13 14:05 UTC: its figures still change.'
    """
    moment = numbers.when(run.created_at)
    if run.state != RunState.FINISHED:
        return f"Showing a run that is not finished, {moment}: its figures still change."
    ids = [other.id for other in runs]
    if run.id not in ids:
        return f"Showing a run on variants of questions, {moment}."
    later = runs[: ids.index(run.id)]
    if finished := sum(other.state == RunState.FINISHED for other in later):
        return f"Showing the run of {moment}; {_later(finished)} finished."
    running = any(other.state == RunState.RUNNING for other in later)
    going = f"; {_later(len(later))} {'still going' if running else 'not finished'}" if later else ""
    return f"Showing the newest finished run, {moment}{going}."


def _later(count: int) -> str:
    return "a later run is" if count == 1 else f"{count:,} later runs are"
