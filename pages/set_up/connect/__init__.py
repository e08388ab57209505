"""What do we know for certain? The database that holds the truth, and the documents the system reads."""

from __future__ import annotations

from pages.kit.look import numbers
from pages.kit.page_spec import Mark, PageSpec, Step, done
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    if has.tables and has.documents:
        return done(f"{has.tables} tables and {has.documents} documents.")
    if has.documents:
        return done(f"{numbers.count(has.documents, 'document')}; without a database questions come from them alone.")
    missing = "the documents" if has.tables else "a database and documents"
    return Step(mark=Mark.READY, note=f"Ready: {missing} to connect.", action=f"Connect {missing}")


PAGE = PageSpec(
    __file__,
    place=20,
    title="Connect",
    question="What do we know for certain?",
    about="Connect the database that proves the answers and the documents the system reads.",
    url_path="connect",
    step=_step,
    milestone=True,
)
