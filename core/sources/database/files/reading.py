"""The tables of CSV files and workbooks, cell by cell as text: where the header stands and what stands below it."""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import chain, islice
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode_told

TEXTS = (".csv", ".tsv", ".txt")
WORKBOOKS = (".xlsx", ".xlsm")
ENDINGS = (*TEXTS, *WORKBOOKS)
DELIMITERS = ",;\t|"
LARGEST_FILE = 500_000_000
MOST_UNPACKED = 2_000_000_000
MOST_COLUMNS = 500
LONGEST_CELL = 10_000_000
LOOKED_AT = 30
"""Lines among which the header is looked for."""
NUMBER = re.compile(r"[-+(]?\s*[€$£]?\s*\d[\d.,' %€$£)/:-]*")
_AGAIN = "Save the table again with one header row above its rows."


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """One table as its file has it.

    Attributes:
        file: The file, and the sheet of a workbook.
        name: What the table may be called.
        header: The names of the columns.
        first: The number of the line or row after the header, from 1.
        rows: The rows below, each with its number; they can be gone through once.
        notes: What had to be guessed.
    """

    file: str
    name: str
    header: tuple[str, ...]
    rows: Iterator[tuple[int, list[str]]]
    notes: tuple[str, ...] = ()


def read_tables(name: str, data: bytes) -> list[RawTable]:
    """The tables of one file: one of a CSV, one of each sheet of a workbook that has rows.

    Args:
        name: The file's own name, whose ending says what it is.
        data: Its bytes.

    Raises:
        UnreadableFile: It is empty, too large, damaged, no table, or two of its columns have one name. Rows with more
            cells than the header are refused while they are gone through.
    """
    if not data.strip():
        raise UnreadableFile(f"{name} is empty ({len(data)} bytes).", "Leave it out, or export it again.")
    if len(data) > LARGEST_FILE:
        raise UnreadableFile(
            f"{name} has {len(data) // 1_000_000} MB; a file may have {LARGEST_FILE // 1_000_000}.",
            "Load it into a database, and give that database's address.",
        )
    stem, dot, ending = name.rpartition(".")
    if f"{dot}{ending}".lower() in WORKBOOKS:
        sheets = list(_sheets(name, data))
        alone = len(sheets) == 1
        return [_table(f"{name}, sheet {title}", stem if alone else title, lines) for title, lines in sheets]
    try:
        text, notes = decode_told(data)
    except UnreadableFile as error:
        raise UnreadableFile(f"{name}: {error.message}.", error.hint) from None
    table = _table(name, stem or name, _lines(name, text))
    return [replace(table, notes=(*notes, *table.notes))]


def _lines(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a CSV with their numbers; the sign that cuts most of the first lines alike parts the cells."""
    head = "\n".join(text.split("\n", LOOKED_AT)[:LOOKED_AT])
    delimiter = max(DELIMITERS, key=lambda sign: _cuts(head, sign))
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for cells in reader:
            yield reader.line_num, [" ".join(cell.split()) if "\n" in cell else cell.strip() for cell in cells]
    except csv.Error as error:
        raise UnreadableFile(
            f"{name} is no table: {error}.", "Look for a quotation mark that is never closed."
        ) from None
    finally:
        csv.field_size_limit(before)


def _cuts(head: str, sign: str) -> tuple[int, int]:
    """How many lines a sign cuts into the same number of cells, and into how many."""
    widths = Counter(len(cells) for cells in csv.reader(io.StringIO(head), delimiter=sign) if len(cells) > 1)
    if not widths:
        return 0, 0
    width, lines = max(widths.items(), key=lambda item: (item[1], item[0]))
    return lines, width


def _sheets(name: str, data: bytes) -> Iterator[tuple[str, Iterator[tuple[int, list[str]]]]]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                raise UnreadableFile(f"{name} unpacks to more than {MOST_UNPACKED:,} bytes.", "Split it by rows.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            sheets = [
                (sheet.title, [[_cell(value) for value in row] for row in sheet.iter_rows(values_only=True)])
                for sheet in book.worksheets
            ]
            book.close()
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, SyntaxError):
        raise UnreadableFile(
            f"{name} is damaged or no Excel workbook.", "Save it again as .xlsx, or its sheets as CSV."
        ) from None
    filled = [(title, rows) for title, rows in sheets if any(any(row) for row in rows)]
    if not filled:
        raise UnreadableFile(f"{name} has no sheet with rows.", "Leave it out, or save it again.")
    for title, rows in filled:
        yield title, iter(enumerate(rows, 1))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else value.isoformat(" ", "seconds")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = str(value).strip()
    return (
        "" if text in {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!"} else " ".join(text.split())
    )


def _table(file: str, name: str, lines: Iterable[tuple[int, list[str]]]) -> RawTable:
    left = iter(lines)
    head = list(islice(left, LOOKED_AT))
    place = _header_place([cells for _, cells in head])
    if place is None:
        raise UnreadableFile(f"{file} has no header: no row of it holds two cells.", _AGAIN)
    header, used = _header([cells for _, cells in head[place : place + 3]])
    above = "1 line above the header was left out" if place == 1 else f"{place} lines above the header were left out"
    notes = [above] if place else []
    if used > 1:
        notes.append("its header has two rows; they were put together")
    while (
        header and not header[-1] and not any(cells[len(header) - 1 :][:1] > [""] for _, cells in head[place + used :])
    ):
        header = header[:-1]
    if len(header) > MOST_COLUMNS:
        raise UnreadableFile(
            f"{file} has {len(header)} columns; a table may have {MOST_COLUMNS}.", "Leave out what nobody asks about."
        )
    twins = [title for title, count in Counter(title.casefold() for title in header if title).items() if count > 1]
    if twins:
        both = [number for number, title in enumerate(header, 1) if title.casefold() == twins[0]]
        raise UnreadableFile(
            f"{file} has {len(both)} columns called {header[both[0] - 1]!r} (columns {', '.join(map(str, both))}).",
            "Give every column a name of its own.",
        )
    nameless = [number for number, title in enumerate(header, 1) if not title]
    if nameless:
        notes.append(f"column {nameless[0]} has no name and was called Column {nameless[0]}")
    named = tuple(title or f"Column {number}" for number, title in enumerate(header, 1))
    return RawTable(
        file=file, name=name, header=named, rows=_rows(file, len(named), chain(head[place + used :], left)),
        notes=tuple(notes),
    )  # fmt: skip


def _header_place(lines: Sequence[list[str]]) -> int | None:
    """The first line that is about as wide as the widest of those below; a title above a table is one cell."""
    widths = [sum(bool(cell) for cell in cells) for cells in lines]
    widest = max(widths, default=0)
    if widest < 2:
        filled = [place for place, width in enumerate(widths) if width]
        return filled[0] if len(filled) > 1 else None
    return next((place for place, width in enumerate(widths) if 2 * width > widest), None)


def _header(lines: Sequence[list[str]]) -> tuple[list[str], int]:
    """The names of the columns and how many rows hold them: a head merged over several columns has a row below it."""
    first = [cell.lstrip("\ufeff").strip() for cell in lines[0]]
    if len(lines) < 3 or all(first):
        return first, 1
    second = lines[1] + [""] * (len(first) - len(lines[1]))
    gaps = [place for place, cell in enumerate(first) if not cell]
    words = all(not cell or not NUMBER.fullmatch(cell) for cell in second)
    below = any(NUMBER.fullmatch(cell) for cell in lines[2] if cell)
    if not words or not below or not all(second[place] for place in gaps):
        return first, 1
    names: list[str] = []
    group = ""
    for place, cell in enumerate(second):
        group = (first[place] if place < len(first) else "") or group
        names.append(f"{group} {cell}".strip() if cell and cell != group else group)
    return names, 2


def _rows(file: str, width: int, lines: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    for number, cells in lines:
        if not any(cells):
            continue
        if len(cells) > width:
            beyond = next((cell for cell in cells[width:] if cell), "")
            if beyond:
                raise UnreadableFile(
                    f"Line {number} of {file} has {len(cells)} cells and its header has {width}: {beyond[:40]!r} is "
                    "the first beyond it.",
                    "Quote cells that hold the separator, or give every column a name.",
                )
            cells = cells[:width]
        yield number, cells + [""] * (width - len(cells))
