"""Excel 97 to 2003: a heading for each sheet and its rows as a table; values, never formulas."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.readers.old_office.compound import MAGIC, compound, left_out, properties, stream
from core.sources.corpus.tabular.sheets import sheet_text

MAX_CELLS = 2_000_000
"""Cells that are read; a sheet formatted down to its last row is cut here."""


@reads("xls", ".xls")
def read_xls(data: bytes) -> tuple[Parsed, ...]:
    """Sheets in their order as ``## Name`` and rows of a table whose first row holds the headers; hidden ones too."""
    import xlrd

    title = ""
    metadata: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    if data.startswith(MAGIC):
        with compound(data, "Excel file", "XLSX") as opened:
            if not (opened.exists("Workbook") or opened.exists("Book")):
                raise UnreadableFile("it is a compound file but no Excel file", "Name it by what it is.")
            title, metadata = properties(opened)
            # xlrd's own reader of the container never ends where sectors form a ring
            data = stream(opened, "Workbook") or stream(opened, "Book")
            notes = left_out(opened)
    elif data[:2] != b"\x09\x08" and data[:2] not in (b"\x09\x00", b"\x09\x02", b"\x09\x04"):
        raise UnreadableFile("it is no Excel file of 1997 to 2003", "Save it as XLSX, or name it by what it is.")
    try:
        book = xlrd.open_workbook(file_contents=data, logfile=io.StringIO(), on_demand=True)
        parts, remaining = [], MAX_CELLS
        for number in range(book.nsheets):
            sheet = book.sheet_by_index(number)
            rows, remaining = _rows(book, sheet, remaining)
            parts.append(sheet_text(sheet.name, rows))
            book.unload_sheet(number)
    except xlrd.XLRDError as error:
        if "encrypted" in str(error).casefold():
            raise UnreadableFile("it needs a password", "Save it as XLSX without a password.") from None
        raise UnreadableFile(f"it is damaged or no Excel file ({error})", "Save it again as XLSX.") from None
    except Exception as error:  # noqa: BLE001 - a damaged file fails with whatever its numbers provoke
        reason = type(error).__name__
        raise UnreadableFile(f"it is damaged or no Excel file ({reason})", "Save it again as XLSX.") from None
    if remaining <= 0:
        notes = (*notes, f"only its first {MAX_CELLS:,} cells are read")
    return (Parsed(text="\n\n".join(filter(None, parts)), title=title, metadata=metadata, notes=notes),)


def _rows(book: Any, sheet: Any, remaining: int) -> tuple[list[list[str]], int]:
    rows: list[list[str]] = []
    for number in range(sheet.nrows):
        remaining -= max(1, sheet.row_len(number))
        if remaining <= 0:
            break
        rows.append([_cell(cell, book.datemode) for cell in sheet.row(number)])
    return rows, remaining


def _cell(cell: Any, datemode: int) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_TEXT:
        return " ".join(str(cell.value).split())
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return f"{cell.value:.15g}"
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "yes" if cell.value else "no"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, ""))
    if cell.ctype == xlrd.XL_CELL_DATE:
        return _day(cell.value, datemode)
    return ""


def _day(value: float, datemode: int) -> str:
    from xlrd.xldate import XLDateError, xldate_as_datetime, xldate_as_tuple

    try:
        if value < 1:
            return "{3:02}:{4:02}:{5:02}".format(*xldate_as_tuple(value, datemode))
        moment: datetime = xldate_as_datetime(value, datemode)
    except (XLDateError, ValueError, OverflowError):
        return f"{value:.15g}"
    midnight = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.date().isoformat() if midnight else moment.isoformat(sep=" ", timespec="minutes")
