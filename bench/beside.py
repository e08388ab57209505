"""Replies that tell something beside the question: answers to one question laid beside another of the same topic.

"It was delivered on 4 May" leaves "Who ordered it?" open. So does "It was ordered in March" beside "When was it
delivered?"; a bare "In March" does not show what it is about, so answers of the same kind are laid beside a question
only where they say words of their own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from core.judging.match.abstention.vocabulary import POLAR
from core.text.words import stems

_KINDS = {
    "reason": r"\bwhy\b|\bhow come\b|\bwhat (?:made|caused|led)\b",
    "duration": r"\bhow (?:long|often|old|soon)\b|\bfor how long\b|\bwithin what\b|\bhow many times\b",
    "day": r"\b(?:when|what date|which date|which year|what year|which day|what day|what time)\b",
    "amount": r"\bhow (?:much|many|high|large|big|far|deep|wide|heavy|tall|fast)\b|\b(?:price|fee|cost|total|amount)\b",
    "person": r"\b(?:who|whom|whose)\b",
    "place": r"\bwhere\b",
    "way": r"\bhow (?:do|does|did|can|should|is|are|was|were|to)\b",
}
_KIND_OF = [(kind, re.compile(pattern)) for kind, pattern in _KINDS.items()]
_DECIDES = re.compile(r"\W*(?:yes|no|not|never|only|none|nobody|always|correct|right|wrong|true|false)\b")


def beside(replies: Sequence[tuple[str, str, str]], most: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Questions, and replies that do not give what they ask for.

    Args:
        replies: Of each answer its topic, its question and its text; those of a topic follow one another.
        most: Other questions that an answer is laid beside.
        seed: Of which ones.
    """
    generator = random.Random(seed)
    for _, rows in groupby(replies, key=lambda row: row[0]):
        answers = [(question, text) for _, question, text in rows]
        questions = list(dict.fromkeys(question for question, _ in answers))
        for own, text in answers:
            others = [other for other in questions if other != own and leaves_open(other, own, text)]
            for other in generator.sample(others, min(most, len(others))):
                yield other, text


def leaves_open(other: str, own: str, text: str) -> bool:
    """Whether an answer visibly does not give what another question of its topic asks for.

    Args:
        other: The other question.
        own: The answer's own question.
        text: The answer.

    >>> leaves_open("Who ordered it?", "When was it ordered?", "In March.")
    True
    >>> leaves_open("When was it paid?", "When was it ordered?", "In March.")
    False
    >>> leaves_open("When was it paid?", "When was it ordered?", "It was ordered in March.")
    True
    """
    kinds = kind_of(other), kind_of(own)
    if kinds[0] == "polar" and _DECIDES.match(text.lower()):
        return False
    said, asked, owned = stems(text), stems(other), stems(own)
    of_its_own, of_the_other = said & owned - asked, said & asked - owned
    if kinds[0] != kinds[1] and "" not in kinds and "polar" not in kinds:
        return len(of_the_other) <= len(of_its_own) + 1
    return len(of_its_own) > len(of_the_other)


def kind_of(question: str) -> str:
    """What kind of thing a question asks for; empty where its words do not show it.

    >>> kind_of("How long does it last?"), kind_of("Which one is blue?"), kind_of("Is it blue?")
    ('duration', '', 'polar')
    """
    plain = question.lower()
    if POLAR.search(plain):
        return "polar"
    return next((kind for kind, pattern in _KIND_OF if pattern.search(plain)), "")
