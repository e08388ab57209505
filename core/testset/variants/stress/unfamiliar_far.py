"""Far from the collection: a question of a field that few closed collections cover."""

from __future__ import annotations

import random

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.corpus.far_questions import FAR_QUESTIONS
from core.testset.variants.registry import variant
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec


@variant(
    VariantSpec(
        name="unfamiliar_far",
        title="Out of distribution, far",
        question="Does the system decline a question of a field it has nothing about?",
        expected=Expected.DECLINED_OR_CLOSEST,
        family=Family.UNFAMILIAR,
        similar=False,
        source="HCAT 6.1, out-of-distribution queries.",
    )
)
def ask_elsewhere(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Asks about a field none of whose words is in the test set, in place of what the parent asks."""
    fitting = [question for question, marks in FAR_QUESTIONS if not ground.known & set(marks.split())]
    if not fitting:
        return Skip("the test set has words of every field there is a question for")
    return Draft(question=draw.choice(fitting), change="a question of another field")
