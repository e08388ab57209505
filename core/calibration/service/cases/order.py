"""The order in which a calibration has people read answers: first those it cannot decide."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.calibration.report import Decision
from core.calibration.service.cases.decisions import decisions_of
from core.domain.results.runs import VERDICT_METRIC
from core.store.database import Store
from core.store.people import calibrations
from core.store.people.calibrations import StoredCalibration
from core.store.results import runs, scores
from core.store.results.cases import run_inputs


def doubtful_first(store: Store, calibration: StoredCalibration, case_ids: Sequence[str]) -> tuple[str, ...]:
    """Cases of a run with the wrong answers first, then those not judged, then the correct ones, each by doubt.

    Within each of the three come the answers that the calibration leaves to a person, then those whose chance of
    acceptance is nearest to one half; those without a chance come last. Equal ones stay in the order given.

    Args:
        store: Where the run is.
        calibration: Of the run.
        case_ids: Some of its cases.
    """
    with store.read() as connection:
        every, _ = run_inputs.groups(connection, runs.get(connection, calibration.run_id).test_set_id)
        columns = calibrations.columns(connection, calibration.id)
        # Columns stand in the order of the test set, which that of `case_ids` need not be.
        verdicts = scores.columns(connection, calibration.run_id, [VERDICT_METRIC], every)[:, 0]
    decided = decisions_of(columns, calibration)
    places = {case_id: place for place, case_id in enumerate(every)}

    def rank(number: int) -> tuple[int, bool, float]:
        place = places[case_ids[number]]
        verdict = verdicts[place]
        stands = 1 if np.isnan(verdict) else 0 if verdict == 0.0 else 2
        if decided[place] is None:
            return stands, True, math.inf
        return stands, decided[place] is not Decision.HUMAN, abs(float(columns.probabilities[place]) - 0.5)

    return tuple(case_ids[number] for number in sorted(range(len(case_ids)), key=rank))
