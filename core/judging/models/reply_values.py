"""The values of a judging model's reply, however they are written: ``"4/5"``, ``four``, ``N/A``, ``Correct (so)``.

A text is taken for a value only where no other value is in it; everything else is given back as it was, and is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

NULLS: Final = frozenset({"null", "none", "nil", "n/a", "n.a", "na", "not applicable"})
TOP: Final = 5

_NUMBERS: Final = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_WHOLE = re.compile(r"[+-]?\d{1,3}(?:[.,]0{1,6})?")
_OF_FIVE = re.compile(r"(\d)(?:[.,]0{1,6})?\s*(?:/|of|out of)\s*5(?:[.,]0{1,6})?")
_NOTED = re.compile(r"([^-–—:(,;]+?)\s*[-–—:(,;]\s*(.*)", re.DOTALL)
"""A value and what is said of it."""

_WORDS = re.compile(r"[^\W\d_]+")
_DOUBTS: Final = frozenset(
    {"but", "however", "although", "though", "except", "or", "not", "unless", "if", "only", "to", "between"}
    | {"partly", "partially", "almost", "mostly", "nearly", "half", "maybe", "perhaps"}
)
_UNSURE: Final = frozenset({"or", "not", "unless", "if", "to", "between", "maybe", "perhaps"})
"""Fewer words make a grade doubtful than a verdict: "4 - mostly relevant" is a 4."""

_SCORES: Final = ("score", "grade", "rating", "value")
_TOPS: Final = ("max", "maximum", "out_of", "scale", "range", "max_score")


def is_top(value: object, top: int) -> bool:
    """Whether a scale that a judge names ends where it should: ``5``, ``"1-5"`` and ``[1, 5]`` end at 5.

    >>> is_top("1 to 5", 5), is_top(10, 5), is_top("0-10", 5)
    (True, False, False)
    """
    numbers = re.findall(r"\d+", str(value))
    return not numbers or int(numbers[-1]) == top


def bare(text: str) -> str:
    """A text without the marks around it, in small letters."""
    return text.strip().strip("\"'`*_").rstrip(".").strip().casefold()


def chosen(
    value: object,
    words: Mapping[str, object],
    firm: Collection[object] = (),
    *,
    doubts: Collection[str] = _DOUBTS,
) -> object:
    """The value that a text names, perhaps with a note behind it.

    Args:
        value: As the model wrote it.
        words: The value of each word, in small letters.
        firm: Values that a note with a doubt in it takes nothing from: "Incorrect, but close" is Incorrect, while
            "Correct, but late" is neither.
        doubts: Words of a note that leave it open what is meant.

    >>> words = {"correct": "Correct", "incorrect": "Incorrect"}
    >>> chosen("CORRECT (same year)", words), chosen("Correct, but late", words), chosen("Correct or incorrect", words)
    ('Correct', 'Correct, but late', 'Correct or incorrect')
    """
    if not isinstance(value, str):
        return value
    text = bare(value)
    if text in words:
        return words[text]
    noted = _NOTED.fullmatch(text)
    if noted is None or (head := bare(noted[1])) not in words:
        return value
    said = set(_WORDS.findall(noted[2]))
    doubted = said.intersection(doubts) if words[head] not in firm else set()
    others = {word for word in said if word in words and words[word] != words[head]}
    return value if doubted or others else words[head]


def grade(value: object) -> object:
    """A grade from 1 to 5 or null; a truth is none, since nobody can say which.

    >>> [grade(text) for text in ("4/5", "four", "N/A", "4,0", "3 or 4", {"score": 4, "max": 5})]
    [4, 4, None, 4, '3 or 4', 4]
    """
    value = _scored(value, TOP)
    if isinstance(value, bool):
        raise ValueError("a grade is a whole number from 1 to 5 or null, not true or false")
    if isinstance(value, str) and (match := _OF_FIVE.fullmatch(bare(value))):
        return int(match[1])
    return _number(value)


def binary(value: object, truths: Mapping[str, object]) -> object:
    """0 or 1, which may arrive as a truth, or null."""
    value = _scored(value, 1)
    if isinstance(value, bool):
        return int(value)
    said = chosen(value, truths)
    return said if said is not value else _number(value)


def _number(value: object) -> object:
    """A number that is written otherwise; anything else is as it was, and no grade."""
    if isinstance(value, str):
        if _WHOLE.fullmatch(text := bare(value)):
            return int(float(text.replace(",", ".")))
        if any(letter.isdigit() for letter in text[1:]):  # nobody can say which of two numbers is the grade
            return value
        words: dict[str, object] = {**_NUMBERS, **dict.fromkeys(NULLS), **{str(number): number for number in range(6)}}
        return chosen(value, words, doubts=_UNSURE)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _scored(value: Any, top: int) -> Any:
    """The one score of an object such as ``{"score": 4, "max": 5}``."""
    if not isinstance(value, dict):
        return value
    scores = [value[name] for name in _SCORES if name in value]
    tops = [value[name] for name in _TOPS if name in value]
    return scores[0] if len(scores) == 1 and all(is_top(limit, top) for limit in tops) else value
