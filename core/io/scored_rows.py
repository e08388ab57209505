"""Rows with their scores, written as they are made: JSON lines, JSON, CSV, TSV or Parquet by the file's ending."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol, TextIO

from core.domain.errors import InvalidInput
from core.domain.results.responses import Score
from core.text.display.formulas import neutral

Row = Mapping[str, object]
ROWS_AT_ONCE = 1_000
ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
LARGEST: Final = 2**63 - 1
"""Beyond it a whole number fits no column of whole numbers."""
EXACT: Final = 2**53
"""Up to it every whole number is a float too."""


class Kind(StrEnum):
    """What a column of Parquet holds; lists and objects are text, as JSON."""

    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"


class Column:
    """Finds out what a column holds, value by value; what fits no column of numbers makes it text.

    >>> column = Column()
    >>> for value in (3, None, 0.5): column.add(value)
    >>> column.kind
    <Kind.NUMBER: 'number'>
    >>> column.add(2**53 + 1); column.kind
    <Kind.TEXT: 'text'>
    """

    def __init__(self) -> None:
        self._text = self._parts = self._any = False
        self._most = 0

    def add(self, value: object) -> None:
        """Takes a value of one row into account; None is none."""
        if value is None:
            return
        self._any = True
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._text = True
        elif isinstance(value, float):
            self._parts = True
        else:
            self._most = max(self._most, abs(value))

    @property
    def kind(self) -> Kind:
        """What holds all of its values as they are."""
        if self._text or not self._any or self._most > (EXACT if self._parts else LARGEST):
            return Kind.TEXT
        return Kind.NUMBER if self._parts else Kind.WHOLE


def check_ending(path: Path) -> None:
    """Refuses a file whose ending names no format, before anything is scored.

    Raises:
        InvalidInput: It does.
    """
    if path.suffix.casefold() not in ENDINGS:
        raise InvalidInput(
            f"{path} ends in {path.suffix or 'nothing'}, which names no format that can be written.",
            f"Use one of: {', '.join(ENDINGS)}.",
        )


class RowWriter(Protocol):
    """Takes rows, one after the other."""

    def write(self, row: Row) -> None:
        """Writes one row."""


def scored_row(row: Row, scores: Sequence[Score]) -> dict[str, object]:
    """A row with three columns more for each score: ``<metric>``, ``<metric>_status`` and ``<metric>_detail``."""
    scored = dict(row)
    for score in scores:
        scored[score.metric] = score.value
        scored[f"{score.metric}_status"] = score.status.value
        scored[f"{score.metric}_detail"] = dict(score.detail)
    return scored


@contextmanager
def writing(
    path: Path, columns: Sequence[str], numbers: frozenset[str], whole: frozenset[str] = frozenset()
) -> Iterator[RowWriter]:
    """A writer whose file is there as a whole or not at all, also after an error or a kill.

    Args:
        path: Where to; an existing file is replaced.
        columns: Every column, in order; a table needs to know them before its first row.
        numbers: The columns that hold numbers or nothing; in Parquet the others are text, lists and objects as JSON.
        whole: The columns that hold whole numbers of 64 bits or nothing.

    Raises:
        InvalidInput: The file cannot be written, or its ending names no format.
    """
    check_ending(path)
    ending = path.suffix.casefold()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if ending == ".parquet":
            with _parquet(unfinished, {name: _kind(name, numbers, whole) for name in columns}) as writer:
                yield writer
        else:
            with unfinished.open("w", encoding="utf-8", newline="") as file:
                if ending in (".csv", ".tsv"):
                    yield _Table(file, columns, "\t" if ending == ".tsv" else ",")
                else:
                    writer = _Lines(file, listed=ending == ".json")
                    yield writer
                    writer.end()
        unfinished.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror or error}.", "Choose another file.") from error
    finally:
        unfinished.unlink(missing_ok=True)


class _Lines:
    """JSON, one object a line; as one list where the file is a JSON file."""

    def __init__(self, file: TextIO, *, listed: bool) -> None:
        self._file = file
        self._listed = listed
        self._before = "[\n" if listed else ""

    def write(self, row: Row) -> None:
        self._file.write(self._before + _json(row))
        self._before = ",\n" if self._listed else "\n"

    def end(self) -> None:
        self._file.write("\n]\n" if self._listed else "\n")


class _Table:
    """A table; lists and objects are JSON in their cell, and no cell is a formula."""

    def __init__(self, file: TextIO, columns: Sequence[str], delimiter: str) -> None:
        self._table = csv.DictWriter(file, columns, delimiter=delimiter, extrasaction="ignore")
        self._table.writerow({name: neutral(name) for name in columns})

    def write(self, row: Row) -> None:
        self._table.writerow({name: neutral(_cell(value)) for name, value in row.items()})


@contextmanager
def _parquet(path: Path, columns: Mapping[str, Kind]) -> Iterator[RowWriter]:
    import pyarrow
    from pyarrow import parquet

    types = {Kind.WHOLE: pyarrow.int64(), Kind.NUMBER: pyarrow.float64()}
    schema = pyarrow.schema([(name, types.get(kind, pyarrow.string())) for name, kind in columns.items()])
    waiting: list[dict[str, object]] = []

    class Writer:
        def write(self, row: Row) -> None:
            waiting.append({name: _typed(row.get(name), kind) for name, kind in columns.items()})
            if len(waiting) >= ROWS_AT_ONCE:
                flush()

    def flush() -> None:
        if waiting:
            file.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
            waiting.clear()

    with parquet.ParquetWriter(path, schema) as file:
        yield Writer()
        flush()


def _kind(name: str, numbers: frozenset[str], whole: frozenset[str]) -> Kind:
    return Kind.WHOLE if name in whole else Kind.NUMBER if name in numbers else Kind.TEXT


def _typed(value: object, kind: Kind) -> object:
    cell = _cell(value)
    if cell is None or kind is Kind.WHOLE:
        return cell
    if kind is Kind.NUMBER:
        return float(cell)  # type: ignore[arg-type]
    return str(cell)


def _cell(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _json(value) if isinstance(value, list | dict) else value


def _json(value: object) -> str:
    """As JSON, which has no word for NaN and infinity: they are null."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=str, allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
