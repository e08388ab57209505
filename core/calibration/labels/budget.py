"""The number of further labels for an interval of a target width, over all cases and by stratum."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.calibration.labels.prediction_powered import (
    LEAST_LABELS,
    PredictionPowered,
    design_effect,
    linearised,
    prediction_powered_mean,
)
from core.domain.errors import InvalidInput

Floats = NDArray[np.float64]

LEAST_OF_A_STRATUM = 2
"""The smallest number of labels for an estimate of the spread inside a stratum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsNeeded:
    """Labels for an interval of the target width, by one estimator.

    Attributes:
        width_now: Width of the interval with the present labels.
        total: Labels in all; None where the run has too few cases for that width.
        more: Of these, labels still to be collected.
    """

    width_now: float
    total: int | None
    more: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumBudget:
    """The share of one stratum in the labels.

    Attributes:
        cases: Cases of the run in the stratum.
        labelled: Cases labelled so far.
        spread: Standard deviation of the residuals inside the stratum; shrunk towards that of all cases where there are
            few labels.
        total: Labels planned in all; never fewer than the present ones.
        more: Labels still to be collected.
    """

    stratum: str
    cases: int
    labelled: int
    spread: float
    total: int
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The labels needed for a target width.

    Attributes:
        width: The target width of the 95% interval.
        labels: Cases rated so far; all numbers of labels here count such cases, judged or not.
        cases: Cases with a score.
        design_effect: Variance over that of as many independent cases, from clusters and weights.
        labels_only: Labels needed without the scores.
        with_scores: Labels needed with them (PPI++).
        strata: The allocation to strata of the labels of `with_scores` (or, where that is unreachable, of all cases).
        sentence: The same in plain words.
    """

    width: float
    labels: int
    cases: int
    design_effect: float
    labels_only: LabelsNeeded
    with_scores: LabelsNeeded
    strata: tuple[StratumBudget, ...]
    sentence: str


def plan_labels(
    labels: ArrayLike,
    predictions: ArrayLike,
    all_predictions: ArrayLike,
    *,
    width: float,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    all_clusters: ArrayLike | None = None,
    judged: ArrayLike | None = None,
    strata: Sequence[Hashable] | None = None,
    all_strata: Sequence[Hashable] | None = None,
    low: float = 0.0,
    high: float = 1.0,
) -> Budget:
    r"""The number of labels for an interval of the target width around the mean label, with and without the scores.

    The present labels give the variance of one label, :math:`v_1 = n \widehat{\mathrm{Var}}`, clusters and
    weights included, and for PPI++ that of a residual and the tuned :math:`\lambda`. With n labels the variance of the
    mean is :math:`v_1 / n` and, with the scores of N cases and :math:`a = \lambda (N - n) / N`,

    .. math:: v(Y - a f) / n + a^2 \mathrm{Var}(f) / (N - n)

    and the width that of :func:`core.calibration.labels.prediction_powered.prediction_powered_mean` with that
    variance. The smallest n that keeps to the width is searched. Strata get labels in proportion to :math:`N_h S_h`
    (Neyman's allocation). Where some cases could not be judged, n counts cases to rate, of which the same share as so
    far is assumed to get a label, and Y is the linearised label.

    Args:
        labels: So far, shape (n,).
        predictions: Of the same cases, on the labels' scale, such as calibrated probabilities, shape (n,).
        all_predictions: Of every scored case, shape (N,).
        width: Target width, from end to end.
        weights: One over the chance to be labelled, shape (n,).
        clusters: What each labelled case belongs to, shape (n,).
        all_clusters: What every scored case belongs to, shape (N,).
        judged: Which of the rated cases have a label, shape (n,); all by default.
        strata: The stratum of each labelled case; with `all_strata`.
        all_strata: The stratum of every scored case.
        low: Least possible mean.
        high: Greatest possible mean.

    Raises:
        InsufficientData: Fewer than ten labels, or clusters of them: nothing is known about the spread.
        InvalidInput: The width is not between 0 and that of the scale, or strata do not fit.

    Reference:
        J. Neyman (1934), On the two different aspects of the representative method. A. Angelopoulos, J. Duchi and T.
        Zrnic (2023), PPI++.
    """
    if not 0.0 < width < high - low:
        raise InvalidInput(f"The width is {width}.", f"Give one above 0 and below {high - low:g}.")
    truth, predicted, all_predicted = (
        np.asarray(array, dtype=np.float64) for array in (labels, predictions, all_predictions)
    )
    powered = prediction_powered_mean(
        truth,
        predicted,
        all_predicted,
        weights=weights,
        clusters=clusters,
        all_clusters=all_clusters,
        judged=judged,
        low=low,
        high=high,
    )
    omega = np.ones(truth.size) if weights is None else np.asarray(weights, dtype=np.float64)
    omega = omega * truth.size / omega.sum()
    groups = np.arange(truth.size) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    has_label = np.ones(truth.shape, dtype=bool) if judged is None else np.asarray(judged, dtype=bool)
    truth = linearised(truth, omega, has_label)
    spread = _Spread(truth, predicted, omega, groups)
    sizes = np.arange(LEAST_LABELS, all_predicted.size + 1)
    per_cluster = truth.size / np.unique(groups[has_label]).size
    reach = special.stdtrit(np.maximum(sizes / per_cluster - 1.0, 1.0), 0.975)
    share = (float((omega * truth).mean()) - low) / (high - low)

    value = powered.estimate.value if powered.estimate.value is not None else share

    def widths(variances: Floats, around: float) -> Floats:
        return (high - low) * _widths(share, around, variances / (high - low) ** 2, sizes / per_cluster, reach)

    plain = widths(spread.of_labels() / sizes, share)
    effect = design_effect(all_predicted, all_clusters)
    with_scores = widths(spread.with_scores(powered.power, sizes, all_predicted, effect), (value - low) / (high - low))
    label_need = _needed(plain, sizes, width, truth.size)
    score_need = _needed(with_scores, sizes, width, truth.size)
    independent = float((omega * np.square(truth - (omega * truth).mean())).mean())
    goal = score_need.total if score_need.total is not None else int(all_predicted.size)
    return Budget(
        width=width,
        labels=int(truth.size),
        cases=int(all_predicted.size),
        design_effect=max(spread.of_labels() / independent, 1.0) if independent > 1e-12 else per_cluster,
        labels_only=label_need,
        with_scores=score_need,
        strata=_by_stratum(truth - powered.power * predicted, strata, all_strata, goal, all_predicted.size, high - low),
        sentence=_sentence(width, label_need, score_need, powered) + _looked_at(has_label),
    )


class _Spread:
    """Variance of one label, or of its residual given the score, with clusters and weights: n times a mean's."""

    def __init__(self, truth: Floats, predicted: Floats, omega: Floats, groups: NDArray[np.intp]) -> None:
        count = int(groups.max()) + 1
        away = [values - float((omega * values).mean()) for values in (truth, predicted)]
        sums = np.stack([np.bincount(groups, weights=omega * part, minlength=count) for part in away])
        self._squares = count / (count - 1) * sums @ sums.T / truth.size

    def of_labels(self) -> float:
        return float(self._squares[0, 0])

    def with_scores(self, power: float, sizes: NDArray[np.int64], all_predicted: Floats, effect: float) -> Floats:
        """Variance of the PPI++ mean for each number of labels."""
        trust = power * (all_predicted.size - sizes) / all_predicted.size
        labels_part = self._squares[0, 0] - 2.0 * trust * self._squares[0, 1] + np.square(trust) * self._squares[1, 1]
        scores_part = (
            effect * np.square(trust) * float(all_predicted.var(ddof=1)) / np.maximum(all_predicted.size - sizes, 1)
        )
        return np.asarray(np.maximum(labels_part, 0.0) / sizes + scores_part)


def _widths(share: float, around: float, variances: Floats, clusters: Floats, reach: Floats) -> Floats:
    """Widths of Wilson's interval around an estimate at the effective numbers of labels, on the scale of 0 to 1."""
    flat = (variances <= 1e-15) | (share * (1.0 - share) <= 0.0)
    size = np.where(flat, clusters, share * (1.0 - share) / np.where(flat, 1.0, variances))
    inner = around * (1.0 - around) / size + np.square(reach) / (4.0 * np.square(size))
    return np.asarray(2.0 * reach * np.sqrt(inner) / (1.0 + np.square(reach) / size))


def _needed(widths: Floats, sizes: NDArray[np.int64], width: float, have: int) -> LabelsNeeded:
    enough = np.flatnonzero(widths <= width)
    total = int(sizes[enough[0]]) if enough.size else None
    return LabelsNeeded(
        width_now=float(widths[have - int(sizes[0])]) if have >= sizes[0] else float(widths[0]),
        total=total,
        more=None if total is None else max(total - have, 0),
    )


def _by_stratum(
    residuals: Floats,
    strata: Sequence[Hashable] | None,
    all_strata: Sequence[Hashable] | None,
    goal: int,
    cases: int,
    span: float,
) -> tuple[StratumBudget, ...]:
    if strata is None or all_strata is None:
        return ()
    if len(strata) != residuals.size or len(all_strata) != cases:
        raise InvalidInput("The strata do not fit the cases.", "Give one for each labelled and each scored case.")
    names = sorted({str(name) for name in all_strata})
    of, among = np.array([str(name) for name in strata]), np.array([str(name) for name in all_strata])
    sizes = np.array([int((among == name).sum()) for name in names])
    have = np.array([int((of == name).sum()) for name in names])
    pooled = float(residuals.var())
    # The variance of a few residuals is drawn towards that of all, as if four more had it.
    spreads = np.array(
        [
            math.sqrt(
                (float(np.square(part - part.mean()).sum()) + 4.0 * max(pooled, span**2 / 400)) / (part.size + 4.0)
            )
            if (part := residuals[of == name]).size
            else math.sqrt(max(pooled, span**2 / 400))
            for name in names
        ]
    )
    totals = _dealt(goal, sizes * spreads, least=np.maximum(have, np.minimum(LEAST_OF_A_STRATUM, sizes)), most=sizes)
    return tuple(
        StratumBudget(
            stratum=name,
            cases=int(size),
            labelled=int(labelled_count),
            spread=float(spread),
            total=int(n),
            more=int(n - labelled_count),
        )
        for name, size, labelled_count, spread, n in zip(names, sizes, have, spreads, totals, strict=True)
    )


def _dealt(goal: int, shares: Floats, *, least: NDArray[np.int64], most: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whole numbers in proportion to shares, within bounds, that sum to the goal or as near as the bounds allow."""
    goal = min(max(goal, int(least.sum())), int(most.sum()))
    low, high = 0.0, float((most / np.maximum(shares, 1e-12)).max()) + 1.0
    for _ in range(100):
        factor = (low + high) / 2.0
        if float(np.clip(factor * shares, least, most).sum()) < goal:
            low = factor
        else:
            high = factor
    exact = np.clip(high * shares, least, most)
    dealt = np.floor(exact + 1e-9).astype(np.int64)
    for place in np.argsort(-(exact - dealt), kind="stable"):
        if int(dealt.sum()) < goal and dealt[place] < most[place]:
            dealt[place] += 1
    return dealt


def _looked_at(has_label: NDArray[np.bool_]) -> str:
    if has_label.all():
        return ""
    return f" The numbers count answers to rate: {int(has_label.sum()):,} of {has_label.size:,} so far could be judged."


def _sentence(width: float, label_need: LabelsNeeded, score_need: LabelsNeeded, powered: PredictionPowered) -> str:
    if score_need.more is None:
        return (
            f"This run cannot give an interval of {width:.3f}: even with every case labelled it stays wider. "
            "More cases are needed."
        )
    if score_need.more == 0:
        return (
            f"The {powered.estimate.n:,} present labels give an interval of {score_need.width_now:.3f}, "
            "which is narrow enough."
        )
    plain = "more labels than the run has cases" if label_need.more is None else f"{label_need.more:,}"
    return (
        f"{score_need.more:,} more labels give an interval of {width:.3f} with the scores; without the scores it "
        f"takes {plain}."
    )
