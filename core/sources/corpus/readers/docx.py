"""Word documents: paragraphs and tables in their order."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from core.domain.errors import UnreadableFile
from core.sources.corpus.containers.office import check_office, core_fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tabular.spans import SpanningCell, read_fields, read_spans, units_in, without_units
from core.sources.corpus.tabular.tables import table_block, table_lines

if TYPE_CHECKING:
    from docx.table import Table, _Row

CAPTION = re.compile(r"(?:Table|Exhibit|Schedule) [\dIVX]{1,4}\b")
LEVEL = re.compile(r"Heading (\d)")


@reads("docx", ".docx", version=2)
def read_docx(data: bytes) -> tuple[Parsed, ...]:
    """The text; headings and tables as in Markdown, the title from the properties, else the first heading."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from docx.table import Table

    notes = check_office(data, "Word document", "DOCX")
    try:
        document = docx.Document(io.BytesIO(data))
    except (PackageNotFoundError, KeyError, ValueError) as error:
        raise UnreadableFile(f"it is damaged or no Word document ({error})", "Save it again as DOCX.") from None
    parts: list[str] = []
    title = (document.core_properties.title or "").strip()
    heading = ""
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            parts.append("\n".join(_table(block, heading, parts[-1] if parts else "")))
            continue
        text = block.text.strip()
        style = (block.style.name if block.style else "") or ""
        level = 1 if style == "Title" else int(match.group(1)) if (match := LEVEL.match(style)) else 0
        if text and level:
            title = title or text
            heading = text
            text = f"{'#' * min(level, 6)} {text}"
        elif text and style.startswith("List"):
            text = f"- {text}"
        if text:
            parts.append(text)
    metadata = core_fields(document.core_properties)
    return (Parsed(text="\n\n".join(parts).strip(), title=title, metadata=metadata, notes=notes),)


def _table(table: Table, heading: str, before: str) -> list[str]:
    """The lines of a table: of a form where keys and values alternate, else with its title and heads.

    Args:
        table: The table.
        heading: Above it.
        before: The paragraph before it, which may be its caption or tell its units.
    """
    rows = [_cells(row) for row in table.rows]
    if fields := read_fields(rows):
        return [f"{key}: {value}" for key, value in fields if value]
    if len(rows) < 2 or max(map(len, rows)) < 2:
        return table_lines([[cell.text for cell in row] for row in rows], headed=True)
    read = read_spans(rows, _heads(table, rows))
    caption = before if CAPTION.match(before) else ""
    title = caption or read.title or heading
    units = units_in(title) or read.units or units_in(before)
    return table_block([read.heads, *read.rows], title=without_units(title), units=units)


def _heads(table: Table, rows: Sequence[Sequence[SpanningCell]]) -> int:
    """Rows of heads: those that are marked to be repeated, else the first, and the second where the first spans it."""
    from docx.oxml.ns import qn

    marked = 0
    for row in table.rows:
        if row._tr.trPr is None or row._tr.trPr.find(qn("w:tblHeader")) is None:
            break
        marked += 1
    first, second = table.rows[0], table.rows[1]
    below = [cell._tc for cell in second.cells]
    spanned = any(cell.columns > 1 for cell in rows[0]) or any(cell._tc in below for cell in first.cells)
    return max(marked, 2 if spanned and len(rows) > 2 and len(rows[0]) > 1 else 1)


def _cells(row: _Row) -> list[SpanningCell]:
    """The cells of a row; one that spans rows is listed in each of them."""
    cells: list[SpanningCell] = []
    for _, same in groupby(row.cells, key=lambda cell: cell._tc):
        listed = list(same)
        cells.append(SpanningCell(text=" ".join(listed[0].text.split()), columns=len(listed)))
    return cells
