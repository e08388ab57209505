"""OpenDocument: texts, sheets and slides.

Written here on lxml: odfdo and odfpy give tables and slides no marks that chunks could be cut by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.metadata import fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.pdf.page_texts import joined_pages
from core.sources.corpus.readers.open_formats.odf_words import words
from core.sources.corpus.readers.open_formats.packed import Package
from core.sources.corpus.readers.open_formats.safe_xml import local, xml_root
from core.sources.corpus.tabular.sheets import sheet_text
from core.sources.corpus.tabular.tables import table_lines

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
MAX_CELLS = 2_000_000
WIDEST = 1_000
"""Columns; what a sheet repeats beyond is formatting."""
MOST_REPEATED = 1_000
"""Times that a row with content may be repeated; what is blank is repeated to the end of the sheet."""
META = {"creator": "author", "initial-creator": "author", "creation-date": "created", "date": "modified",
        "subject": "subject", "keyword": "keywords", "language": "language"}  # fmt: skip
HOLDERS = frozenset({"section", "index-body", "table-of-content", "frame", "text-box", "g", "custom-shape", "line",
                     "rect", "ellipse", "polygon", "path", "connector", "numbered-paragraph"})  # fmt: skip


@reads("odt", ".odt", ".fodt")
def read_odt(data: bytes) -> tuple[Parsed, ...]:
    """Paragraphs, lists and tables in their order, headings as in Markdown."""
    return _read(data, "OpenDocument text", lambda body: ("\n\n".join(_blocks(body)), (), ()))


@reads("ods", ".ods", ".fods")
def read_ods(data: bytes) -> tuple[Parsed, ...]:
    """Sheets in their order as ``## Name`` and rows of a table whose first row holds the headers."""
    return _read(data, "OpenDocument sheet", _book)


@reads("odp", ".odp", ".fodp")
def read_odp(data: bytes) -> tuple[Parsed, ...]:
    """The text of each slide, titles as headings, the speaker's notes below; a page is a slide."""
    return _read(data, "OpenDocument slides", _show)


_Content = tuple[str, tuple[int, ...], tuple[str, ...]]


def _read(data: bytes, kind: str, reader: Callable[[Any], _Content]) -> tuple[Parsed, ...]:
    notes: list[str] = []
    if data.lstrip()[:1] == b"<":  # one flat file of XML
        root = meta = xml_root(data, kind)
    else:
        package = Package(data, kind)
        if b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise UnreadableFile("it needs a password", "Save it without a password.")
        content = package.read("content.xml")
        if not content:
            raise UnreadableFile(f"it is damaged or no {kind}: it has no content", "Save it again.")
        root = xml_root(content, kind)
        meta = xml_root(described, kind) if (described := package.read("meta.xml")) else None
        if any(name.startswith(("Basic/", "Scripts/")) for name in package.names):
            notes.append("left out: its macros; they are not run")
        if any(name.startswith("Object ") for name in package.names):
            notes.append("left out: files and controls embedded in it")
    body = root.find(f".//{OFFICE}body")
    if body is None or not len(body):
        raise UnreadableFile(f"it is damaged or no {kind}: it has no body", "Save it again.")
    text, pages, remarks = reader(body[0])
    title, metadata = _described(meta)
    return (Parsed(text=text.strip(), title=title, pages=pages, metadata=metadata, notes=(*notes, *remarks)),)


def _described(meta: Any) -> tuple[str, dict[str, str]]:
    found = None if meta is None else meta.find(f".//{OFFICE}meta")
    values: dict[str, object] = {}
    title = ""
    for element in () if found is None else found:
        text = " ".join((element.text or "").split())
        if local(element) == "title":
            title = text
        elif name := META.get(local(element)):
            values.setdefault(name, text)
    return title, fields(values)


def _blocks(parent: Any, depth: int = 0) -> Iterator[str]:
    for element in parent:
        name = local(element)
        if name == "h":
            if text := " ".join(words(element).split()):
                level = element.get(f"{TEXT}outline-level", "1")
                yield f"{'#' * min(int(level) if level.isdecimal() and int(level) else 1, 6)} {text}"
        elif name == "p":
            yield from _paragraph(element)
        elif name == "list":
            if items := list(_items(element, depth)):
                yield "\n".join(items)
        elif name == "table":
            rows, _ = _rows(element, MAX_CELLS)
            if rows:
                yield "\n".join(table_lines(rows, headed=True))
        elif name in HOLDERS and depth < 50:
            yield from _blocks(element, depth + 1)


def _paragraph(element: Any) -> Iterator[str]:
    lines = [" ".join(line.split()) for line in words(element).split("\n")]
    if text := "\n".join(line for line in lines if line):
        yield text
    for frame in element.iter(f"{TABLE}table"):  # a text box that hangs on the paragraph
        rows, _ = _rows(frame, MAX_CELLS)
        if rows:
            yield "\n".join(table_lines(rows, headed=True))


def _items(element: Any, depth: int) -> Iterator[str]:
    for item in element:
        first = True
        for child in item:
            if local(child) == "list":
                if depth < 50:
                    yield from (f"  {line}" for line in _items(child, depth + 1))
                continue
            for block in _blocks([child], depth + 1):
                yield f"- {block}" if first else block
                first = False


def _book(body: Any) -> _Content:
    parts: list[str] = []
    remaining = MAX_CELLS
    for sheet in body.iter(f"{TABLE}table"):
        rows, remaining = _rows(sheet, remaining)
        parts.append(sheet_text(sheet.get(f"{TABLE}name", ""), rows))
    notes = (f"only its first {MAX_CELLS:,} cells are read",) if remaining <= 0 else ()
    return "\n\n".join(filter(None, parts)), (), notes


def _rows(table: Any, remaining: int) -> tuple[list[list[str]], int]:
    """The rows of a table that hold anything, and how many cells may still be read."""
    rows: list[list[str]] = []
    for row in table.iter(f"{TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            if local(cell) not in ("table-cell", "covered-table-cell"):
                continue
            text = _cell(cell)
            times = _times(cell, "number-columns-repeated", WIDEST - len(cells))
            cells += [text] * (times if text else min(times, WIDEST - len(cells)))
        while cells and not cells[-1]:
            cells.pop()
        times = _times(row, "number-rows-repeated", MOST_REPEATED) if cells else 1
        remaining -= max(1, len(cells)) * times
        if remaining <= 0:
            break
        if cells:
            rows += [cells] * times
    return rows, remaining


def _times(element: Any, name: str, most: int) -> int:
    value = element.get(f"{TABLE}{name}", "1")
    return max(1, min(int(value) if value.isdecimal() and len(value) < 10 else 1, max(1, most)))


def _cell(cell: Any) -> str:
    kind, shown = cell.get(f"{OFFICE}value-type", ""), " ".join(" ".join(words(part) for part in cell).split())
    if kind in ("float", "currency", "percentage"):
        return str(cell.get(f"{OFFICE}value", shown))
    if kind == "date":
        return (
            str(cell.get(f"{OFFICE}date-value", shown)).replace("T", " ").removesuffix(" 00:00:00").removesuffix(":00")
        )
    if kind == "boolean":
        return "yes" if cell.get(f"{OFFICE}boolean-value") == "true" else "no"
    return shown


def _show(body: Any) -> _Content:
    slides: list[str] = []
    for page in body:
        if local(page) != "page":
            continue
        parts: list[str] = []
        notes = ""
        for element in page:
            blocks = list(_blocks([element]))
            if local(element) == "notes":
                spoken = [block for frame in element if frame.get(f"{PRESENTATION}class") == "notes"
                          for block in _blocks([frame])]  # fmt: skip
                notes = " ".join(" ".join(spoken).split())
            elif element.get(f"{PRESENTATION}class") == "title" and blocks:
                parts.insert(0, f"## {' '.join(' '.join(blocks).split())}")
            else:
                parts += blocks
        slides.append("\n\n".join([*parts, f"Notes: {notes}"] if notes else parts))
    text, pages = joined_pages(slides)
    return text, pages, ()
