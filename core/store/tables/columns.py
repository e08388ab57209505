"""The parts of every table: the shared metadata, the text type, and the columns that recur."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Dialect, ForeignKey, Integer, MetaData, Text, TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Prose(TypeDecorator[str]):
    """Text from anywhere: what no database can hold (NUL, half of a surrogate pair) becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Cleans the rare text that needs it."""
        if value is None:
            return None
        if "\x00" in value:
            value = value.replace("\x00", "\ufffd")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value


BigId = BigInteger().with_variant(Integer, "sqlite")


def seq() -> Column[int]:
    """The order in which rows came, which is the order they are listed in."""
    return Column("seq", BigId, primary_key=True, autoincrement=True)


def text(name: str, **options: Any) -> Column[str]:
    """A text that is never missing; empty by default."""
    return Column(name, Prose, nullable=False, server_default="", **options)


def json(name: str) -> Column[Any]:
    """Nested data that is never missing."""
    return Column(name, JSON, nullable=False)


def owner(name: str, target: str) -> Column[str]:
    """The row that a row belongs to, and is deleted with."""
    return Column(name, Prose, ForeignKey(target, ondelete="CASCADE"), nullable=False)
