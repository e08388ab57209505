"""The draw of cases to label: a random share and a targeted draw, each case with its exact inclusion probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.results.labels import Part
from core.labelling.sampling.records import Draw, DrawCount, Drawn, DrawPlan, Population
from core.labelling.sampling.sizes import coverage_sizes, disagreement_sizes, score_strata, uncertainty_sizes
from core.labelling.sampling.unequal import capped, systematic

__all__ = ["Draw", "DrawCount", "DrawPlan", "Population", "draw_cases"]

Floats = npt.NDArray[np.float64]

UNCERTAIN: Final = "uncertain"
DIFFER: Final = "metrics differ"
COVERAGE: Final = "coverage"


def draw_cases(population: Population, plan: DrawPlan) -> Draw:
    r"""Draws cases to label; the chance of each to be drawn is exact and comes with it.

    Two independent draws, both from the whole population of N cases:

    - the random share, :math:`n_r` cases without replacement, each with chance :math:`p_r = n_r / N`;
    - the targeted draw of a fixed number :math:`n_t` with unequal chances
      :math:`p_i = \sum_j n_j s_{ij} / \sum_k s_{kj}`, the sizes s of the reasons j (near the threshold, metrics differ,
      coverage) mixed by their shares; where that is above 1 it is 1 and the others grow so that the sum stays
      :math:`n_t`. Cases are drawn systematically: laid end to end, by stratum and in random order within it, each
      as long as its chance, and hit by points one apart from a random start. A case is never hit twice, and its chance
      is its length, whatever the order (Madow 1949).

    A case of both counts as random. The chance of a case to be drawn at all is therefore exactly
    :math:`1 - (1 - p_r)(1 - p_i)`; its inverse is the weight of the case in every estimate over all cases. With it the
    Horvitz-Thompson total is unbiased and the Hajek mean, the weighted one, nearly so; the plain mean of such a draw is
    not. Not exact are variances: two cases have no joint chance in closed form, so cases are taken for independent.

    :math:`n_t = (total - n_r) / (1 - p_r)`, rounded, so that the cases of both draws together are as many as wanted on
    average. Unscored cases can only be drawn at random. Where the total is the whole population or more, every case is
    drawn, at random.

    Args:
        population: The cases that may be drawn.
        plan: How many to draw, and for which reasons.

    Raises:
        InvalidInput: The plan's shares do not sum to 1 or lie outside 0 to 1, the total is 0, there is no case, or a
            reason lacks its data: no score, no threshold, a single metric, metrics that never differ.

    Reference:
        D. G. Horvitz and D. J. Thompson (1952), A generalization of sampling without replacement from a finite
        universe. J. Hajek (1971), comment on an essay by D. Basu. W. G. Madow (1949), On the theory of systematic
        sampling, II.
    """
    _check(population, plan)
    free = population.open
    n = int(free.sum())
    number = n if plan.total >= n else round(plan.total * plan.random_share)
    if plan.random_share > 0.0:
        number = max(number, 1)
    p_random = number / n
    order = np.random.default_rng([plan.seed, 0])
    at_random = np.zeros(free.size, dtype=bool)
    at_random[np.flatnonzero(free)[order.choice(n, size=number, replace=False)]] = True
    n_targeted = 0 if number == n else round((plan.total - number) / (1.0 - p_random))
    strata = _strata(population, plan)
    reasons = _reasons(population, plan, strata) if n_targeted else {}
    chances, would_be, by_reason = _chances(reasons, plan, n_targeted, population)
    targeted = systematic(chances, strata, np.random.default_rng([plan.seed, 1])) & ~at_random
    reason_of_place = _attributed(by_reason, targeted, np.random.default_rng([plan.seed, 2]))
    probabilities = 1.0 - (1.0 - p_random) * (1.0 - would_be)
    places = np.flatnonzero(at_random | targeted).tolist()
    items = []
    for place in places:
        reason = reason_of_place.get(place, "")
        items.append(
            Drawn(
                case_id=population.case_ids[place],
                part=Part.RANDOM if at_random[place] else Part.TARGETED,
                stratum=strata[place] if reason == COVERAGE else reason,
                probability=float(probabilities[place]),
            )
        )
    clusters = population.clusters
    return Draw(
        items=tuple(items),
        counts=_counts(items, plan, reasons, strata, number, free),
        population=n,
        unscored=int(np.isnan(population.scores[free, 0]).sum()) if population.names else n,
        unreachable=int((probabilities[free] <= 0.0).sum()),
        sources=None if clusters is None else len({clusters[place] for place in places}),
        random_probability=p_random,
        probabilities=probabilities,
        plan=plan,
    )


def _check(population: Population, plan: DrawPlan) -> None:
    shares = (plan.random_share, plan.uncertainty, plan.disagreement, plan.coverage)
    if not all(0.0 <= share <= 1.0 for share in shares) or abs(sum(shares) - 1.0) > 1e-6:
        listed = ", ".join(f"{share:g}" for share in shares)
        raise InvalidInput(f"The shares of the draw are {listed}.", "Give shares from 0 to 1 that sum to 1.")
    if plan.total < 1:
        raise InvalidInput(f"{plan.total} cases cannot be drawn.", "Ask for at least one.")
    if plan.bins < 1:
        raise InvalidInput(f"A score cannot be cut into {plan.bins} parts.", "Give at least one.")
    n = len(population.case_ids)
    if not population.open.any():
        raise InvalidInput("There is no case to draw from.", "Run the target, or include labelled cases again.")
    beside = (population.probability, population.topics, population.clusters, population.known, population.done)
    shapes = [len(column) for column in beside if column is not None]
    if population.scores.shape != (n, len(population.names)) or any(length != n for length in shapes):
        raise InvalidInput("Scores, topics and cases differ in number.", "Give one of each for each case.")


def _reasons(population: Population, plan: DrawPlan, strata: Sequence[str]) -> Mapping[str, tuple[float, Floats]]:
    """By reason its share of the plan and the size of each case, to which its chance is proportional."""
    sizes_by_reason: dict[str, tuple[float, Floats]] = {}
    if plan.uncertainty:
        sizes_by_reason[UNCERTAIN] = plan.uncertainty, _uncertainty(population)
    if plan.disagreement:
        lower = population.lower or [False] * len(population.names)
        if len(population.names) < 2:
            raise InvalidInput("Disagreement needs two metrics.", "Choose another metric, or draw for another reason.")
        sizes_by_reason[DIFFER] = plan.disagreement, disagreement_sizes(population.scores, lower)
    if plan.coverage:
        if not population.names:
            raise InvalidInput("Coverage needs a metric.", "Choose one, or draw at random.")
        sizes_by_reason[COVERAGE] = plan.coverage, coverage_sizes(strata)
    eligible = _eligible(population)
    for reason, (_, sizes) in sizes_by_reason.items():
        if not sizes[eligible].any():
            raise InvalidInput(
                f"No case can be drawn for {reason!r}: there is no score, no two differ, or all were drawn before.",
                "Choose other metrics, or draw at random.",
            )
    return sizes_by_reason


def _uncertainty(population: Population) -> Floats:
    if population.threshold is None:
        raise InvalidInput("Uncertainty needs a threshold.", "Give the lowest value at which an answer is accepted.")
    if population.probability is not None:
        return uncertainty_sizes(population.probability, population.threshold, probability=True)
    if not population.names:
        raise InvalidInput("Uncertainty needs a metric or a calibration.", "Choose one, or draw at random.")
    return uncertainty_sizes(population.scores[:, 0], population.threshold, probability=False)


def _strata(population: Population, plan: DrawPlan) -> tuple[str, ...]:
    if not population.names:
        return ("",) * len(population.case_ids)
    return score_strata(population.scores[:, 0], plan.bins, population.names[0], population.topics)


def _eligible(population: Population) -> npt.NDArray[np.bool_]:
    """Which cases the targeted draw may take."""
    return population.open if population.known is None else population.open & ~population.known


def _chances(
    reasons: Mapping[str, tuple[float, Floats]], plan: DrawPlan, number: int, population: Population
) -> tuple[Floats, Floats, Mapping[str, Floats]]:
    """Chances in the targeted draw: as they are, as they would be of cases drawn before too, and by reason.

    Those of the cases that can be drawn sum to a whole number.
    """
    eligible = _eligible(population)
    targeted = plan.uncertainty + plan.disagreement + plan.coverage
    by_reason = {
        reason: number * share / targeted * sizes / sizes[eligible].sum() for reason, (share, sizes) in reasons.items()
    }
    mixed = np.sum(list(by_reason.values()), axis=0) if by_reason else np.zeros(eligible.size)
    chances = capped(mixed * eligible, number)
    grown = (chances > 0.0) & (chances < 1.0)
    factor = float((chances[grown] / mixed[grown]).max()) if grown.any() else 1.0
    return chances, np.where(eligible, chances, np.minimum(mixed * factor, 1.0)), by_reason


def _attributed(
    by_reason: Mapping[str, Floats], targeted: npt.NDArray[np.bool_], rng: np.random.Generator
) -> dict[int, str]:
    """One reason for each targeted case, drawn by what each reason added to its chance."""
    if not by_reason:
        return {}
    names = list(by_reason)
    shares = np.stack(list(by_reason.values()))
    reasons = {}
    for place in np.flatnonzero(targeted):
        contributions = shares[:, place]
        reasons[int(place)] = names[int(rng.choice(len(names), p=contributions / contributions.sum()))]
    return reasons


def _counts(
    items: Sequence[Drawn],
    plan: DrawPlan,
    reasons: Mapping[str, tuple[float, Floats]],
    strata: Sequence[str],
    number: int,
    free: npt.NDArray[np.bool_],
) -> tuple[DrawCount, ...]:
    drawn_counts = Counter((item.part, item.stratum) for item in items)
    available = Counter(stratum for stratum, may in zip(strata, free.tolist(), strict=True) if may)
    counts = [
        DrawCount(
            part=Part.RANDOM,
            stratum="",
            requested=float(number),
            drawn=drawn_counts[Part.RANDOM, ""],
            population=int(free.sum()),
        )
    ]
    for reason, (share, sizes) in reasons.items():
        requested = plan.total * share
        names = sorted(stratum for stratum in available if stratum) if reason == COVERAGE else [reason]
        sized = available if reason == COVERAGE else Counter({reason: int((sizes[free] > 0.0).sum())})
        counts += [
            DrawCount(
                part=Part.TARGETED,
                stratum=name,
                requested=requested / len(names),
                drawn=drawn_counts[Part.TARGETED, name],
                population=sized[name],
            )
            for name in names
        ]
    return tuple(counts)
