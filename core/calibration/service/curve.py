"""The curve of a calibration: acceptance over the score, with the prediction sets as stretches of the axis."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.calibration.double import Applied, Calibration
from core.calibration.service.report import Curve, Stretch
from core.calibration.sets.conformal import POOLED
from core.labelling.labelled_scores import LabelledScores
from core.metrics.direction import turned

POINTS = 401
"""Points of the curve of one score: the edge of a set is exact to a four-hundredth of the axis."""

MOST_POINTS = 1_001
MOST_STRETCHES = 12
"""Sets that change more often along the probability are not drawn as stretches."""

Floats = npt.NDArray[np.float64]


def curves(run_scores: LabelledScores, calibration: Calibration) -> tuple[Curve, ...]:
    """The curve with the sets of all cases, then one for each group that has a quantile of its own.

    Over one score the curve is drawn where cases have scores. Several scores have no common axis: the calibrated
    probability is the axis then, and the stretches are those of the run's own cases.
    """
    own_groups = [str(item.group) for item in calibration.report.quantiles if item.own and item.group != POOLED]
    return tuple(_curve(run_scores, calibration, group) for group in (POOLED, *own_groups))


def _curve(run_scores: LabelledScores, calibration: Calibration, group: str) -> Curve:
    if len(run_scores.metrics) == 1:
        raw = run_scores.raw[run_scores.scored, 0]
        x = np.linspace(raw.min(), raw.max(), POINTS)
        applied = calibration.apply(turned(x[:, None], run_scores.metrics), [group] * POINTS)
        return Curve(
            group=group,
            x=tuple(map(float, x)),
            chance=tuple(map(float, applied.accepted)),
            stretches=_stretches(x, applied),
            threshold=_reaches(x, applied.accepted, calibration.report.threshold),
        )
    applied = calibration.apply(run_scores.turned[run_scores.scored], [group] * int(run_scores.scored.sum()))
    order = np.argsort(applied.accepted, kind="stable")
    if order.size > MOST_POINTS:
        order = order[np.linspace(0, order.size - 1, MOST_POINTS).astype(int)]
    chance = applied.accepted[order]
    ends = np.array([0.0, *chance, 1.0])
    stretches = _stretches(
        chance,
        Applied(
            accepted=chance,
            probabilities=applied.probabilities[order],
            sets=applied.sets[order],
            decisions=tuple(applied.decisions[place] for place in order),
        ),
        edges=(0.0, 1.0),
    )
    return Curve(
        group=group,
        x=tuple(map(float, ends)),
        chance=tuple(map(float, ends)),
        stretches=stretches if len(stretches) <= MOST_STRETCHES else (),
        threshold=calibration.report.threshold,
    )


def _stretches(x: Floats, applied: Applied, edges: tuple[float, float] | None = None) -> tuple[Stretch, ...]:
    """Runs of equal sets; one ends half way to the next."""
    changes = np.flatnonzero((applied.sets[1:] != applied.sets[:-1]).any(axis=1))
    inner = [float(x[place] + x[place + 1]) / 2.0 for place in changes]
    low, high = edges or (float(x[0]), float(x[-1]))
    starts = [0, *(int(place) + 1 for place in changes)]
    return tuple(
        Stretch(
            low=left,
            high=right,
            levels=tuple(int(level) for level in np.flatnonzero(applied.sets[start])),
            decision=str(applied.decisions[start] or ""),
        )
        for start, (left, right) in zip(starts, pairwise([low, *inner, high]), strict=True)
    )


def _reaches(x: Floats, chance: Floats, threshold: float | None) -> float | None:
    """Where the curve crosses a probability, between two points of it; None where it does not."""
    if threshold is None:
        return None
    above = chance >= threshold
    crossing = np.flatnonzero(above[1:] != above[:-1])
    return float(x[crossing[0]] + x[crossing[0] + 1]) / 2.0 if crossing.size else None
