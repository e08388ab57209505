"""One threshold instead of sets: its errors on labels that no model was fitted to, and how to choose it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.calibration.decisions import ChosenThreshold, Errors, Threshold, choose_threshold, errors_at
from core.calibration.service.report import CalibrationReport
from core.calibration.splits import SplitPart

STEPS = 40
"""Thresholds of the error curve, besides both ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCurve:
    """Errors over thresholds.

    Attributes:
        steps: The errors at each, from 0 to 1.
    """

    steps: tuple[Errors, ...]


def errors_of(report: CalibrationReport, threshold: float) -> Errors:
    """Both kinds of error of accepting at a threshold, on the test part of the labels."""
    chance, accepted, clusters = _part(report, SplitPart.TEST)
    return errors_at(chance, accepted, clusters, threshold)


def error_curve(report: CalibrationReport) -> ErrorCurve:
    """Both kinds of error over the whole range of thresholds, on the test part of the labels."""
    chance, accepted, clusters = _part(report, SplitPart.TEST)
    steps = np.linspace(0.0, 1.0, STEPS + 1)
    return ErrorCurve(steps=tuple(errors_at(chance, accepted, clusters, float(step)) for step in steps))


def chosen_threshold(report: CalibrationReport, rule: Threshold) -> ChosenThreshold:
    """The threshold that a rule gives on the conformal part, so that the test part stays untouched.

    Raises:
        InvalidInput: The rule has impossible numbers.
    """
    chance, accepted, clusters = _part(report, SplitPart.CONFORMAL)
    return choose_threshold(rule, chance, accepted, clusters)


def _part(
    report: CalibrationReport, part: SplitPart
) -> tuple[
    np.ndarray[tuple[int], np.dtype[np.float64]],
    np.ndarray[tuple[int], np.dtype[np.bool_]],
    np.ndarray[tuple[int], np.dtype[np.int64]],
]:
    rows = [row for row in report.labels if row.part == part.value and row.chance is not None]
    return (
        np.array([row.chance for row in rows], dtype=np.float64),
        np.array([row.accepted for row in rows], dtype=bool),
        np.array([row.cluster for row in rows], dtype=np.int64),
    )
