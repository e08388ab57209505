"""Is everything as it was written? Rows and entries checked against what each write left."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(done=False, note="", waits_for="", action="Check rows and trail")


PAGE = PageSpec(
    __file__,
    place=170,
    title="Audit trail",
    question="Is everything as it was written?",
    about="Every label, score, case, template and finding is compared with what was written, by whom and when.",
    url_path="audit",
    step=_step,
)
