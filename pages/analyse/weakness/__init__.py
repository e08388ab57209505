"""Where is it weak? Levels, pairs of levels, slices and clusters that are worse than the rest, shown by tests."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.searched,
        note="A run was searched for findings.",
        waits_for="" if has.finished else "needs a finished run",
        action="See where it is weak",
    )


PAGE = PageSpec(
    __file__,
    place=130,
    title="Weakness",
    question="Where is it weak?",
    about="Topics, types and their combinations that are answered worse than the rest, shown by tests.",
    url_path="weakness",
    step=_step,
)
