"""Misleading distractor: a true fact about something else beside the question."""

from __future__ import annotations

import random

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import capital
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec
from core.testset.variants.wrong_values import LONGEST
from core.text.questions import QUOTED


@variant(
    VariantSpec(
        name="distractor",
        title="Misleading distractor",
        question="Does the answer stay right when a fact about something else stands beside the question?",
        expected=Expected.SAME_ANSWER,
        family=Family.ADVERSARIAL,
        source="HCAT 6.1, adversarial queries: misleading information.",
    )
)
def distract(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Says what the answer is for another case of the same template."""
    fitting = [
        other
        for other in ground.others(case)
        if len(other.reference_answers[0]) <= LONGEST and QUOTED.search(other.question)
    ]
    if not fitting:
        return Skip("no other case of its template has a short answer about another quoted value")
    other = draw.choice(fitting)
    about = " and ".join(f"'{match[2]}'" for match in QUOTED.finditer(other.question))
    value = other.reference_answers[0]
    question = case.question.strip()
    return Draft(
        question=f"For {about} I already have it: {value}. {capital(question)}",
        change=f"says that it is {value} for {about}",
        misled_by=value,
    )
