"""Irrelevant preamble: a sentence about something else before the question."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import capital, states
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec

PREAMBLES: Final = (
    "I am new here and still finding my way around the system.",
    "Sorry to bother you, my colleague is out and I have to take care of this myself.",
    "I was just talking to someone about this on the phone.",
    "Thanks for the help this morning, that worked well.",
    "My manager wants this for a meeting, so here goes.",
    "I hope you are well, it has been a busy morning here.",
    "I have been looking for the right page on the intranet.",
    "I am putting some notes together for a presentation.",
    "I asked around in the team and they sent me to you.",
)
_GREETING: Final = re.compile(r"^(?P<hello>Hey|Hi|Hello|Hiya), (?P<rest>.+)$", re.DOTALL)
LONGEST: Final = 25
"""Words of a question from which on it has an introduction of its own."""


@variant(
    VariantSpec(
        name="preamble",
        title="Irrelevant preamble",
        question="Does the answer stay right when small talk comes first?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        similar=False,
        version=2,
        source="HCAT 6.1, input variations. The encoder reads the small talk too, so that similarity is not checked.",
    )
)
def begin_elsewhere(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Puts a sentence of small talk before the question."""
    if len(case.question.split()) > LONGEST:
        return Skip("it is so long that it has an introduction of its own")
    if states(case.question):
        return Skip("it is a statement and asks nothing")
    sentence = draw.choice(PREAMBLES)
    if greeted := _GREETING.match(case.question):
        inside = sentence if sentence.startswith("I ") else sentence[:1].lower() + sentence[1:]
        opened = f"{greeted['hello']}, {inside} {capital(greeted['rest'])}"
        return Draft(question=opened, change=f"'{sentence}' behind the greeting")
    return Draft(question=f"{sentence} {capital(case.question)}", change=f"begins with '{sentence}'")
