"""Whether a text gives an answer away."""

from __future__ import annotations

import re

WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]{1,2}[-+*#]?")
"""A grade, a group, a size: as a word it would stand in any sentence."""


def contains_words(text: str, answer: str) -> bool:
    """Whether the words of an answer stand in a text as a whole run of words, whatever the letter case.

    A letter or two with a sign, such as the blood group A-, have to stand as they are: an article gives nothing away.

    >>> contains_words("client of 'Blue Lagoon Resort'", "Blue Lagoon"), contains_words("room 13", "3")
    (True, False)
    >>> contains_words("in a letter", "A-"), contains_words("is the group A-?", "A-"), contains_words("a B", "a")
    (False, True, False)
    """
    if _LETTER.fullmatch(letter := answer.strip()):
        return letter != "a" and re.search(rf"(?<!\w){re.escape(letter)}(?!\w)", text) is not None
    answer_words, folded = WORD.findall(answer.casefold()), text.casefold()
    if not answer_words or answer_words[0] not in folded:
        return False
    text_words = WORD.findall(folded)
    return any(
        text_words[start : start + len(answer_words)] == answer_words
        for start in range(len(text_words) - len(answer_words) + 1)
    )
