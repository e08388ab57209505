"""Rows of a data file, whatever it is: JSON lines, JSON, CSV, TSV or Parquet; read as they are needed."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from core.domain.errors import UnreadableFile

Row = Mapping[str, object]
PARQUET_BATCH = 1_000
MOST_IN_A_CELL = 100_000_000
"""Characters; all passages of an answer may stand in one cell."""
MARK = "\ufeff"
ZIP = b"PK\x03\x04"


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of a file with their numbers from 1, one at a time; only a JSON list is held in memory as a whole.

    Columns without a name and rows without a value are left out. NaN is nothing, as is infinity, which JSON has no word
    for either; half of a surrogate pair, which no file can hold, becomes the replacement character.

    Args:
        path: A file whose ending says what it is: ``.csv``, ``.tsv``, ``.parquet``, ``.json``; all else is JSON lines,
            one object a line, or one JSON list.

    Raises:
        UnreadableFile: It is missing, empty, not UTF-8, damaged, two columns have one name, or a row is not an object.
    """
    ending = path.suffix.casefold()
    try:
        found = _parquet(path) if ending == ".parquet" else _text(path, ending)
        empty = True
        for number, row in found:
            if not isinstance(row, dict):
                raise UnreadableFile(
                    f"Row {number} of {path} is not an object but {type(row).__name__}.", "Give one JSON object a row."
                )
            empty = False
            yield number, row
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Check the path.") from error
    except UnicodeError as error:
        raise _no_text(path) from error
    if empty:
        raise UnreadableFile(f"{path} has no row.", "Give one row for each answered question.")


def read_document(path: Path) -> object:
    """The JSON value a file holds, with the same care as its rows.

    Raises:
        UnreadableFile: It is missing, empty, not UTF-8 or no JSON.
    """
    try:
        text = path.read_text(encoding=_encoding(path))
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Check the path.") from error
    except UnicodeError as error:
        raise _no_text(path) from error
    if not text.strip():
        raise UnreadableFile(f"{path} is empty.", "Give one row for each answered question.")
    return _parsed(text, str(path))


def _encoding(path: Path) -> str:
    """UTF-8, unless the mark of UTF-16 stands at the start, as spreadsheets write it."""
    return "utf-16" if _start(path)[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


def _no_text(path: Path) -> UnreadableFile:
    if _start(path) == ZIP:
        return UnreadableFile(
            f"{path} is a zip archive or a workbook, whatever its ending.",
            "Unpack it, or save the sheet as CSV, and give the file in it.",
        )
    return UnreadableFile(f"{path} is not UTF-8.", "Save it as UTF-8.")


def _text(path: Path, ending: str) -> Iterator[tuple[int, object]]:
    with path.open(encoding=_encoding(path), newline="" if ending in (".csv", ".tsv") else "\n") as file:
        if ending in (".csv", ".tsv"):
            yield from _table(file, path, "\t" if ending == ".tsv" else ",")
        elif ending == ".json" or _begins_with_list(file):
            yield from enumerate(_listed(_parsed(file.read(), str(path)), path), start=1)
        else:
            for number, line in enumerate(file, start=1):
                if line.strip(f" \t\r\n{MARK}"):
                    yield number, _parsed(line, f"Line {number} of {path}")


def _begins_with_list(file: TextIO) -> bool:
    start = file.read(4_096).lstrip()[:1]
    file.seek(0)
    return start == "["


def _table(file: TextIO, path: Path, delimiter: str) -> Iterator[tuple[int, object]]:
    """Rows of a table; a cell that is empty holds nothing."""
    before = csv.field_size_limit(MOST_IN_A_CELL)
    try:
        table = csv.DictReader(file, delimiter=delimiter)
        header = [str(name).strip().lstrip(MARK) for name in table.fieldnames or ()]
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
            yield number, {str(name).strip().lstrip(MARK): value for name, value in cells.items() if name and value}
    except csv.Error as error:
        raise UnreadableFile(f"{path} is not a table: {error}.", "Save it as CSV with quotes.") from error
    finally:
        csv.field_size_limit(before)  # it is one for the whole process


def _parquet(path: Path) -> Iterator[tuple[int, object]]:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _refuse_twins(file.schema_arrow.names, path)
            number = 0
            for batch in file.iter_batches(batch_size=PARQUET_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: value for name, value in _clean(row).items() if value is not None}
    except pyarrow.ArrowInvalid as error:
        said = str(error).rstrip(".")
        raise UnreadableFile(f"{path} is not a Parquet file: {said}.", "Save it again as Parquet.") from error


def _refuse_other_signs(header: Sequence[str], path: Path, delimiter: str) -> None:
    """Names that look like several: another sign than the file's ending says parts the columns, or another encoding."""
    if any("\x00" in name for name in header):
        raise UnreadableFile(f"{path} has zero bytes in its header, so it is not UTF-8.", "Save it as UTF-8.")
    for sign, called in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars"), (",", "commas")):
        if header and sign != delimiter and sum(name.count(sign) for name in header) > len(header) - 1:
            wanted = "tabs" if delimiter == "\t" else "commas"
            raise UnreadableFile(
                f"{path} has a column called {next(name for name in header if sign in name)[:80]!r}: its columns seem "
                f"to be parted by {called}, not by {wanted}.",
                "Save it again with commas as .csv, or with tabs as .tsv.",
            )


def _refuse_twins(names: Sequence[str], path: Path) -> None:
    """Two columns of one name: only one of them would be read, and nobody could tell which."""
    twins = [name for name, count in Counter(names).items() if count > 1 and name]
    if twins:
        raise UnreadableFile(f"{path} has more than one column {twins[0]!r}.", "Give every column a name of its own.")


def _clean(value: Any) -> Any:
    """The value without numbers and characters that cannot be written again."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_clean(name): _clean(inner) for name, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value


def _listed(content: object, path: Path) -> list[object]:
    """A list of rows, or an object with one list of rows in it."""
    if isinstance(content, list):
        return content
    lists = [value for value in content.values() if isinstance(value, list)] if isinstance(content, dict) else []
    if len(lists) != 1:
        raise UnreadableFile(f"{path} is not a list of rows.", "Give a list of JSON objects.")
    return lists[0]


def _parsed(text: str, where: str) -> object:
    """JSON that a person wrote: broken, nested without end or with a number of thousands of digits."""
    try:
        found = _DECODER.decode(text.lstrip(MARK))
        return _clean(found) if "\\ud" in text.casefold() else found
    except RecursionError:
        reason = "nested too deep"
    except json.JSONDecodeError as error:
        reason = str(error)
    except ValueError:
        reason = "a number has too many digits"
    raise UnreadableFile(f"{where} is no JSON: {reason}.", "Write one JSON object a line, or one list.")


def _finite(digits: str) -> float | None:
    """A number of JSON; one that is too large for the machine is none."""
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)
"""Made once and not for each line."""
