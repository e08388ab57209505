"""The share of a run's answers that people would accept: from all scores with few labels, and from labels alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.calibration.labels.budget import Budget, plan_labels
from core.calibration.labels.prediction_powered import PredictionPowered, prediction_powered_mean
from core.calibration.probability.models import ModelName, fit_model
from core.calibration.service.label_levels import collapsed, level_names
from core.calibration.service.report import CalibrationOptions
from core.calibration.service.stored import calibration_of, options_of, report_of
from core.domain.errors import InsufficientData, InvalidInput
from core.labelling.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.store.database import Store

FOLDS = 5
"""Parts of the labels, each predicted by a model fitted without it."""

STRATA = 5
"""Ranges of the probability among which labels are allocated."""

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
        unjudged: Rated answered cases without a label: nobody could judge them, or raters differ.
        simulated: Labels of simulated raters.
        weighted: Whether the labels had different chances to be drawn.
        model: The probability model that predicts.
        folds: Parts of the labels that were predicted in turn.
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
        looked_at: Which were rated, judged or not, shape (n,).
        labelled: Which of these have a label, shape (n,).
        accepted: 1 where people accepted, 0 where they did not or without a label, shape (n,).
        predictions: Chance of acceptance; for a rated case by a model fitted without its source, shape (n,).
        weights: One over the chance to be rated, shape (n,).
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
    """Estimates the share of the run's answers that people accept, from all present labels.

    Each label is predicted by a model that was fitted without its source, and each other case by the mean of those
    models, so that no prediction depends on the label it is compared with (cross-prediction-powered inference). A case
    without a score is predicted by the mean label of the fit: any prediction keeps the estimate unbiased, a good one
    makes its interval narrow. The share is of the answers that can be judged: rated answers without a label (raters
    could not judge, or differ) are excluded, and serve to estimate how many such answers there are among all. Questions
    without an answer are excluded as well.

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
    run_scores = labelled_scores(store, calibration.run_id, criterion, options.metrics, rule=options.raters)
    model = report.result.choice.model
    cross_fit = cross_fitted(run_scores, options, model)
    return PassRate(
        found=share_accepted(cross_fit),
        cases=cross_fit.labelled.size,
        scored=int(cross_fit.scored.sum()),
        labels=int(cross_fit.labelled.sum()),
        unjudged=int((cross_fit.looked_at & ~cross_fit.labelled).sum()),
        simulated=sum(
            run_scores.labels[case_id].simulated
            for case_id, is_included in zip(run_scores.case_ids, run_scores.labelled & run_scores.answered, strict=True)
            if is_included
        ),
        weighted=bool(np.ptp(cross_fit.weights[cross_fit.looked_at]) > 0.0),
        model=model,
        folds=cross_fit.folds,
    )


def share_accepted(cross_fit: CrossFitted) -> PredictionPowered:
    """The share of accepted answers among those that can be judged.

    Raises:
        InsufficientData: Fewer than ten labels, or clusters of them.
    """
    looked_at = cross_fit.looked_at
    return prediction_powered_mean(
        cross_fit.accepted[looked_at],
        cross_fit.predictions[looked_at],
        cross_fit.predictions,
        weights=cross_fit.weights[looked_at],
        clusters=cross_fit.clusters[looked_at],
        all_clusters=cross_fit.clusters,
        judged=cross_fit.labelled[looked_at],
    )


def cross_fitted(run_scores: LabelledScores, options: CalibrationOptions, model: ModelName) -> CrossFitted:
    """Predicts the acceptance of every answered case from labels of other sources.

    Raises:
        InsufficientData: There is no label, or all are of one source.
    """
    answered = run_scores.answered
    labelled, scored = run_scores.labelled[answered], run_scores.scored[answered]
    chance = run_scores.probability[answered]
    looked_at = labelled | ~np.isnan(chance)
    levels, lowest = collapsed(run_scores, options)
    truth, table = levels[answered], run_scores.turned[answered]
    clusters = run_scores.clusters[answered]
    # A case that nobody could judge has the weight of a labelled one with its chance.
    weights = np.where(chance > 0.0, 1.0 / np.where(chance > 0.0, chance, 1.0), 1.0)
    accepted = np.where(labelled, truth >= lowest, False).astype(np.float64)
    sources = np.unique(clusters[labelled])
    if sources.size < 2:
        raise InsufficientData(2, int(sources.size), "sources of labelled cases")
    folds = min(FOLDS, int(sources.size))
    rng = np.random.default_rng(options.seed)
    # Sources with a label first, so that they are spread evenly; then those that were only rated.
    only_rated = np.setdiff1d(clusters[looked_at], sources)
    turn = np.concatenate([rng.permutation(sources.size), rng.permutation(only_rated.size)]) % folds
    of_source = dict(zip(np.concatenate([sources, only_rated]).tolist(), turn.tolist(), strict=True))
    fold = np.array([of_source.get(int(cluster), -1) for cluster in clusters])
    predicted = np.empty((folds, answered.sum()))
    for place in range(folds):
        training = labelled & (fold != place)
        level_count = len(level_names(run_scores.criterion, options))
        predict = _predictor(table, truth, accepted, weights, training & scored, training, (model, level_count, lowest))
        predicted[place] = predict(table)
    # A case that shares its source with a label is predicted without it, labelled or not.
    predictions = np.where(fold >= 0, predicted[np.maximum(fold, 0), np.arange(fold.size)], predicted.mean(axis=0))
    return CrossFitted(
        looked_at=looked_at,
        labelled=labelled,
        accepted=accepted,
        predictions=predictions,
        weights=weights,
        clusters=clusters,
        scored=scored,
        folds=folds,
    )


def _predictor(
    table: Floats,
    truth: npt.NDArray[np.int64],
    accepted: Floats,
    weights: Floats,
    usable: npt.NDArray[np.bool_],
    training: npt.NDArray[np.bool_],
    setup: tuple[ModelName, int, int],
) -> Callable[[Floats], Floats]:
    """A prediction of acceptance; the mean label where a case has no score, or where nothing can be fitted."""
    model, levels, lowest = setup
    base = float(np.average(accepted[training], weights=weights[training]))
    try:
        fitted_model = fit_model(model, table[usable], truth[usable], levels=levels, weights=weights[usable])
    except (InsufficientData, InvalidInput):
        return lambda rows: np.full(len(rows), base)

    def predict(rows: Floats) -> Floats:
        chance = np.full(len(rows), base)
        is_scored = ~np.isnan(rows).any(axis=1)
        if is_scored.any():
            chance[is_scored] = fitted_model.probabilities(rows[is_scored])[:, lowest:].sum(axis=1)
        return chance

    return predict


def budget(store: Store, calibration_id: str, width: float) -> Budget:
    """The number of further labels for an interval of a target width, allocated to ranges of the probability.

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
    run_scores = labelled_scores(store, calibration.run_id, criterion, options.metrics, rule=options.raters)
    cross_fit = cross_fitted(run_scores, options, report.result.choice.model)
    looked_at = cross_fit.looked_at
    strata = [
        strata_name(chance) if scored else UNSCORED
        for chance, scored in zip(cross_fit.predictions.tolist(), cross_fit.scored.tolist(), strict=True)
    ]
    return plan_labels(
        cross_fit.accepted[looked_at],
        cross_fit.predictions[looked_at],
        cross_fit.predictions,
        width=width,
        weights=cross_fit.weights[looked_at],
        clusters=cross_fit.clusters[looked_at],
        all_clusters=cross_fit.clusters,
        judged=cross_fit.labelled[looked_at],
        strata=[strata[place] for place in np.flatnonzero(looked_at)],
        all_strata=strata,
    )


def strata_name(chance: float) -> str:
    """The range of probability that a case belongs to.

    >>> strata_name(0.0), strata_name(0.2), strata_name(1.0)
    ('chance 0.0 to 0.2', 'chance 0.2 to 0.4', 'chance 0.8 to 1.0')
    """
    place = min(int(chance * STRATA), STRATA - 1)
    return f"chance {place / STRATA:.1f} to {(place + 1) / STRATA:.1f}"
