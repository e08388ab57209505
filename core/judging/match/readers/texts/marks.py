"""Things that a letter or a number tells apart: "ward A" and "ward B", "warehouse 1" and "warehouse 3".

The words of an answer are read without single letters, and its figures without those that name something, so that
nothing would tell one ward from the other. Where a question names one of them and the answer another one as well, each
mark is put as a word of its own, which the rules then read like any other name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from core.judging.match.readers.figures.units import UNITS
from core.text.words import STOP_WORDS

_MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_NAMED: Final = re.compile(
    r"\b(?P<noun>[^\W\d_]{3,20}) (?P<mark>(?!(?:19|20)\d\d\b)\d{1,4}[A-Za-z]?|[A-Z]\d{0,3})\b"
    rf"(?![.,:/-]\d|\s?%|['’]| (?i:{_MONTH})\b)"
)
_MEASURED: Final = re.compile(
    r"\b(?P<mark>\d{1,4}(?:\.\d{1,2})?)[ -]?(?P<unit>[^\W\d_]{1,6})[ -](?P<noun>[^\W\d_]{4,20})\b"
)
_CODE: Final = re.compile(r"(?<![\w-])(?P<mark>(?P<noun>[A-Z]{1,10})-?\d{1,6}[A-Z]?)(?![\w-])")
_BELOW: Final = re.compile(r"\b(?P<noun>under|over|level|grade|key|phase)-(?P<mark>\d{1,2})(?:s\b)?", re.IGNORECASE)
_BEFORE: Final = re.compile(r"\b(?P<mark>[A-Z])-(?P<noun>[a-z]{3,20})\b")
_NO_NOUN_WORDS = """
january february march april may june july august september october november december than over under about only fy cy
hy q h all just exactly least most until since before after during version total between day
"""
_NO_NOUNS: Final = STOP_WORDS | frozenset(_NO_NOUN_WORDS.split())
_LETTERS: Final = str.maketrans("0123456789.", "abcdefghijk")


@dataclass(frozen=True, slots=True)
class Marked:
    """A question and an answer with words for marks.

    Attributes:
        question: With words for its marks.
        answer: With words for the marks of things of the same kind.
        words: The mark that each word stands for.
    """

    question: str
    answer: str
    words: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> frozenset[str]:
        """The words for the marks of the question."""
        return frozenset(word for word in self.words if word in self.question)

    def other_in(self, sentence: str) -> str:
        """The mark of another thing in a sentence that has none of the question's; or empty."""
        told = [word for word in self.words if word in sentence]
        return "" if self.asked.intersection(told) else next((self.words[word] for word in told), "")

    def plain(self, text: str) -> str:
        """A sentence about them with the marks as they were."""
        for word, mark in self.words.items():
            text = text.replace(word, mark)
        return text


def with_marks(question: str, answer: str, references: Sequence[str]) -> Marked:
    """A question and an answer with a word for each mark, where the answer tells of several things of that kind.

    Args:
        question: As written.
        answer: As written.
        references: Every acceptable answer; where one of them names such a thing, all stays as it is.

    >>> with_marks("How many beds has ward B?", "Ward A has 12, ward B has 15.", ["15"]).answer
    'Ward zxaq has 12, ward zxbq has 15.'
    >>> with_marks("How many beds has ward B?", "It has 15.", ["15"]).answer
    'It has 15.'
    """
    words: dict[str, str] = {}
    for pattern in (_NAMED, _MEASURED, _CODE, _BELOW, _BEFORE):
        asked = {found["noun"].casefold(): found["mark"] for found in pattern.finditer(question) if _is_kind(found)}
        for noun, mark in asked.items():
            if any(re.search(rf"\b{re.escape(noun)}", reference, re.IGNORECASE) for reference in references):
                continue
            told = [found for found in pattern.finditer(answer) if _same(found["noun"], noun) and _is_kind(found)]
            if {found["mark"].casefold() for found in told} <= {mark.casefold()}:
                continue
            question, answer = (_worded(text, pattern, noun, words) for text in (question, answer))
    return Marked(question, answer, words)


def _is_kind(found: re.Match[str]) -> bool:
    noun = found["noun"].casefold()
    if found.re is _BELOW:
        return True
    if (
        noun in _NO_NOUNS
        or (found.re is _NAMED and noun.endswith(("ed", "ing", "ly")))
        or (noun in UNITS and found.re is not _CODE)
    ):
        return False
    return found.re is not _MEASURED or found["unit"].casefold() in UNITS


def _same(noun: str, other: str) -> bool:
    """Whether two nouns are the same but for their number."""
    return noun.casefold().removesuffix("s") == other.casefold().removesuffix("s")


def _worded(text: str, pattern: re.Pattern[str], noun: str, words: dict[str, str]) -> str:
    def put(found: re.Match[str]) -> str:
        if not _same(found["noun"], noun) or not _is_kind(found):
            return found[0]
        start, end = found.span("mark") if pattern is not _MEASURED else (found.start("mark"), found.end("unit"))
        mark = text[start:end]
        word = f"z{'x' if mark[0].isalpha() else 'v'}{re.sub(r'[^a-z]', '', mark.casefold().translate(_LETTERS))}q"
        words[word] = mark
        return found[0][: start - found.start()] + word + found[0][end - found.start() :]

    return pattern.sub(put, text)
