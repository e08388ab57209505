"""Whether a score separates correct from incorrect inside slices."""

from core.weakness.holding.comparing import score_within, scores_within
from core.weakness.holding.records import (
    CHANCE,
    FEW,
    HOLDS,
    LEVELS,
    SOME,
    UNSHOWN,
    Holding,
    HoldingVerdict,
    LevelHolding,
)

__all__ = [
    "CHANCE",
    "FEW",
    "HOLDS",
    "LEVELS",
    "SOME",
    "UNSHOWN",
    "Holding",
    "HoldingVerdict",
    "LevelHolding",
    "score_within",
    "scores_within",
]
