"""Names of tables and columns as words."""

from __future__ import annotations

import re

PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+|[^\W\d_]+")
GLUED = ("id", "name", "date", "number", "code", "type", "city", "amount", "key", "uuid")
"""Words that are often glued to the one before, all in one case (``customerid``)."""
WHOLE = frozenset({"forename", "capacity", "electricity", "velocity", "publicity", "candidate", "prototype"})
"""Words that end in one of them and are one."""


def split_words(name: str) -> list[str]:
    """The words of a name in lower case.

    >>> split_words("CustomerId"), split_words("first_name"), split_words("IBANNumber"), split_words("customerid")
    (['customer', 'id'], ['first', 'name'], ['iban', 'number'], ['customer', 'id'])
    """
    words = [piece.lower() for piece in PIECE.findall(name)] or [name.lower()]
    if len(words) == 1 and words[0] not in WHOLE:
        for word in GLUED:
            # Three letters before it, so that "paid" and "valid" stay whole words.
            stem = words[0].removesuffix(word)
            if stem != words[0] and len(stem) >= 4:
                return [stem, word]
    return words
