"""Questions which of two is more of something, answered by naming the one that is: "Lot 89 has the higher reserve."."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.polar.degrees import NO_DEGREE, WORD, degrees, names, told_of
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.sentences import telling_stems

_ASKS: Final = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had) (?P<one>[^?]+) "
    rf"(?P<degree>more|less|fewer|(?!(?:{NO_DEGREE})\b)[a-z]{{2,}}er)\b[^?]*? "
    r"than (?P<other>(?![€$£]?\d|half|an? |one |two |three |four |five |ten )[^?]+)"
)
"""A comparison of two things that a question names."""
_EXCEEDS: Final = re.compile(r"\b(?:exceed|surpass|outweigh|outstrip)\b")


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
    if asked is None or NEGATORS & set(WORD.findall(sentence)):
        return None, ""
    one, other = names(asked["one"]), names(asked["other"])
    own, others = one - other, other - one
    if not own or not others:
        return None, ""
    shared = bool(telling_stems(sentence) & telling_stems(question) - telling_stems(" ".join(own | others)))
    for word, turned, is_asked in degrees(asked["degree"]):
        found = re.search(rf"\b{word}\b", sentence) if is_asked or shared or turned else None
        if found is None:
            continue
        named = told_of(sentence, own, others, word)
        return ((named == "own") is not turned, sentence[: found.end()].strip()) if named else (None, "")
    return None, ""
