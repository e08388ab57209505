"""Word documents: paragraphs and tables in their order."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tables import table_lines

MAX_UNPACKED = 300_000_000
"""Bytes; a small archive that unpacks to more is not a document."""

LEVEL = re.compile(r"Heading (\d)")


@reads("docx", ".docx")
def read_docx(data: bytes) -> tuple[Parsed, ...]:
    """The text; headings and tables as in Markdown, the title from the properties, else the first heading."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from docx.table import Table

    _check_archive(data)
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
        level = 1 if style == "Title" else int(found.group(1)) if (found := LEVEL.match(style)) else 0
        if text and level:
            title = title or text
            text = f"{'#' * min(level, 6)} {text}"
        elif text and style.startswith("List"):
            text = f"- {text}"
        if text:
            parts.append(text)
    return (Parsed(text="\n\n".join(parts).strip(), title=title),)


def _rows(table: object) -> Iterator[list[str]]:
    for row in table.rows:  # type: ignore[attr-defined]
        seen: list[object] = []
        cells: list[str] = []
        for cell in row.cells:
            if any(cell._tc is other for other in seen):
                continue  # a merged cell is listed once for each column it spans
            seen.append(cell._tc)
            cells.append(" ".join(cell.text.split()))
        yield cells


def _check_archive(data: bytes) -> None:
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise UnreadableFile("it needs a password, or is an old Word file", "Save it as DOCX without a password.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise UnreadableFile("it is damaged or no Word document", "Save it again as DOCX.") from None
    if unpacked > MAX_UNPACKED:
        raise UnreadableFile(f"it unpacks to {unpacked:,} bytes, more than {MAX_UNPACKED:,}", "Split it.")
