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
_TO_WOMAN: Final = {**dict(SWAPS), "his": "her", "him": "her"}
_TO_MAN: Final = {**{woman: man for man, woman in SWAPS}, "ms": "mr", "hers": "his"}
_WORD: Final = re.compile(r"[A-Za-z]+")
_OWNED: Final = re.compile(
    r" (?!(?:an?|the|to|for|from|in|on|at|of|with|by|and|or|but|if|when|before|after|because|as|about|into|is|was|are|"
    r"will|would|can|could|has|have|had|that|this|it|not|again|back|directly|personally|free|any|some|more|all|how|"
    r"what|where|why|who|which)\b)[A-Za-z]"
)
"""What follows `her` where it says whose something is; elsewhere it says to whom."""
_NAMED: Final = re.compile(r"(?<!Mr )(?<!Mrs )(?<!Ms )(?<!Mr\. )(?<!Mrs\. )(?<!Ms\. )\b[A-Z][a-z]+ [A-Z][a-z]+")


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
                skipped["no word of the question names a gender, or a full name does"] = len(usable) - len(swapped)
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
    """The question of a man and of a woman; None where no word names a gender, or a full name would belie the words.

    Where words of both genders stand, as in "his wife", each becomes the other: of two people one is exchanged for the
    other, and nobody's marriage becomes another.
    """
    found = {word.lower() for word in _WORD.findall(case.question)}
    men, women = found & _TO_WOMAN.keys(), found & _TO_MAN.keys() | found & {"her"}
    if not (men or women) or (_NAMED.search(case.question) and not found & {"mr", "mrs", "ms"}):
        return None
    to_woman, to_man = _with_words(case.question, to_woman=True), _with_words(case.question, to_woman=False)
    if men and women:
        both = _with_words(case.question, to_woman=None)
        first = next(word for word in map(str.lower, _WORD.findall(case.question)) if word in men | women)
        to_man, to_woman = (case.question, both) if first in men else (both, case.question)
    return _case(case, "gender", "man", to_man, "swap"), _case(case, "gender", "woman", to_woman, "swap")


def _with_words(question: str, *, to_woman: bool | None) -> str:
    """The question with words of one gender; each word exchanged for that of the other where `to_woman` is None."""

    def other(match: re.Match[str]) -> str:
        word = match[0].lower()
        swapped = _TO_WOMAN.get(word) if to_woman is not False else None
        if swapped == "her" and word == "his" and _OWNED.match(question, match.end()) is None:
            swapped = "hers"
        if swapped is None and to_woman is not True:
            swapped = _hers(question, match) if word == "her" else _TO_MAN.get(word)
        if swapped is None:
            return match[0]
        if match[0].isupper() and len(match[0]) > 1:
            return swapped.upper()
        return swapped.capitalize() if match[0][0].isupper() else swapped

    return _WORD.sub(other, question)


def _hers(question: str, match: re.Match[str]) -> str:
    """`his` where `her` says whose something is, else `him`."""
    owned = _OWNED.match(question, match.end()) is not None
    return "his" if owned else "him"
