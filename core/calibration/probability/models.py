"""From scores to the probability of each label level; every model rises with each score and never falls.

Scores are turned so that higher is better before they come here (`core.metrics` specs say which way is good).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData, InvalidInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RIDGE = 1.0
"""Penalty on standardised slopes, as scikit-learn's C = 1; without it separable labels give slopes without end."""

LEAST_OF_A_LEVEL = 2
"""Labels of a level without which nothing can be fitted for it."""


class ModelName(StrEnum):
    """The probability models there are."""

    LOGISTIC = "logistic"
    ORDINAL = "ordinal"
    ISOTONIC = "isotonic"
    BOOSTING = "boosting"


class ProbabilityModel(Protocol):
    """A fitted model."""

    @property
    def name(self) -> ModelName:
        """Which model it is."""

    @property
    def levels(self) -> int:
        """How many levels it distinguishes."""

    def probabilities(self, scores: ArrayLike) -> Floats:
        """The probability of every level, shape (n, levels)."""
        ...


def fit_model(
    name: ModelName | str,
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    levels: int = 2,
    weights: ArrayLike | None = None,
) -> ProbabilityModel:
    """Fits a probability model.

    Args:
        name: Which one; ``logistic`` and ``isotonic`` support two levels, ``ordinal`` and ``boosting`` any number.
        scores: Higher is better, shape (n,) or (n, scores).
        labels: The human's level of each case, 0 the lowest, shape (n,).
        levels: How many levels there are.
        weights: How many cases of the run each stands for, one over its chance to be labelled, shape (n,); equal by
            default. They are brought to sum to n, so that the penalty weighs as much with them as without.

    Raises:
        InvalidInput: The model does not take these scores or levels, or a weight is not a number above 0.
        InsufficientData: A level has fewer than two labels.
    """
    if name not in list(ModelName):
        raise InvalidInput(f"There is no model {name!r}.", f"Use one of: {', '.join(ModelName)}.")
    model = ModelName(name)
    table = np.asarray(scores, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    truth = np.asarray(labels)
    if table.ndim != 2 or truth.shape != (len(table),):
        raise InvalidInput(f"{truth.size} labels do not fit {len(table)} rows of scores.", "Give one label a row.")
    if not np.isfinite(table).all():
        raise InvalidInput("A score is not a number.", "Leave unscored cases out, and report their number.")
    if not np.isin(truth, np.arange(levels)).all():
        raise InvalidInput(f"A label is not one of the levels 0 to {levels - 1}.", "Check the criterion's levels.")
    if model in (ModelName.LOGISTIC, ModelName.ISOTONIC) and levels != 2:
        raise InvalidInput(f"The {model} model supports two levels, and there are {levels}.", "Use ordinal.")
    if model is ModelName.ISOTONIC and table.shape[1] != 1:
        raise InvalidInput(f"The isotonic model accepts one score, and there are {table.shape[1]}.", "Use logistic.")
    least = int(np.bincount(truth.astype(int), minlength=levels).min())
    if least < LEAST_OF_A_LEVEL:
        raise InsufficientData(LEAST_OF_A_LEVEL, least, "labels of the rarest level")
    omega = np.ones(truth.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if omega.shape != truth.shape or not np.isfinite(omega).all() or (omega <= 0.0).any():
        raise InvalidInput("A weight is not a number above 0.", "Give one over the chance to be labelled a case.")
    return _FITS[model](table, truth.astype(np.int64), levels, omega * truth.size / omega.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedLogit:
    r"""Proportional odds with slopes that are never negative and a ridge penalty.

    :math:`P(Y \ge j \mid x) = \sigma(\beta^\top z - \theta_j)` with :math:`z` the standardised scores,
    :math:`\beta \ge 0`, thresholds in order, fitted by maximum likelihood less :math:`\frac12 \|\beta\|^2`. With two
    levels it is logistic (Platt) calibration.

    Reference:
        P. McCullagh (1980), Regression models for ordinal data; J. Platt (1999), Probabilistic outputs.
    """

    name: ModelName
    levels: int
    centre: Floats
    scale: Floats
    slopes: Floats
    thresholds: Floats

    def probabilities(self, scores: ArrayLike) -> Floats:
        """The probability of every level, shape (n, levels)."""
        table = np.asarray(scores, dtype=np.float64)
        table = table[:, None] if table.ndim == 1 else table
        return _levels(special.expit(_lift(table, self)[:, None] - self.thresholds))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cumulative:
    """One binary model for each question "at least level j?"; their answers are put in order."""

    name: ModelName
    levels: int
    chances: tuple[Callable[[Floats], Floats], ...]

    def probabilities(self, scores: ArrayLike) -> Floats:
        """The probability of every level, shape (n, levels)."""
        table = np.asarray(scores, dtype=np.float64)
        table = table[:, None] if table.ndim == 1 else table
        above = np.stack([chance(table) for chance in self.chances], axis=1)
        return _levels(np.minimum.accumulate(above, axis=1))


def _lift(table: Floats, model: OrderedLogit) -> Floats:
    return np.asarray((table - model.centre) / model.scale @ model.slopes)


def _levels(above: Floats) -> Floats:
    """Chances of "at least level 1, 2, ..." as the probability of each level."""
    edge = np.ones((len(above), 1))
    return np.asarray(np.concatenate([edge, above], axis=1) - np.concatenate([above, 0.0 * edge], axis=1))


def _fit_ordered(table: Floats, truth: Ints, levels: int, weights: Floats) -> OrderedLogit:
    from scipy import optimize

    centre = np.average(table, axis=0, weights=weights)
    scale = np.sqrt(np.average(np.square(table - centre), axis=0, weights=weights))
    # A column of equal numbers has a mean that may differ from them in the last digit.
    scale = np.where(np.ptp(table, axis=0) > 0.0, scale, 1.0)
    standard = (table - centre) / scale
    width = standard.shape[1]
    shares = np.bincount(truth, weights=weights, minlength=levels) / truth.size
    start = special.logit(np.cumsum(shares)[:-1])

    def loss(parameters: Floats) -> tuple[float, Floats]:
        slopes, thresholds = parameters[:width], _ordered(parameters[width:])
        lifted = standard @ slopes
        upper = np.concatenate([np.full((truth.size, 1), 1.0), special.expit(lifted[:, None] - thresholds)], axis=1)
        lower = np.concatenate([upper[:, 1:], np.zeros((truth.size, 1))], axis=1)
        rows = np.arange(truth.size)
        chance = np.maximum(upper[rows, truth] - lower[rows, truth], 1e-12)
        # d expit = expit (1 - expit); the outermost edges are constants, whose derivative is 0 by the same rule.
        rise, fall = upper * (1.0 - upper), lower * (1.0 - lower)
        by_lift = (rise[rows, truth] - fall[rows, truth]) / chance
        by_threshold = np.zeros((truth.size, levels - 1))
        for level in range(levels - 1):
            by_threshold[:, level] = np.where(truth == level + 1, -rise[rows, truth] / chance, 0.0)
            by_threshold[:, level] += np.where(truth == level, fall[rows, truth] / chance, 0.0)
        gradient = np.concatenate(
            [RIDGE * slopes - standard.T @ (weights * by_lift), -_by_steps(weights @ by_threshold, parameters[width:])]
        )
        return float(0.5 * RIDGE * slopes @ slopes - weights @ np.log(chance)), gradient

    steps = np.concatenate([start[:1], np.log(np.maximum(np.diff(start), 1e-3))])
    bounds = [(0.0, None)] * width + [(-30.0, 30.0)] * (levels - 1)
    solution = optimize.minimize(
        loss,
        np.concatenate([np.full(width, 0.1), steps]),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-13, "gtol": 1e-7, "maxiter": 1_000},
    )
    return OrderedLogit(
        name=ModelName.LOGISTIC if levels == 2 else ModelName.ORDINAL,
        levels=levels,
        centre=centre,
        scale=scale,
        slopes=solution.x[:width],
        thresholds=_ordered(solution.x[width:]),
    )


def _ordered(steps: Floats) -> Floats:
    """Thresholds in order: the first one, then a positive step each."""
    return np.asarray(np.cumsum(np.concatenate([steps[:1], np.exp(steps[1:])])))


def _by_steps(by_threshold: Floats, steps: Floats) -> Floats:
    """The derivative by the steps of :func:`_ordered`."""
    later = np.cumsum(by_threshold[::-1])[::-1]
    return np.asarray(np.concatenate([later[:1], later[1:] * np.exp(steps[1:])]))


def _fit_isotonic(table: Floats, truth: Ints, levels: int, weights: Floats) -> Cumulative:
    """A rising step function. Its ends stop short of 0 and 1: n labels alike do not prove that the next is."""
    from sklearn.isotonic import IsotonicRegression

    edge = 1.0 / (truth.size + 2.0)
    regression = IsotonicRegression(y_min=edge, y_max=1.0 - edge, out_of_bounds="clip").fit(
        table[:, 0], truth, sample_weight=weights
    )
    return Cumulative(
        name=ModelName.ISOTONIC, levels=levels, chances=(lambda rows: np.asarray(regression.predict(rows[:, 0])),)
    )


def _fit_boosting(table: Floats, truth: Ints, levels: int, weights: Floats) -> Cumulative:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    def chance(level: int) -> Callable[[Floats], Floats]:
        classifier: Any = HistGradientBoostingClassifier(
            monotonic_cst=[1] * table.shape[1],
            max_iter=60,
            learning_rate=0.1,
            max_depth=3,
            min_samples_leaf=max(5, truth.size // 30),
            early_stopping=False,
            random_state=0,
        )
        # Threads that wait for each other take fifteen times as long over labels that people gave.
        with threadpool_limits(limits=1):
            classifier.fit(table, truth >= level, sample_weight=weights)

        def probability(rows: Floats) -> Floats:
            with threadpool_limits(limits=1):
                return np.asarray(classifier.predict_proba(rows)[:, 1])

        return probability

    return Cumulative(
        name=ModelName.BOOSTING, levels=levels, chances=tuple(chance(level) for level in range(1, levels))
    )


_FITS: Mapping[ModelName, Callable[[Floats, Ints, int, Floats], ProbabilityModel]] = {
    ModelName.LOGISTIC: _fit_ordered,
    ModelName.ORDINAL: _fit_ordered,
    ModelName.ISOTONIC: _fit_isotonic,
    ModelName.BOOSTING: _fit_boosting,
}
