"""Errors of the machine's decisions at a threshold, and thresholds chosen by cost or by an error bound."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Proportion
from core.stats import clustered_proportion
from core.stats.intervals import effective_size


class ErrorKind(StrEnum):
    """The error rate that a threshold bounds."""

    WRONG_AMONG_ACCEPTED = "wrong_among_accepted"
    TYPE_1 = "type_1"
    TYPE_2 = "type_2"


class ThresholdBy(StrEnum):
    """How a threshold is chosen."""

    FIXED = "fixed"
    COST = "cost"
    BOUND = "bound"


_KINDS = {
    ErrorKind.WRONG_AMONG_ACCEPTED: "wrong among the accepted",
    ErrorKind.TYPE_1: "accepted among those that people reject",
    ErrorKind.TYPE_2: "rejected among those that people accept",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """How the lowest accepted probability is chosen.

    Attributes:
        value: Fixed: the probability.
        false_accept: By cost: the cost of accepting an answer that people reject.
        false_reject: By cost: the cost of rejecting an answer that people accept.
        kind: By a bound: the bounded error rate.
        most_wrong: By a bound: the largest error rate.
        confidence: By a bound: the confidence that the bound holds.
    """

    by: ThresholdBy = ThresholdBy.FIXED
    value: float = 0.5
    false_accept: float = 1.0
    false_reject: float = 1.0
    kind: ErrorKind = ErrorKind.WRONG_AMONG_ACCEPTED
    most_wrong: float = 0.1
    confidence: float = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenThreshold:
    """A threshold, None where none can be promised, and how it was chosen."""

    value: float | None
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """The two kinds of error at one threshold.

    Attributes:
        threshold: The lowest probability that the machine accepts.
        type_1: Answers that the machine accepts, of those that people reject.
        type_2: Answers that the machine rejects, of those that people accept.
        accepted: Answers that the machine accepts, of all.
        wrong_among_accepted: Answers that people reject, of those that the machine accepts.
    """

    threshold: float
    type_1: Proportion
    type_2: Proportion
    accepted: Proportion
    wrong_among_accepted: Proportion


def errors_at(probabilities: ArrayLike, accepted: ArrayLike, clusters: ArrayLike, threshold: float) -> Errors:
    """Type I and type II error of accepting at a threshold, each with its interval over clusters.

    Args:
        probabilities: Of acceptance by people, shape (n,).
        accepted: Whether people accepted, shape (n,).
        clusters: What each case belongs to, shape (n,).
        threshold: The least probability that is accepted.
    """
    chance, truth = np.asarray(probabilities, dtype=np.float64), np.asarray(accepted, dtype=bool)
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    passes = chance >= threshold

    def share(hits: NDArray[np.bool_], among: NDArray[np.bool_]) -> Proportion:
        return clustered_proportion(hits[among], groups[among])

    everything = np.ones_like(truth)
    return Errors(
        threshold=threshold,
        type_1=share(passes, ~truth),
        type_2=share(~passes, truth),
        accepted=share(passes, everything),
        wrong_among_accepted=share(~truth, passes),
    )


def cheapest_threshold(
    probabilities: ArrayLike, accepted: ArrayLike, *, false_accept: float, false_reject: float
) -> float:
    """The threshold with the lowest mean cost on the labelled cases; the lowest such threshold where several tie.

    Args:
        probabilities: Of acceptance by people, shape (n,).
        accepted: Whether people accepted, shape (n,).
        false_accept: The cost of accepting an answer that people reject.
        false_reject: The cost of rejecting an answer that people accept.

    Raises:
        InvalidInput: A cost is negative, or both are 0.
        InsufficientData: There is no case.

    >>> cheapest_threshold([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1], false_accept=10.0, false_reject=1.0)
    0.8
    """
    if min(false_accept, false_reject) < 0.0 or false_accept + false_reject <= 0.0:
        raise InvalidInput(f"The costs are {false_accept} and {false_reject}.", "Give two costs, at least one above 0.")
    chance, truth = np.asarray(probabilities, dtype=np.float64), np.asarray(accepted, dtype=bool)
    if not chance.size:
        raise InsufficientData(1, 0, "labelled cases")
    candidates = np.append(np.unique(chance), np.inf)
    passes = chance >= candidates[:, None]
    costs = false_accept * (passes & ~truth).sum(axis=1) + false_reject * (~passes & truth).sum(axis=1)
    return float(candidates[int(np.argmin(costs))])


def bounded_threshold(
    probabilities: ArrayLike,
    accepted: ArrayLike,
    *,
    most_wrong: float,
    confidence: float = 0.95,
    kind: ErrorKind = ErrorKind.WRONG_AMONG_ACCEPTED,
    clusters: ArrayLike | None = None,
) -> float | None:
    r"""The threshold that decides the most cases while an error rate keeps to a bound, with confidence.

    Thresholds are tested from the strictest on (fixed sequence), each with the exact upper bound of Clopper and Pearson
    for the error rate, and the search ends at the first that fails: so the probability that the returned threshold
    violates the bound is at most 1 - confidence, however many were tested. For the share of wrong answers among the
    accepted and for the type I error the strictest threshold is the highest, and the lowest that passes is returned;
    for the type II error it is the other way round. Where cases share a source, the bound is taken at the effective
    sample size of :func:`core.stats.clustered_proportion`.

    Args:
        probabilities: Of acceptance by people, shape (n,); on cases that the model was not fitted on.
        accepted: Whether people accepted, shape (n,).
        most_wrong: The bound.
        confidence: Confidence that the bound holds.
        kind: Which error rate is bounded.
        clusters: What each case belongs to, shape (n,); each case alone by default.

    Returns:
        The threshold, None where so few labels promise none.

    Reference:
        A. Angelopoulos, S. Bates, E. Candes, M. Jordan and L. Lei (2021), Learn then test; fixed sequence testing. X.
        Tong, Y. Feng and J. Li (2018), Neyman-Pearson classification algorithms and NP receiver operating
        characteristics: the same for the type I error. E. Korn and B. Graubard (1998) for clusters.
    """
    if not 0.0 < most_wrong < 1.0 or not 0.0 < confidence < 1.0:
        raise InvalidInput(f"The bound is {most_wrong} at confidence {confidence}.", "Give shares between 0 and 1.")
    chance, truth = np.asarray(probabilities, dtype=np.float64), np.asarray(accepted, dtype=bool)
    names = np.arange(truth.size) if clusters is None else np.asarray(clusters)
    _, groups = np.unique(names, return_inverse=True)
    least = int(np.ceil(np.log(1.0 - confidence) / np.log(1.0 - most_wrong)))
    candidates = np.unique(chance)
    promised: float | None = None
    for threshold in candidates if kind is ErrorKind.TYPE_2 else candidates[::-1]:
        passes = chance >= threshold
        if kind is ErrorKind.WRONG_AMONG_ACCEPTED:
            among, wrong = passes, ~truth
        elif kind is ErrorKind.TYPE_1:
            among, wrong = ~truth, passes
        else:
            among, wrong = truth, ~passes
        if int(among.sum()) < least:  # so few promise nothing even without an error, so nothing is tested yet
            continue
        if _upper(wrong[among], groups[among], confidence) > most_wrong:
            break
        promised = float(threshold)
    return promised


def choose_threshold(
    rule: Threshold, probabilities: ArrayLike, accepted: ArrayLike, clusters: ArrayLike | None = None
) -> ChosenThreshold:
    """The threshold a rule gives on labelled cases that the probability model was not fitted on.

    Args:
        rule: Fixed, by cost or by a bound.
        probabilities: Of acceptance by people, shape (n,).
        accepted: Whether people accepted, shape (n,).
        clusters: What each case belongs to, shape (n,).

    Raises:
        InvalidInput: The rule has impossible numbers.
        InsufficientData: There is no case.
    """
    n = np.asarray(probabilities).size
    if rule.by is ThresholdBy.FIXED:
        if not 0.0 <= rule.value <= 1.0:
            raise InvalidInput(f"The threshold is {rule.value}.", "Give a probability from 0 to 1.")
        return ChosenThreshold(value=rule.value, how="fixed")
    if rule.by is ThresholdBy.COST:
        cheapest = cheapest_threshold(
            probabilities, accepted, false_accept=rule.false_accept, false_reject=rule.false_reject
        )
        basis = f"lowest cost on {n} labels: {rule.false_accept:g} a wrong accept, {rule.false_reject:g} a wrong reject"
        if cheapest == np.inf:
            # Just above 1, so that it is a number and nothing reaches it.
            return ChosenThreshold(value=float(np.nextafter(1.0, 2.0)), how=f"{basis}; accepts nothing")
        return ChosenThreshold(value=cheapest, how=basis)
    bounded = bounded_threshold(
        probabilities,
        accepted,
        most_wrong=rule.most_wrong,
        confidence=rule.confidence,
        kind=rule.kind,
        clusters=clusters,
    )
    basis = f"{_KINDS[rule.kind]} at most {rule.most_wrong:.1%} with {rule.confidence:.0%} confidence, on {n} labels"
    return ChosenThreshold(value=bounded, how=basis if bounded is not None else f"none can be promised: {basis}")


def _upper(wrong: NDArray[np.bool_], groups: NDArray[np.intp], confidence: float) -> float:
    """Clopper and Pearson's upper end of a share, at the effective number of independent cases."""
    _, index = np.unique(groups, return_inverse=True)
    sizes = np.bincount(index).astype(np.int64)
    size = float(wrong.size)
    if sizes.size < wrong.size:
        size = effective_size(np.bincount(index[wrong], minlength=sizes.size).astype(np.int64), sizes)
    hits = size * float(wrong.mean())
    return 1.0 if wrong.all() else float(special.betaincinv(hits + 1.0, size - hits, confidence))
