"""The choice of a probability model by cross-validation, which prefers the simpler one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.probability.models import LEAST_OF_A_LEVEL, ModelName, fit_model
from core.calibration.probability.quality import SURE
from core.stats.folds import balanced_folds

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 5
REPEATS = 3
LEAST_ISOTONIC = 50
LEAST_BOOSTING = 100
"""Labels of the fit part below which a step function or trees follow the noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A probability model and its performance on cases it was not fitted on.

    Attributes:
        log_loss: Mean of the negative log probability of the label, None where the model cannot be used.
        log_loss_error: Standard error of that mean, over clusters.
        worse_by: Log loss less that of the best, None where the model cannot be used.
        worse_by_error: Standard error of that difference, over clusters.
        brier: Mean squared distance of probabilities and label, summed over levels for more than two.
        brier_error: Its standard error.
        reason: Why it cannot be used, or empty.
    """

    model: ModelName
    log_loss: float | None = None
    log_loss_error: float | None = None
    worse_by: float | None = None
    worse_by_error: float | None = None
    brier: float | None = None
    brier_error: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The chosen model and the models it was compared with.

    Attributes:
        model: The simplest one that is no more than a standard error worse than the best.
        best: The one with the least log loss.
        sentence: The recommendation in plain words.
        candidates: Every model, simplest first.
        folds: Parts that were left out in turn; 0 where nothing was compared.
        repeats: How often the cases were assigned to folds.
    """

    model: ModelName
    best: ModelName
    sentence: str
    candidates: tuple[Candidate, ...]
    folds: int = FOLDS
    repeats: int = REPEATS


def unusable(model: ModelName, *, labels: ArrayLike, levels: int, scores: int) -> str:
    """Why a model should not be fitted to these labels, or empty.

    Args:
        model: The model.
        labels: Levels of the fit part, shape (n,).
        levels: How many levels there are.
        scores: How many scores there are.
    """
    n = int(np.asarray(labels).size)
    if model is ModelName.LOGISTIC and levels > 2:
        return f"it supports two levels and there are {levels}; the ordinal model is its extension to more"
    if model is ModelName.ORDINAL and levels == 2:
        return "with two levels it is the logistic model"
    if model is ModelName.ISOTONIC and levels > 2:
        return f"it supports two levels and there are {levels}"
    if model is ModelName.ISOTONIC and scores > 1:
        return f"it accepts one score and there are {scores}"
    least = {ModelName.ISOTONIC: LEAST_ISOTONIC, ModelName.BOOSTING: LEAST_BOOSTING}.get(model, 0)
    if n < least:
        return f"it needs at least {least} labels to fit and there are {n}"
    return ""


def choose_model(
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    levels: int = 2,
    weights: ArrayLike | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = 0,
) -> Choice:
    """Compares the probability models by cross-validation and chooses one.

    Whole clusters are left out in turn, several times over. A model's loss is the mean log loss of the cases left out;
    its standard error is that of clusters' sums. Of all models whose loss is at most one standard error of the paired
    difference above that of the best, the simplest is chosen.

    Args:
        scores: Higher is better, shape (n,) or (n, scores).
        labels: Level of each case, 0 the lowest, shape (n,).
        clusters: What each case belongs to, shape (n,); each case alone by default.
        levels: How many levels there are.
        weights: One over the chance of each case to be here, shape (n,).
        folds: Number of parts to which clusters are assigned.
        repeats: How often they are assigned.
        seed: Of the assignment.

    Raises:
        InsufficientData: A level has too few labels for any model.

    Reference:
        L. Breiman, J. Friedman, R. Olshen and C. Stone (1984), Classification and regression trees, section 3.4.3 (the
        rule of one standard error); here on the paired difference, since all models are tried on the same cases.
    """
    table = np.asarray(scores, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    truth = np.asarray(labels, dtype=np.int64)
    omega = np.ones(truth.size) if weights is None else np.asarray(weights, dtype=np.float64)
    names = np.arange(truth.size) if clusters is None else np.asarray(clusters)
    _, groups = np.unique(names, return_inverse=True)
    reasons = {model: unusable(model, labels=truth, levels=levels, scores=table.shape[1]) for model in ModelName}
    usable = [model for model in ModelName if not reasons[model]]
    plans = _plans(truth, groups, min(folds, int(groups.max()) + 1), repeats, seed)
    if not all(_complete(truth[plan != fold], levels) for plan in plans for fold in range(int(plan.max()) + 1)):
        return _without_comparison(usable[0], reasons, "the rarest level has too few labels to leave some out in turn")
    losses, squares = {}, {}
    for model in usable:
        losses[model], squares[model] = _left_out(model, table, truth, omega, levels, plans)
    means = {model: float(np.average(losses[model], weights=omega)) for model in usable}
    best = min(usable, key=lambda model: means[model])
    candidates = []
    for model in ModelName:
        if reasons[model]:
            candidates.append(Candidate(model=model, reason=reasons[model]))
            continue
        candidates.append(
            Candidate(
                model=model,
                log_loss=means[model],
                log_loss_error=_error(losses[model], omega, groups),
                worse_by=means[model] - means[best],
                worse_by_error=_error(losses[model] - losses[best], omega, groups),
                brier=float(np.average(squares[model], weights=omega)),
                brier_error=_error(squares[model], omega, groups),
            )
        )
    selected = next(candidate.model for candidate in candidates if _close(candidate))
    return Choice(
        model=selected,
        best=best,
        sentence=_sentence(selected, best, candidates, truth.size),
        candidates=tuple(candidates),
        folds=int(plans[0].max()) + 1,
        repeats=repeats,
    )


def fixed_choice(model: ModelName, *, labels: ArrayLike, levels: int, scores: int) -> Choice:
    """A model chosen by a person: nothing is compared, and the sentence states doubts about it."""
    reasons = {other: unusable(other, labels=labels, levels=levels, scores=scores) for other in ModelName}
    doubt = f" Be careful: {reasons[model]}." if reasons[model] and model is not ModelName.ORDINAL else ""
    return Choice(
        model=model,
        best=model,
        sentence=f"The {model} model was requested; no other was compared with it.{doubt}",
        candidates=tuple(Candidate(model=other, reason=reasons[other]) for other in ModelName),
        folds=0,
        repeats=0,
    )


def _without_comparison(model: ModelName, reasons: dict[ModelName, str], reason: str) -> Choice:
    return Choice(
        model=model,
        best=model,
        sentence=f"Use the {model} model: {reason}, so the models could not be compared, and it is the simplest.",
        candidates=tuple(Candidate(model=other, reason=reasons[other] or reason) for other in ModelName),
        folds=0,
        repeats=0,
    )


def _plans(truth: Ints, groups: NDArray[np.intp], folds: int, repeats: int, seed: int) -> list[NDArray[np.intp]]:
    """The fold of each case, once a repeat."""
    generator = np.random.default_rng(seed)
    return [balanced_folds(truth, groups, folds, generator) for _ in range(repeats)]


def _complete(truth: Ints, levels: int) -> bool:
    return truth.size > 0 and int(np.bincount(truth, minlength=levels).min()) >= LEAST_OF_A_LEVEL


def _left_out(
    model: ModelName, table: Floats, truth: Ints, omega: Floats, levels: int, plans: Sequence[NDArray[np.intp]]
) -> tuple[Floats, Floats]:
    """Log loss and squared distance of each case when it was left out, means over the repeats."""
    losses, squares = np.zeros(truth.size), np.zeros(truth.size)
    for plan in plans:
        for fold in range(int(plan.max()) + 1):
            out = plan == fold
            fitted_model = fit_model(model, table[~out], truth[~out], levels=levels, weights=omega[~out])
            rows = fitted_model.probabilities(table[out])
            label_chance = rows[np.arange(len(rows)), truth[out]]
            losses[out] -= np.log(np.maximum(label_chance, SURE))
            distance = np.square(rows - np.eye(levels)[truth[out]]).sum(axis=1)
            squares[out] += distance / 2.0 if levels == 2 else distance
    return losses / len(plans), squares / len(plans)


def _error(values: Floats, omega: Floats, groups: NDArray[np.intp]) -> float:
    """Standard error of a weighted mean over clusters."""
    count = int(groups.max()) + 1
    if count < 2:
        return 0.0
    mean = float(np.average(values, weights=omega))
    sums = np.bincount(groups, weights=omega * (values - mean), minlength=count)
    return float(np.sqrt(count / (count - 1) * np.square(sums).sum()) / omega.sum())


def _close(candidate: Candidate) -> bool:
    return (
        candidate.worse_by is not None
        and candidate.worse_by_error is not None
        and candidate.worse_by <= candidate.worse_by_error
    )


def _sentence(selected: ModelName, best: ModelName, candidates: Sequence[Candidate], n: int) -> str:
    by_model = {candidate.model: candidate for candidate in candidates}
    compared = [candidate for candidate in candidates if candidate.log_loss is not None]
    loss = by_model[selected].log_loss
    if len(compared) == 1:
        return f"Use the {selected} model: it is the only one that fits these {n} labels."
    if selected is best:
        return (
            f"Use the {selected} model: of {len(compared)} models it has the lowest log loss ({loss:.3f}) on "
            f"{n} labels left out in turn."
        )
    gap, error = by_model[selected].worse_by, by_model[selected].worse_by_error
    return (
        f"Use the {selected} model: the {best} model is better by {gap:.3f} in log loss, which is within one standard "
        f"error ({error:.3f}) on {n} labels, and the {selected} model is simpler."
    )
