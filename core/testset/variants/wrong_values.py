"""A wrong value for a case: what a misleading premise or a planted passage says in place of the true one."""

from __future__ import annotations

import random
import re

from core.domain.testset.cases import TestCase
from core.testset.corpus.altering import altered
from core.testset.variants.spec import Ground

LONGEST = 60
"""Characters of an answer that counts as one value."""
DATE_WORDS = 4
"""Words of a date: day, month, year and one more."""


def wrong_value(case: TestCase, draw: random.Random, ground: Ground) -> str:
    """The answer of another case of the same template, else a date or figure a little off; empty where there is none.

    >>> case = TestCase(case_id="a", question="When?", reference_answers=("3 May 2014",))
    >>> wrong_value(case, random.Random(0), Ground())
    '3 May 2015'
    """
    if not case.reference_answers:
        return ""
    true = case.reference_answers[0].strip()
    if not true or len(true) > LONGEST or "\n" in true:
        return ""
    others = [
        other.reference_answers[0]
        for other in ground.others(case)
        if 0 < len(other.reference_answers[0]) <= LONGEST
        and other.reference_answers[0].casefold() not in case.question.casefold()
        and other.reference_answers[0].casefold() not in true.casefold()
        and true.casefold() not in other.reference_answers[0].casefold()
    ]
    if others:
        return draw.choice(others)
    if re.fullmatch(r"[-$£€]?\d[\d.,]*%?", true):
        return next(altered(true, "number"), "")
    return next(altered(true, "date"), "") if len(true.split()) <= DATE_WORDS else ""
