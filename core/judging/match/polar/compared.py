"""Questions which of two is more of something, answered by naming the one that is: "Lot 89 has the higher reserve."."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.figures.direction import direction_words
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.surroundings.sentences import telling_stems

_WORD: Final = re.compile(r"[^\W_]+")
_NO_DEGREE: Final = (
    "number|order|quarter|member|manager|customer|paper|water|power|other|either|whether|rather|under|over|after"
    "|ever|never|per|her|computer|server|teacher|driver|owner|player|user|supplier|chapter|letter|centre|center"
)
_ASKS: Final = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had) (?P<one>[^?]+) "
    rf"(?P<degree>more|less|fewer|(?!(?:{_NO_DEGREE})\b)[a-z]{{2,}}er)\b[^?]*? "
    r"than (?P<other>(?![€$£]?\d|half|an? |one |two |three |four |five |ten )[^?]+)"
)
"""A comparison of two things that a question names."""
_EXCEEDS: Final = re.compile(r"\b(?:exceed|surpass|outweigh|outstrip)\b")
_UP: Final = ("more", "higher", "larger", "bigger", "greater")
_DOWN: Final = ("less", "fewer", "lower", "smaller")
_PAIRS: Final = (
    (_UP, _DOWN),
    (("older",), ("younger", "newer")),
    (("longer", "taller"), ("shorter",)),
    (("heavier",), ("lighter",)),
    (("earlier", "sooner"), ("later",)),
    (("cheaper", "less expensive"), ("dearer", "more expensive")),
    (("faster", "quicker"), ("slower",)),
    (("better",), ("worse",)),
    (("closer", "nearer"), ("farther", "further")),
    (("wider", "broader"), ("narrower",)),
)
"""Words of one meaning, and those of the opposite one."""
_MOST: Final = {"more": "most", "less": "least", "fewer": "fewest", "better": "best", "worse": "worst"}
_CLAUSE: Final = re.compile(r"[,;:]\s|\b(?:and|but|while|whereas|so)\b")


def named_as_more(sentence: str, question: str) -> tuple[bool | None, str]:
    """Whether a sentence names the first or the second of two that a question compares as what has more; or nothing.

    Args:
        sentence: Of the answer, match text.
        question: Match text.

    Returns:
        True where it is the one of which the question asks whether it is more, False where it is the other, and the
        words that say it; None and empty where the sentence names neither as that, or denies.

    >>> named_as_more("lot 89 carries the higher reserve", "is the reserve of lot 88 higher than that of lot 89?")
    (False, 'lot 89 carries the higher')
    >>> named_as_more("ann is the younger of the two", "is ann older than bob?")
    (False, 'ann is the younger')
    """
    asked = _ASKS.match(_EXCEEDS.sub("higher than", question))
    if asked is None or NEGATORS & set(_WORD.findall(sentence)):
        return None, ""
    one, other = _names(asked["one"]), _names(asked["other"])
    own, others = one - other, other - one
    if not own or not others:
        return None, ""
    shared = bool(telling_stems(sentence) & telling_stems(question) - telling_stems(" ".join(own | others)))
    for word, turned, is_asked in _degrees(asked["degree"]):
        found = re.search(rf"\b{word}\b", sentence) if is_asked or shared or turned else None
        if found is None:
            continue
        named = _named(sentence[: found.start()], own, others)
        named = named or _first(sentence[found.end() :], own, others)
        if named in {"own", "others"}:
            return (named == "own") is not turned, sentence[: found.end()].strip()
        return None, ""
    return None, ""


def _degrees(degree: str) -> list[tuple[str, bool, bool]]:
    """The words for a degree: whether each says it of the one that has less, and whether it is the question's own."""
    pair = next((pair for pair in (*_PAIRS, *(pair[::-1] for pair in _PAIRS)) if degree in pair[0]), ((degree,), ()))
    words = [(degree, False, True), *((word, at == 1, False) for at, side in enumerate(pair) for word in side)]
    return [
        (form, turned, is_asked)
        for word, turned, is_asked in words
        for form in (word, _MOST.get(word, re.sub("er$", "est", word)))
    ]


def _names(words: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(words) if word not in FUNCTION_WORDS and not direction_words(word))


def _named(before: str, own: frozenset[str], others: frozenset[str]) -> str:
    """Which of the two a text names: "own", "others" or "both", in its last clause that names any; or empty."""
    for clause in reversed(_CLAUSE.split(before)):
        said = set(_WORD.findall(clause))
        if own & said or others & said:
            return "both" if own & said and others & said else "own" if own & said else "others"
    return ""


def _first(after: str, own: frozenset[str], others: frozenset[str]) -> str:
    """Which of the two a text names first, or empty."""
    return next(("own" if word in own else "others" for word in _WORD.findall(after) if word in own | others), "")
