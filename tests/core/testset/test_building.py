"""A large test set is built by a worker: with progress, stopped without a trace, never twice."""

import pytest

from core import jobs
from core.domain.errors import InvalidInput, Stopped
from core.domain.jobs import JobState
from core.store.testset import testsets
from core.testset.building import start_build
from core.testset.service import build_test_set
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER
from tests.support.small_bank import ACTOR

MANAGER_SHORT = "Manager of branch '[branch.name]'"


@pytest.fixture
def ready(bank):
    """Two templates of six branches, one short wording each."""
    bank.approved_text(bank.approved_sql(CITY), CITY_SHORT)
    bank.approved_text(bank.approved_sql(MANAGER), MANAGER_SHORT)
    return bank


def stored(bank):
    with bank.store.read() as connection:
        return testsets.all(connection, bank.project_id)


@pytest.mark.slow
def test_a_worker_builds_the_same_test_set(ready):
    job = start_build(ready.store, ready.project_id, actor=ACTOR, name="Facts", limit=8, seed=3)
    ended = jobs.wait(ready.store, job.id, seconds=60)
    assert ended.state is JobState.FINISHED, ended.error
    [made] = stored(ready)
    assert made.id == job.params["test_set_id"]
    here = build_test_set(ready.store, ready.project_id, actor=ACTOR, name="Facts", limit=8, seed=3)
    with ready.store.read() as connection:
        assert testsets.cases(connection, made.id) == testsets.cases(connection, here.id)


@pytest.mark.slow
def test_a_build_that_was_killed_after_its_last_write_is_not_done_twice(ready):
    first = build_test_set(ready.store, ready.project_id, actor=ACTOR, name="Facts", test_set_id="ts_given")
    again = build_test_set(ready.store, ready.project_id, actor=ACTOR, name="Facts", test_set_id="ts_given")
    assert again.id == first.id == "ts_given"
    assert len(stored(ready)) == 1


def test_a_stopped_build_stores_nothing_and_says_how_far_it_was(ready):
    told = []
    with pytest.raises(Stopped, match="after 1 of 2 SQL templates"):
        build_test_set(
            ready.store,
            ready.project_id,
            actor=ACTOR,
            name="Facts",
            progress=lambda *step: told.append(step),
            should_stop=lambda: len(told) == 1,
        )
    assert told == [("Filling templates", 0, 2)]
    assert stored(ready) == []


def test_a_build_without_a_name_is_refused_before_a_worker_starts(ready):
    with pytest.raises(InvalidInput, match="no name"):
        start_build(ready.store, ready.project_id, actor=ACTOR, name=" ")
    assert jobs.list_jobs(ready.store, ready.project_id) == []
