"""The words that a question is about."""

from __future__ import annotations

import re

from core.judging.match.readers.figures.units import UNITS
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.text.words import stem

DEFINITION = re.compile(
    r"[.?!] (?:[^.?!]{1,60} )?(?:is|are) (?:defined|calculated|computed) as\b|[.?!] (?:please|give|answer|round|"
    r"assume|calculate)\b"
)
MONEY_ASKED = re.compile(
    r"\bhow much (?:(?!\b(?:and|many)\b)[^?])*\b(?:spen[dt]|spending|pa(?:y|id)|cost|costs|invest\w*"
    r"|earn\w*|owe\w*|charg\w*"
    r"|repurchas\w*|rais\w*|worth)\b"
)
"""Questions that an amount of money answers, whatever else a reference counts."""
WORD = re.compile(r"[^\W\d_]{2,}")
_REQUEST_WORDS = """
much many question give answer response using based rely relying information provided document documents report
reported statement statements filing details shown usd million millions billion thousand round decimal places calculate
compute determine according year fiscal fy quarter period ended month months company first second third fourth define
defined value amount percent percentage number please
"""
_UNITS = sorted((name for name in UNITS if name.isalpha() and len(name) > 1), key=len, reverse=True)
_IN_A_UNIT = re.compile(rf"\bin (?:{'|'.join(_UNITS)})\b")
"""In what something is to be told, which says nothing of what it is about."""
_EMPTY = frozenset(_REQUEST_WORDS.split())
"""Words of a question that say nothing of what it is about."""


def question_words(question: str) -> frozenset[str]:
    """The word families that a question is about.

    >>> sorted(question_words("what is the quick ratio of acme for fy2022?"))
    ['acme', 'quick', 'ratio']
    """
    question = _IN_A_UNIT.sub(" ", DEFINITION.split(question, maxsplit=1)[0])
    return frozenset(stem(word) for word in WORD.findall(question) if word not in FUNCTION_WORDS | _EMPTY)
