"""Searching for a text that a person typed, in any letter case; ``%`` and ``_`` are plain characters here."""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_

from core.domain.errors import InvalidInput

LONGEST = 1_000


def contains(search: str, *columns: ColumnElement[str]) -> ColumnElement[bool] | None:
    """The condition that one of the columns contains the text; None where nothing is searched for.

    Raises:
        InvalidInput: The text is longer than `LONGEST` characters.
    """
    text = search.strip()
    if not text:
        return None
    if len(text) > LONGEST:
        raise InvalidInput(
            f"The search text has {len(text)} characters; the limit is {LONGEST}.", "Search for a part of it."
        )
    return or_(*[column.icontains(text, autoescape=True) for column in columns])
