"""Calibration as a kind of job, which may follow the scoring of a run."""

from __future__ import annotations

from core.calibration.service.calibrating import ensure_calibrated
from core.calibration.service.report import CalibrationOptions
from core.domain.errors import InvalidInput
from core.jobs import Follower, JobContext, job
from core.store.codec import from_row, to_row

KIND = "calibrate"
"""Of the jobs that calibrate scores of a run."""


def calibration_of(run_id: str, options: CalibrationOptions) -> Follower:
    """The calibration of a run's scores as what follows a job, such as the one that scores the run."""
    return Follower(kind=KIND, params={"run_id": run_id, "options": to_row(options)})


@job(KIND)
def calibrate_job(context: JobContext) -> bool:
    """Calibrates the run named in the job's parameters unless that was done; it is one step, done as a whole.

    Raises:
        InvalidInput: The parameters say nothing of what to calibrate.
    """
    run_id, options = context.params.get("run_id"), context.params.get("options")
    if not isinstance(run_id, str) or not isinstance(options, dict):
        raise InvalidInput("The job does not say what to calibrate.", "Name a run and the options.")
    ensure_calibrated(context.store, run_id, from_row(CalibrationOptions, options), actor=context.actor)
    return True
