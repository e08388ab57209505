"""What a database looks like: tables, columns and keys, never rows."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Attributes:
        name: As the database spells it.
        type: The database's type, as text ("VARCHAR(40)").
        nullable: Whether NULL is allowed.
        descriptive: Whether a person without technical knowledge would understand it in a question
            or an answer (GRAMMAR, appendix D.1).
        reason: Why it counts as descriptive or not, one short clause.
        overruled: Whether a person overruled the rule.
        distinct: Number of different values, NULL left out; None where it was not counted.
        description: The database's own comment on it, or what a glossary says; empty without one.
        noun: What people call it, where the semantic layer says so; empty where its name says it.
        unit: The unit of its amounts ("minutes", "EUR"), or empty.
        codes: What its codes mean, as (code, meaning).
        moments: Whether its values are moments with a time of day, by which nobody names anything.
        dates: Whether its values are dates although its type is text.
        flag: Whether its values are nothing but a yes and a no, as words or letters.
        unordered: Whether its values are dates that do not stand in the order in which a database sorts them, such as
            31.12.2024.
        years: Whether its values are years, as whole numbers or as text.
        running: Whether it numbers the rows from 1 on, so that few people know any of them by it.
    """

    name: str
    type: str
    nullable: bool = True
    descriptive: bool = True
    reason: str = ""
    overruled: bool = False
    distinct: int | None = None
    description: str = ""
    noun: str = ""
    unit: str = ""
    codes: tuple[tuple[str, str], ...] = ()
    moments: bool = False
    dates: bool = False
    flag: bool = False
    unordered: bool = False
    years: bool = False
    running: bool = False

    @property
    def spoken(self) -> str:
        """What phrases are made of: the noun that people use, or the name."""
        return self.noun or self.name

    @property
    def temporal(self) -> bool:
        """Whether its values are dates or times, by its type or by what it holds."""
        return self.dates or any(kind in self.type.upper() for kind in ("DATE", "TIME"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """Columns of one table that point to columns of another, in matching order."""

    columns: tuple[str, ...]
    referred_table: str
    referred_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table with its row count.

    Attributes:
        name: Its own name where no other table of the connected schemas has it, else ``schema.table``.
        unique: Sets of columns that the database itself keeps unique, beside the primary key.
        namespace: The database's schema it lies in, to be written before its name; empty for the one that is in use.
        view: Whether it is a view.
        description: The database's own comment on it, or what a glossary says; empty without one.
        noun: What people call one of its rows, where the semantic layer says so; empty where its name says it.
        plural: What they call several of them, likewise.
        label: The columns by which people name a row, likewise.
        asked: Whether questions are made about it.
    """

    name: str
    rows: int
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    namespace: str = ""
    view: bool = False
    description: str = ""
    noun: str = ""
    plural: str = ""
    label: tuple[str, ...] = ()
    asked: bool = True

    @property
    def spoken(self) -> str:
        """What phrases are made of: the noun that people use, or the name."""
        return self.noun or self.own_name

    @property
    def own_name(self) -> str:
        """Its name within its schema of the database."""
        return self.name.removeprefix(f"{self.namespace}.") if self.namespace else self.name

    def column(self, name: str) -> Column:
        """The column of that name, whatever its letter case.

        Raises:
            NotFound: The table has no such column.
        """
        for column in self.columns:
            if column.name.casefold() == name.casefold():
                return column
        raise NotFound(f"Table {self.name} has no column {name}.", "Check the spelling; the Connect page lists all.")

    @property
    def association(self) -> bool:
        """Whether the table only ties two or more others together (every key column is a foreign key)."""
        foreign = {column for key in self.foreign_keys for column in key.columns}
        return len(self.foreign_keys) >= 2 and bool(self.primary_key) and set(self.primary_key) <= foreign


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A table or view that the database has and the schema does not.

    Attributes:
        reason: Why not, a sentence.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A database's tables, in name order.

    Attributes:
        dialect: SQLAlchemy's dialect name ("sqlite", "postgresql", "mysql").
        fingerprint: SHA-256 over tables, columns, keys and row counts.
        left_out: What could not be read in time or at all; it does not count for the fingerprint.
    """

    dialect: str
    tables: tuple[Table, ...]
    fingerprint: str = ""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def without_views(self) -> tuple[Table, ...]:
        """The tables that hold rows of their own."""
        return tuple(table for table in self.tables if not table.view)

    @property
    def askable(self) -> tuple[Table, ...]:
        """The tables that hold rows of their own, and the views that questions are made about."""
        return tuple(table for table in self.tables if not table.view or table.asked)

    def table(self, name: str) -> Table:
        """The table of that name, whatever its letter case.

        Raises:
            NotFound: The schema has no such table.
        """
        for table in self.tables:
            if table.name.casefold() == name.casefold():
                return table
        raise NotFound(f"The database has no table {name}.", "Check the spelling; the Connect page lists all tables.")
