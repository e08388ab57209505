"""Reasons that quote an answer as it was written: rules read it without accents, in lower case and cut to a length."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.judging.match.readers.texts.normalise import normalise_text

QUOTED: Final = re.compile(r'"([^"]+)"')
RAISED: Final = re.compile(r"[^\s\"]*\w\^\d")
"""A unit with a power as rules write it: km^2."""
LEAST_CUT: Final = 8
"""Letters and digits from which a quotation that ends inside a word is no chance."""


def as_written(reason: str, answer: str, *others: str) -> str:
    """A reason whose quotations of the answer are the answer's own words, cut at the ends of words.

    What stands in the answer or in another text as it is quoted stays, and so does what the answer does not have.

    Args:
        reason: What rules say of the answer.
        answer: The answer.
        others: Texts that the reason may quote as well: the references, the question.

    >>> as_written('"jon" is left: "whereas hvitajoku".', "It is Jón, whereas Hvítajökull has 8 km².")
    '"Jón" is left: "whereas Hvítajökull".'
    >>> as_written("The answer says 7.7 km^2, the reference is 9.", "It has 7.7 km².")
    'The answer says 7.7 km², the reference is 9.'
    """
    if not QUOTED.search(reason) and not RAISED.search(reason):
        return reason
    known = (answer, *others)
    letters, places = _letters(answer)

    def own(quoted: str) -> str:
        if any(quoted in text for text in known):
            return quoted
        span = _span(_letters(quoted)[0], answer, letters, places)
        return " ".join(answer[span[0] : span[1]].replace('"', "'").split()) if span else quoted

    told = QUOTED.sub(lambda match: f'"{own(match[1])}"', reason)
    return RAISED.sub(lambda match: own(match[0]), told)


def _span(wanted: str, answer: str, letters: str, places: list[int]) -> tuple[int, int] | None:
    """From where to where the answer has these letters, from the start of a word to the end of one; None without."""
    at = letters.find(wanted) if wanted else -1
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if not (start and answer[start - 1].isalnum()):
            if not (end < len(answer) and answer[end].isalnum()):
                return start, end
            if len(wanted) >= LEAST_CUT:
                while end < len(answer) and answer[end].isalnum():
                    end += 1
                return start, end
        at = letters.find(wanted, at + 1)
    return None


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text as rules read them, and the place of each in the text."""
    letters: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        for letter in _read(sign):
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


@lru_cache(maxsize=4096)
def _read(sign: str) -> str:
    """The letters and digits that rules read a sign as."""
    return "".join(letter for letter in normalise_text(sign) if letter.isalnum())
