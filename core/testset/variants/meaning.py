"""Whether a variant still asks what its parent asks: numbers, names, dates, negations and comparisons compared."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from core.testset.variants.spans import (
    CALENDAR,
    COMPARISONS,
    NEGATIONS,
    NUMBER,
    NUMBER_WORDS,
    protected,
)
from core.text.questions import QUOTED

LEAST_SIMILARITY: Final = 0.55
"""Cosine of parent and variant below which the encoder finds that they ask different things."""

_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_KINDS: Final = {
    "a number word": NUMBER_WORDS,
    "a date": CALENDAR,
    "a negation": NEGATIONS,
    "a comparison": COMPARISONS,
}


def changed_meaning(parent: str, variant: str, values: tuple[str, ...] = ()) -> str:
    """What of the meaning a variant lost or added, in a few words; empty where nothing of it did.

    Args:
        parent: The question of the parent.
        variant: The question of the variant.
        values: Further values that must stay as they are, such as those of its filled query.

    >>> changed_meaning("What was revenue in 2023?", "What was revenu in 2023?")
    ''
    >>> changed_meaning("Which is not open?", "Which is open?")
    'a negation changed'
    """
    if _quoted(parent) != _quoted(variant):
        return "a quoted value changed"
    if _numbers(parent) != _numbers(variant):
        return "a number changed"
    for name in dict.fromkeys(parent[start:end] for start, end in protected(parent, values)):
        if variant.count(name) < parent.count(name):
            return "a name changed"
    before, after = _words(parent), _words(variant)
    for what, listed in _KINDS.items():
        if [before[word] for word in sorted(listed)] != [after[word] for word in sorted(listed)]:
            return f"{what} changed"
    return ""


def _quoted(question: str) -> Counter[str]:
    return Counter(match[2] for match in QUOTED.finditer(question))


def _numbers(question: str) -> Counter[str]:
    return Counter(match[0].strip(".,:-/") for match in NUMBER.finditer(question))


def _words(question: str) -> Counter[str]:
    return Counter(match[0].casefold().replace("’", "'") for match in _TOKEN.finditer(question))
