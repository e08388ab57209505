"""A report as a file, by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.report.cases import CaseRow, case_of
from core.report.content import ReportContent
from core.report.record import as_text
from core.report.render.html import as_html

ENDINGS: Final = (".html", ".json", ".pdf", ".docx", ".xlsx")

Rows = Callable[[], Iterable[CaseRow]]
"""The cases of the run, read when the file needs them."""


def check_ending(path: Path) -> str:
    """The ending of a file's name, where a report can be written so.

    Raises:
        InvalidInput: It cannot.
    """
    ending = path.suffix.casefold()
    if ending not in ENDINGS:
        raise InvalidInput(
            f"A report cannot be written as {path.name!r}.", f"End the name with one of: {', '.join(ENDINGS)}."
        )
    return ending


def report_bytes(content: ReportContent, ending: str, rows: Rows, *, snapshot: str = "") -> bytes:
    """The report in one format.

    Args:
        content: The report.
        ending: One of `ENDINGS`.
        rows: The cases as they are now; only the workbook asks for them, and not where the report keeps its own.
        snapshot: Id of the snapshot it was frozen as.

    Raises:
        InvalidInput: A PDF is asked for and nothing on this machine prints one.
    """
    if ending == ".html":
        return as_html(content, snapshot=snapshot).encode()
    if ending == ".json":
        return as_text(content).encode()
    if ending == ".pdf":
        from core.report.render.pdf import as_pdf

        return as_pdf(content, snapshot=snapshot)
    if ending == ".docx":
        from core.report.render.docx import as_docx

        return as_docx(content)
    from core.report.render.xlsx import as_xlsx

    return as_xlsx(content, rows() if content.cases is None else map(case_of, content.cases))
