"""Did the change help? Two runs case by case."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    runs = has.finished - has.variants
    return step(
        done=False,
        note="Compare two runs case by case.",
        waits_for="" if runs > 1 else "needs a second run" if runs else "needs two finished runs",
        action="Compare two runs",
    )


PAGE = PageSpec(
    __file__,
    place=155,
    title="Compare",
    question="Did the change help?",
    about="Two runs case by case: what became right or wrong, in which module, and what could have been shown.",
    url_path="compare",
    step=_step,
)
