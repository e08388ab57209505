"""What an answer concludes, where it is another name than the one that it also has."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.abstention import find_gap
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.surroundings.sentences import sentence_around, telling_stems
from core.judging.match.values import Hit

LONGEST: Final = 4_000
"""Characters of an answer in which a conclusion is looked for."""
MOST_SHOWN: Final = 80
_CONCLUDES: Final = re.compile(
    r"\b(?:therefore|thus|hence|the answer is|in conclusion"
    r"|i (?:would|will|d) (?:trust|go with|rely on|take|report|use))\b|^\W*so\b"
)
_MOST: Final = re.compile(
    r"\b(?!(?:interest|request|invest|test|contest|protest|forest|guest|harvest|chest|west|rest)\b)"
    r"(?:most|least|first|last|[a-z]{2,}st)\b(?<!must)(?<!cost)(?<!list)(?<!past)(?<!east)(?<!trust)(?<!coast)(?<!post)"
)
_MORE: Final = re.compile(
    r"\b(?:more|less|fewer|(?!\w*(?:number|order|quarter|member|manager|customer)\b)[a-z]{3,}er)\b"
)
_COMPARED_WITH: Final = (
    r"\b(?:than|(?:against|compared (?:to|with)|versus|vs\.?|ahead of)"
    r"(?:(?: (?:only|just|the|about|an?))? [€$£]?\d[\d.,]*[%€$£]?(?: [a-z]{1,12}){0,2}?"
    r"(?: (?:for|at|of|in|by|from))?)?) "
)
_GOES_ON: Final = re.compile(r"^\W*(?:it|its|this|that|these|those|he|she|they|his|her|their)\b")


def concluded_otherwise(hit: Hit, text: str, question: str) -> str:
    """The sentence of an answer that concludes with something else than a name which it also has; or empty.

    Args:
        hit: Where the name stands.
        text: Match text of the answer.
        question: Match text of the question.

    >>> text = "assembly had 9, the paint shop 4. assembly therefore had fewer accidents than the paint shop."
    >>> concluded_otherwise(Hit(rule="text", start=20, end=30, reason=""), text, "which had fewer accidents?")
    'assembly therefore had fewer accidents than the paint shop'
    """
    value = text[hit.start : hit.end]
    asked = telling_stems(question) - telling_stems(value)
    most, more = _MOST.search(question), _MORE.search(question)
    own = sentence_around(text, hit.start, hit.end)
    for sentence in SENTENCE_BORDER.split(text[:LONGEST]):
        about = telling_stems(sentence)
        shared = about & asked
        is_last = text.rstrip(" .!").endswith(sentence.strip())
        if not shared and not (is_last and _CONCLUDES.search(sentence) and value not in sentence):
            continue
        if value in sentence:
            if more and more[0] in sentence and _is_compared_with(value, sentence):
                return sentence.strip()[:MOST_SHOWN]
            continue
        names_another = bool(about - asked) and not _GOES_ON.match(sentence) and find_gap(sentence) is None
        if names_another and _CONCLUDES.search(sentence):
            return sentence.strip()[:MOST_SHOWN]
        if most and most[0] not in own and names_another and re.search(rf"\b{most[0]}\b", sentence) and len(shared) > 1:
            return sentence.strip()[:MOST_SHOWN]
    return ""


def _is_compared_with(value: str, sentence: str) -> bool:
    """Whether a name stands only behind "than", or behind "against" and its figure."""
    behind = re.findall(rf"{_COMPARED_WITH}(?:the |an? )?{re.escape(value)}(?!\w)", sentence)
    return bool(behind) and len(behind) == sentence.count(value)
