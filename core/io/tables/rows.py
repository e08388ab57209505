"""Rows of a data file, whatever it is: JSON lines, JSON, CSV, TSV, Parquet or an Excel workbook.

Every entrance reads its rows here: scoring, importing, recorded answers and verdicts, labels, test cases and files of
scores.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

from core.domain.errors import UnreadableFile
from core.io.tables.columns import Field, arrange
from core.io.tables.table_files import (
    ENDINGS,
    MARK,
    clean,
    parquet_header,
    parquet_table,
    text_header,
    text_table,
    workbook_header,
    workbook_table,
)

Row = Mapping[str, object]
TEXTS: Final = (".csv", ".tsv")
ZIP = b"PK\x03\x04"
ONE_ROW: Final = frozenset({Field.CASE_ID.value, Field.QUESTION.value})
"""An object with a column of these is a row itself and holds no rows."""


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of a file with their numbers from 1, one at a time; only JSON and workbooks are held as a whole.

    Columns without a name and rows without a value are left out. NaN is nothing, as is infinity, which JSON has no word
    for either; half of a surrogate pair, which no file can hold, becomes the replacement character.

    Args:
        path: A file whose ending says what it is: ``.csv``, ``.tsv``, ``.parquet``, ``.xlsx``, ``.json`` (a list of
            objects, an object with one such list in it, or what pandas writes: split, by column, by index); all else is
            JSON lines, one object a line, or one JSON list.

    Raises:
        UnreadableFile: It is missing, empty, not UTF-8, damaged, two columns have one name, or a row is not an object.
    """
    ending = path.suffix.casefold()
    try:
        if ending == ".parquet":
            numbered = parquet_table(path)
        else:
            numbered = workbook_table(path) if ending == ".xlsx" else _text(path, ending)
        empty = True
        for number, row in numbered:
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
        raise UnreadableFile(f"{path} has no row.", "Give one row for each case.")


def read_header(path: Path) -> tuple[str, ...] | None:
    """The columns of a file with a header, those without any value among them; None for a file that has no header.

    A file that cannot be read has no columns; reading its rows says why.
    """
    ending = path.suffix.casefold()
    if ending not in ENDINGS:
        return None
    try:
        if ending == ".parquet":
            return parquet_header(path)
        if ending == ".xlsx":
            return workbook_header(path)
        with path.open(encoding=_encoding(path), newline="") as file:
            return text_header(file, path)
    except (OSError, UnicodeError):
        return ()


def refuse_large(path: Path, most: int) -> None:
    """Refuses a file that is missing or too large to be held in memory.

    Raises:
        UnreadableFile: It is.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Check the path.") from error
    if path.is_dir():
        raise UnreadableFile(f"{path} is a folder.", "Name the file in it.")
    if size > most:
        raise UnreadableFile(
            f"{path} has {size:,} bytes, more than the {most:,} that are read at once.", "Split the file by rows."
        )


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
        raise UnreadableFile(f"{path} is empty.", "Give one row for each case.")
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
            "Unpack it, name a workbook .xlsx, or save the sheet as CSV.",
        )
    return UnreadableFile(f"{path} is damaged, or is not UTF-8.", "Save it as UTF-8.")


def _text(path: Path, ending: str) -> Iterator[tuple[int, object]]:
    with path.open(encoding=_encoding(path), newline="" if ending in TEXTS else "\n") as file:
        if ending in TEXTS:
            yield from text_table(file, path)
        elif ending == ".json" and not _has_lines(file):
            text = file.read()
            if text.strip(f" \t\r\n{MARK}"):
                yield from _listed(_parsed(text, str(path)), path)
        elif _begins_with_list(file):
            yield from _listed(_parsed(file.read(), str(path)), path)
        else:
            for number, line in enumerate(file, start=1):
                if line.strip(f" \t\r\n{MARK}"):
                    yield number, _parsed(line, f"Line {number} of {path}")


def _has_lines(file: TextIO) -> bool:
    """Whether a file holds an object on its first line and another one behind it, whatever it is called."""
    first = next((line for line in file if line.strip(f" \t\r\n{MARK}")), "")
    more = any(line.strip() for line in file)
    file.seek(0)
    if not more or not first.lstrip(f" \t{MARK}").startswith("{"):
        return False
    try:
        return isinstance(_DECODER.decode(first.strip(f" \t\r\n{MARK}")), dict)
    except (ValueError, RecursionError):
        return False


def _begins_with_list(file: TextIO) -> bool:
    start = file.read(4_096).lstrip()[:1]
    file.seek(0)
    return start == "["


def _listed(content: object, path: Path) -> Iterator[tuple[int, object]]:
    """The rows of a JSON value in any of the layouts that tables are written in."""
    if isinstance(content, list):
        yield from enumerate(content, start=1)
        return
    if not isinstance(content, dict):
        raise UnreadableFile(f"{path} is not a list of rows.", "Give a list of JSON objects.")
    values = list(content.values())
    lists = [value for value in values if isinstance(value, list)]
    if isinstance(content.get("columns"), list) and isinstance(content.get("data"), list):
        yield from _split(content["columns"], content["data"], path)
    elif len(content) > 1 and all(isinstance(item, dict) for item in values):
        yield from _by_index(content, path)
    elif len(content) > 1 and len(lists) == len(values):
        yield from _by_column(content, path)
    elif ONE_ROW & arrange(content).keys():
        yield 1, content
    elif len(lists) == 1:
        yield from enumerate(lists[0], start=1)
    else:
        raise UnreadableFile(f"{path} is not a list of rows.", "Give a list of JSON objects.")


def _split(columns: Sequence[object], data: Sequence[object], path: Path) -> Iterator[tuple[int, Row]]:
    names = [str(name) for name in columns]
    for number, cells in enumerate(data, start=1):
        if not isinstance(cells, list) or len(cells) != len(names):
            has = len(cells) if isinstance(cells, list) else 0
            raise UnreadableFile(
                f"Row {number} of {path} has {has} cells and there are {len(names)} columns.",
                "Give each row one cell for each column.",
            )
        yield number, dict(zip(names, cells, strict=True))


def _by_index(content: Mapping[str, Mapping[str, object]], path: Path) -> Iterator[tuple[int, Row]]:
    first = next(iter(content))
    places = list(content[first])
    for name, cells in content.items():
        if list(cells) != places:
            raise UnreadableFile(
                f"Column {name} of {path} has {len(cells)} cells where {first} has {len(places)}, or other rows.",
                "Give each column one cell for each row.",
            )
    yield from _numbered({name: cells[place] for name, cells in content.items()} for place in places)


def _by_column(content: Mapping[str, Sequence[object]], path: Path) -> Iterator[tuple[int, Row]]:
    first = next(iter(content))
    for name, cells in content.items():
        if len(cells) != len(content[first]):
            raise UnreadableFile(
                f"Column {name} of {path} has {len(cells)} cells where column {first} has {len(content[first])}.",
                "Give each column one cell for each row.",
            )
    yield from _numbered(dict(zip(content, cells, strict=True)) for cells in zip(*content.values(), strict=True))


def _numbered(rows: Iterable[Row]) -> Iterator[tuple[int, Row]]:
    yield from enumerate(rows, start=1)


def _parsed(text: str, where: str) -> object:
    """JSON that a person wrote: broken, nested without end or with a number of thousands of digits."""
    try:
        value = _DECODER.decode(text.lstrip(MARK))
        return clean(value) if "\\ud" in text.casefold() else value
    except RecursionError:
        reason = "nested too deep"
    except json.JSONDecodeError as error:
        reason = str(error)
    except ValueError:
        reason = "a number has too many digits"
    raise UnreadableFile(
        f"{where} is damaged or is not JSON: {reason}.", "Export it again: one JSON object per line, or one list."
    )


def _finite(digits: str) -> float | None:
    """A number of JSON; one that is too large for the machine is none."""
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)
"""Made once and not for each line."""
