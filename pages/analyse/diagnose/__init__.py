"""Which module is broken? Groups, accuracies, attribution, and a test of what makes questions fail."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.finished > 0,
        note="The latest run is ready to read.",
        waits_for="" if has.finished else "needs a finished run",
        action="See which module is broken",
    )


PAGE = PageSpec(
    __file__,
    place=120,
    title="Diagnose",
    question="Which module is broken?",
    about="Whether errors come from the knowledge, the retrieval or the language model, with intervals.",
    url_path="diagnose",
    step=_step,
)
