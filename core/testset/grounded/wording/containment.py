"""Whether a text gives an answer away."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+")


def contains_words(text: str, answer: str) -> bool:
    """Whether the words of an answer stand in a text as a whole run of words, whatever the letter case.

    >>> contains_words("client of 'Blue Lagoon Resort'", "Blue Lagoon"), contains_words("room 13", "3")
    (True, False)
    """
    wanted = WORD.findall(answer.casefold())
    if not wanted:
        return False
    found = WORD.findall(text.casefold())
    return any(found[start : start + len(wanted)] == wanted for start in range(len(found) - len(wanted) + 1))
