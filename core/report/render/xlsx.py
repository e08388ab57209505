"""The cases of a run as a workbook, with the main figures in front; no cell is a formula."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from io import BytesIO
from typing import Final

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties

from core.domain.results.forms import form_name
from core.report.cases import CaseRow
from core.report.content import Cell, Chart, Number, ReportContent, Table
from core.report.words import cell_text
from core.text.display.formulas import neutral
from core.text.display.visible import visible

A4: Final = 9
"""The number that a workbook has for this paper."""
LONGEST: Final = 32_000
"""Signs of a cell; a workbook takes 32,767."""
WIDTHS: Final = {"Question": 60, "Right answer": 30, "Answer": 60, "Why": 40, "Evidence": 40}
FIXED: Final = (
    "Case",
    "Question",
    "Right answer",
    "Answer",
    "Verdict",
    "Why",
    "Module",
    "Evidence",
    "Form",
    "Fact",
    "Gold documents",
    "Retrieved documents",
)


def as_xlsx(content: ReportContent, rows: Iterable[CaseRow]) -> bytes:
    """The workbook: figures, findings, and one row a case.

    Args:
        content: The report.
        rows: The cases, masked.
    """
    book = Workbook(write_only=True)
    moment = datetime.fromisoformat(content.date)
    book.properties.created = book.properties.modified = moment
    book.properties.title, book.properties.creator = visible(content.title), f"Plumbline {content.version}"
    _figures(book, content)
    _findings(book, content)
    _cases(book, rows)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def safe_cell(value: object) -> object:
    """A value as a cell: texts are cut, shown and never formulas."""
    if isinstance(value, str):
        return neutral(visible(value[:LONGEST]))
    return value


def _sheet(book: Workbook, title: str, columns: list[str], widths: dict[str, int]) -> object:
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "B2"
    # On paper: a landscape page as wide as the columns, their names on each.
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", A4
    sheet.page_setup.fitToHeight = 0
    sheet.print_title_rows = "1:1"
    for place, name in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(place)].width = widths.get(name, 16)
    head = []
    for name in columns:
        cell = WriteOnlyCell(sheet, value=safe_cell(name))
        cell.font, cell.alignment = Font(bold=True), Alignment(wrap_text=True, vertical="top")
        head.append(cell)
    sheet.append(head)
    return sheet


def _figures(book: Workbook, content: ReportContent) -> None:
    columns = ["Section", "Table", "What", "Value", "Low", "High", "n", "Numerator", "As text"]
    sheet = _sheet(book, "Figures", columns, {"Section": 32, "Table": 46, "What": 52, "As text": 40})
    for section in content.every_section():
        for block in section.blocks:
            table = block.table if isinstance(block, Chart) else block
            if isinstance(table, Table):
                for row in table.rows:
                    _numbers(sheet, section.title, table.title, table.columns, row)


def _numbers(sheet: object, section: str, title: str, columns: tuple[str, ...], row: tuple[Cell, ...]) -> None:
    label = cell_text(row[0])
    for name, cell in zip(columns, row, strict=True):
        if isinstance(cell, Number):
            what = f"{label}: {name}" if cell is not row[0] else name
            values = [*(_shown(sheet, value) for value in (cell.value, cell.low, cell.high)), cell.n, cell.num]
            texts = [safe_cell(text) for text in (section, title, what)]
            sheet.append([*texts, *values, safe_cell(cell_text(cell))])  # type: ignore[attr-defined]


def _shown(sheet: object, value: float | None) -> WriteOnlyCell:
    """A number that keeps its full precision and shows three decimals."""
    cell = WriteOnlyCell(sheet, value=value)
    cell.number_format = "0.000"
    return cell


def _findings(book: Workbook, content: ReportContent) -> None:
    names = ["id", "severity", "status", "text", "score", "cases", "owner", "comment", "gone"]
    sheet = _sheet(book, "Findings", names, {"text": 80, "comment": 40})
    for finding in content.findings:
        sheet.append([safe_cell(finding[name]) for name in names])  # type: ignore[attr-defined]


def _cases(book: Workbook, rows: Iterable[CaseRow]) -> None:
    sheet: object = None
    attributes: list[str] = []
    metrics: list[str] = []
    for row in rows:
        if sheet is None:
            attributes, metrics = list(row.attributes), list(row.scores)
            sheet = _sheet(book, "Cases", [*FIXED, *attributes, *metrics], WIDTHS)
        values = [
            row.case_id,
            row.question,
            " | ".join(row.references),
            row.answer or (f"(no answer: {row.error})" if row.error else ""),
            row.verdict,
            row.why,
            row.module,
            row.evidence,
            form_name(row.form, row.attributes),
            row.group_id,
            ", ".join(row.gold_documents),
            ", ".join(row.retrieved),
            *(row.attributes.get(name, "") for name in attributes),
            *(row.scores.get(name) for name in metrics),
        ]
        sheet.append([safe_cell(value) for value in values])  # type: ignore[attr-defined]
    if sheet is None:
        _sheet(book, "Cases", list(FIXED), WIDTHS)
