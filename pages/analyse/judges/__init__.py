"""Which judge can be trusted? Every judge of a run against a reference."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(_has: Progress) -> Step:
    return step(
        done=False,
        note="Test a judge before its scores count; compare the judges of a run.",
        waits_for="",
        action="Test a judge",
    )


PAGE = PageSpec(
    __file__,
    place=150,
    title="Judges",
    question="Which judge can be trusted?",
    about="Unit tests of a judge, and precision and recall of every judge of a run against a reference.",
    url_path="judges",
    step=_step,
)
