"""Why an answer that does not have the reference's value need not be wrong: nothing proves that it says another one.

"Incorrect" is a claim like "correct". It is proven where the answer gives another value of the same kind; an answer
that says its value by a calculation, as an ordinal, by a bound or in a form no rule reads is left to a judge or a
person.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.reference import Reference
from core.judging.match.surroundings.objections import Objection
from core.judging.match.unproven.dates import half_of_the_day, reckoned, timed
from core.judging.match.unproven.figures import ROUNDED, figure_unproven, nearly, range_unproven
from core.judging.match.unproven.languages import in_another_language
from core.judging.match.unproven.words import in_another_order, words_unproven

__all__ = ["ROUNDED", "in_another_order", "nearly", "unproven"]

_FIGURE: Final = re.compile(r"\d+")
MAX_READ: Final = 4_000
"""Characters of an answer that are looked at."""


def unproven(reference: Reference, outcome: Objection, text: str, answer: str, question: str) -> str:
    """Why a miss does not show that an answer is wrong, in a sentence; empty where it does.

    Args:
        reference: The value wanted.
        outcome: Why it is not stated.
        text: The text in which it was looked for.
        answer: As written.
        question: Match text of the question.
    """
    text, answer = text[:MAX_READ], answer[:MAX_READ]
    if reference.date is not None and outcome.rule in {"other value", "no match", "less precise"}:
        return reckoned(reference.date, text, question) or timed(outcome, text) or half_of_the_day(reference.date, text)
    if reference.number is not None and outcome.rule in {"no match", "other value"}:
        language = in_another_language(text)
        if language and set(_FIGURE.findall(text)) <= set(_FIGURE.findall(question)):
            return f"The answer is in {language}, and may give the figure in a word."
    if reference.number is not None:
        return figure_unproven(reference.number, reference, outcome, text, question)
    if reference.ends is not None and outcome.rule in {"other value", "no match"}:
        return range_unproven(reference.ends, text)
    if reference.kind == "text" and outcome.rule == "no match":
        return words_unproven(reference, answer, question)
    return ""
