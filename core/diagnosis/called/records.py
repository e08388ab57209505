"""By which columns documents call the rows of a table: "Ugo Ferrante" and not employee 30, "Open space" and not OS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from sqlglot import exp

from core.domain.errors import NotFound, PlumblineError
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import DatabaseSource
from core.sources.database.guard import check_tree
from core.sources.database.names import table_node
from core.testset.grounded.entities import best_label
from core.testset.grounded.words.values import value_text
from core.text.words import fold, words

TEXTS = ("CHAR", "TEXT", "CLOB", "STRING", "ENUM")
READ = 200
"""Rows of a table by which it is known whether a column tells its rows apart."""
ASKED = 24
"""Of these, rows that documents are asked for."""
DIFFERENT = 0.9
"""Share of the rows that must have a value of their own."""
MENTIONED = 0.5
"""Share of the rows that documents must mention."""
MOST_WORDS = 8
SHORT = 3
"""Letters below which a value stands in any text by chance."""
MOST_RIVALS = 400


class RecordNames:
    """What documents call the rows of each table; each table is read once.

    Args:
        opened: The database; None where it cannot be read.
        mentions: In how many documents a name occurs.
    """

    def __init__(self, opened: Callable[[], DatabaseSource | None], mentions: Callable[[str], int]) -> None:
        self._opened = opened
        self._mentions = mentions
        self._columns: dict[str, tuple[str, ...]] = {}
        self._names: dict[tuple[str, str, str], str] = {}
        self._having: defaultdict[str, set[str]] | None = None

    def schema(self, schema: Schema, sql: str) -> Schema:
        """A schema in which the tables that a statement names have the labels by which documents call their rows."""
        tables = []
        for table in schema.tables:
            label = best_label(table)
            columns = self.columns(table) if table.name in sql else ()
            named = columns and (label is None or columns != label.columns)
            tables.append(replace(table, label=columns) if named else table)
        return replace(schema, tables=tuple(tables))

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns by which documents call its rows; none where documents call them by no text."""
        if table.name not in self._columns:
            try:
                self._columns[table.name] = self._found(table)
            except PlumblineError:
                self._columns[table.name] = ()
        return self._columns[table.name]

    def name(self, schema: Schema, table: Table, column: str, value: object) -> str:
        """What documents call the row that a value of a key or of a column with a foreign key stands for.

        Empty where the value is no such key, or documents call the row by the value itself.
        """
        meaning = dict(table.column(column).codes).get(value_text(value), "")
        if meaning:
            return meaning
        found = referred(schema, table, column)
        if found is None or value is None:
            return ""
        of, key = found
        asked = (of.name, key, value_text(value))
        if asked not in self._names:
            columns = self.columns(of)
            known = bool(columns) and key not in columns
            self._names[asked] = self._read(of, key, value, columns) if known else ""
        return self._names[asked]

    def rivals(self, schema: Schema, table: Table, column: str) -> list[str]:
        """What documents call the other rows of the same table."""
        found = referred(schema, table, column)
        return self.all_of(found[0]) if found is not None else []

    def all_of(self, table: Table) -> list[str]:
        """What documents call the rows of a table, `MOST_RIVALS` of them at most."""
        columns = self.columns(table)
        rows = self._rows(table, columns, MOST_RIVALS) if columns else ()
        return [" ".join(name) for name in rows if all(name)]

    def having(self, schema: Schema, word: str) -> tuple[str, ...]:
        """Everything that documents call a row of any table whose name has a folded word; each table is read once."""
        if self._having is None:
            self._having = defaultdict(set)
            for table in schema.tables:
                for name in self.all_of(table):
                    for one in words(fold(name)):
                        self._having[one].add(name)
        return tuple(sorted(self._having.get(word, ())))

    def _found(self, table: Table) -> tuple[str, ...]:
        label = best_label(table)
        texts = [column.name for column in table.columns if _is_text(column, table)]
        pairs = list(pairwise(texts))
        candidates = [(label.columns if label else ()), *((name,) for name in texts), *pairs]
        best: tuple[float, bool, int] = (MENTIONED, False, 0)
        winner: tuple[str, ...] = ()
        for columns in dict.fromkeys(candidates):
            if not columns or (len(columns) > 1 and any((name,) == winner for name in columns)):
                continue
            names = [" ".join(row) for row in self._rows(table, columns, READ) if all(row)]
            if not names or len(set(names)) < DIFFERENT * len(names) or not all(map(_is_name, names[:ASKED])):
                continue
            times = [self._mentions(name) for name in dict.fromkeys(names[:ASKED])]
            # A role that only one person has stands on more pages than her name, and is no name.
            own = label is not None and columns == label.columns
            found = (sum(time > 0 for time in times) / len(times), own, sum(times))
            if found > best:
                best, winner = found, columns
        return winner

    def _rows(self, table: Table, columns: Sequence[str], limit: int) -> Iterator[tuple[str, ...]]:
        database = self._opened()
        if database is None:
            return iter(())
        statement = exp.select(*map(_quoted, columns)).from_(table_node(table))
        for key in table.primary_key:
            statement = statement.order_by(_quoted(key))
        try:
            rows = database.query(_sql(statement, database), row_limit=limit).rows
        except PlumblineError:
            return iter(())
        return iter([tuple("" if value is None else value_text(value) for value in row) for row in rows])

    def _read(self, table: Table, key: str, value: object, columns: Sequence[str]) -> str:
        database = self._opened()
        if database is None:
            return ""
        condition = exp.EQ(this=_quoted(key), expression=exp.Placeholder(this="p0"))
        statement = exp.select(*map(_quoted, columns)).from_(table_node(table)).where(condition)
        try:
            rows = database.query(_sql(statement, database), {"p0": value}, row_limit=2).rows
        except PlumblineError:
            return ""
        known = len(rows) == 1 and all(part is not None for part in rows[0])
        return " ".join(value_text(part) for part in rows[0]) if known else ""


def referred(schema: Schema, table: Table, column: str) -> tuple[Table, str] | None:
    """The table and the key that a column stands for: those of its foreign key, else its own; None for a property."""
    for key in table.foreign_keys:
        if key.columns == (column,) and len(key.referred_columns) == 1:
            try:
                return schema.table(key.referred_table), key.referred_columns[0]
            except NotFound:
                return None
    return (table, column) if (column,) in (table.primary_key, *table.unique) else None


def _sql(statement: exp.Select, database: DatabaseSource) -> str:
    return check_tree(statement, database.schema).sql


def _quoted(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _is_text(column: Column, table: Table) -> bool:
    """Whether a column may hold what rows are called."""
    tied = any(column.name in key.columns for key in table.foreign_keys)
    return not tied and any(kind in column.type.upper() for kind in TEXTS)


def _is_name(text: str) -> bool:
    """Whether a value may be a name: it has a letter, and is neither very short nor a sentence."""
    return len(text) >= SHORT and any(map(str.isalpha, text)) and len(text.split()) <= MOST_WORDS
