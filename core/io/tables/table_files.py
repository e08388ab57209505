"""Rows of files that have a header: CSV, TSV, Parquet and Excel workbooks."""

from __future__ import annotations

import csv
import math
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, Final, TextIO

from core.domain.errors import UnreadableFile
from core.text.display.formulas import restored

ENDINGS: Final = (".csv", ".tsv", ".parquet", ".xlsx")
PARQUET_BATCH = 1_000
AT_ONCE: Final = 64_000_000
"""Bytes of a Parquet file that are written out together."""

MOST_IN_A_CELL = 100_000_000
"""Characters; all passages of an answer may stand in one cell."""
MOST_UNPACKED: Final = 2_000_000_000
"""Bytes of a workbook or a Parquet file; one that unpacks to more is no table that a person made."""
MARK = "\ufeff"
SAVE_WORKBOOK: Final = "Save it again as .xlsx, or its sheet as CSV."


def text_table(file: TextIO, path: Path) -> Iterator[tuple[int, object]]:
    """The rows of a CSV or TSV; a cell that is empty holds nothing.

    Raises:
        UnreadableFile: It is no table, or its rows and its header are of different length.
    """
    delimiter = delimiter_of(path, file)
    before = csv.field_size_limit(MOST_IN_A_CELL)
    try:
        table = csv.DictReader(file, delimiter=delimiter)
        header = [_name(name) for name in table.fieldnames or ()]
        _refuse_twins(header, path)
        _refuse_other_signs(header, path, delimiter)
        for number, cells in enumerate(table, start=1):
            if None in cells:
                raise UnreadableFile(
                    f"Row {number} of {path} has more cells than the header.", "Quote cells that hold the separator."
                )
            short = [name for name, value in cells.items() if value is None]
            if short:
                raise UnreadableFile(
                    f"Row {number} of {path} has {len(cells) - len(short)} cells and the header has {len(cells)}: "
                    f"column {short[0]} is the first without one.",
                    "Give each row every cell, empty ones too, and quote cells that hold a line break.",
                )
            yield number, {_name(name): restored(value) for name, value in cells.items() if name and value}
    except csv.Error as error:
        raise UnreadableFile(f"{path} is not a table: {error}.", "Save it as CSV with quotes.") from error
    finally:
        csv.field_size_limit(before)  # it is one for the whole process


def text_header(file: TextIO, path: Path) -> tuple[str, ...]:
    """The columns of a CSV or TSV; none where it cannot be read as one."""
    try:
        names = next(csv.reader(file, delimiter=delimiter_of(path, file)), [])
    except csv.Error:
        return ()
    return tuple(name for name in map(_name, names) if name)


def delimiter_of(path: Path, file: TextIO) -> str:
    """What parts the cells of a file: what its ending says, or semicolons where nothing else can part its header.

    Spreadsheets write a CSV with semicolons where a comma stands in figures. A header is parted by them that has no
    comma and no tab at all; where it has both, nobody can say which one parts it.

    Args:
        path: Tells the ending.
        file: At its beginning, and left there.
    """
    if path.suffix.casefold() == ".tsv":
        return "\t"
    header = file.readline()
    file.seek(0)
    return ";" if ";" in header and not {",", "\t", "|"} & set(header) else ","


def parquet_table(path: Path) -> Iterator[tuple[int, object]]:
    """The rows of a Parquet file.

    Raises:
        UnreadableFile: It is none, or unpacks to more than a person's table does; a text that is stored once may stand
            in every row.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _refuse_twins(file.schema_arrow.names, path)
            texts = [column.path for column in map(file.schema.column, range(len(file.schema))) if _is_text(column)]
        number = unpacked = 0
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(batch_size=PARQUET_BATCH):
                size = sum(map(_bytes_of, batch.columns))
                unpacked += size
                if unpacked > MOST_UNPACKED:
                    raise UnreadableFile(
                        f"{path} unpacks to more than {MOST_UNPACKED / 1e9:g} GB by row {number + batch.num_rows:,}.",
                        "Leave out what no test needs, or split the file.",
                    )
                some = max(1, batch.num_rows * AT_ONCE // max(size, AT_ONCE))
                for start in range(0, batch.num_rows, some):
                    for row in batch.slice(start, some).to_pylist():
                        number += 1
                        yield number, {name: value for name, value in clean(row).items() if value is not None}
    except pyarrow.ArrowInvalid as error:
        reason = str(error).rstrip(".")
        raise UnreadableFile(
            f"{path} is damaged, or is not a Parquet file: {reason}.", "Save it again as Parquet."
        ) from error


def _is_text(column: Any) -> bool:
    """Whether a column of a Parquet file holds texts, which are kept as they are stored until it is known how many."""
    return bool(column.physical_type == "BYTE_ARRAY" and column.logical_type.type in ("STRING", "NONE"))


def _bytes_of(values: Any) -> int:
    """The bytes of an Arrow array with each of its texts written out."""
    from pyarrow import compute, types

    kind = values.type
    if types.is_dictionary(kind):
        lengths = compute.binary_length(values.dictionary)
        return int(compute.sum(lengths.take(values.indices)).as_py() or 0)
    if types.is_list(kind) or types.is_large_list(kind):
        return _bytes_of(values.flatten())
    if types.is_struct(kind):
        return sum(map(_bytes_of, values.flatten()))
    return int(values.nbytes)


def parquet_header(path: Path) -> tuple[str, ...]:
    """The columns of a Parquet file; none where it is no such file."""
    import pyarrow
    from pyarrow import parquet

    try:
        return tuple(parquet.read_schema(path).names)
    except pyarrow.ArrowInvalid:
        return ()


def workbook_table(path: Path) -> Iterator[tuple[int, object]]:
    """The rows of the one sheet of an Excel workbook that has any; the values of formulas as they were saved.

    The first row that holds anything is the header. Numbers stay numbers, dates become ISO 8601, a cell with an error
    of Excel's (``#N/A``) holds nothing.

    Raises:
        UnreadableFile: It is no workbook, or more than one of its sheets has rows.
    """
    name, lines = _sheet(path)
    header = [_name(cell) for cell in next(lines, ())]
    while header and not header[-1]:
        header.pop()
    _refuse_twins(header, path)
    for number, cells in enumerate(lines, start=1):
        row = {column: cell for column, cell in zip(header, cells, strict=False) if column and cell is not None}
        beyond = next((cell for cell in cells[len(header) :] if cell is not None), None)
        if beyond is not None:
            raise UnreadableFile(
                f"Row {number} of {path}, sheet {name}, has {str(beyond)[:40]!r} beyond the last column.",
                "Give each column a name in the first row.",
            )
        if row:
            yield number, row


def workbook_header(path: Path) -> tuple[str, ...]:
    """The columns of a workbook; none where it cannot be read as one."""
    try:
        return tuple(name for name in map(_name, next(_sheet(path)[1], ())) if name)
    except UnreadableFile:
        return ()


def _sheet(path: Path) -> tuple[str, Iterator[Sequence[object]]]:
    """The name and the lines of the one sheet that holds anything, empty lines before its header left out."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
                raise UnreadableFile(f"{path} unpacks to more than {MOST_UNPACKED:,} bytes.", "Split it by rows.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on charts, filters and other parts that hold no rows
            book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
            try:
                sheets = [(sheet.title, lines) for sheet in book.worksheets if (lines := _lines(sheet))]
            finally:
                book.close()
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableFile(f"{path} is damaged or no Excel workbook ({error}).", SAVE_WORKBOOK) from None
    except SyntaxError as error:  # what the reader of XML raises
        raise UnreadableFile(f"{path} is damaged ({error}).", SAVE_WORKBOOK) from None
    if len(sheets) > 1:
        raise UnreadableFile(
            f"{path} has {len(sheets)} sheets with rows: {', '.join(name for name, _ in sheets)}.",
            "Keep the one that is meant, and save the others elsewhere.",
        )
    name, lines = sheets[0] if sheets else ("", [])
    return name, iter(lines)


def _lines(sheet: Any) -> list[Sequence[object]]:
    """The lines of a sheet from the first to the last that holds anything."""
    lines = [tuple(map(_cell, line)) for line in sheet.iter_rows(values_only=True)]
    filled = [place for place, line in enumerate(lines) if any(cell is not None for cell in line)]
    return lines[filled[0] : filled[-1] + 1] if filled else []  # type: ignore[return-value]


def _cell(value: object) -> object:
    from openpyxl.cell.cell import ERROR_CODES

    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, str) and (not value.strip() or value in ERROR_CODES):
        return None
    return clean(value) if isinstance(value, (str, bool, int, float)) else None if value is None else str(value)


def _name(cell: object) -> str:
    return "" if cell is None else restored(str(cell).strip().lstrip(MARK))


def _refuse_other_signs(header: Sequence[str], path: Path, delimiter: str) -> None:
    """Names that look like several: another sign than the file's ending says parts the columns, or another encoding."""
    if any("\x00" in name for name in header):
        raise UnreadableFile(f"{path} has zero bytes in its header, so it is not UTF-8.", "Save it as UTF-8.")
    for sign, called in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars"), (",", "commas")):
        if header and sign != delimiter and sum(name.count(sign) for name in header) > len(header) - 1:
            separator = {"\t": "tabs", ";": "semicolons"}.get(delimiter, "commas")
            raise UnreadableFile(
                f"{path} has a column called {next(name for name in header if sign in name)[:80]!r}: its columns seem "
                f"to be separated by {called}, not by {separator}.",
                "Save it again with commas as .csv, or with tabs as .tsv.",
            )


def _refuse_twins(names: Sequence[str], path: Path) -> None:
    """Two columns of one name: only one of them would be read, and nobody could tell which."""
    twins = [name for name, count in Counter(names).items() if count > 1 and name]
    if twins:
        raise UnreadableFile(f"{path} has more than one column {twins[0]!r}.", "Give every column a name of its own.")


def clean(value: Any) -> Any:
    """The value without numbers and characters that cannot be written again."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {clean(name): clean(inner) for name, inner in value.items()}
    return [clean(inner) for inner in value] if isinstance(value, list) else value
