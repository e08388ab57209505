"""Whether a text gives an answer away."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+")


def contains_words(text: str, answer: str) -> bool:
    """Whether the words of an answer stand in a text as a whole run of words, whatever the letter case.

    >>> contains_words("client of 'Blue Lagoon Resort'", "Blue Lagoon"), contains_words("room 13", "3")
    (True, False)
    """
    answer_words = WORD.findall(answer.casefold())
    if not answer_words:
        return False
    text_words = WORD.findall(text.casefold())
    return any(
        text_words[start : start + len(answer_words)] == answer_words
        for start in range(len(text_words) - len(answer_words) + 1)
    )
