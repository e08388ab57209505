"""Questions for two things, of which an answer tells one and lacks the other: "Who built it, and what did it cost?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.text.words import STOP_WORDS, stem

_WORD: Final = re.compile(r"[^\W_]+")
_SECOND: Final = re.compile(
    r",? and (?:also )?(?:(?:in|on|at|by|for|to|from|with) )?"
    r"(?=(?:how|what|who|whom|whose|when|where|which|why|is|are|was|were|does|do|did|can|has|have)\b)"
)
"""Between two questions in one."""
_AND: Final = re.compile(
    r"(?P<one>[^\W_]{2,}),? and (?:(?:for|in|on|at|of|to|from|with|by) )?(?:an? |the )?(?P<two>[^\W_]{2,})"
)
"""Two things for each of which the same is asked: "for a car and for a caravan"."""
_COMPARES: Final = re.compile(
    r"\b(?:differ\w*|between|compar\w*|versus|ratio|total|together|sum|combined|average"
    r"|(?:more|less|[a-z]{3,}er) than)\b"
)
"""A question for which both are needed."""
LEAST_FAMILY: Final = 4
"""First letters that words of one family share."""


def tells_one_of_two(question: str, told: Sequence[str], gap: str) -> bool:
    """Whether what an answer tells is of one of two things that are asked for, and what it lacks of the other.

    Args:
        question: Match text.
        told: The clauses that tell something.
        gap: The clause that says what is missing, match text.

    >>> asked = "who designed the museum and what did it cost?"
    >>> tells_one_of_two(asked, ["it was designed by ines falk."], "the cost is not mentioned.")
    True
    >>> tells_one_of_two(asked, ["the museum opened in 1974."], "neither the designer nor the cost is mentioned.")
    False
    """
    if _COMPARES.search(question):
        return False
    lacks = _families(gap)
    has = frozenset[str]().union(*(_families(clause) for clause in told))
    parts = _SECOND.split(question, maxsplit=1)
    if len(parts) == 2:
        first, second = (_families(part) for part in parts)
        return bool((first | second) & has) and any(
            not (one - other) & lacks and (bool((other - one) & lacks) or not (other - one) & has)
            for one, other in ((first, second), (second, first))
        )
    pair = _AND.search(question)
    first, second = (_families(pair["one"]), _families(pair["two"])) if pair else (lacks, lacks)
    return any(
        bool(one & has) and not one & lacks and bool(other & lacks) for one, other in ((first, second), (second, first))
    )


def _families(text: str) -> frozenset[str]:
    return frozenset(
        stem(word)[: max(LEAST_FAMILY, len(stem(word)) - 1)]
        for word in _WORD.findall(text)
        if word not in STOP_WORDS and len(word) > 1
    )
