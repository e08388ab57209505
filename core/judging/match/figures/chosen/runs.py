"""Which of two figures is said of what a question names, by the words that run up to it and by what is done with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.readers.figures.numbers import Number
from core.judging.match.surroundings.language import FUNCTION_WORDS, SENTENCE_BORDER

REACH = 160
"""Characters in front of a figure that are read."""
MORE = 2
"""So many more words of the question must run up to another figure."""
FEWEST = 3
FAMILY = 5
"""First letters that words of one family share: operating, operations."""
_WORD = re.compile(r"[a-z]+")
_DONE = re.compile(
    r"\bhow (?:many|much) [^?]{2,80}? (?:(?:do|does|did) [^?]{2,80}? (?P<done>[a-z]{4,})"
    r"|(?:has|have|had|was|were|are|is) (?:[^?]{2,80}? )?(?P<passive>[a-z]{3,}ed))"
    r"(?= (?:in|on|during|for|by|at|since|last)\b|\s?\?|$)"
)
_BORDER = re.compile(r"\band\b|\bbut\b|[,;:]")


def _family(word: str) -> str:
    return word[:FAMILY]


def longest_run(question: str, words: str) -> int:
    """How many successive words of a question run through a text in the same order, from one that tells to another.

    >>> longest_run("what is the debt-to-equity ratio?", "and debt-to-equity")
    3
    """
    asked = [_family(word) for word in _WORD.findall(question)]
    told = _WORD.findall(words)
    stems = [_family(word) for word in told]
    best = 0
    for start in range(len(stems)):
        if told[start] in FUNCTION_WORDS:
            continue
        for place, word in enumerate(asked):
            length = 0
            while (
                start + length < len(stems)
                and place + length < len(asked)
                and stems[start + length] == asked[place + length]
            ):
                length += 1
            while length and told[start + length - 1] in FUNCTION_WORDS:
                length -= 1
            if word and length > best:
                best = length
    return best


def said_of_another_figure(
    own: Number, kin: Sequence[Number], rivals: Sequence[Number], text: str, question: str
) -> str:
    """The figure that is what a question asks for, where the one that equals the reference is another; or empty.

    Args:
        own: The figure that equals the reference.
        kin: Every figure that does.
        rivals: Other figures that it could be mistaken for.
        text: Figure text of the answer.
        question: Match text of the question.
    """
    done = _DONE.search(question)
    numbers = sorted([*kin, *rivals], key=lambda number: number.start)
    if done:
        act = _family(done["done"] or done["passive"])
        if not any(act in _acts(number, numbers, text) for number in kin):
            other = next((number for number in rivals if act in _acts(number, numbers, text)), None)
            if other is not None and _same_sentence(own, other, text):
                return other.text.strip()
    longest = max(longest_run(question, _before(number, numbers, text)) for number in kin)
    for other in rivals:
        run = longest_run(question, _before(other, numbers, text))
        if run >= FEWEST and run >= longest + MORE and _same_sentence(own, other, text):
            return other.text.strip()
    return ""


def is_done_with(number: Number, numbers: Sequence[Number], text: str, question: str) -> bool:
    """Whether what a question says was done is said of one figure alone: "produced 5 and delivered 4"."""
    done = _DONE.search(question)
    if done is None:
        return False
    act = _family(done["done"] or done["passive"])
    acting = [one for one in numbers if act in _acts(one, numbers, text)]
    return acting == [number]


def _acts(number: Number, numbers: Sequence[Number], text: str) -> frozenset[str]:
    behind = min((other.start for other in numbers if other.start > number.start), default=len(text))
    after = _BORDER.split(SENTENCE_BORDER.split(text[number.end : min(behind, number.end + REACH)], maxsplit=1)[0])[0]
    before = _BORDER.split(_before(number, numbers, text))[-1]
    return frozenset(_family(word) for word in _WORD.findall(f"{before} {after}"))


def _before(number: Number, numbers: Sequence[Number], text: str) -> str:
    former = max((other.end for other in numbers if other.end <= number.start), default=0)
    before = text[max(former, number.start - REACH) : number.start]
    return SENTENCE_BORDER.split(before)[-1]


def _same_sentence(one: Number, other: Number, text: str) -> bool:
    first, second = sorted((one, other), key=lambda number: number.start)
    return SENTENCE_BORDER.search(text[first.end : second.start]) is None
