"""Whether a score holds inside levels, and the same in a sentence with the area of each level."""

from __future__ import annotations

from dataclasses import replace

from core.domain.estimates import Estimate
from core.weakness.holding.records import CHANCE, FEW, HOLDS, LEVELS, SOME, UNSHOWN, Holding, HoldingVerdict

MOST = 0.5
"""The largest share of the pooled AUC's excess over one half that may be lost inside the levels."""
UNEQUAL = 0.05
"""The p-value up to which areas of levels are called unequal."""
LEAST_EFFECT = 0.1
"""The smallest difference that counts: of the areas of two levels, and of an area from chance where they differ."""
LEAST_SHARE = 0.1
"""Levels where the score is not shown to separate anything count from this share of the cases on."""
NAMED = 4
"""So many levels are named with their areas, those where the score tells least first."""


def decided(holding: Holding) -> Holding:
    """The same with its verdict and its sentence."""
    # With one level there is no comparison inside levels.
    verdict = _verdict(holding) if len(holding.levels) > 1 else FEW
    return replace(holding, verdict=verdict, sentence=_sentence(replace(holding, verdict=verdict)))


def _verdict(holding: Holding) -> HoldingVerdict:
    pooled, within, lost, share = holding.pooled, holding.within, holding.lost, holding.share
    if pooled.low is None or within.low is None or lost.low is None:
        return FEW
    if max(pooled.low, within.low) > 0.5 and lost.low > 0.0 and share is not None and share >= MOST:
        return LEVELS
    areas = [(level.auc.value, level.auc.low) for level in holding.levels]
    known = [(value, low) for value, low in areas if value is not None and low is not None]
    telling = [low > 0.5 and value >= 0.5 + LEAST_EFFECT for value, low in known]
    if _unequal(holding) and any(telling) and not all(telling):
        return SOME
    if within.low > 0.5:
        least = max((value for value, _ in known), default=1.0) - LEAST_EFFECT
        doubtful = sum(
            level.right + level.wrong
            for level in holding.levels
            if level.auc.value is not None
            and level.auc.low is not None
            and level.auc.low <= 0.5
            and level.auc.value <= least
        )
        return UNSHOWN if doubtful >= LEAST_SHARE * (holding.right + holding.wrong) else HOLDS
    return FEW if pooled.low > 0.5 else CHANCE


def _unequal(holding: Holding) -> bool:
    """Whether the areas of the levels are shown to differ, by enough to matter."""
    spread, p_value = holding.equality.spread, holding.p_adjusted
    return spread is not None and p_value is not None and spread >= LEAST_EFFECT and p_value <= UNEQUAL


def _sentence(holding: Holding) -> str:
    """The verdict with its figures and the area of each level."""
    name, verdict, pooled, within = holding.attribute, holding.verdict, holding.pooled, holding.within
    if pooled.value is None:
        return "There are no cases with a score both among the right and among the wrong ones."
    if within.value is None:
        return f"No level of {name} has both right and wrong cases, so the score cannot be assessed inside the levels."
    if len(holding.levels) == 1:
        return f"All cases have one level of {name}: inside it the figures are those of all cases."
    figures = f"AUC {_figure(within)} inside the levels of {name}, {_figure(pooled)} over all cases"
    by_level = _by_level(holding)
    if verdict == FEW:
        return f"There are too few cases to decide whether the score holds: {figures}."
    if verdict == CHANCE:
        return f"The score is not shown to separate right from wrong: {figures}."
    if verdict == HOLDS:
        unequal = ", though not equally well" if _unequal(holding) else ""
        return f"The score separates right from wrong inside the levels too{unequal}: {figures}. {by_level}"
    if verdict == SOME:
        p_value = "" if holding.p_adjusted is None else f" (equal areas: p {_p_value(holding.p_adjusted)})"
        return f"The score separates right from wrong in some levels only{p_value}: {figures}. {by_level}"
    if verdict == UNSHOWN:
        return f"The score separates right from wrong on average, but not shown in every level: {figures}. {by_level}"
    part = "Most of the score's discrimination" if within.low is not None and within.low > 0.5 else "The discrimination"
    return f"{part} comes from differences between levels: {figures}. {by_level}"


def _by_level(holding: Holding) -> str:
    """The area of each level with its interval, the lowest first; levels with too few cases are counted."""
    areas = sorted(
        (
            (level.auc.value, level)
            for level in holding.levels
            if level.auc.value is not None and level.auc.low is not None
        ),
        key=lambda pair: pair[0],
    )
    told = [f"{level.level} {_figure(level.auc)}" for _, level in areas[:NAMED]]
    if len(areas) > NAMED:
        told.append(f"{len(areas) - NAMED:,} more up to {areas[-1][0]:.2f}")
    few = len(holding.levels) - len(areas)
    if few:
        told.append(f"{few:,} {'level' if few == 1 else 'levels'} with too few cases")
    return f"By level: {', '.join(told)}."


def _p_value(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _figure(area: Estimate) -> str:
    if area.low is None or area.high is None:
        return f"{area.value:.2f}"
    return f"{area.value:.2f} [{area.low:.2f}, {area.high:.2f}]"
