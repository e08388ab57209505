"""The decision on each case that follows from its stored prediction set."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from core.calibration.report import Decision
from core.calibration.sets.verdicts import decide
from core.store.people import calibrations
from core.store.people.calibrations import CaseColumns, StoredCalibration
from core.store.results import failures, runs
from core.store.results.cases import run_inputs


def decisions(columns: CaseColumns, levels: int, accept_from: int) -> tuple[Decision | None, ...]:
    """The decision on each case; None for one without a score."""
    outcomes = decide(members(columns.sets, levels), accept_from)
    return tuple(
        None if np.isnan(chance) else outcome for outcome, chance in zip(outcomes, columns.probabilities, strict=True)
    )


def decisions_of(columns: CaseColumns, calibration: StoredCalibration) -> tuple[Decision | None, ...]:
    """The same by the scale that a stored calibration was made with."""
    return decisions(columns, *_scale(calibration.report))


def members(sets: npt.NDArray[np.uint16], levels: int) -> npt.NDArray[np.bool_]:
    """Sets from their bits, shape (n, levels)."""
    return np.asarray(sets[:, None] >> np.arange(levels) & 1, dtype=bool)


def left_to_people(connection: Connection, calibration: StoredCalibration) -> list[str]:
    """The answered cases that a calibration leaves to people, in the order of the test set."""
    run = runs.get(connection, calibration.run_id)
    case_ids, _ = run_inputs.groups(connection, run.test_set_id)
    answered = runs.answered_ids(connection, run.id) - failures.failed_ids(connection, run.id)
    decided = decisions_of(calibrations.columns(connection, calibration.id), calibration)
    return [
        case_id
        for case_id, decision in zip(case_ids, decided, strict=True)
        if decision is Decision.HUMAN and case_id in answered
    ]


def _scale(report: Mapping[str, object]) -> tuple[int, int]:
    """How many levels a stored report has, and the lowest accepted one."""
    result = report["result"]
    if not isinstance(result, Mapping):
        raise TypeError("a stored calibration has no result")
    return int(result["levels"]), int(result["accept_from"])
