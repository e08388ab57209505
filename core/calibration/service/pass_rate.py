"""How many of a run's answers people would accept: all scores together with few labels, beside the labels alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.calibration.budget import Budget, plan_labels
from core.calibration.models import ModelName, fit_model
from core.calibration.prediction_powered import PredictionPowered, prediction_powered_mean
from core.domain.errors import InsufficientData, InvalidInput
from core.evaluation.calibration_report import CalibrationOptions
from core.evaluation.label_levels import collapsed, level_names
from core.evaluation.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.evaluation.stored_calibrations import calibration_of, options_of, report_of
from core.store.database import Store

FOLDS = 5
"""Parts of the labels that are predicted by a model that has not seen them."""

STRATA = 5
"""Ranges of the probability that labels are dealt to."""

UNSCORED = "no score"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """The share of a run's answers that people would accept.

    Attributes:
        found: The prediction-powered estimate and the one of the labels alone.
        cases: Answered cases; the share is of those among them that can be judged.
        scored: Those with every score; the others are predicted by the share alone.
        labels: Labelled answered cases.
        unjudged: Answered cases that were looked at and have no label: nobody could judge them, or raters differ.
        simulated: Labels of which a machine played the raters.
        weighted: Whether the labels had different chances to be drawn.
        model: The probability model that predicts.
        folds: Parts of the labels that took turns to be predicted.
    """

    found: PredictionPowered
    cases: int
    scored: int
    labels: int
    unjudged: int
    simulated: int
    weighted: bool
    model: ModelName
    folds: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossFitted:
    """The answered cases of a run, each with a prediction from labels of other sources.

    Attributes:
        looked_at: Which somebody looked at, judged or not, shape (n,).
        labelled: Which of these have a label, shape (n,).
        accepted: What people said, 0 without a label, shape (n,).
        predictions: Chance of acceptance; for a case looked at by a model that has not seen its source, shape (n,).
        weights: One over the chance to be looked at, shape (n,).
        clusters: What each belongs to, shape (n,).
        scored: Which have every score, shape (n,).
        folds: Parts of the labels.
    """

    looked_at: npt.NDArray[np.bool_]
    labelled: npt.NDArray[np.bool_]
    accepted: Floats
    predictions: Floats
    weights: Floats
    clusters: npt.NDArray[np.int64]
    scored: npt.NDArray[np.bool_]
    folds: int


def pass_rate(store: Store, calibration_id: str) -> PassRate:
    """Estimates the share of the run's answers that people accept, from every label there is now.

    Each label is predicted by a model that was fitted without its source, and each other case by the mean of those
    models, so that no prediction knows the label it is compared with (cross-prediction-powered inference). A case
    without a score is predicted by the mean label of the fit: any prediction keeps the estimate right, a good one makes
    it narrow. The share is of the answers that can be judged: those that people looked at and gave no label (they could
    not judge, or differ) are no part of it, and tell how many such answers there are among all. Questions without an
    answer are no part of it either.

    Raises:
        NotFound: There is no such calibration.
        InsufficientData: Fewer than ten labels, or clusters of them.

    Reference:
        A. Angelopoulos, J. Duchi and T. Zrnic (2023), PPI++; T. Zrnic and E. Candes (2024), Cross-prediction-powered
        inference.
    """
    calibration = calibration_of(store, calibration_id)
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    found = labelled_scores(store, calibration.run_id, criterion, options.metrics)
    model = report.result.choice.model
    made = cross_fitted(found, options, model)
    return PassRate(
        found=share_accepted(made),
        cases=made.labelled.size,
        scored=int(made.scored.sum()),
        labels=int(made.labelled.sum()),
        unjudged=int((made.looked_at & ~made.labelled).sum()),
        simulated=sum(
            found.labels[case_id].simulated
            for case_id, has in zip(found.case_ids, found.labelled & found.answered, strict=True)
            if has
        ),
        weighted=bool(np.ptp(made.weights[made.looked_at]) > 0.0),
        model=model,
        folds=made.folds,
    )


def share_accepted(made: CrossFitted) -> PredictionPowered:
    """The share of accepted answers among those that can be judged.

    Raises:
        InsufficientData: Fewer than ten labels, or clusters of them.
    """
    some = made.looked_at
    return prediction_powered_mean(
        made.accepted[some],
        made.predictions[some],
        made.predictions,
        weights=made.weights[some],
        clusters=made.clusters[some],
        all_clusters=made.clusters,
        judged=made.labelled[some],
    )


def cross_fitted(found: LabelledScores, options: CalibrationOptions, model: ModelName) -> CrossFitted:
    """Predicts the acceptance of every answered case from labels of other sources.

    Raises:
        InsufficientData: There is no label, or all are of one source.
    """
    kept = found.answered
    labelled, scored = found.labelled[kept], found.scored[kept]
    chance = found.probability[kept]
    looked_at = labelled | ~np.isnan(chance)
    levels, lowest = collapsed(found, options)
    truth, table = levels[kept], found.turned[kept]
    clusters = found.clusters[kept]
    # A case that nobody could judge stands for as many as a labelled one of its chance.
    weights = np.where(chance > 0.0, 1.0 / np.where(chance > 0.0, chance, 1.0), 1.0)
    accepted = np.where(labelled, truth >= lowest, False).astype(np.float64)
    sources = np.unique(clusters[labelled])
    if sources.size < 2:
        raise InsufficientData(2, int(sources.size), "sources of labelled cases")
    folds = min(FOLDS, int(sources.size))
    rng = np.random.default_rng(options.seed)
    # Sources with a label first, so that they are dealt evenly; then those that were only looked at.
    only_seen = np.setdiff1d(clusters[looked_at], sources)
    turn = np.concatenate([rng.permutation(sources.size), rng.permutation(only_seen.size)]) % folds
    of_source = dict(zip(np.concatenate([sources, only_seen]).tolist(), turn.tolist(), strict=True))
    fold = np.array([of_source.get(int(cluster), -1) for cluster in clusters])
    predicted = np.empty((folds, kept.sum()))
    for place in range(folds):
        rest = labelled & (fold != place)
        levels_there = len(level_names(found.criterion, options))
        predict = _fitted(table, truth, accepted, weights, rest & scored, rest, (model, levels_there, lowest))
        predicted[place] = predict(table)
    # A case that shares its source with a label is predicted without it, labelled or not.
    own = np.where(fold >= 0, predicted[np.maximum(fold, 0), np.arange(fold.size)], predicted.mean(axis=0))
    return CrossFitted(
        looked_at=looked_at,
        labelled=labelled,
        accepted=accepted,
        predictions=own,
        weights=weights,
        clusters=clusters,
        scored=scored,
        folds=folds,
    )


def _fitted(
    table: Floats,
    truth: npt.NDArray[np.int64],
    accepted: Floats,
    weights: Floats,
    usable: npt.NDArray[np.bool_],
    rest: npt.NDArray[np.bool_],
    how: tuple[ModelName, int, int],
) -> Callable[[Floats], Floats]:
    """A prediction of acceptance; the mean label where a case has no score, or where nothing can be fitted."""
    model, levels, lowest = how
    base = float(np.average(accepted[rest], weights=weights[rest]))
    try:
        made = fit_model(model, table[usable], truth[usable], levels=levels, weights=weights[usable])
    except (InsufficientData, InvalidInput):
        return lambda rows: np.full(len(rows), base)

    def predict(rows: Floats) -> Floats:
        chance = np.full(len(rows), base)
        has = ~np.isnan(rows).any(axis=1)
        if has.any():
            chance[has] = made.probabilities(rows[has])[:, lowest:].sum(axis=1)
        return chance

    return predict


def budget(store: Store, calibration_id: str, width: float) -> Budget:
    """How many more labels give the pass rate an interval of a wanted width, dealt to ranges of the probability.

    Args:
        store: Where the run is.
        calibration_id: The calibration.
        width: Of the 95% interval, from end to end.

    Raises:
        NotFound: There is no such calibration.
        InsufficientData: Fewer than ten labels, or clusters of them.
        InvalidInput: The width is no number between 0 and 1.
    """
    calibration = calibration_of(store, calibration_id)
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    found = labelled_scores(store, calibration.run_id, criterion, options.metrics)
    made = cross_fitted(found, options, report.result.choice.model)
    some = made.looked_at
    strata = [
        strata_name(chance) if scored else UNSCORED
        for chance, scored in zip(made.predictions.tolist(), made.scored.tolist(), strict=True)
    ]
    return plan_labels(
        made.accepted[some],
        made.predictions[some],
        made.predictions,
        width=width,
        weights=made.weights[some],
        clusters=made.clusters[some],
        all_clusters=made.clusters,
        judged=made.labelled[some],
        strata=[strata[place] for place in np.flatnonzero(some)],
        all_strata=strata,
    )


def strata_name(chance: float) -> str:
    """The range of probability that a case belongs to.

    >>> strata_name(0.0), strata_name(0.2), strata_name(1.0)
    ('chance 0.0 to 0.2', 'chance 0.2 to 0.4', 'chance 0.8 to 1.0')
    """
    place = min(int(chance * STRATA), STRATA - 1)
    return f"chance {place / STRATA:.1f} to {(place + 1) / STRATA:.1f}"
