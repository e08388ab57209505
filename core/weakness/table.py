"""The input of the search for weaknesses: one score of many cases, and the attributes that divide them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.errors import InvalidInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NO_LEVEL = -1
"""The code of a case that lacks the attribute."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attribute:
    """An attribute in which cases differ.

    Attributes:
        name: As the test set has it.
        codes: The level of each case by number, -1 where it has none; shape (n,).
        levels: What the numbers stand for.
        ordered: Whether the levels have an order of their own (bins of a number); else they have none.
    """

    name: str
    codes: Ints
    levels: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreColumn:
    """One score of every case.

    Attributes:
        name: Of the metric.
        values: Shape (n,), NaN where a case has no score.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
        higher_is_better: Which way is good.
    """

    name: str
    values: Floats
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True

    @property
    def sign(self) -> float:
        """1 where more is better, -1 where less is."""
        return 1.0 if self.higher_is_better else -1.0

    def passes(self, threshold: float) -> ScoreColumn:
        """The share of cases that reach a threshold, as a score: 1 for at least as good, 0 for worse."""
        reached = self.sign * self.values >= self.sign * threshold
        return ScoreColumn(name=self.name, values=np.where(np.isnan(self.values), np.nan, reached.astype(np.float64)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseTable:
    """Cases with one score and their attributes.

    Attributes:
        case_ids: In the order of the test set.
        clusters: What each case shares its source with: its semantic group or task, a number from 0; shape (n,).
        score: The score.
        attributes: By name.
    """

    case_ids: tuple[str, ...]
    clusters: Ints
    score: ScoreColumn
    attributes: tuple[Attribute, ...]

    def __len__(self) -> int:
        return len(self.case_ids)

    def attribute(self, name: str) -> Attribute:
        """The attribute of a name.

        Raises:
            InvalidInput: The cases do not have it.
        """
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        names = ", ".join(attribute.name for attribute in self.attributes) or "nothing"
        raise InvalidInput(f"The cases have no attribute {name}.", f"Their attributes are: {names}.")

    @property
    def scored(self) -> Bools:
        """Which cases have a score, shape (n,)."""
        return ~np.isnan(self.score.values)


def attribute_of(name: str, values: Sequence[str | None]) -> Attribute:
    """An attribute from one text a case; None or empty where a case has none. Levels are in the order of their text.

    >>> topic = attribute_of("topic", ["loans", "cards", None, "loans"])
    >>> topic.levels, topic.codes.tolist()
    (('cards', 'loans'), [1, 0, -1, 1])
    """
    levels = sorted({value for value in values if value})
    place = {level: number for number, level in enumerate(levels)}
    codes = np.fromiter((place.get(value or "", NO_LEVEL) for value in values), dtype=np.int64, count=len(values))
    return Attribute(name=name, codes=codes, levels=tuple(levels))
