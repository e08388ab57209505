"""Which language models may Plumbline ask, and what did they answer? Endpoints, prompts, prices, every call."""

from __future__ import annotations

from pages.kit.look import numbers
from pages.kit.page_spec import Mark, PageSpec, Step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return Step(
        mark=Mark.DONE if has.endpoints else Mark.READY,
        note=f"{numbers.count(has.endpoints, 'endpoint')}." if has.endpoints else "No model is needed.",
        action="Set up an endpoint",
    )


PAGE = PageSpec(
    __file__,
    place=30,
    title="Models",
    question="Which language models may Plumbline ask, and what did they answer?",
    about="Endpoints, the prompts they are asked with, what they cost, and every call with its reply. Optional.",
    url_path="models",
    step=_step,
)
