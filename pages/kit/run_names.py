"""How runs and test sets are called on screens."""

from __future__ import annotations

from core.domain.results.runs import Run
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
    """How a run is called in a list: target, test set, time."""
    test_set = sets.get(run.test_set_id)
    of = f"{test_set.name} v{test_set.version}" if test_set else run.test_set_id
    return f"{target_name(run)} on {of}, {numbers.when(run.created_at)}"


def test_set_label(test_set: TestSet) -> str:
    """How a test set is called in a list: name, version, whether it is frozen."""
    return f"{test_set.name} v{test_set.version}{'' if test_set.frozen else ' (draft)'}"
