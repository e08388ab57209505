"""Repeats: the same question again, to see how much the system and its judge change by themselves."""

from __future__ import annotations

import random

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import REPEAT, Expected
from core.testset.variants.registry import variant
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec


@variant(
    VariantSpec(
        name=REPEAT,
        title="Repeat",
        question="How often does the verdict change when nothing changes?",
        expected=Expected.SAME_ANSWER,
        family=Family.NOISE,
        keeps_meaning=True,
        any_language=True,
        similar=False,
        source="Ours: what flips by itself is no effect of a variant.",
    )
)
def ask_again(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """The question of the parent, letter for letter; which repeat it is tells the draws of a model apart."""
    return Draft(question=case.question, change="asked again", draw=1)
