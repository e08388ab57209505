"""Which grammar a dialect is parsed and written with, and when a name needs quotes."""

from __future__ import annotations

import re

from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect

GRAMMARS = {"postgresql": "postgres", "mysql": "mysql", "mariadb": "mysql", "mssql": "tsql"}
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FURTHER_RESERVED = frozenset({"to", "add", "if", "transaction", "references", "check", "unique", "primary", "foreign"})


def grammar_of(dialect: str) -> str:
    """Sqlglot's name for SQLAlchemy's name of a dialect."""
    return GRAMMARS.get(dialect, dialect)


def quoted(name: str, dialect: str) -> str:
    """A name in quotes, whatever it holds.

    >>> quoted('odd "name', "sqlite")
    '"odd ""name"'
    """
    return str(exp.to_identifier(name, quoted=True).sql(dialect=grammar_of(dialect)))


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
    """Every keyword that the grammar does not also take as a name."""
    if grammar not in _RESERVED:
        dialect = Dialect.get_or_raise(grammar)
        allowed = dialect.parser_class.ID_VAR_TOKENS
        keywords = dialect.tokenizer_class.KEYWORDS
        hard = {word.lower() for word, kind in keywords.items() if kind not in allowed and kind is not TokenType.VAR}
        _RESERVED[grammar] = frozenset(hard) | FURTHER_RESERVED
    return _RESERVED[grammar]
