"""The parts of a question that no variant may touch, and the words between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.text.questions import QUOTED
from core.text.words import PADDING, STOP_WORDS

NUMBER: Final = re.compile(r"[$£€]?\b\d[\d.,:/%-]*(?:st|nd|rd|th|[A-Z]+)?%?|\b\w*\d\w*\b")
"""A figure with its signs, a date in figures, or an id with digits in it."""

_CAPITAL: Final = re.compile(r"(?<![\w-])[A-ZÀ-ÖØ-Þ][\w'’&.-]*(?<![.'’-])")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_NUMBER_WORDS_WORDS: Final = """
zero one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion first
second third fourth fifth last latest half quarter twice once
"""
NUMBER_WORDS: Final = frozenset(_NUMBER_WORDS_WORDS.split())
_CALENDAR_WORDS: Final = """
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday today yesterday tomorrow year month week day quarterly annual
"""
CALENDAR: Final = frozenset(_CALENDAR_WORDS.split())
_NEGATIONS_WORDS: Final = """
not no never none neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't except
unless lacks lack nobody nothing
"""
NEGATIONS: Final = frozenset(_NEGATIONS_WORDS.split())
_COMPARISONS_WORDS: Final = """
more less most least fewer fewest greater greatest larger largest smaller smallest higher highest lower lowest
longer longest shorter shortest earlier earliest later before after above below over under between than same equal
other only all any each every best worst better worse maximum minimum exactly since until oldest newest youngest
increase decrease increased decreased
"""
COMPARISONS: Final = frozenset(_COMPARISONS_WORDS.split())
_EVERYDAY: Final = """
about account address affect amount answer area average become began begin begins believe between bought bring bringing
brought building built called cause causes caused change changed changes character characters children choose city
climate come comes company contain contains control cost costs could countries country create created customer date
describe described did difference different discuss does during easily effect email employee examples exist experience
explain famous feature features film find formed found full function game give given goes government group happen
happened happens have help history home how important include included includes information interest invented job keep
kind know known language large lead leader leads likely list live lives location located long look made main make makes
making management manager many mean meaning means measure member method modern money month movie much music name named
names national nature need needed number occur office official open opened order origin original other owner part
people person picture place places play played player please point popular position possible power president price
problem process produce produced product purpose question record region reason relationship required result role rule
said sale season sentence series serve several show shows side sign situation some song species stage start started
state states still story structure study supplier support system take takes team tell term terms that their there these
they thing things think through time title total track true type types used using value version waiting wants watch
water what when where which while wife winner with work working world would write written wrote
align analyse analyze assess calculate combine compare correlate evaluate examine hello hey hi hiya identify list
outline quick summarise summarize
"""
EVERYDAY: Final = frozenset(_EVERYDAY.split()) | STOP_WORDS | PADDING
"""Common words that are no name even where a question is written without capitals."""
ENDINGS: Final = ("tion", "tions", "ment", "ments", "ness", "ingly", "ously", "ally", "ively", "ology", "able", "ture")
"""Endings of words that are seldom names."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word outside the protected parts.

    Attributes:
        text: As it stands.
        start: Where it begins in the question.
        end: Where it ends, exclusive.
    """

    text: str
    start: int
    end: int


def protected(question: str, values: tuple[str, ...] = ()) -> list[tuple[int, int]]:
    """Where quoted values, numbers, names, ids and given values stand, in order and without overlap.

    A name is a run of capitalised words; the first word of a sentence is one only where it cannot be an everyday word.

    >>> question = "When did the branch 'Harbour Street' open in Leeds?"
    >>> [question[start:end] for start, end in protected(question)]
    ["'Harbour Street'", 'Leeds']
    """
    return list(_protected(question, values))


@lru_cache(maxsize=20_000)
def _protected(question: str, values: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    spans = [match.span() for match in QUOTED.finditer(question)]
    spans += [match.span() for match in NUMBER.finditer(question)]
    spans += [match.span() for match in _CAPITAL.finditer(question) if not _opens(question, match)]
    for value in values:
        if len(value) > 2:
            spans += [match.span() for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", question)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif merged and question[merged[-1][1] : start].isspace() and _joins(question, merged[-1], (start, end)):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)


def _joins(question: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether two protected parts with a blank between them are one name."""
    owner = question[first[0] : first[1]].endswith(("'s", "’s"))
    return question[first[0]].isupper() and question[second[0]].isupper() and not owner


def _opens(question: str, match: re.Match[str]) -> bool:
    """Whether a capitalised word merely begins a sentence."""
    before = question[: match.start()].rstrip()
    begins = not before or before[-1] in ".?!:"
    word = re.split(r"['’]", match[0].casefold())[0]
    if word == "i":
        return True
    if question[match.end() :].startswith(" of "):
        return begins
    return begins and (word in EVERYDAY or word in COMPARISONS or word.endswith((*ENDINGS, "ed")))


def names(question: str, values: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The protected parts as they stand."""
    return tuple(question[start:end] for start, end in protected(question, values))


def words(question: str, values: tuple[str, ...] = ()) -> list[Word]:
    """The words outside the protected parts, in order."""
    spans = protected(question, values)
    return [
        Word(match[0], match.start(), match.end())
        for match in _WORD.finditer(question)
        if not any(start < match.end() and match.start() < end for start, end in spans)
    ]


def plain_words(question: str, values: tuple[str, ...] = ()) -> list[Word]:
    """The words that carry no number, date, negation or comparison and are surely no names: the ones to change.

    Where a question is written without capitals, only everyday words are surely no names.
    """
    cased = any(character.isupper() for character in question)
    return [
        word
        for word in words(question, values)
        if word.text.casefold() not in NUMBER_WORDS | CALENDAR | NEGATIONS | COMPARISONS
        and word.text[1:].islower()
        and (cased or word.text in EVERYDAY or word.text.endswith(ENDINGS))
    ]


def values_of(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """The values of a filled query as they may stand in its question."""
    return tuple(str(value) for value in parameters.values() if isinstance(value, str) and value.strip())


def spliced(question: str, changes: list[tuple[int, int, str]]) -> str:
    """The question with parts replaced; each change is where it begins, where it ends and the new text."""
    for start, end, text in sorted(changes, reverse=True):
        question = question[:start] + text + question[end:]
    return question


def lowered(question: str) -> str:
    """The question as it goes on inside a sentence: its first letter small, unless it begins a name.

    >>> lowered("What is it?"), lowered("Leeds has what?"), lowered("I need it.")
    ('what is it?', 'Leeds has what?', 'I need it.')
    """
    first = _WORD.match(question)
    keeps = first is None or first[0] in ("I",) or any(start == 0 for start, _ in protected(question))
    return question if keeps else question[:1].lower() + question[1:]


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def states(question: str) -> bool:
    """Whether a text is a remark and no question: it ends as a statement does, or begins as a remark does.

    >>> states("That's complicated!"), states("Speaking about scams, which are common?"), states("Fee of card 'A'")
    (True, True, False)
    """
    text = question.strip()
    begins = text.partition(" ")[0].casefold().rstrip(",")
    remark = begins in {
        "i",
        "that's",
        "that",
        "it",
        "this",
        "we",
        "yes",
        "no",
        "ok",
        "thanks",
        "speaking",
        "wow",
        "great",
    }
    return text.endswith("!") or (remark and "?" not in text) or begins == "speaking"
