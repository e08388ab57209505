"""Statements of plans: a named row, what belongs to it, and the joins between."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.sources.schema import ForeignKey, Schema, Table
from core.sources.database.grammar import written, written_table
from core.testset.grounded.beyond.plan import Link, Parent


class Sql:
    """Writes statements with every column behind its alias.

    Args:
        schema: For the dialect.
    """

    def __init__(self, schema: Schema) -> None:
        self._dialect = schema.dialect

    def rounded(self, amount: str) -> str:
        """An amount to two decimals, whatever its type: PostgreSQL rounds decimals only."""
        return f"ROUND(CAST({amount} AS DECIMAL(30, 6)), 2)" if self._dialect == "postgresql" else f"ROUND({amount}, 2)"

    def column(self, alias: str, name: str) -> str:
        """``alias.name``."""
        return f"{alias}.{written(name, self._dialect)}"

    def columns(self, alias: str, names: Sequence[str]) -> str:
        """Several of one table, with commas."""
        return ", ".join(self.column(alias, name) for name in names)

    def table(self, table: Table, alias: str) -> str:
        """``table AS alias``."""
        return f"{written_table(table, self._dialect)} AS {alias}"

    def on(self, child: str, parent: str, key: ForeignKey) -> str:
        """The condition of a join along a key."""
        pairs = zip(key.columns, key.referred_columns, strict=True)
        return " AND ".join(f"{self.column(child, own)} = {self.column(parent, other)}" for own, other in pairs)

    def given(self, alias: str, parent: Parent) -> str:
        """The condition that names a row."""
        return " AND ".join(
            f"{self.column(alias, name)} = '[{parent.table.name}.{name}]'" for name in parent.label.columns
        )

    def joined(self, link: Link, *, left: bool = False) -> str:
        """FROM the parent (p) to its children (c), through what is between (v)."""
        join = "LEFT JOIN" if left else "JOIN"
        start = f"FROM {self.table(link.parent.table, 'p')}"
        if link.via is None or link.child_key is None:
            return f"{start} {join} {self.table(link.child, 'c')} ON {self.on('c', 'p', link.key)}"
        return (
            f"{start} {join} {self.table(link.via, 'v')} ON {self.on('v', 'p', link.key)} "
            f"{join} {self.table(link.child, 'c')} ON {self.on('v', 'c', link.child_key)}"
        )

    def rows(self, table: Table, alias: str, parent: str, key: ForeignKey) -> str:
        """The query whether any row of a table belongs to another row."""
        return f"SELECT 1 FROM {self.table(table, alias)} WHERE {self.on(alias, parent, key)}"  # noqa: S608

    def key(self, parent: Parent, alias: str = "p") -> str:
        """The columns that tell one row from another of the same name."""
        names = parent.table.primary_key or parent.label.columns
        return self.columns(alias, names)

    def with_ids(self, answers: str, rest: str, parent: Parent, alias: str = "p") -> tuple[str, str]:
        """The statement, and the same with the key of the row that is named."""
        keys = parent.table.primary_key
        plain = f"SELECT {answers} {rest};"
        return plain, f"SELECT {answers}, {self.column(alias, keys[0])} {rest};" if len(keys) == 1 else ""
