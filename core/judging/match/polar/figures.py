"""Questions whether a figure holds, answered by another one: "There are 180 beds." says no to "Are there 72 beds?"."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.text.words import stem

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_BEHIND: Final = re.compile(r" ?([^\W\d_]{3,})")
_YEAR: Final = re.compile(r"(?:1[89]|20)\d\d")
_BOUND: Final = re.compile(
    r"\b(?:more|less|fewer|at least|at most|over|under|about|around|than|up to|between|from|to)\b"
)
COVERED: Final = 0.5
"""The least share of the question's telling words in a statement that is about the same."""


def other_figure(sentence: str, question: str) -> str:
    """The figure of a statement that stands where a question has another one, with what it counts; or empty.

    Both have one figure, of one kind: two years, or two counts of the same thing. Bounds and roundings are left alone.

    Args:
        sentence: Of the answer, match text.
        question: Match text.

    >>> other_figure("there are 180 beds", "does the royal hospital have 72 beds?")
    '180 beds'
    >>> other_figure("it was founded in 1964", "was it founded in 1961?")
    '1964'
    >>> other_figure("it has 3 wards", "has it 72 beds?")
    ''
    """
    asked, said = _figures(question), _figures(sentence)
    if len(asked) != 1 or len(said) != 1 or asked[0].plain == said[0].plain or _BOUND.search(f"{question} {sentence}"):
        return ""
    if _YEAR.fullmatch(asked[0].text.strip()) and _YEAR.fullmatch(said[0].text.strip()):
        told = {stem(word) for word in _WORD.findall(sentence)}
        wanted = {stem(word) for word in _WORD.findall(question) if word not in FUNCTION_WORDS}
        return said[0].text.strip() if wanted and len(wanted & told) >= COVERED * len(wanted) else ""
    counted, other = (_BEHIND.match(text, one.end) for text, one in ((question, asked[0]), (sentence, said[0])))
    if counted and other and stem(counted[1]) == stem(other[1]):
        return f"{said[0].text.strip()} {other[1]}"
    return ""


def _figures(text: str) -> list[Number]:
    return [number for number in find_numbers(text) if not number.word and not number.ordinal]
