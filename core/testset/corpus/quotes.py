"""The place of quoted words in a passage, however blanks, quotation marks and dashes are written."""

from __future__ import annotations

import re

_SAME = {"'": "'’‘`´", '"': '"“”„«»', "-": "-‐‑‒–—−"}
_CLASSES = {mark: f"[{re.escape(marks)}]" for marks in _SAME.values() for mark in marks}
LONGEST = 2_000
"""The most characters of a quote."""


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    r"""The place of a quote in a text; None where the text does not have those words in a row.

    >>> find_quote("The fee is\n5 euros.", "fee is 5 euros")
    (4, 18)
    >>> find_quote("The fee is 5 euros.", "The fee is 6 euros.") is None
    True
    """
    words = quote.strip().strip('"“”').split()
    if not words or len(quote) > LONGEST:
        return None
    pattern = r"\s+".join("".join(_CLASSES.get(letter, re.escape(letter)) for letter in word) for word in words)
    match = re.search(pattern, text)
    return None if match is None else match.span()
