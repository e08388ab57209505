"""What the columns of one file are, how the lists in their cells are written, and which of them nobody reads."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from core.domain.errors import PlumblineError
from core.io.tables.cells import find_delimiter, read_list
from core.io.tables.columns import ALIASES, IDS, LISTED_REFERENCES, LISTS, Field, arrange, plain_name
from core.io.tables.rows import Row, read_header, read_rows

MOST_NAMED: Final = 12
"""So many ignored columns are named in one message; the others are counted."""
UNKNOWN: Final = "Unknown name."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The columns of a file.

    Attributes:
        columns: All names, in the order of the file.
        fields: The columns by what they are, the one to be taken first standing first.
        has_header: Whether the file has a header, so that a cell that is absent is an empty one.
        delimiters: What parts the lists in the cells of a column that is written so.
    """

    path: Path
    columns: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    has_header: bool
    delimiters: Mapping[str, str] = field(default_factory=dict)

    def column(self, row: Row, name: str) -> str:
        """The column that a row has a field in; empty where it has none.

        In a file with a header that is one column for all rows. In JSON it is the first that the row itself has.
        """
        columns = self.fields.get(name, ())
        if self.has_header:
            return columns[0] if columns else ""
        return next((column for column in columns if column in row), "")

    def cell(self, row: Row, name: str) -> object:
        """What a row holds of a field; None where that is nothing."""
        return row.get(self.column(row, name))

    def text(self, row: Row, name: str) -> str:
        """What a row holds of a field as text, empty for nothing; what a table made a decimal is a whole number."""
        value = self.cell(row, name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value).strip()

    def listed(self, row: Row, name: str, where: str) -> object:
        """What a row holds of a field of several values: a list, also where it is written as text.

        Raises:
            InvalidInput: The text looks like a list and cannot be read as one.
        """
        column = self.column(row, name)
        value = row.get(column)
        if not isinstance(value, str) or (name == Field.REFERENCES and plain_name(column) not in LISTED_REFERENCES):
            return value
        items, _ = read_list(value, where, column, self.delimiters.get(column, ""))
        return [item.strip() if isinstance(item, str) and name in IDS else item for item in items]

    def ignored(self, read: Collection[str], *, unknown: str = UNKNOWN) -> dict[str, str]:
        """The columns that nobody looks at, each with the reason.

        Args:
            read: The fields that are looked at.
            unknown: The reason for a column that is no field.
        """
        used = {columns[0] for name, columns in self.fields.items() if name in read}
        reasons: dict[str, str] = {}
        for column in self.columns:
            if column in used:
                continue
            names = [name for name, all_of in self.fields.items() if column in all_of]
            read_field = next((name for name in names if name in read), None)
            if read_field is not None:
                taken = self.fields[read_field][0]
                rows = "" if self.has_header else " in rows that have both"
                reasons[column] = f"{taken} is taken for {read_field}{rows}."
            else:
                reasons[column] = f"{names[0]} is not looked at here." if names else unknown
        return reasons


def lay_out(
    path: Path,
    rows: Iterable[tuple[int, Row]] | None = None,
    *,
    table: Mapping[str, tuple[str, ...]] | None = None,
    overrides: Mapping[str, str] | None = None,
) -> Layout:
    """What the columns of a file are. It is read to its end or to its first error, which the reading then tells.

    Args:
        path: The file.
        rows: Its rows, where they are held already.
        table: The names of each field, where they are not those of answers.
        overrides: What names are in this kind of file, where that is not what the table says.
    """
    header = read_header(path)
    names: dict[str, None] = dict.fromkeys(header or ())
    texts: dict[str, list[object]] = {}
    lists = _lists() if table is None else frozenset()
    try:
        for _, row in read_rows(path) if rows is None else rows:
            for name, value in row.items():
                names.setdefault(name)
                if isinstance(value, (str, list, dict)) and (name in lists or plain_name(name) in lists):
                    texts.setdefault(name, []).append(value if isinstance(value, str) else [])
    except PlumblineError:
        if rows is not None:
            raise
    fields = arrange(names, table=table, overrides=overrides)
    delimiters = {
        column: find_delimiter(texts.get(column, ()), ids=name in IDS)
        for name, columns in fields.items()
        if name in LISTS
        for column in columns
    }
    return Layout(path=path, columns=tuple(names), fields=fields, has_header=header is not None, delimiters=delimiters)


def _lists() -> frozenset[str]:
    """Names of columns whose cells may hold lists."""
    return frozenset(chain.from_iterable(ALIASES[list_field] for list_field in LISTS))


def tell_ignored(path: Path, ignored: Mapping[str, str]) -> None:
    """Names the ignored columns of a file in the log, which a command shows on stderr; once for a state of the file."""
    if not ignored:
        return
    by_reason: dict[str, list[str]] = {}
    for column, reason in list(ignored.items())[:MOST_NAMED]:
        by_reason.setdefault(reason, []).append(column)
    parts = [f"{', '.join(columns)} ({reason.rstrip('.')})" for reason, columns in by_reason.items()]
    more = f" and {len(ignored) - MOST_NAMED:,} more" if len(ignored) > MOST_NAMED else ""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        stamp = 0
    _tell(f"Ignored columns of {path}: {'; '.join(parts)}{more}.", stamp)


@cache
def _tell(text: str, stamp: int) -> None:
    del stamp  # a file that changed is told anew
    log.warning(text)
