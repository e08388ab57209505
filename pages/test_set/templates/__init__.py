"""Which questions can the database answer? Review SQL templates, then their wordings."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    reviewed = has.sql_approved > 0 and has.texts_approved > 0
    return step(
        done=reviewed,
        note=f"{has.sql_approved} SQL templates and {has.texts_approved} wordings approved.",
        waits_for="" if has.tables else "needs a database",
        action="Review templates" if has.sql else "Propose templates",
    )


PAGE = PageSpec(
    __file__,
    place=40,
    title="Templates",
    question="Which questions can the database answer?",
    about="Review SQL templates and their wordings; every question of the test set comes from one of each.",
    url_path="templates",
    step=_step,
    milestone=True,
)
