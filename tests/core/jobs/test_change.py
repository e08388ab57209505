"""Other parameters for a job that has no worker, such as a larger budget."""

import pytest

from core.domain.errors import Conflict, Forbidden, NotFound
from core.domain.jobs import Job, JobState
from core.domain.sources.projects import Role
from core.jobs import change
from core.project.service import ensure_member
from core.store import jobs
from core.store.trail import audit
from tests.support.stores import with_run


def ended(store, state, **params):
    with_run(store)
    with store.pulse() as connection:
        jobs.add(
            connection, Job(id="job_1", project_id="prj_1", kind="test", params=params, actor="local", state=state)
        )


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.STOPPED])
def test_parameters_are_changed_and_the_others_stay(store, state):
    ended(store, state, budget=1.5, budget_calls=None, tables=["branch"])
    changed = change(store, "job_1", "local", budget=2.5)
    assert changed.params == {"budget": 2.5, "budget_calls": None, "tables": ["branch"]}
    assert changed.state is state
    with store.read() as connection:
        entry = audit.entries(connection, "prj_1")[0]
    assert (entry.action, entry.subject, entry.actor) == ("job.change", "job_1", "local")


def test_a_finished_job_stays_as_it_is(store):
    ended(store, JobState.FINISHED, budget=1.5)
    with pytest.raises(Conflict, match="is finished"):
        change(store, "job_1", "local", budget=2.5)
    with pytest.raises(NotFound):
        change(store, "job_2", "local", budget=2.5)


def test_a_viewer_changes_nothing(store, monkeypatch):
    ended(store, JobState.FAILED, budget=1.5)
    ensure_member(store, "prj_1", "vera", Role.VIEWER, actor="local")
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    with pytest.raises(Forbidden):
        change(store, "job_1", "vera", budget=2.5)
