"""Which answers are wrong? How good are they? Do the metrics agree? The answers of a run and their scores."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.finished > 0,
        note="The latest run is ready to read.",
        waits_for="" if has.finished else "needs a finished run",
        action="Read the results",
    )


PAGE = PageSpec(
    __file__,
    place=90,
    title="Results",
    question="Which answers are wrong?",
    about="Every answer with its reference, its passages and the rule that judged it.",
    url_path="results",
    step=_step,
)
