"""Pages as Markdown, HTML, CSV, DOCX and PDF files; equal pages give equal bytes."""

from __future__ import annotations

import csv
import html
import io
import zipfile
from datetime import UTC, datetime
from pathlib import PurePosixPath

import docx
from docx.document import Document as DocxDocument
from docx.enum.style import WD_STYLE_TYPE
from fpdf import FPDF, XPos, YPos

from sample_data.pages import Bullets, Grid, Heading, Page, Paragraph

FIXED_TIME = datetime(2025, 10, 1, 9, 0, tzinfo=UTC)
"""Stands in every file that must carry a time."""

KEPT_TABLE_STYLES = ("Normal Table", "Table Grid")
DROPPED_PARTS = ("/stylesWithEffects", "/metadata/thumbnail")


def render(page: Page) -> bytes:
    """The file of a page, in the format its path asks for."""
    return _WRITERS[PurePosixPath(page.path).suffix](page)


def _markdown(page: Page) -> bytes:
    lines = ["---"]
    if page.id:
        lines.append(f"id: {page.id}")
    lines += [f'title: "{page.title}"', f"updated: {page.updated}"]
    if page.owner:
        lines.append(f"owner: {page.owner}")
    lines += ["---", "", f"# {page.title}", ""]
    for block in page.blocks:
        match block:
            case Heading(text=text):
                lines += [f"## {text}", ""]
            case Paragraph(text=text):
                lines += [text, ""]
            case Bullets(items=items):
                lines += [f"- {item}" for item in items] + [""]
            case Grid(header=header, rows=rows):
                lines += [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
                lines += [f"| {' | '.join(row)} |" for row in rows] + [""]
    return ("\n".join(lines).rstrip() + "\n").encode()


def _html(page: Page) -> bytes:
    esc = html.escape
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en-GB">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{esc(page.title)} - Larkmoor Bank</title>",
        f'<meta name="last-modified" content="{page.updated}">',
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{esc(page.title)}</h1>",
    ]
    for block in page.blocks:
        match block:
            case Heading(text=text):
                lines.append(f"<h2>{esc(text)}</h2>")
            case Paragraph(text=text):
                lines.append(f"<p>{esc(text)}</p>")
            case Bullets(items=items):
                lines += ["<ul>", *(f"<li>{esc(item)}</li>" for item in items), "</ul>"]
            case Grid(header=header, rows=rows):
                lines += ["<table>", "<tr>" + "".join(f"<th>{esc(cell)}</th>" for cell in header) + "</tr>"]
                lines += ["<tr>" + "".join(f"<td>{esc(cell)}</td>" for cell in row) + "</tr>" for row in rows]
                lines.append("</table>")
    lines += ["</main>", "</body>", "</html>"]
    return ("\n".join(lines) + "\n").encode()


def _csv(page: Page) -> bytes:
    """Only the table of a page; a CSV file holds nothing else."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for block in page.blocks:
        if isinstance(block, Grid):
            writer.writerow(block.header)
            writer.writerows(block.rows)
    return buffer.getvalue().encode()


def _docx(page: Page) -> bytes:
    document = _plain_template()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = page.title, "Larkmoor Bank", ""
    properties.created = properties.modified = FIXED_TIME
    document.add_heading(page.title, level=1)
    for block in page.blocks:
        match block:
            case Heading(text=text):
                document.add_heading(text, level=2)
            case Paragraph(text=text):
                document.add_paragraph(text)
            case Bullets(items=items):
                for item in items:
                    document.add_paragraph(item, style="List Bullet")
            case Grid(header=header, rows=rows):
                table = document.add_table(rows=0, cols=len(header))
                for row in (header, *rows):
                    for cell, text in zip(table.add_row().cells, row, strict=True):
                        cell.text = text
    packed = io.BytesIO()
    document.save(packed)
    return _repack(packed)


def _plain_template() -> DocxDocument:
    """The library's blank document without its hundred table styles, their twins and its preview picture."""
    document = docx.Document()
    for style in list(document.styles):
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in KEPT_TABLE_STYLES:
            style.element.getparent().remove(style.element)
    for relations in (document.part.rels, document.part.package.rels):
        for number in [number for number, relation in relations.items() if relation.reltype.endswith(DROPPED_PARTS)]:
            del relations[number]
    return document


def _repack(packed: io.BytesIO) -> bytes:
    """The same archive without the clock and without compression, whose bytes depend on the zlib at hand."""
    fixed = io.BytesIO()
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(fixed, "w", zipfile.ZIP_STORED) as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, date_time=FIXED_TIME.timetuple()[:6])
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            target.writestr(entry, source.read(name))
    return fixed.getvalue()


def _pdf(page: Page) -> bytes:
    pdf = FPDF()
    pdf.set_compression(False)
    pdf.set_creation_date(FIXED_TIME)
    pdf.set_title(page.title)
    pdf.set_author("Larkmoor Bank")
    pdf.set_producer("Larkmoor Bank")
    pdf.set_margin(22)
    pdf.add_page()

    def write(text: str, size: float, style: str = "", gap: float = 3) -> None:
        pdf.set_font("Helvetica", style=style, size=size)
        pdf.multi_cell(0, size * 0.52, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        pdf.ln(gap)

    write(page.title, 18, "B", 5)
    for block in page.blocks:
        match block:
            case Heading(text=text):
                write(text, 13, "B", 2)
            case Paragraph(text=text):
                write(text, 10.5)
            case Bullets(items=items):
                for item in items:
                    write(f"- {item}", 10.5, gap=1)
                pdf.ln(2)
            case Grid(header=header, rows=rows):
                pdf.set_font("Helvetica", size=10.5)
                with pdf.table() as table:
                    for row in (header, *rows):
                        table.row(row)
                pdf.ln(3)
    write(f"Edition of {page.updated}", 9, "I")
    return bytes(pdf.output())


_WRITERS = {".md": _markdown, ".html": _html, ".csv": _csv, ".docx": _docx, ".pdf": _pdf}
