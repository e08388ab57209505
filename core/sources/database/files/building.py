"""Makes a database of files: cells are kept as text first, then types and keys are guessed, then tables are written."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from core.data_folder import private_folder
from core.domain.errors import InvalidInput, UnreadableFile
from core.sources.database.files.keys import guess_keys, quote
from core.sources.database.files.kinds import BLANKS, DECLARED, Guess, Kind, converted
from core.sources.database.files.plan import PlannedColumn, PlannedTable
from core.sources.database.files.reading import ENDINGS, RawTable, read_tables

AT_ONCE = 5_000
MOST_ROWS = 5_000_000
MOST_TABLES = 300
_TAIL = re.compile(r"[\s_-]+(?:\d{2,8}|\(\d+\)|v\d+|final|export|copy|new)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutFile:
    """A file that gave no table, and why."""

    name: str
    reason: str


class FilesDatabase:
    """The tables of files in a temporary database, between reading them and writing what a person confirmed.

    Use it in a ``with`` statement: the temporary file goes when it ends.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None:
            private_folder(folder)
        self._kept = tempfile.TemporaryDirectory(dir=folder, prefix="files-")
        self._connection = sqlite3.connect(Path(self._kept.name) / "cells.sqlite")
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self.tables: list[PlannedTable] = []
        self.left_out: list[LeftOutFile] = []

    def read(self, files: Iterable[tuple[str, Callable[[], bytes]]]) -> list[PlannedTable]:
        """Reads files and guesses types and keys.

        Args:
            files: Their names and how to get their bytes. Those that are no tables are left out and listed.

        Raises:
            UnreadableFile: One that should be a table is damaged, its columns share a name, or its rows do not fit
                its header; or none of them has a table.
        """
        for name, data in files:
            if not name.lower().endswith(ENDINGS) or Path(name).name.startswith((".", "~$")):
                self.left_out.append(LeftOutFile(name=name, reason="no CSV file and no workbook"))
                continue
            content = data()
            if not content.strip():
                self.left_out.append(LeftOutFile(name=name, reason="empty"))
                continue
            for raw in read_tables(Path(name).name, content):
                self._keep(raw, commas=b";" in content[:2000])
        if not self.tables:
            raise UnreadableFile(
                f"No table was found in {len(self.left_out)} files.", f"Give files that end in {', '.join(ENDINGS)}."
            )
        self.tables = guess_keys(self._connection, self.tables)
        return self.tables

    def write(self, target: Path, tables: Sequence[PlannedTable]) -> None:
        """Writes the database with the types and keys of a plan.

        Raises:
            InvalidInput: A cell cannot be read as its column's type, or a key's values are missing or repeated.
        """
        private_folder(target.parent)
        made = Path(self._kept.name) / "made.sqlite"
        made.unlink(missing_ok=True)
        with closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            for table in tables:
                connection.execute(_declared(table))
                self._copy(connection, table)
            connection.commit()
        target.write_bytes(made.read_bytes())

    def close(self) -> None:
        """Removes the temporary files."""
        self._connection.close()
        self._kept.cleanup()

    def __enter__(self) -> FilesDatabase:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _keep(self, raw: RawTable, *, commas: bool) -> None:
        if len(self.tables) >= MOST_TABLES:
            raise UnreadableFile(f"There are more than {MOST_TABLES} tables.", "Give fewer files at once.")
        name = _free(_table_name(raw.name), [table.name for table in self.tables])
        guesses = [Guess(fits={}) for _ in raw.header]
        places = ", ".join("?" for _ in range(len(raw.header) + 1))
        columns = ", ".join(f"c{place} TEXT" for place in range(len(raw.header)))
        self._connection.execute(f"CREATE TABLE {quote(name)} (line INTEGER, {columns})")
        insert = f"INSERT INTO {quote(name)} VALUES ({places})"  # noqa: S608 - names are quoted
        rows, waiting = 0, []
        for line, cells in raw.rows:
            rows += 1
            if rows > MOST_ROWS:
                raise UnreadableFile(f"{raw.file} has more than {MOST_ROWS:,} rows.", "Give a part of it.")
            for guess, cell in zip(guesses, cells, strict=True):
                guess.add(cell, line)
            waiting.append((line, *cells))
            if len(waiting) == AT_ONCE:
                self._connection.executemany(insert, waiting)
                waiting.clear()
        self._connection.executemany(insert, waiting)
        if not rows:
            self._connection.execute(f"DROP TABLE {quote(name)}")
            self.left_out.append(LeftOutFile(name=raw.file, reason="a header and no row"))
            return
        taken: list[str] = []
        planned = []
        for header, guess in zip(raw.header, guesses, strict=True):
            kind, note = guess.kind(commas=commas)
            taken.append(_free(_column_name(header), taken))
            planned.append(PlannedColumn(header=header, name=taken[-1], kind=kind, note=note))
        self.tables.append(PlannedTable(file=raw.file, name=name, columns=tuple(planned), rows=rows, notes=raw.notes))

    def _copy(self, made: sqlite3.Connection, table: PlannedTable) -> None:
        places = ", ".join("?" for _ in table.columns)
        insert = f"INSERT INTO {quote(table.name)} VALUES ({places})"  # noqa: S608 - names are quoted
        cursor = self._connection.execute(f"SELECT * FROM {quote(table.name)}")  # noqa: S608
        while rows := cursor.fetchmany(AT_ONCE):
            values = [
                [_value(table, column, cell, line) for column, cell in zip(table.columns, cells, strict=True)]
                for line, *cells in rows
            ]
            try:
                made.executemany(insert, values)
            except sqlite3.IntegrityError as error:
                keys = " and ".join(column.header for column in table.columns if column.key)
                raise InvalidInput(
                    f"{keys} cannot be the key of {table.name}: a value of it is missing or stands in two rows.",
                    "Choose another key, add a column to it, or none.",
                ) from error


def _value(table: PlannedTable, column: PlannedColumn, cell: str, line: int) -> str | int | float | None:
    if column.kind is Kind.TEXT:
        return cell or None
    if cell.casefold() in BLANKS:
        return None
    value = converted(cell, column.kind)
    if value is None:
        raise InvalidInput(
            f"Line {line} of {table.file} has {cell[:40]!r} under {column.header!r}, which is no {column.kind.value}.",
            "Correct the file, or read the column as text.",
        )
    return value


def _declared(table: PlannedTable) -> str:
    parts = [
        f"{quote(column.name)} {DECLARED[column.kind]}{' NOT NULL' if column.key else ''}" for column in table.columns
    ]
    keys = [quote(column.name) for column in table.columns if column.key]
    parts += [f"PRIMARY KEY ({', '.join(keys)})"] if keys else []
    for column in table.columns:
        if column.points_to:
            other, _, name = column.points_to.rpartition(".")
            parts.append(f"FOREIGN KEY ({quote(column.name)}) REFERENCES {quote(other)} ({quote(name)})")
    return f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})"


def _table_name(name: str) -> str:
    """``Customers 2024`` is the table of customers.

    >>> _table_name("Customers 2024"), _table_name("orders_2024-03 final"), _table_name("2024")
    ('Customers', 'orders', '2024')
    """
    name = re.sub(r"[\[\].'\"`\\/:*?]+", " ", name).strip()
    while (shorter := _TAIL.sub("", name).strip(" _-")) not in ("", name):
        name = shorter
    return re.sub(r"[\s-]+", "_", name) or "table"


def _column_name(header: str) -> str:
    """A header as a name that questions can be made of; its unit in brackets stays at the end.

    >>> [_column_name(header) for header in ("Cust. No.", "Amt (EUR)", "Loyalty?", "Sales Rep #", "Unit Price [€]")]
    ['Cust_No', 'Amt_EUR', 'Loyalty', 'Sales_Rep_No', 'Unit_Price_EUR']
    """
    for sign, word in (("#", " No"), ("%", " percent"), ("€", " EUR"), ("$", " USD"), ("£", " GBP")):
        header = header.replace(sign, word)
    return "_".join(re.findall(r"\w+", header.replace("'", ""))) or "column"


def _free(name: str, taken: Sequence[str]) -> str:
    lower = {one.casefold() for one in taken}
    number = 2
    free = name
    while free.casefold() in lower:
        free, number = f"{name}_{number}", number + 1
    return free
