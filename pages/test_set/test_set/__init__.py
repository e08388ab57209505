"""What will be asked? Fill the approved templates, look at the questions, take out what is wrong, freeze."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    reviewed = has.sql_approved > 0 and has.texts_approved > 0
    lacks = "questions" if has.documents and not has.tables else "templates"
    return step(
        done=has.frozen > 0,
        note=f"{has.frozen} frozen, {has.drafts} in draft.",
        waits_for="" if reviewed or has.questions_approved or has.frozen or has.drafts else f"needs {lacks}",
        action="Freeze a test set" if has.drafts else "Build a test set",
    )


PAGE = PageSpec(
    __file__,
    place=70,
    title="Test set",
    question="What will be asked?",
    about="Fill the approved templates with the database's values, look at the questions, freeze them.",
    url_path="test-set",
    step=_step,
    milestone=True,
)
