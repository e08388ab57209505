"""Detecting a model as a job: a worker asks, and what was known stands where it is stopped or fails."""

import threading

import pytest

from core.domain.errors import InvalidInput
from core.domain.jobs import Job, JobState
from core.jobs import JobContext
from core.llm import detecting, profile_settings
from core.project.service import create_project
from core.store.database import Store
from core.store.models import profiles
from tests.support.personalities import Personalities
from tests.support.stores import blank_url

ACTOR = "local"


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR)


def context_of(store, project, spec, stop=None):
    job = Job(
        id="job_1",
        project_id=project.id,
        kind=detecting.KIND,
        params={"spec": spec},
        state=JobState.RUNNING,
        actor=ACTOR,
        subject=spec,
    )
    return JobContext(store, job, stop)


def known(store, project):
    with store.read() as connection:
        return profiles.all(connection, project.id)


def test_what_a_model_takes_is_found_by_the_job(store, project):
    with Personalities() as server:
        assert detecting.detect_job(context_of(store, project, server.spec("no_temperature")))
    (profile,) = known(store, project)
    assert (profile.model, profile.now.temperature) == ("no_temperature", False)
    assert profile.probed_at


def test_a_job_that_is_told_to_stop_leaves_what_was_known(store, project):
    stop = threading.Event()
    stop.set()
    with Personalities() as server:
        spec = server.spec("no_temperature")
        profile_settings.probe(store, project.id, spec, actor=ACTOR)
        before = known(store, project)
        assert detecting.detect_job(context_of(store, project, spec, stop)) is False
    assert known(store, project) == before


def test_a_model_without_an_address_starts_no_job(store, project):
    with pytest.raises(InvalidInput):
        detecting.start_detecting(store, project.id, "gpt", actor=ACTOR)
