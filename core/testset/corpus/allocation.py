"""How many questions each stratum gets; exact arithmetic, no randomness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from core.domain.errors import InvalidInput
from core.testset.topics.strata import Stratum


class Allocation(StrEnum):
    """The basis of the strata's shares."""

    PROPORTIONAL = "proportional"
    EQUAL = "equal"
    WEIGHTED = "weighted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One row of the plan.

    Attributes:
        chunks: How many the stratum has.
        weight: The weight that its share is proportional to.
        ideal: Its exact share of the budget, before the minimum, the limit and rounding.
        available: Questions it can give at most.
        requested: Questions requested of it.
        reason: Why the request differs from the rounded share, or empty.
    """

    stratum: Stratum
    chunks: int
    weight: float
    ideal: float
    available: int
    requested: int
    reason: str = ""


def allocate(
    sizes: Mapping[Stratum, int],
    budget: int,
    *,
    allocation: Allocation = Allocation.PROPORTIONAL,
    weights: Mapping[Stratum, float] | None = None,
    minimum: int = 0,
    per_chunk: int = 1,
) -> tuple[Share, ...]:
    """Divides a budget of questions among strata.

    Every stratum first gets the minimum, or all it has where that is less; the rest is divided in proportion to the
    weights. A stratum that would be outside its bounds is fixed there and the others share the remainder. Shares are
    rounded by the largest remainder; equal remainders go to the larger weight, then to the earlier stratum. The sum is
    the budget, or all that can be given where that is less; a stratum of weight 0 gets the minimum and no more.

    Args:
        sizes: Chunks of each stratum.
        budget: Questions in all.
        allocation: Proportional to the chunks, equal, or by `weights`.
        weights: Importance or usage counts, for `WEIGHTED`; a stratum that is not named weighs 0.
        minimum: Questions of a stratum at least.
        per_chunk: Questions one chunk can give at most.

    Returns:
        A row of each stratum, in rising order.

    Raises:
        InvalidInput: A number is negative, weights are missing or all 0 or name an unknown stratum, or the minimum of
            all strata is more than the budget.
    """
    strata = sorted(sizes)
    _check(sizes, budget, minimum, per_chunk)
    weight = _weights(sizes, allocation, weights)
    limit = {stratum: sizes[stratum] * per_chunk for stratum in strata}
    least = {stratum: min(minimum, limit[stratum]) for stratum in strata}
    if sum(least.values()) > budget:
        raise InvalidInput(
            f"At least {minimum} questions for each of {len(strata)} strata make {sum(least.values())}, and the budget "
            f"is {budget}.",
            "Raise the budget, lower the minimum, or merge topics.",
        )
    total = min(budget, sum(limit[stratum] if weight[stratum] else least[stratum] for stratum in strata))
    exact = _bounded_shares(weight, least, limit, total)
    requested = _rounded(exact, weight, limit, total)
    sum_of_weights = sum(weight.values())
    return tuple(
        Share(
            stratum=stratum,
            chunks=sizes[stratum],
            weight=float(weight[stratum]),
            ideal=(ideal := float(budget * weight[stratum] / sum_of_weights)) if sum_of_weights else 0.0,
            available=limit[stratum],
            requested=requested[stratum],
            reason=_reason(requested[stratum], ideal if sum_of_weights else 0.0, least[stratum], limit[stratum]),
        )
        for stratum in strata
    )


def _check(sizes: Mapping[Stratum, int], budget: int, minimum: int, per_chunk: int) -> None:
    for name, value, lowest in (
        ("The budget", budget, 0),
        ("The minimum of a stratum", minimum, 0),
        ("The number of questions of a chunk", per_chunk, 1),
        ("The number of chunks of a stratum", min(sizes.values(), default=0), 0),
    ):
        if value < lowest:
            raise InvalidInput(f"{name} cannot be {value}.", f"Give {lowest} or more.")


def _weights(
    sizes: Mapping[Stratum, int], allocation: Allocation, weights: Mapping[Stratum, float] | None
) -> dict[Stratum, Fraction]:
    if allocation is Allocation.PROPORTIONAL:
        return {stratum: Fraction(size) for stratum, size in sizes.items()}
    if allocation is Allocation.EQUAL:
        return {stratum: Fraction(1) for stratum in sizes}
    stated_weights = weights or {}
    if unknown := sorted(set(stated_weights) - set(sizes)):
        raise InvalidInput(
            f"There is no stratum {_label(unknown[0])}.",
            f"The strata are: {', '.join(map(_label, sorted(sizes)))}.",
        )
    for stratum, value in stated_weights.items():
        if not 0 <= value < float("inf"):
            raise InvalidInput(f"The weight of {_label(stratum)} cannot be {value}.", "Give 0 or more.")
    if sizes and not any(stated_weights.values()):
        raise InvalidInput("No stratum has a weight.", "Give importance or usage counts, at least one above 0.")
    return {stratum: Fraction(stated_weights.get(stratum, 0)) for stratum in sizes}


def _bounded_shares(
    weight: Mapping[Stratum, Fraction], least: Mapping[Stratum, int], limit: Mapping[Stratum, int], total: int
) -> dict[Stratum, Fraction]:
    """Shares that sum to the total, in proportion to the weights, each within its bounds.

    share(c) = clamp(c * weight, least, limit) for the one c at which they sum to the total; found exactly, since the
    sum is linear between the points where a stratum leaves a bound.
    """

    def at(scale: Fraction) -> dict[Stratum, Fraction]:
        return {
            stratum: min(max(scale * weight[stratum], Fraction(least[stratum])), Fraction(limit[stratum]))
            for stratum in weight
        }

    turns = sorted(
        {
            Fraction(bound[stratum]) / weight[stratum]
            for bound in (least, limit)
            for stratum in weight
            if weight[stratum]
        }
    )
    low, high = 0, len(turns)
    while low < high:  # the last point at which the sum is still below the total
        middle = (low + high) // 2
        if sum(at(turns[middle]).values()) < total:
            low = middle + 1
        else:
            high = middle
    below = turns[low - 1] if low else Fraction(0)
    base = at(below)
    missing = total - sum(base.values())
    moving = [
        stratum for stratum in weight if weight[stratum] and least[stratum] <= below * weight[stratum] < limit[stratum]
    ]
    slope = sum((weight[stratum] for stratum in moving), Fraction(0))
    return at(below + missing / slope) if missing and slope else base


def _rounded(
    exact: Mapping[Stratum, Fraction], weight: Mapping[Stratum, Fraction], limit: Mapping[Stratum, int], total: int
) -> dict[Stratum, int]:
    counts = {stratum: int(share) for stratum, share in exact.items()}
    order = sorted(exact, key=lambda stratum: (counts[stratum] - exact[stratum], -weight[stratum], stratum))
    for stratum in order[: total - sum(counts.values())]:
        counts[stratum] += 1
    return counts


def _reason(requested: int, ideal: float, least: int, limit: int) -> str:
    if abs(requested - ideal) < 1:
        return ""
    if requested == limit and requested < ideal:
        return f"only {limit} available"
    if requested == least and requested > ideal:
        return f"raised to the minimum of {least}"
    return "shares what other strata cannot give" if requested > ideal else "gives to the minimum of other strata"


def _label(stratum: Stratum) -> str:
    return f"{stratum.topic} / {stratum.value}" if stratum.value else str(stratum.topic)
