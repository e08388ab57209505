"""Points of the compass by their letters and by their words."""

from __future__ import annotations

import re
from typing import Final

ASKED: Final = re.compile(
    r"\b(?:aspects?|directions?|exposures?|expositions?|orientations?|facing|faces?|bearings?|headings?|winds?|compass|sides?"
    r"|slopes?|quadrants?)\b"
)
"""Questions that a point of the compass answers."""
_WORDS: Final = {"n": "north", "e": "east", "s": "south", "w": "west"}
_BETWEEN: Final = ("ne", "nw", "se", "sw")
_FINER: Final = ("nne", "ene", "ese", "sse", "ssw", "wsw", "wnw", "nnw")


def names_of(reference: str) -> tuple[str, ...]:
    """How the point of the compass may be written that a reference is; empty where it is none.

    Args:
        reference: Match text.

    >>> names_of("n"), names_of("north-east"), names_of("x")
    (('north', 'northern', 'northerly'), ('north-east', 'northeast', 'north east', 'ne'), ())
    """
    letters = {word: letter for letter, word in _WORDS.items()}
    plain = reference.strip(" .")
    if plain in _WORDS or plain in letters:
        word = _WORDS.get(plain, plain)
        return word, f"{word}ern", f"{word}erly"
    for code in (*_BETWEEN, *_FINER):
        parts = [_WORDS[letter] for letter in code]
        finer = [parts[0], "".join(parts[1:])] if len(parts) > 2 else parts
        names = tuple(dict.fromkeys(("-".join(finer), "".join(parts), " ".join(finer), "-".join(parts), code)))
        if plain in names:
            return names if len(parts) > 2 else (names[0], names[1], names[2], code)
    return ()
