"""Options and report of the slice finder."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.weakness.options import WeaknessOptions
from core.weakness.table import Ints

Conditions = tuple[tuple[str, str], ...]
"""Attribute and level, of one to three attributes."""

DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceOptions:
    """How slices are searched and what counts as weak.

    Attributes:
        depth: Greatest number of conditions, 1 to 3.
        q: Share of false alarms among what is called weak that is accepted on average.
        min_effect: How much worse than the rest a slice must be on either half, in units of the score; for a score
            without bounds, of its standard deviation.
        least: Clusters with a score that a slice has in each half, fewer are not looked at; and as many outside it.
        most: Slices carried to the test.
        seed: Of the halves.
    """

    depth: int = 3
    q: float = 0.10
    min_effect: float = 0.10
    least: int = 8
    most: int = 25
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise InvalidInput(f"Slices of {self.depth} attributes cannot be searched.", "Choose 1, 2 or 3.")
        if self.most < 1:
            raise InvalidInput(f"{self.most} slices is too few.", "Carry 1 or more to the test, such as 25.")
        self.weakness()

    def weakness(self) -> WeaknessOptions:
        """What counts as weak, as the maps have it."""
        return WeaknessOptions(q=self.q, min_effect=self.min_effect, least=self.least)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slice:
    """Cases that share one to three attributes' levels.

    Attributes:
        conditions: Attribute and level.
        same_as: Conditions of other attributes that split the cases in just the same way.
        n: Cases, of all.
        scored: Cases with a score, of all.
        clusters: Clusters with a score, of all.
        mean: Of the held-out half.
        rest: All other cases of the held-out half.
        effect: How much worse the slice is than the rest on the held-out half, positive is worse.
        p_value: One-sided, on the held-out half.
        p_adjusted: After Benjamini and Hochberg over the slices carried.
        weak: Shown on the held-out half at the false discovery rate, at least the least effect on both halves, and not
            explained by another one.
        found_effect: How much worse it was in the half it was found in; chosen because it is large, and so too large.
        found_n: Cases there.
        explained_by: Conditions of another weak slice that explains this one, or none.
        cases: Positions in the table, those without a score too.
        held_out: Positions of those of the held-out half with a score, which mean, effect and p-value rest on.
    """

    conditions: Conditions
    same_as: Conditions
    n: int
    scored: int
    clusters: int
    mean: Estimate
    rest: Estimate
    effect: Estimate
    p_value: float
    p_adjusted: float
    weak: bool
    found_effect: float
    found_n: int
    explained_by: Conditions
    cases: Ints
    held_out: Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SliceReport:
    """The result of the slice finder.

    Attributes:
        slices: Those carried to the test: the weak ones first, by effect; then the others, by p-value.
        tried: Conjunctions with enough cases.
        carried: How many were tested.
        discovery: Scored cases of the half they were found in.
        held_out: Scored cases of the half they were tested on.
        unscored: Cases without a score, which are in neither.
        same: Attributes that split the cases in just the same way, searched as one.
        left_out: Attributes that were not searched, and why.
        reason: Why nothing could be searched, or empty.
    """

    slices: tuple[Slice, ...] = ()
    tried: int = 0
    carried: int = 0
    discovery: int = 0
    held_out: int = 0
    unscored: int = 0
    same: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    reason: str = ""

    @property
    def weak(self) -> tuple[Slice, ...]:
        """Those that are weak."""
        return tuple(item for item in self.slices if item.weak)
