"""Calibration as work that follows a scoring."""

from core.calibration.service.job import KIND, calibration_of
from core.calibration.service.stored import calibrations_of, options_of
from core.domain.jobs import Job, JobState
from core.jobs import execute, get
from core.store import jobs
from core.store.trail import audit
from tests.support.labels.labelled_store import options
from tests.support.small_bank import ACTOR


def queued(store, made, kind, params, job_id="job_1"):
    job = Job(id=job_id, project_id=made.run.project_id, kind=kind, actor=ACTOR, params=params, log="nowhere")
    with store.write(ACTOR, "job.start") as connection:
        jobs.add(connection, job)


def test_a_run_is_calibrated_once_however_often_the_job_comes_by(labelled, made):
    then = calibration_of(made.run.id, options(made))
    for attempt in ("job_1", "job_2"):
        queued(labelled, made, KIND, dict(then.params), attempt)
        assert execute(labelled, attempt) is JobState.FINISHED
    (calibration,) = calibrations_of(labelled, made.run.id)
    assert options_of(calibration) == options(made)
    with labelled.read() as connection:
        entries = [entry for entry in audit.entries(connection) if entry.action == "calibration.make"]
    assert [(entry.actor, entry.project_id) for entry in entries] == [(ACTOR, made.run.project_id)]


def test_parameters_that_say_nothing_are_refused(labelled, made):
    queued(labelled, made, KIND, {"run_id": made.run.id})
    assert execute(labelled, "job_1") is JobState.FAILED
    assert get(labelled, "job_1").error == "The job does not say what to calibrate."
