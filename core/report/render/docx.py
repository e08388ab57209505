"""A report as a Word document that people go on writing in: real headings, real tables, pictures where a browser is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from typing import Any, Final

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from core.report.content import (
    Block,
    Chart,
    Facts,
    Heading,
    Listing,
    Paragraph,
    ReportContent,
    Section,
    Table,
    Tone,
)
from core.report.render.pictures import chart_pictures
from core.report.words import cell_text
from core.text.display.numbers import when
from core.text.display.visible import visible

INK, FAINT, BAD, GOOD = (
    RGBColor(0x1B, 0x26, 0x31),
    RGBColor(0x55, 0x61, 0x6D),
    RGBColor(0xA3, 0x43, 0x00),
    RGBColor(0x00, 0x67, 0x4A),
)
COLOURS: Final = {Tone.NOTE: FAINT, Tone.WARNING: BAD, Tone.GOOD: GOOD, Tone.MISSING: FAINT}
WIDTH: Final = Mm(174)
PARAGRAPH, MARGIN, LEAST = 45, 2, 10
"""In signs of a table's text: what is longer is set in several lines; the room beside it; the narrowest column."""


def as_docx(content: ReportContent, *, pictures: bool = True) -> bytes:
    """The report as DOCX.

    Args:
        content: The report.
        pictures: Whether charts are drawn where a browser is there; their tables are in it either way.

    Raises:
        InvalidInput: The browser is there and failed.
    """
    drawn = chart_pictures(content) if pictures else {}
    document: Any = Document()
    _look(document)
    moment = datetime.fromisoformat(content.date)
    document.core_properties.title = _text(content.title)
    document.core_properties.author = f"Plumbline {content.version}"
    document.core_properties.created = document.core_properties.modified = moment
    document.add_heading(_text(content.title), level=0)
    line = document.add_paragraph(f"{content.date} · run {_text(content.run_id)} · Plumbline {content.version}")
    line.runs[0].font.color.rgb = FAINT
    _page_one(document, content.summary, drawn)
    document.add_page_break()
    _commentary(document, content.summary)
    for section in content.sections:
        document.add_heading(f"{section.number}  {_text(section.title)}", level=1)
        _section(document, section, drawn)
    if content.left_out:
        document.add_paragraph(f"Left out of this copy: {', '.join(content.left_out)}.")
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _look(document: Any) -> None:
    page = document.sections[0]
    page.page_width, page.page_height = Mm(210), Mm(297)
    page.left_margin = page.right_margin = Mm(18)
    page.top_margin = page.bottom_margin = Mm(17)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10)
    normal.paragraph_format.space_after = Pt(4)
    for name, size in (("Title", 20), ("Heading 1", 14), ("Heading 2", 11)):
        style = document.styles[name]
        style.font.color.rgb, style.font.size, style.font.name = INK, Pt(size), "Calibri"


def _section(document: Any, section: Section, drawn: Mapping[str, bytes]) -> None:
    for block in section.blocks:
        _block(document, block, drawn)
    _commentary(document, section)


def _page_one(document: Any, summary: Section, drawn: Mapping[str, bytes]) -> None:
    """The summary; what is said about it stands behind it, so that it stays one page."""
    for block in summary.blocks:
        _block(document, block, drawn)
    if summary.commentary:
        by = _text(summary.commentary[0].by)
        line = document.add_paragraph(f"Commentary by {by} on this page follows behind it.")
        line.runs[0].font.color.rgb = FAINT


def _commentary(document: Any, section: Section) -> None:
    for comment in section.commentary:
        paragraph = document.add_paragraph(style="Intense Quote")
        paragraph.add_run(_text(comment.text))
        paragraph.add_run(f"\nCommentary by {_text(comment.by)}, {when(comment.at)}").italic = True


def _block(document: Any, block: Block, drawn: Mapping[str, bytes]) -> None:
    if isinstance(block, Paragraph):
        run = document.add_paragraph().add_run(_text(block.text))
        if block.tone in COLOURS:
            run.font.color.rgb = COLOURS[block.tone]
        run.bold = block.tone in (Tone.WARNING, Tone.GOOD)
    elif isinstance(block, Heading):
        document.add_heading(_text(block.text), level=2)
    elif isinstance(block, Listing):
        for point in block.points:
            document.add_paragraph(_text(point), style="List Bullet")
    elif isinstance(block, Facts):
        rows = [(fact.name, cell_text(fact.cell) + (f" ({fact.note})" if fact.note else "")) for fact in block.facts]
        _table(document, (), rows, labels=True)
        _gap(document)
    elif isinstance(block, Table):
        _titled(document, block, f"Table {block.number}. ")
    else:
        _chart(document, block, drawn)


def _chart(document: Any, chart: Chart, drawn: Mapping[str, bytes]) -> None:
    _caption(document, f"Figure {chart.number}. ", chart.title)
    if chart.id in drawn:
        picture = document.add_picture(BytesIO(drawn[chart.id]), width=WIDTH)
        picture._inline.docPr.set("descr", _text(chart.alt))
        document.paragraphs[-1].paragraph_format.keep_with_next = True
    _titled(document, chart.table, "")


def _titled(document: Any, table: Table, number: str) -> None:
    _caption(document, number, table.title)
    _table(document, table.columns, [[cell_text(cell) for cell in row] for row in table.rows], labels=table.labels)
    if table.note:
        run = document.add_paragraph().add_run(_text(table.note))
        run.font.size, run.font.color.rgb = Pt(9), FAINT
    else:
        _gap(document)


def _gap(document: Any) -> None:
    """A little room below a table; two tables without a paragraph between them would become one."""
    gap = document.add_paragraph()
    gap.paragraph_format.space_after = Pt(0)
    gap.add_run(" ").font.size = Pt(5)


def _caption(document: Any, number: str, title: str) -> None:
    paragraph = document.add_paragraph(style="Caption")
    paragraph.paragraph_format.keep_with_next = True
    if number:
        paragraph.add_run(number).font.color.rgb = FAINT
    run = paragraph.add_run(_text(title))
    run.font.color.rgb, run.font.size = INK, Pt(9.5)


def column_shares(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[float]:
    """The share of a table's width that each column gets: by its longest text, a long one counting as a paragraph.

    >>> column_shares(("Criterion", "Result"), [("Accuracy: at least 0.70 of all", "met"), ("Recall", "not met")])
    [0.76..., 0.23...]
    """
    texts = [*([tuple(columns)] if columns else []), *rows]
    wanted = [min(max(map(len, cells)), PARAGRAPH) + MARGIN for cells in zip(*texts, strict=True)]
    wanted = [max(one, LEAST) for one in wanted]
    return [one / sum(wanted) for one in wanted]


def _lines(table: Any) -> None:
    """Thin lines below the rows, as in the printed report."""
    borders = OxmlElement("w:tblBorders")
    for side in ("top", "bottom", "insideH"):
        line = OxmlElement(f"w:{side}")
        for name, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", "B8C0C8")):
            line.set(qn(f"w:{name}"), value)
        borders.append(line)
    # The schema wants what a table is drawn with in one order: its width, its lines, its layout.
    table._tbl.tblPr.find(qn("w:tblW")).addnext(borders)


def _table(document: Any, columns: tuple[str, ...], rows: Any, *, labels: bool) -> None:
    """A real table; its first row is repeated on each page and named as the header for readers aloud."""
    width = len(columns) or (len(rows[0]) if rows else 1)
    table = document.add_table(rows=0, cols=width)
    table.style = "Normal Table"
    table.autofit = False
    shares = column_shares(columns, rows) if columns and rows else [1 / width] * width
    if not columns and width == 2:
        shares = [0.2, 0.8]
    widths = [int(WIDTH * share) for share in shares]
    for column, wide in zip(table.columns, widths, strict=True):
        column.width = wide
    if columns:
        _lines(table)
        cells = table.add_row()
        properties = cells._tr.get_or_add_trPr()
        properties.append(OxmlElement("w:tblHeader"))
        for cell, name in zip(cells.cells, columns, strict=True):
            _write(cell, name, bold=True)
    for row in rows:
        cells = table.add_row()
        cells._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        for place, (cell, text) in enumerate(zip(cells.cells, row, strict=True)):
            _write(cell, text, faint=not columns and place == 0, bold=False if not labels or place else None)
    for row_drawn in table.rows:
        for cell, wide in zip(row_drawn.cells, widths, strict=True):
            cell.width = wide
    look = table._tbl.tblPr.find(qn("w:tblLook"))
    if look is not None:
        look.set(qn("w:firstColumn"), "0")


def _write(cell: Any, text: str, *, bold: bool | None = None, faint: bool = False) -> None:
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(1)
    run = paragraph.add_run(_text(text))
    run.font.size, run.bold = Pt(8.5), bool(bold)
    if faint or bold:
        run.font.color.rgb = FAINT


def _text(text: str) -> str:
    return visible(text)
