"""The target of a calibration (accepted or not, or each level), and the weights of the labels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.calibration.service.report import CalibrationOptions, LevelsKept
from core.domain.results.labels import Criterion
from core.labelling.labelled_scores import LabelledScores

NOT_ACCEPTED, ACCEPTED = "Not accepted", "Accepted"


def collapsed(run_scores: LabelledScores, options: CalibrationOptions) -> tuple[npt.NDArray[np.int64], int]:
    """The level of each case as it is calibrated to, and the lowest accepted one: accepted or not, or each level."""
    if _as_it_is(run_scores.criterion, options):
        return run_scores.level, run_scores.accept_from
    return run_scores.accepted.astype(np.int64), 1


def level_values(criterion: Criterion, options: CalibrationOptions) -> tuple[int, ...]:
    """The levels that are calibrated to, lowest first."""
    return tuple(level.value for level in criterion.levels) if _as_it_is(criterion, options) else (0, 1)


def level_names(criterion: Criterion, options: CalibrationOptions) -> tuple[str, ...]:
    """The descriptions of the levels that are calibrated to, lowest first."""
    if _as_it_is(criterion, options):
        return tuple(level.anchor or str(level.value) for level in criterion.levels)
    return NOT_ACCEPTED, ACCEPTED


def weights_of(run_scores: LabelledScores) -> npt.NDArray[np.float64]:
    """How many cases each labelled one stands for, one over its chance to be labelled, shape (N,).

    A case without a chance stands for itself: one without a label, or one decided by a second look without a draw.
    """
    has_chance = run_scores.labelled & (run_scores.probability > 0.0)
    return np.where(has_chance, 1.0 / np.where(has_chance, run_scores.probability, 1.0), 1.0)


def _as_it_is(criterion: Criterion, options: CalibrationOptions) -> bool:
    return options.levels is LevelsKept.EACH or len(criterion.levels) == 2
