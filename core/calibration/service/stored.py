"""Stored calibrations: their reports, and whether scores or labels have changed since."""

from __future__ import annotations

import hashlib

import numpy as np

from core.calibration.service.label_levels import collapsed
from core.calibration.service.report import CalibrationOptions, CalibrationReport
from core.labelling.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.store.codec import from_row
from core.store.database import Store
from core.store.people import calibrations
from core.store.people.calibrations import StoredCalibration


def report_of(calibration: StoredCalibration) -> CalibrationReport:
    """The report of a stored calibration."""
    return from_row(CalibrationReport, calibration.report)


def options_of(calibration: StoredCalibration) -> CalibrationOptions:
    """The options of a stored calibration; one that is older than the choice of raters went by the criterion's rule."""
    return from_row(CalibrationOptions, {"raters": None, **calibration.options})


def calibrations_of(store: Store, run_id: str, criterion_id: str | None = None) -> tuple[StoredCalibration, ...]:
    """The calibrations of a run, newest first; of one criterion where it is named."""
    with store.read() as connection:
        return tuple(calibrations.of_run(connection, run_id, criterion_id))


def calibration_of(store: Store, calibration_id: str) -> StoredCalibration:
    """A stored calibration.

    Raises:
        NotFound: There is none of that id.
    """
    with store.read() as connection:
        return calibrations.get(connection, calibration_id)


def stale(store: Store, calibration: StoredCalibration) -> tuple[str, ...]:
    """Why a calibration no longer fits the stored scores and labels, one sentence each; empty where it does.

    Later labels of other cases do not affect it; they serve to audit the promise.
    """
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    run_scores = labelled_scores(store, calibration.run_id, criterion, options.metrics, rule=options.raters)
    reasons = []
    hashes = scores_hash(run_scores)
    changed = [name for name in options.metrics if hashes[name] != report.scores_hash.get(name)]
    if changed:
        reasons.append(f"Scores of {', '.join(changed)} changed since.")
    rule = options.raters or criterion.rule
    if (criterion.accept_from, rule.value) != (report.accept_value, report.rule):
        reasons.append("The criterion changed since: its lowest accepted level, or its rule for combining labels.")
    levels, _ = collapsed(run_scores, options)
    places = {case_id: place for place, case_id in enumerate(run_scores.case_ids)}
    changed_labels = sum(
        row.case_id not in places
        or not run_scores.labelled[places[row.case_id]]
        or int(levels[places[row.case_id]]) != row.level
        for row in report.labels
    )
    if changed_labels:
        reasons.append(f"{changed_labels:,} of its {len(report.labels):,} labels changed since.")
    return tuple(reasons)


def scores_hash(run_scores: LabelledScores) -> dict[str, str]:
    """A short hash of the values of each metric."""
    return {
        name: hashlib.sha256(np.ascontiguousarray(run_scores.raw[:, place]).tobytes()).hexdigest()[:16]
        for place, name in enumerate(run_scores.metrics)
    }
