"""What a question asks: its subject in quotation marks, the words of the asked property, the kind of value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.text.words import PADDING, STOP_WORDS, WORD, content_words, fold, stem

QUOTED = re.compile(r"(?<!\w)(['\"])(?=\S)(.+?)(?<=\S)\1(?!\w)")
"""A quoted string; an apostrophe inside a word (O'Brien, client's) neither opens nor closes one."""

_NAMING = """
as bear bearing bears by called carried carries carry carrying entitled goes going has having identified is known
labelled listed name named names recorded registered that the title titled under us we which who whose with
"""
NAMING = frozenset(_NAMING.split())
"""Words between the kind of thing and its name: "the branch that is known by the name 'X'"."""

KIND_WORDS = {
    "date": r"\bwhen\b|\bdate|\bday\b|\byear\b|\bsince\b",
    "number": r"\bhow (?:many|much|high|large|long|old)\b|\bamount|\bnumber|\bbalance|\brates?\b|\bfees?\b|\blimit|"
    r"\btotal|\bcount|\bpercent|\bprice|\bcosts?\b|\bsalary|\bbudget|\brevenue|\bage\b",
    "person": r"\bwho(?:m|se)?\b",
}
SAID_BY_KIND = frozenset(stem(word) for word in ("date", "day", "year"))
"""Words that a value of the kind stands for: "opened on 3 May 2014" states an opening date without the word."""

_KINDS = {kind: re.compile(pattern) for kind, pattern in KIND_WORDS.items()}

MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*"
VALUES = {
    "date": re.compile(
        rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}\b|"
        rf"\b{MONTH}\.? \d{{1,4}}\b|\b(?:1[6-9]|20)\d\d\b",
        re.IGNORECASE,
    ),
    "number": re.compile(r"\d"),
    "person": re.compile(r"\b[A-ZÀ-Þ][\w'’-]+ (?:[A-ZÀ-Þ]\.? )?[A-ZÀ-Þ][\w'’-]+"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, taken apart.

    Attributes:
        subjects: The quoted strings, folded: what the question is about.
        spelled: Words of the asked property by their family, without the subjects and without padding.
        types: Families of the words that say what the subject is ("the branch called 'X'"), where the
            question has other words too; part of `spelled`.
        kinds: Kinds of value that would answer it ("date", "number", "person"); often none.
    """

    subjects: tuple[str, ...]
    spelled: Mapping[str, frozenset[str]]
    types: frozenset[str]
    kinds: frozenset[str]


@lru_cache(maxsize=50_000)
def asked(question: str) -> Asked:
    """Takes a question apart.

    >>> parts = asked("When did the branch 'Harbour Street' open?")
    >>> parts.subjects, tuple(parts.spelled), sorted(parts.kinds)
    (('harbour street',), ('branch', 'open'), ['date'])
    """
    plain = fold(question)
    subjects = tuple(dict.fromkeys(match.group(2) for match in QUOTED.finditer(plain)))
    rest = QUOTED.sub(" ", plain)
    kinds = frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(rest))
    spelled: dict[str, set[str]] = {}
    for word in content_words(rest):
        spelled.setdefault(stem(word), set()).add(word)
    if set(spelled) - SAID_BY_KIND:
        spelled = {family: spellings for family, spellings in spelled.items() if family not in SAID_BY_KIND}
    types = {family for match in QUOTED.finditer(plain) for family in _types(plain[: match.start()])}
    return Asked(
        subjects=subjects,
        spelled={family: frozenset(spellings) for family, spellings in spelled.items()},
        types=frozenset(types) if set(spelled) - types else frozenset(),
        kinds=kinds,
    )


def _types(before: str) -> tuple[str, ...]:
    """Families of the words just before a name, or before the naming phrase that leads to it.

    >>> _types("manager of the branch that is known by the name of "), _types("manager of ")
    (('branch',), ())
    """
    tokens = WORD.findall(QUOTED.sub(" . ", before))
    while tokens and (tokens[-1] in NAMING or (tokens[-1] == "of" and tokens[-2:-1] in (["name"], ["title"]))):
        tokens.pop()
    types: list[str] = []
    while tokens and len(types) < 3 and tokens[-1] not in STOP_WORDS and tokens[-1] not in PADDING:
        types.append(stem(tokens.pop()))
    return tuple(types)


def holds_kind(text: str, kind: str) -> bool:
    """Whether a text holds a value of a kind ("date", "number", "person").

    >>> holds_kind("It opened on 3 May 2014.", "date"), holds_kind("It opened early.", "date")
    (True, False)
    """
    return VALUES[kind].search(text) is not None
