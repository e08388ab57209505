"""What a comparison of a score with the verdict inside levels finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.domain.estimates import Estimate
from core.stats.ranks.equal_areas import EqualAreas

HoldingVerdict = Literal[
    "holds",
    "holds in some levels only",
    "not shown in every level",
    "comes from differences between levels",
    "no better than chance",
    "too few",
]
HOLDS: HoldingVerdict = "holds"
SOME: HoldingVerdict = "holds in some levels only"
UNSHOWN: HoldingVerdict = "not shown in every level"
LEVELS: HoldingVerdict = "comes from differences between levels"
CHANCE: HoldingVerdict = "no better than chance"
FEW: HoldingVerdict = "too few"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelHolding:
    """One level of an attribute.

    Attributes:
        level: Its name.
        right: Cases that are right, with a score.
        wrong: Cases that are wrong, with a score.
        auc: Chance that a right one scores above a wrong one of this level; no value where one of both is missing.
    """

    level: str
    right: int
    wrong: int
    auc: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A score against the verdict, over all cases and inside the levels of an attribute.

    Attributes:
        attribute: Its name.
        right: Cases that are right, with a score and a level.
        wrong: The same of those that are wrong.
        outside: Cases with score and verdict that lack the attribute; they are in no figure.
        unscored: Cases without score or verdict; they are in no figure.
        pooled: The AUC over all pairs of a right and a wrong case.
        within: The AUC over the pairs of one level only, the mean of the levels weighted by their pairs.
        lost: The pooled AUC less that within the levels.
        share: That as a share of the pooled AUC's excess over one half; None without an excess.
        pairs_inside: Share of all pairs that lie in one level.
        levels: Those that have a case, in the order of the attribute.
        equality: The test that the score separates equally well in all levels.
        p_adjusted: Its p-value adjusted over the attributes that were looked at together; None where it has none.
        verdict: "holds" inside the levels; "holds in some levels only", where areas are shown to differ and one is not
            shown to lie above one half, or hardly does; "not shown in every level", where one lies clearly lower and
            may tell nothing, without a proof; "comes from differences between levels", all or most of it; "no better
            than chance" either way; or "too few" cases to decide.
        sentence: The same in plain words, with the area of each level.
    """

    attribute: str
    right: int
    wrong: int
    outside: int
    unscored: int
    pooled: Estimate
    within: Estimate
    lost: Estimate
    share: float | None
    pairs_inside: float
    levels: tuple[LevelHolding, ...]
    equality: EqualAreas
    p_adjusted: float | None
    verdict: HoldingVerdict = FEW
    sentence: str = ""
