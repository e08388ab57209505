"""A report as a Word document that people go on writing in: real headings, real tables, pictures where a browser is."""

from __future__ import annotations

from collections.abc import Mapping
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
from core.text.numbers import when
from core.text.visible import visible

INK, FAINT, BAD, GOOD = (
    RGBColor(0x1B, 0x26, 0x31),
    RGBColor(0x55, 0x61, 0x6D),
    RGBColor(0xA3, 0x43, 0x00),
    RGBColor(0x00, 0x67, 0x4A),
)
COLOURS: Final = {Tone.NOTE: FAINT, Tone.WARNING: BAD, Tone.GOOD: GOOD, Tone.MISSING: FAINT}
WIDTH: Final = Mm(174)


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
        line = document.add_paragraph(f"Commentary by {_text(summary.commentary[0].by)} on this page: after it.")
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
        document.add_paragraph()
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
    note = document.add_paragraph()
    if table.note:
        run = note.add_run(_text(table.note))
        run.font.size, run.font.color.rgb = Pt(9), FAINT


def _caption(document: Any, number: str, title: str) -> None:
    paragraph = document.add_paragraph(style="Caption")
    paragraph.paragraph_format.keep_with_next = True
    if number:
        paragraph.add_run(number).font.color.rgb = FAINT
    run = paragraph.add_run(_text(title))
    run.font.color.rgb, run.font.size = INK, Pt(9.5)


def _table(document: Any, columns: tuple[str, ...], rows: Any, *, labels: bool) -> None:
    """A real table; its first row is repeated on each page and named as the header for readers aloud."""
    width = len(columns) or (len(rows[0]) if rows else 1)
    table = document.add_table(rows=0, cols=width)
    table.style = "Light List" if columns else "Normal Table"
    if columns:
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
    look = table._tbl.tblPr.find(qn("w:tblLook"))
    if look is not None:
        look.set(qn("w:firstColumn"), "0")


def _write(cell: Any, text: str, *, bold: bool | None = None, faint: bool = False) -> None:
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(1)
    run = paragraph.add_run(_text(text))
    run.font.size, run.bold = Pt(9), bool(bold)
    if faint:
        run.font.color.rgb = FAINT
    if not bold:
        return
    run.font.color.rgb = RGBColor(0xFF, 0xFF, 0xFF)


def _text(text: str) -> str:
    return visible(text)
