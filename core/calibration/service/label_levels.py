"""What labels are calibrated to: accepted or not, or each level; and how many cases each of them stands for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.domain.labels import Criterion
from core.evaluation.calibration_report import CalibrationOptions, LevelsKept
from core.evaluation.labelled_scores import LabelledScores

NOT_ACCEPTED, ACCEPTED = "Not accepted", "Accepted"


def collapsed(found: LabelledScores, options: CalibrationOptions) -> tuple[npt.NDArray[np.int64], int]:
    """The level of each case as it is calibrated to, and the lowest accepted one: accepted or not, or each level."""
    if _as_it_is(found.criterion, options):
        return found.level, found.accept_from
    return found.accepted.astype(np.int64), 1


def level_values(criterion: Criterion, options: CalibrationOptions) -> tuple[int, ...]:
    """The levels that are calibrated to, lowest first."""
    return tuple(level.value for level in criterion.levels) if _as_it_is(criterion, options) else (0, 1)


def level_names(criterion: Criterion, options: CalibrationOptions) -> tuple[str, ...]:
    """What the levels mean that are calibrated to, lowest first."""
    if _as_it_is(criterion, options):
        return tuple(level.anchor or str(level.value) for level in criterion.levels)
    return NOT_ACCEPTED, ACCEPTED


def weights_of(found: LabelledScores) -> npt.NDArray[np.float64]:
    """How many cases each labelled one stands for, one over its chance to be labelled, shape (N,).

    A case without a chance stands for itself: one without a label, or one that a second look decided unasked.
    """
    known = found.labelled & (found.probability > 0.0)
    return np.where(known, 1.0 / np.where(known, found.probability, 1.0), 1.0)


def _as_it_is(criterion: Criterion, options: CalibrationOptions) -> bool:
    return options.levels is LevelsKept.EACH or len(criterion.levels) == 2
