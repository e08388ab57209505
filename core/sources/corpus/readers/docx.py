"""Word documents: paragraphs and tables in their order."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from core.domain.errors import UnreadableFile
from core.sources.corpus.office import check_office, core_fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tables import table_lines

LEVEL = re.compile(r"Heading (\d)")


@reads("docx", ".docx")
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
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            parts.append("\n".join(table_lines(list(_rows(block)), headed=True)))
            continue
        text = block.text.strip()
        style = (block.style.name if block.style else "") or ""
        level = 1 if style == "Title" else int(match.group(1)) if (match := LEVEL.match(style)) else 0
        if text and level:
            title = title or text
            text = f"{'#' * min(level, 6)} {text}"
        elif text and style.startswith("List"):
            text = f"- {text}"
        if text:
            parts.append(text)
    metadata = core_fields(document.core_properties)
    return (Parsed(text="\n\n".join(parts).strip(), title=title, metadata=metadata, notes=notes),)


def _rows(table: object) -> Iterator[list[str]]:
    for row in table.rows:  # type: ignore[attr-defined]
        elements: list[object] = []
        cells: list[str] = []
        for cell in row.cells:
            if any(cell._tc is other for other in elements):
                continue  # a merged cell is listed once for each column it spans
            elements.append(cell._tc)
            cells.append(" ".join(cell.text.split()))
        yield cells
