"""Finding a text that a person typed, whatever its letter case; ``%`` and ``_`` are only letters here."""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_

from core.domain.errors import InvalidInput

LONGEST = 1_000


def contains(search: str, *columns: ColumnElement[str]) -> ColumnElement[bool] | None:
    """The condition that one of the columns contains the text; None where nothing is searched for.

    Raises:
        InvalidInput: The text is longer than `LONGEST` characters.
    """
    wanted = search.strip()
    if not wanted:
        return None
    if len(wanted) > LONGEST:
        raise InvalidInput(
            f"The search text has {len(wanted)} characters; {LONGEST} is the most.", "Search for a part of it."
        )
    return or_(*[column.icontains(wanted, autoescape=True) for column in columns])
