"""Gaps that repeat what was asked, whatever else is told: "The officer is Wilk. I could not find who is master."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SEVERAL: Final = re.compile(r"\band\b|\?.*\?|[,;]")
"""Of a question for several things one may be told and another one lack."""
_WHO: Final = re.compile(r"\bwho\b")
_WHEN: Final = re.compile(r"\bwhen\b|\b(?:date|day)\b")
_HOW_MANY: Final = re.compile(r"\bhow many\b|\b(?:number|count|total)\b")
_NAME: Final = re.compile(r"\bnames?\b")
_KINDS: Final = (_WHO, _WHEN, _HOW_MANY, _NAME)
"""What is asked for, by words that a gap has as well."""
_WHICH: Final = re.compile(r"\b(?:which|what) (?P<what>[a-z]{3,})\b")
_GENERIC_FAMILIES = "date day number count total amount sum valu nam exact exactl preci actual many much when show"
_GENERIC: Final = frozenset(_GENERIC_FAMILIES.split())
"""Word families that a gap may have beside those of the question."""
_FIGURE: Final = re.compile(r"\d")
_CALLED: Final = re.compile(r"\b(?:names?|named|called)\b")
MOST_BESIDES: Final = 1
"""Words of a gap that are neither the question's nor generic; with more it is about something else."""


def asks_again(
    question: str, asked: set[str], gap: str, about: set[str], claims: Sequence[str], told: set[str]
) -> bool:
    """Whether a clause that says what is missing asks the question's own question again.

    Args:
        question: Match text.
        asked: Word families of the question.
        gap: The clause, as match text.
        about: Its word families.
        claims: What the answer tells besides, as match text.
        told: Their word families.

    >>> claims, told = ["the officer of the maja is wilk."], {"officer", "maja", "wilk"}
    >>> question, asked = "who is the master of the maja?", {"master", "maja"}
    >>> asks_again(question, asked, "i could not find who is master.", {"master"}, claims, told)
    True
    >>> asks_again(question, asked, "it does not say who is the cook.", {"cook"}, claims, told)
    False
    """
    if _SEVERAL.search(question.rstrip(" ?")) or len(about - asked - _GENERIC) > MOST_BESIDES:
        return False
    which = _WHICH.search(question)
    again = any(kind.search(question) and kind.search(gap) for kind in _KINDS)
    if which and re.search(rf"\b(?:which|what) {which['what']}\b", gap):
        again = True
    if not again:
        return False
    if _HOW_MANY.search(question) and any(_FIGURE.search(claim) for claim in claims):
        return False
    if (about & asked) - told - _GENERIC:
        return True
    if about - _GENERIC:
        return False
    of_its_kind = _CALLED if _NAME.search(gap) else _FIGURE
    return not any(of_its_kind.search(claim) for claim in claims)
