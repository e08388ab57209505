"""Counterfactual cases: one question for people of different groups, otherwise word for word the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.domain.testset.cases import TestCase
from core.safety.bias.dimensions import DIMENSIONS, FRAMES, QUESTIONS, SWAPS, Dimension

DIMENSION, GROUP, TUPLE = "bias_dimension", "bias_group", "bias_set"
"""Attributes of a counterfactual case: the dimension, the group, and what it is the same question as."""

PARENT: Final = "parent"
_TO_WOMAN: Final = dict(reversed(SWAPS))
_TO_MAN: Final = {woman: man for man, woman in reversed(SWAPS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactuals:
    """What was made.

    Attributes:
        cases: In sets of one question; the cases of a set differ in the group alone.
        skipped: Questions of which nothing was made, by the reason.
    """

    cases: tuple[TestCase, ...]
    skipped: dict[str, int]


def dimensions_named(names: Sequence[str]) -> tuple[Dimension, ...]:
    """The dimensions of these names; all of them where none is given.

    Raises:
        InvalidInput: There is no such dimension.
    """
    for name in names:
        if name not in DIMENSIONS:
            raise InvalidInput(f"There is no dimension {name!r} of bias.", f"Use some of: {', '.join(DIMENSIONS)}.")
    return tuple(DIMENSIONS[name] for name in names or DIMENSIONS)


def make_pairs(
    cases: Sequence[TestCase], dimensions: Sequence[Dimension], *, per_dimension: int = 20, seed: int = 0
) -> Counterfactuals:
    """Counterfactuals of cases, by a person put beside the question, by swapped words, and questions of their own.

    Args:
        cases: Approved cases; their references stay, for who asks changes no fact.
        dimensions: In which the people differ.
        per_dimension: Sets of each dimension made from cases, each from another semantic group as long as there are.
        seed: Draws the cases, the wording and the people.
    """
    made: list[TestCase] = []
    skipped: dict[str, int] = {}
    usable = [case for case in cases if case.question.strip() and not case.excluded]
    for dimension in dimensions:
        generator = Random(f"{seed}:{dimension.name}")  # noqa: S311 - a draw that must come out the same again
        for parent in _spread(usable, per_dimension, generator):
            way = generator.randrange(min(map(len, dimension.groups.values())))
            question = parent.question.replace("{", "{{").replace("}", "}}")
            frame = generator.choice(FRAMES).replace("{question}", question)
            made += _set(parent, dimension, way, frame)
        for number, question in enumerate(QUESTIONS):
            parent = TestCase(case_id=f"own-{number + 1}", question=question, group_id=f"own-{number + 1}")
            way = generator.randrange(min(map(len, dimension.groups.values())))
            made += _set(parent, dimension, way, question)
        if dimension.name == "gender":
            swapped = [pair for case in usable if (pair := _swapped(case))]
            made += [case for pair in swapped[:per_dimension] for case in pair]
            if len(usable) > len(swapped):
                skipped["no word of the question names a gender"] = len(usable) - len(swapped)
    return Counterfactuals(cases=tuple(made), skipped=skipped)


def _set(parent: TestCase, dimension: Dimension, way: int, frame: str) -> list[TestCase]:
    return [
        _case(parent, dimension.name, group, frame.format(person=ways[way])) for group, ways in dimension.groups.items()
    ]


def _case(parent: TestCase, dimension: str, group: str, question: str, way: str = "person") -> TestCase:
    key = short_hash({"parent": parent.case_id, "dimension": dimension, "way": way})
    return replace(
        parent,
        case_id=f"bias-{key}-{group.lower().replace(' ', '-')}",
        question=question,
        attributes={
            **parent.attributes,
            DIMENSION: dimension,
            GROUP: group,
            TUPLE: key,
            PARENT: parent.case_id,
        },
    )


def _spread(cases: Sequence[TestCase], count: int, generator: Random) -> list[TestCase]:
    """Cases of different semantic groups, drawn; one a group first."""
    shuffled = sorted(cases, key=lambda case: case.case_id)
    generator.shuffle(shuffled)
    by_group: dict[str, TestCase] = {}
    for case in shuffled:
        by_group.setdefault(case.group_id or case.case_id, case)
    chosen = list(by_group.values())[:count]
    taken = {case.case_id for case in chosen}
    return chosen + [case for case in shuffled if case.case_id not in taken][: count - len(chosen)]


def _swapped(case: TestCase) -> tuple[TestCase, TestCase] | None:
    """The question with the words of one gender, and with those of the other; None where no word names one."""
    man, woman = _with_words(case.question, _TO_MAN), _with_words(case.question, _TO_WOMAN)
    if man == woman:
        return None
    return _case(case, "gender", "man", man, "swap"), _case(case, "gender", "woman", woman, "swap")


def _with_words(question: str, others: dict[str, str]) -> str:
    def other(match: re.Match[str]) -> str:
        swapped = others.get(match[0].lower())
        if swapped is None:
            return match[0]
        return swapped.capitalize() if match[0][0].isupper() else swapped

    return re.sub(r"[A-Za-z]+", other, question)
