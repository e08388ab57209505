"""Does it hold under altered input? Variants of the test set, run and compared with the answers before."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.variants > 0,
        note="A run on variants is ready to read.",
        waits_for="" if has.finished else "needs a finished run",
        action="Make variants",
    )


PAGE = PageSpec(
    __file__,
    place=135,
    title="Robustness",
    question="Does it hold under altered input?",
    about="Misspelt, reworded, misleading and unfamiliar variants of the test set, beside the answers before.",
    url_path="robustness",
    step=_step,
)
