"""Where does this validation stand? What the project has, the next step, the figures of a run."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, done
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return done("Ready.")


PAGE = PageSpec(
    __file__,
    place=10,
    title="Overview",
    question="Where does this validation stand?",
    about="What the project has, what comes next, and the figures of a run.",
    url_path="",
    step=_step,
)
