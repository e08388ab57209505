"""What a kind of variant is, what it works on and what it returns."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.spans import protected, spliced

Reword = Callable[[TestCase], "str | None"]
"""A model that words a question anew; None where it gave no usable reply."""


class Family(StrEnum):
    """The three main kinds of robustness check of HCAT 6.1, and the one that measures noise."""

    INPUT = "input variations"
    ADVERSARIAL = "adversarial"
    UNFAMILIAR = "out of distribution"
    NOISE = "noise"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSpec:
    """One kind of variant.

    Attributes:
        name: A stable short name.
        title: For people.
        question: What its results answer, in plain words.
        expected: What is right to do with such a variant.
        family: The kind of robustness check it belongs to.
        keeps_meaning: Whether it asks the same as its parent; then numbers, names and the like are checked.
        any_language: Whether it is free of language; the others know English only.
        plants: Whether it plants a passage among the documents that the target searches here.
        similar: Whether the encoder's similarity to the parent is checked too.
        source: Where it comes from.
        version: Raised when it makes other variants from the same case and seed.
    """

    name: str
    title: str
    question: str
    expected: Expected
    family: Family
    keeps_meaning: bool = False
    any_language: bool = False
    plants: bool = False
    similar: bool = True
    source: str = "HCAT 6.1."
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A variant before it is checked.

    Attributes:
        question: As it is asked.
        change: What was changed, for people.
        misled_by: The wrong value it states, or empty.
        subject: The name that was taken out or invented, or empty.
        planted: Title and text of a passage to plant among the documents, or None.
        draw: For a repeat, which one it is, from 1.
    """

    question: str
    change: str
    misled_by: str = ""
    subject: str = ""
    planted: tuple[str, str] | None = None
    draw: int = 0


@dataclass(frozen=True, slots=True)
class Skip:
    """Why a case has no variant of a kind.

    Attributes:
        reason: In plain words; the same words for the same reason, so that they can be counted.
    """

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What variants are made from besides their parent.

    Attributes:
        siblings: The cases by what they were made from: the SQL template, else the type of question.
        known: Folded words of all questions and reference answers, so that no invented name is a true one.
        rate: Share of the words that get a spelling mistake, above 0 and at most 1.
        reword: A model that paraphrases; None where there is none.
    """

    siblings: Mapping[str, Sequence[TestCase]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    rate: float = 0.1
    reword: Reword | None = None

    def others(self, case: TestCase) -> list[TestCase]:
        """Cases of the same kind about something else, with another answer, in the order of the test set."""
        return [
            other
            for other in self.siblings.get(sibling_key(case), ())
            if other.group_id != case.group_id
            and other.reference_answers
            and not set(other.reference_answers) & set(case.reference_answers)
        ]


def sibling_key(case: TestCase) -> str:
    """What cases must share to be about the same property: the SQL template, else the wording around their names."""
    if case.sql_template_id:
        return case.sql_template_id
    blank = [(start, end, "[]") for start, end in protected(case.question)]
    return spliced(case.question, blank).casefold() if blank else ""


Make = Callable[[TestCase, random.Random, Ground], "Draft | Skip"]
"""Makes one variant of a case."""
