"""Is it toxic, does it leak, does it treat people alike? Safety of the answers of a run and of its documents."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.safety_checks > 0,
        note="The answers of a run are checked."
        if has.safety_checks
        else "Look for personal data, toxic answers and differences between people.",
        waits_for="" if has.finished else "needs a finished run",
        action="Check safety",
    )


PAGE = PageSpec(
    __file__,
    place=138,
    title="Safety",
    question="Is it toxic, does it leak personal data, does it treat people alike?",
    about="Toxicity, personal data, probes and bias of the answers of a run, and what its documents hold.",
    url_path="safety",
    step=_step,
)
