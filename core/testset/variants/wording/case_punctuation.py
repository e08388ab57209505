"""Case and punctuation: small letters, capitals, no or too many signs; values and names stay as they are."""

from __future__ import annotations

import random

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import lowered, protected, spliced, values_of, words
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec

ENDS = ".?!…"


@variant(
    VariantSpec(
        name="case_punctuation",
        title="Case and punctuation",
        question="Does the answer stay right when capitals and punctuation are wrong?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        any_language=True,
        source="HCAT 6.1, input variations. Free of language.",
    )
)
def rewrite_marks(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Takes the marks at the end away, doubles or dots them, and writes the other words small or in capitals."""
    question, values = case.question.rstrip(), values_of(case.sql_params)
    bare = question.rstrip(ENDS).rstrip() or question
    ways = ["bare", "doubled", "dotted"]
    if any(word.text.islower() for word in words(question, values)) and not protected(question, values):
        ways.append("shouted")
    way = draw.choice(ways)
    if way == "shouted":
        changes = [(word.start, word.end, word.text.upper()) for word in words(bare, values)]
        return Draft(question=spliced(bare, changes) + "?", change="written in capitals")
    if way == "doubled":
        mark = "??" if question.endswith("?") or not question.endswith(tuple(ENDS)) else ".."
        changed, told = lowered(bare) + mark, f"ended with '{mark}'"
    elif way == "dotted":
        changed, told = lowered(bare) + "...", "ended with '...'"
    else:
        changed, told = lowered(bare), "no mark at the end"
    if changed == question:
        changed, told = question + " ?", "a blank before the mark"
    small = ", first letter small" if changed[:1] != question[:1] else ""
    return Draft(question=changed, change=told + small)
