"""The grammar of a dialect, and when a name needs quotes."""

from __future__ import annotations

import re

from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect

from core.domain.sources.schema import Table

GRAMMARS = {"postgresql": "postgres", "mysql": "mysql", "mariadb": "mysql", "mssql": "tsql"}
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FURTHER_RESERVED = frozenset(
    {
        "add",
        "all",
        "autoincrement",
        "case",
        "check",
        "collate",
        "commit",
        "constraint",
        "default",
        "deferrable",
        "delete",
        "escape",
        "exists",
        "foreign",
        "if",
        "in",
        "index",
        "is",
        "isnull",
        "limit",
        "natural",
        "null",
        "offset",
        "primary",
        "references",
        "set",
        "table",
        "to",
        "transaction",
        "unique",
        "update",
        "end",
        "left",
        "right",
        "full",
    }
)
"""Words the grammar takes as names where a database would not."""


def grammar_of(dialect: str) -> str:
    """Sqlglot's name for SQLAlchemy's name of a dialect."""
    return GRAMMARS.get(dialect, dialect)


def quoted(name: str, dialect: str) -> str:
    """A name in quotes, whatever it holds.

    >>> quoted('odd "name', "sqlite")
    '"odd ""name"'
    """
    return str(exp.to_identifier(name, quoted=True).sql(dialect=grammar_of(dialect)))


def quoted_table(table: Table, dialect: str) -> str:
    """A table in quotes, behind the schema it lies in where that is not the one in use.

    >>> quoted_table(Table(name="users", rows=0, columns=(), namespace="app"), "postgresql")
    '"app"."users"'
    """
    return ".".join(quoted(part, dialect) for part in (table.namespace, table.own_name) if part)


def written_table(table: Table, dialect: str) -> str:
    """A table as a person writes it: behind its schema only where another one has a table of that name.

    >>> written_table(Table(name="hr.users", rows=0, columns=(), namespace="hr"), "postgresql")
    'hr.users'
    """
    parts = (table.own_name,) if table.own_name == table.name else (table.namespace, table.own_name)
    return ".".join(written(part, dialect) for part in parts)


def written(name: str, dialect: str) -> str:
    """A name as a person writes it: in quotes only where it needs them.

    >>> written("City", "sqlite"), written("Order", "sqlite"), written("opening date", "sqlite")
    ('City', '"Order"', '"opening date"')
    """
    folds = grammar_of(dialect) == "postgres" and name != name.lower()
    if PLAIN_NAME.fullmatch(name) and not folds and name.lower() not in _reserved(grammar_of(dialect)):
        return name
    return quoted(name, dialect)


_RESERVED: dict[str, frozenset[str]] = {}


def _reserved(grammar: str) -> frozenset[str]:
    """Every keyword that the grammar does not also accept as a name."""
    if grammar not in _RESERVED:
        dialect = Dialect.get_or_raise(grammar)
        allowed = dialect.parser_class.ID_VAR_TOKENS
        keywords = dialect.tokenizer_class.KEYWORDS
        hard = {
            word.lower()
            for phrase, kind in keywords.items()
            if kind not in allowed and kind is not TokenType.VAR
            for word in phrase.split()  # ORDER BY is one keyword there
        }
        _RESERVED[grammar] = frozenset(hard) | FURTHER_RESERVED
    return _RESERVED[grammar]
