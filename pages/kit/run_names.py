"""How runs are called on screens."""

from __future__ import annotations

from core.domain.results.runs import Run
from core.domain.specs import short_spec
from core.targets.protocol import CLOSED_BOOK, ORACLE

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
