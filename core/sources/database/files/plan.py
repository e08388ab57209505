"""What a database made of files will look like: guessed, shown to a person, changed and taken back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.errors import InvalidInput
from core.sources.database.files.kinds import Kind

FIELDS = ("table", "column", "name", "type", "key", "points to", "note")
_YES = frozenset({"yes", "y", "true", "1", "x", "key"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedColumn:
    """One column.

    Attributes:
        header: Its name in the file.
        name: Its name in the database.
        kind: What its cells are read as.
        key: Whether it is part of the primary key.
        points_to: ``table.column`` whose rows it names, or empty.
        note: What a person should look at.
    """

    header: str
    name: str
    kind: Kind
    key: bool = False
    points_to: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTable:
    """One table, with the file it comes from and the notes on it."""

    file: str
    name: str
    columns: tuple[PlannedColumn, ...]
    rows: int
    notes: tuple[str, ...] = ()


def plan_rows(tables: Iterable[PlannedTable]) -> list[dict[str, str]]:
    """A row for each column, to be looked at and changed."""
    return [
        {
            "table": table.name,
            "column": column.header,
            "name": column.name,
            "type": column.kind.value,
            "key": "yes" if column.key else "",
            "points to": column.points_to,
            "note": column.note,
        }
        for table in tables
        for column in table.columns
    ]


def plan_csv(tables: Iterable[PlannedTable]) -> str:
    """The plan as a CSV that can be changed and given back."""
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(plan_rows(tables))
    return out.getvalue()


def changed(tables: Sequence[PlannedTable], rows: Iterable[Mapping[str, object]]) -> list[PlannedTable]:
    """The plan with what a person changed in its rows: type, key and what a column points to.

    Raises:
        InvalidInput: A row names a column that no file has, a type that there is not, or points to no column.
    """
    said = {(str(row.get("table", "")), str(row.get("column", ""))): row for row in rows}
    known = {(table.name, column.header) for table in tables for column in table.columns}
    if strange := next((pair for pair in said if pair not in known), None):
        raise InvalidInput(
            f"The plan names the column {strange[1]!r} of the table {strange[0]!r}, which the files have not.",
            "Write the plan again, and change only type, key and points to.",
        )
    after = [
        replace(
            table,
            columns=tuple(_changed(table, column, said.get((table.name, column.header))) for column in table.columns),
        )
        for table in tables
    ]
    _check_pointers(after)
    return after


def read_plan(text: str) -> list[dict[str, str]]:
    """The rows of a plan that was written by :func:`plan_csv`.

    Raises:
        InvalidInput: A column of it is missing.
    """
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    missing = [name for name in ("table", "column", "type") if name not in (reader.fieldnames or ())]
    if missing:
        raise InvalidInput(f"The plan has no column {missing[0]!r}.", f"It needs: {', '.join(FIELDS)}.")
    return [{name: str(value or "").strip() for name, value in row.items() if name} for row in reader]


def _changed(table: PlannedTable, column: PlannedColumn, said: Mapping[str, object] | None) -> PlannedColumn:
    if said is None:
        return column
    kind = str(said.get("type") or column.kind.value).strip().casefold()
    if kind not in {item.value for item in Kind}:
        raise InvalidInput(
            f"The column {column.header!r} of {table.name} has the type {kind!r}, which there is not.",
            f"Write one of: {'; '.join(Kind)}.",
        )
    key = said.get("key")
    return replace(
        column,
        kind=Kind(kind),
        key=key if isinstance(key, bool) else str(key or "").strip().casefold() in _YES,
        points_to=str(said.get("points to") or "").strip(),
    )


def _check_pointers(tables: Sequence[PlannedTable]) -> None:
    columns = {f"{table.name}.{column.name}" for table in tables for column in table.columns}
    for table in tables:
        for column in table.columns:
            if column.points_to and column.points_to not in columns:
                raise InvalidInput(
                    f"The column {column.header!r} of {table.name} points to {column.points_to!r}, which there is not.",
                    "Write table.column with the names of the plan.",
                )
