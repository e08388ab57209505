"""Calibrations that were made: what each found, and whether it still stands on what the store holds now."""

from __future__ import annotations

import hashlib

import numpy as np

from core.evaluation.calibration_report import CalibrationOptions, CalibrationReport
from core.evaluation.label_levels import collapsed
from core.evaluation.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.store import calibrations
from core.store.calibrations import StoredCalibration
from core.store.codec import from_row
from core.store.database import Store


def report_of(calibration: StoredCalibration) -> CalibrationReport:
    """What a stored calibration found."""
    return from_row(CalibrationReport, calibration.report)


def options_of(calibration: StoredCalibration) -> CalibrationOptions:
    """What a stored calibration was asked for."""
    return from_row(CalibrationOptions, calibration.options)


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
    """Why a calibration no longer stands on what the store holds now, one sentence each; nothing where it does.

    Labels of other cases that came later change nothing it rests on; they are what the promise is audited with.
    """
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    found = labelled_scores(store, calibration.run_id, criterion, options.metrics)
    reasons = []
    now = scores_hash(found)
    changed = [name for name in options.metrics if now[name] != report.scores_hash.get(name)]
    if changed:
        reasons.append(f"Scores of {', '.join(changed)} changed since.")
    if (criterion.accept_from, criterion.rule.value) != (report.accept_value, report.rule):
        reasons.append("The criterion changed since: what counts as accepted, or how several labels become one.")
    levels, _ = collapsed(found, options)
    at = {case_id: place for place, case_id in enumerate(found.case_ids)}
    other = sum(
        row.case_id not in at or not found.labelled[at[row.case_id]] or int(levels[at[row.case_id]]) != row.level
        for row in report.labels
    )
    if other:
        reasons.append(f"{other:,} of its {len(report.labels):,} labels changed since.")
    return tuple(reasons)


def scores_hash(found: LabelledScores) -> dict[str, str]:
    """A short hash of the values of each metric."""
    return {
        name: hashlib.sha256(np.ascontiguousarray(found.raw[:, place]).tobytes()).hexdigest()[:16]
        for place, name in enumerate(found.metrics)
    }
