"""Excel files: a heading for each sheet, and its rows as a table with the heads of their columns."""

from __future__ import annotations

import io
import re
import warnings
from datetime import date, datetime, time
from typing import Any
from zipfile import BadZipFile

from core.domain.errors import UnreadableFile
from core.sources.corpus.containers.office import check_office, core_fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.tabular.tables import filled, named_lines, row_of_heads, table_block

MAX_CELLS = 2_000_000
"""Cells that are read; a sheet formatted down to its last row is cut here."""

MOST_TITLES = 6
"""Rows of one cell above the heads."""
UNITS = re.compile(
    r"\(?(?:all )?(?:amounts |figures |values )?in "
    r"(?:(?:thousand|million|billion)s?|EUR|USD|CHF|GBP|euros?|dollars|percent|%)"
    r"[\w ,]{0,60}\)?",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d|Q[1-4](?: (?:19|20)\d\d)?")


@reads("xlsx", ".xlsx", version=4)
def read_xlsx(data: bytes) -> tuple[Parsed, ...]:
    """Sheets in their order as ``## Name`` and a table ``Table: title (units)``; values, never formulas."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    notes = list(check_office(data, "Excel file", "XLSX"))
    parts: list[str] = []
    remaining = MAX_CELLS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on charts, filters and other parts that hold no text
        try:
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets:
                rows, remaining = _rows(sheet, remaining)
                if rows:
                    name = " ".join(sheet.title.split())
                    parts.append("\n".join([f"## {name}", "", *_lines(rows, name)]))
            metadata = core_fields(book.properties)
            title = str(book.properties.title or "").strip()
            book.close()
        except (InvalidFileException, BadZipFile, KeyError, ValueError, TypeError, AttributeError) as error:
            raise UnreadableFile(f"it is damaged or no Excel file ({error})", "Save it again as XLSX.") from None
    if remaining <= 0:
        notes.append(f"only its first {MAX_CELLS:,} cells are read")
    return (Parsed(text="\n\n".join(parts), title=title, metadata=metadata, notes=tuple(notes)),)


def _lines(rows: list[list[str]], name: str) -> list[str]:
    """The rows as a table below the heads of their columns; rows of one cell above these are title, units and the like.

    A sheet of one column, or of one row, is no table: its cells stand as lines. Heads of two levels, where one cell
    stands above several, are joined for each column.
    """
    first = next((place for place, row in enumerate(rows) if filled(row) > 1), 0)
    place = row_of_heads(rows, MOST_TITLES)
    if place > first and not (_spans(rows[place - 1], rows[place]) and _are_words(rows[place - 1])):
        first = place  # "as at", "31 March": two cells that say what the sheet is
    if first > MOST_TITLES or len(rows) - first < 2:
        first = 0
    titles = [" ".join(filter(None, row)) for row in rows[:first]]
    heads, *below = rows[first:]
    if below[1:] and _spans(heads, below[0]):
        heads, below = _joined(heads, below[0]), below[1:]
    above = [*titles, *([""] if titles else [])]
    if len(heads) < 2 or not below:
        return [*above, *named_lines([heads, *below])]
    title, units = _called(titles, name)
    return [*above, *table_block([heads, *below], title=title, units=units)]


def _called(titles: list[str], name: str) -> tuple[str, str]:
    """What a sheet's table is called, and its units: "Fees (in EUR)", or a row of its own "in thousands"."""
    units = next((line for line in titles if UNITS.fullmatch(line)), "")
    title = next((line for line in titles if line != units), "") or name
    inside = re.fullmatch(rf"(?P<title>.+?) ?\((?P<units>{UNITS.pattern})\)", title, re.IGNORECASE)
    return (inside["title"], units or inside["units"]) if inside else (title, units.strip("()"))


def _spans(upper: list[str], lower: list[str]) -> bool:
    """Whether one row of heads stands above another one: it has gaps behind its heads where the other one has heads."""
    gaps = [place for place, text in enumerate(upper) if not text and any(upper[:place]) and lower[place]]
    return bool(gaps) and _are_words(lower)


def _are_words(cells: list[str]) -> bool:
    """Whether the cells could be heads: words and years, and no figures, days or names with a colon."""
    return all(not any(map(str.isdigit, text)) or YEAR.fullmatch(text) for text in cells if text)


def _joined(upper: list[str], lower: list[str]) -> list[str]:
    heads: list[str] = []
    above = ""
    for text, below in zip(upper, lower, strict=True):
        above = text or (above if below else "")
        heads.append(f"{above} {below}".strip())
    return heads


def _rows(sheet: Any, remaining: int) -> tuple[list[list[str]], int]:
    """The rows that hold anything, columns that hold nothing left out, and how many cells may still be read."""
    filled: list[list[str]] = []
    for row in sheet.iter_rows(values_only=True):
        remaining -= len(row)
        if remaining <= 0:
            break
        cells = [_cell(value) for value in row]
        if any(cells):
            filled.append(cells)
    width = max(map(len, filled), default=0)
    whole = [row + [""] * (width - len(row)) for row in filled]
    used = [place for place in range(width) if any(row[place] for row in whole)]
    return [[row[place] for place in used] for row in whole], remaining


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, (date, time)):
        return value.isoformat()
    return " ".join(str(value).split())
