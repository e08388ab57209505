"""The sample project: built once, whatever happens meanwhile."""

import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core import jobs
from core.demo import project as demo
from core.demo.project import NAME, ensure_demo, start_scoring_demo
from core.domain.errors import NotFound
from core.domain.jobs import JobState
from core.domain.results.runs import RunState
from core.domain.testset.templates import TemplateStatus
from core.project.service import create_project
from core.runs.service import create_run
from core.store import projects, sources
from core.store.database import Store
from core.store.people import calibrations, labels
from core.store.results import runs, scores
from core.store.testset import templates, testsets
from core.store.trail import audit
from tests.support.application.server import environment
from tests.support.small_bank import ACTOR

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def sample(sample_store, tmp_path):
    shutil.copy(sample_store, tmp_path / "copied.sqlite")
    with Store.open(f"sqlite:///{tmp_path / 'copied.sqlite'}") as store:
        yield store


def entries(store):
    with store.read() as connection:
        return audit.entries(connection, limit=None)


def test_it_is_complete_and_a_second_call_changes_nothing(sample):
    before = len(entries(sample))
    made = ensure_demo(sample, ACTOR)
    assert len(entries(sample)) == before
    assert (made.project.name, made.project.sample) == (NAME, True)
    assert made.test_set.frozen
    assert (made.run.state, made.run.test_set_id, made.run.options) == (RunState.FINISHED, made.test_set.id, {"k": 1})
    with sample.read() as connection:
        cases = testsets.cases(connection, made.test_set.id)
        assert runs.tally(connection, made.run.id).answered == len(cases) > 500
        assert {case.form for case in cases} == {"short", "long"}


def test_what_a_person_changes_in_it_stays(sample):
    made = ensure_demo(sample, ACTOR)
    newer = create_run(sample, made.test_set.id, actor=ACTOR, target="keyword")
    with sample.write(ACTOR, "test.change") as connection:
        for template in templates.sql(connection, made.project.id):
            templates.set_sql_status(connection, made.project.id, template.id, TemplateStatus.REJECTED)
        runs.set_state(connection, newer.id, RunState.FINISHED)
    again = ensure_demo(sample, ACTOR)
    assert again.run.id == made.run.id
    with sample.read() as connection:
        assert templates.sql(connection, made.project.id, status=TemplateStatus.APPROVED) == []


def test_without_the_sample_data(store, monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "SAMPLE", tmp_path / "none")
    with pytest.raises(NotFound, match="The sample data are not in"):
        ensure_demo(store, ACTOR)


class Stopped(Exception):
    """Stands for the end of the process at a moment of the build."""


class EndingStore(Store):
    """A store whose process ends after so many commits."""

    commits_left = 0

    def write(self, actor, action, **about):
        if not self.commits_left:
            raise Stopped
        self.commits_left -= 1
        return super().write(actor, action, **about)


@pytest.mark.slow
@pytest.mark.parametrize("first", [1, 2])
def test_ended_again_and_again_it_is_completed_in_the_end(store, first):
    """The build is cut off after its first commits, then after every few more: everything is there once."""
    commits, ended = first, 0
    while True:
        with EndingStore.open(store.url) as ending:
            ending.commits_left = commits
            try:
                made = ensure_demo(ending, ACTOR)
            except Stopped:
                commits, ended = 3, ended + 1
            else:
                break
    assert ended >= 5
    complete(store, made)


def complete(store, made):
    with store.read() as connection:
        assert [project.id for project in projects.all(connection)] == [made.project.id]
        assert len(sources.all(connection, made.project.id)) == 2
        # The facts of the bank and variants of some of them, each with its run.
        assert len(testsets.all(connection, made.project.id)) == 2
        assert len(runs.all(connection, made.project.id)) == 2
        assert [round.name for round in labels.rounds(connection, made.project.id)] == ["Your turn", "Simulated raters"]
        simulated = labels.rounds(connection, made.project.id)[1]
        assert len(labels.items(connection, simulated.id)) == 300
        assert all(task.done_at for rater in simulated.raters for task in labels.tasks(connection, simulated.id, rater))
        tally = runs.tally(connection, made.run.id)
        assert tally.answered == tally.cases == testsets.count(connection, made.test_set.id)
        assert audit.verify(connection).ok
    assert made.run.state is RunState.FINISHED


@pytest.mark.slow
def test_a_project_that_took_its_name_does_not_stop_it(store):
    create_project(store, NAME.upper(), ACTOR)
    create_project(store, f"{NAME} 2", ACTOR)
    assert ensure_demo(store, ACTOR).project.name == f"{NAME} 3"


@pytest.mark.slow
def test_two_threads_build_one(store):
    made = []
    threads = [threading.Thread(target=lambda: made.append(ensure_demo(store, ACTOR))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made[0].run.id == made[1].run.id
    complete(store, made[0])


@pytest.mark.slow
def test_killed_again_and_again_it_is_complete_in_the_end(store, tmp_path):
    """kill -9 of the real command at random moments of the build."""
    moments = random.Random(3)
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-m", "core", "demo"],
            cwd=ROOT,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        before = len(entries(store))
        deadline = time.monotonic() + 20
        while len(entries(store)) == before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(moments.uniform(0, 0.6))
        process.kill()
        process.wait()
    complete(store, ensure_demo(store, ACTOR))


@pytest.mark.slow
def test_a_worker_scores_its_run_once(sample_data, tmp_path):
    copied = shutil.copytree(sample_data, tmp_path / "data")
    with Store.open(f"sqlite:///{copied / 'plumbline.sqlite'}") as store:
        made = ensure_demo(store, ACTOR)
        with store.read() as connection:
            scored = scores.of_run(connection, made.run.id)
            calibrated = calibrations.of_run(connection, made.run.id)
        assert start_scoring_demo(store, made, ACTOR) is None
        assert [job.kind for job in jobs.list_jobs(store, made.project.id)].count("score") == 1
    assert {"recall", "groundedness", "faithfulness", "answered"} <= set(scored)
    assert all(item.finished for item in scored.values())
    assert [list(item.options["metrics"]) for item in calibrated] == [["groundedness"]]


def test_what_a_person_stopped_stays_stopped(sample):
    made = ensure_demo(sample, ACTOR)
    job = start_scoring_demo(sample, made, ACTOR)
    assert start_scoring_demo(sample, made, ACTOR) is None
    jobs.stop(sample, job.id, ACTOR)
    assert jobs.wait(sample, job.id, seconds=300).state in (JobState.STOPPED, JobState.FINISHED)
    assert start_scoring_demo(sample, made, ACTOR) is None
