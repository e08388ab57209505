"""Cached reads about the cases of a test set: how many, of which forms, from which templates."""

from __future__ import annotations

from core.store.database import Store
from core.store.testset import testsets
from pages.kit import cache


@cache.read("test_sets")
def forms(store: Store, test_set_id: str) -> list[str]:
    """The forms of a test set's questions, in the order they come."""
    with store.read() as connection:
        return testsets.values(connection, test_set_id, "form")


@cache.read("test_sets")
def sql_templates(store: Store, test_set_id: str) -> list[str]:
    """Ids of the SQL templates a test set's questions were made from, in the order they come."""
    with store.read() as connection:
        return testsets.values(connection, test_set_id, "sql_template_id")


@cache.read("test_sets")
def number(store: Store, test_set_id: str, *, excluded: bool = False) -> int:
    """How many cases a test set has; those a person excluded count only on request."""
    with store.read() as connection:
        return testsets.count(connection, test_set_id, include_excluded=excluded)
