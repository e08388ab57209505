"""Cached reads about the cases of a test set: how many, of which forms, from which templates."""

from __future__ import annotations

from core.store import testsets
from core.store.database import Store
from pages.ui import readers


def forms(store: Store, test_set_id: str) -> list[str]:
    """The forms of a test set's questions, in the order they come."""

    def read() -> list[str]:
        with store.read() as connection:
            return testsets.values(connection, test_set_id, "form")

    return readers.cached(store, "forms", read, test_set_id)  # type: ignore[return-value]


def sql_templates(store: Store, test_set_id: str) -> list[str]:
    """Ids of the SQL templates a test set's questions were made from, in the order they come."""

    def read() -> list[str]:
        with store.read() as connection:
            return testsets.values(connection, test_set_id, "sql_template_id")

    return readers.cached(store, "case_templates", read, test_set_id)  # type: ignore[return-value]


def number(store: Store, test_set_id: str, *, excluded: bool = False) -> int:
    """How many cases a test set has; those a person excluded count only on request."""

    def read() -> int:
        with store.read() as connection:
            return testsets.count(connection, test_set_id, include_excluded=excluded)

    return readers.cached(store, "case_count", read, test_set_id, excluded)  # type: ignore[return-value]
