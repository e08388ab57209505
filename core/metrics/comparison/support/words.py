"""A sentence as it is compared word by word: word families, numbers by value, what is denied, what is listed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from core.judging.match.readers.figures.number_words import WORDS_PATTERN
from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.texts.normalise import normalise_text
from core.metrics.comparison.support.opposites import COMPARING, NEGATORS
from core.text.words import STOP_WORDS, stem

MOST_NUMBERS = 200
_PIECE = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*|[^\s\w]")
_NUMERIC = re.compile(rf"\d|\b(?:{WORDS_PATTERN})\b")
_NO_DENIAL = re.compile(
    r"\bnot only\b|\bnot just\b|\bnot merely\b|\bno doubt\b|\bno\.? ?(?=\d)|\b(?:not|no) (?=(?:more|less|later|fewer|"
    r"earlier|longer than|greater|lower|higher|sooner)\b)|\bwhether or not\b"
    r"|^\W*(?:(?:unfortunately|sadly|sorry|i'm afraid|well|actually)\b,? )?(?:no|yes)\b[,.]"
)
"""What sounds like a denial and is none: "not only", "no later than", the answer "No, ..."."""
_CONTRACTED = re.compile(r"\bother than\b|(?:\b(?:ca|wo|sha)|(?<=\w))n['’]t\b|\bcan ?not\b")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\b(?: \w+){0,2}? \w+(?:ed|en|wn|ne|ght|ld|de)\b|\bby\b")
_CONDITION = re.compile(r"\b(?:if|unless|as long as|provided(?: that)?,?|until|except|only when|in case)\b")
_BORDERS = re.compile(
    r";|\s-\s|\s?[–—]\s?|,? (?:but|while|whereas|although|though)\b|, (?:and|which|who)\b"
    r"|\band (?=(?:the|a|an|it|they|he|she|in|its|their|that of|those of)\b)|,(?=\s\D)",
    re.IGNORECASE,
)
FIRST_YEAR, LAST_YEAR = 1000, 2100
"""A whole number without a unit between these is taken for a year."""
LEAST = 3
"""Words of a clause that is looked at alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word that says something, or a number.

    Attributes:
        key: Equal for words of one family and for equal numbers.
        text: As written, in lower case.
        measure: Of a number: its unit, its currency, "year", or "count"; empty for a word.
        denied: Whether a negator stands before it, with no other word between.
        listed: Whether a comma, "and" or "or" stands beside it.
        parted: Whether one of them stands before it.
    """

    key: str
    text: str
    measure: str = ""
    denied: bool = False
    listed: bool = False
    parted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence or a clause of one.

    Attributes:
        words: In order.
        keys: Of the words.
        negators: How many negators it has.
        passive: Whether it has a passive, or "by".
        compares: Whether it has "than".
        plain: All its words, those that carry no meaning too, in lower case.
        conditional: Whether it says when something holds ("if", "unless"), of which the opposite may hold otherwise.
    """

    words: tuple[Word, ...]
    keys: frozenset[str]
    negators: int
    passive: bool
    compares: bool
    plain: tuple[str, ...]
    conditional: bool


@lru_cache(maxsize=8_192)
def statement(text: str) -> Statement:
    """A text as a statement.

    >>> [word.key for word in statement("It does not cost 1,200 francs.").words]
    ['fee', '#1.2E+3']
    >>> [word.denied for word in statement("It does not cost 1,200 francs.").words]
    [True, False]
    """
    plain = _CONTRACTED.sub(" not", _NO_DENIAL.sub(" ", normalise_text(text)))
    # "first" is the opposite of "last" rather than a number
    numbers = [number for number in _numbers(plain) if not (number.word and number.ordinal and number.plain == 1)]
    pieces: list[tuple[int, str, Number | None]] = [
        (match.start(), match[0], None)
        for match in _PIECE.finditer(plain)
        if not any(number.start < match.end() and match.start() < number.end for number in numbers)
    ]
    pieces += [(number.start, number.text, number) for number in numbers]
    words: list[Word] = []
    negators, denied, beside = 0, False, False
    for start, piece, number in sorted(pieces, key=lambda item: item[0]):
        if number is None and (piece in {"and", "or"} or not piece[0].isalnum()):
            if words and piece in {"and", "or", ",", ";"}:
                words[-1] = replace(words[-1], listed=True)
                beside = True
            continue
        if number is None and piece in NEGATORS:
            negators, denied = negators + 1, True
            continue
        if number is None and piece in STOP_WORDS and piece not in COMPARING:
            continue
        found = _number(number) if number else Word(key=stem(piece.removesuffix("'s")), text=piece)
        if words and words[-1].key == found.key and plain[max(0, start - 1) : start] == "(":
            continue  # "five (5)"
        words.append(replace(found, denied=denied, listed=beside, parted=beside))
        denied = beside = False
    return Statement(
        words=tuple(words),
        keys=frozenset(word.key for word in words),
        negators=negators,
        passive=_PASSIVE.search(plain) is not None,
        compares=re.search(r"\bthan\b", plain) is not None,
        plain=tuple(_SPELLED.findall(plain)),
        conditional=_CONDITION.search(plain) is not None,
    )


@lru_cache(maxsize=8_192)
def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a sentence, each with at least `LEAST` words: a shorter one belongs to the next or the last.

    >>> clauses("Sales rose by 5%, and the costs of staff fell by 3%.")
    ('Sales rose by 5%, and', 'the costs of staff fell by 3%.')
    >>> clauses("Sales rose.")
    ('Sales rose.',)
    """
    borders = [0, *(match.end() for match in _BORDERS.finditer(text)), len(text)]
    pieces: list[str] = []
    open_piece = ""
    for start, end in pairwise(borders):
        open_piece += text[start:end]
        if len(statement(open_piece).words) >= LEAST:
            pieces.append(open_piece.strip())
            open_piece = ""
    if open_piece.strip() and pieces:
        pieces[-1] = f"{pieces[-1]} {open_piece.strip()}"
    return tuple(pieces) or (text,)


def names_in(answer: Sequence[str], passages: Sequence[str]) -> frozenset[str]:
    """The keys of words that are written with a capital inside a sentence and nowhere in the passages without one.

    Args:
        answer: The sentences of the answer.
        passages: The sentences of the passages.

    >>> sorted(names_in(["It is run by Jane Doe."], ["Jane Doe runs it, says the branch."]))
    ['doe', 'jane']
    """
    capital: set[str] = set()
    small: set[str] = set()
    for texts, whole in ((answer, False), (passages, True)):
        for text in texts:
            inside, lower = _capitals(text)
            capital |= inside
            small |= lower if whole else set()
    return frozenset(capital - small)


_SPELLED = re.compile(r"[^\W\d_]+")
_CAPITAL_NEXT = re.compile(r" [^\W\d_a-z]\w")
_AFTER_BORDER = re.compile(r"(?:^|[.!?:;|\"'“‘(*-])\s*$")


@lru_cache(maxsize=8_192)
def _capitals(text: str) -> tuple[frozenset[str], frozenset[str]]:
    capital, small = set(), set()
    for match in _SPELLED.finditer(text):
        spelled = match[0]
        if not spelled[0].isupper():
            small.add(stem(spelled.casefold()))
        elif (
            spelled.isupper()
            or not _AFTER_BORDER.search(text[max(0, match.start() - 3) : match.start()])
            or _CAPITAL_NEXT.match(text, match.end())
        ):
            capital.add(stem(spelled.casefold()))
    return frozenset(capital), frozenset(small)


def _numbers(plain: str) -> Sequence[Number]:
    return find_numbers(plain, MOST_NUMBERS) if _NUMERIC.search(plain) else ()


def _number(number: Number) -> Word:
    whole = not number.decimals and not number.scaled and "," not in number.text
    year = not number.unit and not number.currency and whole and FIRST_YEAR <= number.plain <= LAST_YEAR
    measure = "year" if year else number.unit or number.currency or "count"
    return Word(key=f"#{number.plain.normalize()}", text=number.text, measure=measure)
