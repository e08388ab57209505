"""Words that say which of two things has more of something, and of which of two names a sentence says it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.judging.match.figures.direction import direction_words
from core.judging.match.surroundings.language import FUNCTION_WORDS

WORD: Final = re.compile(r"[^\W_]+")
NO_DEGREE: Final = (
    "number|order|quarter|member|manager|customer|paper|water|power|other|either|whether|rather|under|over|after"
    "|ever|never|per|her|computer|server|teacher|driver|owner|player|user|supplier|chapter|letter|centre|center"
    "|observer|officer|writer|winner|speaker|reader|runner|singer|leader|trader|dealer|worker|partner|carrier"
)
"""Words that end as a comparative does."""
_UP: Final = ("more", "higher", "larger", "bigger", "greater", "dearer", "more expensive", "costlier", "better paid")
_DOWN: Final = ("less", "fewer", "lower", "smaller", "cheaper", "less expensive", "worse paid")
_PAIRS: Final = (
    (_UP, _DOWN),
    (("earlier", "sooner", "older", "first"), ("later", "younger", "newer", "last")),
    (("longer", "taller"), ("shorter",)),
    (("heavier",), ("lighter",)),
    (("faster", "quicker"), ("slower",)),
    (("better",), ("worse",)),
    (("closer", "nearer"), ("farther", "further")),
    (("wider", "broader"), ("narrower",)),
    (("deeper",), ("shallower",)),
    (("warmer", "hotter"), ("colder", "cooler")),
)
"""Words of one meaning, and those of the opposite one."""
KNOWN: Final = frozenset(word for pair in _PAIRS for side in pair for word in side)
_MOST: Final = {"more": "most", "less": "least", "fewer": "fewest", "better": "best", "worse": "worst"}
_CLAUSE: Final = re.compile(r"[,;:]\s|\s-\s|\b(?:and|but|while|whereas|so|since|as)\b")


@lru_cache(maxsize=256)
def degrees(degree: str) -> tuple[tuple[str, bool, bool], ...]:
    """The words for a degree: whether each says it of the one that has less, and whether it is the question's own.

    >>> [word for word, turned, is_asked in degrees("wider") if turned]
    ['narrower', 'narrowest']
    """
    pair = next((pair for pair in (*_PAIRS, *(pair[::-1] for pair in _PAIRS)) if degree in pair[0]), ((degree,), ()))
    words = [(degree, False, True), *((word, at == 1, False) for at, side in enumerate(pair) for word in side)]
    return tuple(
        (form, turned, is_asked)
        for word, turned, is_asked in words
        for form in dict.fromkeys((word, _MOST.get(word, re.sub("er$", "est", word))))
    )


def told_of(sentence: str, own: frozenset[str], others: frozenset[str], word: str) -> str:
    """Of which of two names a sentence says a degree: "own", "others", or empty where that cannot be told.

    Args:
        sentence: Match text.
        own: Words that only the first name has.
        others: Words that only the second one has.
        word: The degree, as it may stand.

    >>> told_of("bob is older than ann", frozenset({"ann"}), frozenset({"bob"}), "older")
    'others'
    """
    found = re.search(rf"\b{word}\b", sentence)
    if found is None:
        return ""
    named = _named(sentence[: found.start()], own, others)
    if not named and not re.match(r"\W*than\b", sentence[found.end() :]):
        named = first_named(sentence[found.end() :], own, others)
    return "" if named == "both" else named


def names(words: str) -> frozenset[str]:
    """The words of a name by which it may be called."""
    return frozenset(word for word in WORD.findall(words) if word not in FUNCTION_WORDS and not direction_words(word))


def first_named(text: str, own: frozenset[str], others: frozenset[str]) -> str:
    """Which of two names a text has first: "own", "others" or empty."""
    return next(("own" if word in own else "others" for word in WORD.findall(text) if word in own | others), "")


def _named(before: str, own: frozenset[str], others: frozenset[str]) -> str:
    """Which of two names stands in the last clause of a text that has one of them: "own", "others", "both" or empty."""
    for clause in reversed(_CLAUSE.split(before)):
        said = set(WORD.findall(clause))
        if own & said or others & said:
            return "both" if own & said and others & said else "own" if own & said else "others"
    return ""
