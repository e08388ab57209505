"""Many raters save at once, from threads and from processes: no label is lost and the trail stays whole."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from core.labelling.criteria import create_criterion
from core.labelling.rating.progress import progress
from core.labelling.rating.tasks import Given, labels_of_task, save_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.people import labels
from core.store.trail import audit
from tests.support.labels.raters import opinion, work
from tests.support.runs.answered_run import answered_run

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)

ROOT = Path(__file__).resolve().parents[4]
RATERS = [f"rater {number:02}" for number in range(20)]


@pytest.fixture
def made(store):
    """Ten cases, each for four of twenty raters: two a rater, one of them a second time, under two criteria."""
    run = answered_run(store, 11)
    criteria = [
        create_criterion(store, run.project_id, name=name, question="Is it?", kind="binary", actor="val").id
        for name in ("Correct", "Useful")
    ]
    items = [Drawn(case_id=f"c{number}") for number in range(10)]
    return create_round(
        store,
        run.id,
        name="All at once",
        criteria=criteria,
        raters=RATERS,
        items=items,
        overlap=4,
        repeat_share=0.5,
        actor="val",
    )


def check_complete(store, made):
    # 20 raters with 2 cases and 1 repetition each: 60 tasks, and 2 labels a task.
    with store.read() as connection:
        assert labels.count_of_project(connection, made.project_id) == 120
        found = labels.of_run(connection, made.run_id)
        saves = [entry for entry in audit.entries(connection, limit=None) if entry.action == "label.save"]
        assert audit.verify(connection).ok
    assert len(saves) == 60
    assert all(label.value == opinion(label.rater, label.case_id, label.occurrence) for label in found)
    assert all(label.comment == f"{label.rater} on {label.case_id}" for label in found)
    assert [(one.rater, one.done, one.of) for one in progress(store, made.id)] == [(rater, 3, 3) for rater in RATERS]


@pytest.mark.slow
def test_twenty_raters_in_threads_of_one_store_lose_no_label(store, made):
    with ThreadPoolExecutor(len(RATERS)) as pool:
        assert sum(pool.map(lambda rater: work(store, made.id, rater), RATERS)) == 60
    check_complete(store, made)


@pytest.mark.slow
def test_twenty_raters_in_two_processes_lose_no_label(store, url, made):
    command = [sys.executable, "-m", "tests.support.labels.raters", url, made.id]
    halves = [
        subprocess.Popen([*command, *RATERS[half::2]], cwd=ROOT, stdout=subprocess.PIPE, text=True) for half in (0, 1)
    ]
    assert [half.communicate(timeout=120)[0].strip() for half in halves] == ["30", "30"]
    check_complete(store, made)


def test_of_two_saves_of_one_task_at_the_same_moment_one_wins_whole(store, made):
    with store.read() as connection:
        case_id = labels.tasks(connection, made.id, RATERS[0])[0].case_id
    together = Barrier(8)

    def save(number):
        together.wait()
        given = dict.fromkeys(made.criteria, Given(value=float(number % 2), comment=f"browser {number}"))
        save_labels(store, made.id, RATERS[0], case_id, given=given, seconds=1.0 + number, actor="lab")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(8)))
    first, second = labels_of_task(store, made.id, RATERS[0], case_id).values()
    assert (first.value, first.comment, first.seconds, first.at) == (
        second.value,
        second.comment,
        second.seconds,
        second.at,
    )
    with store.read() as connection:
        saves = [entry for entry in audit.entries(connection, limit=None) if entry.action == "label.save"]
        assert audit.verify(connection).ok
    assert len(saves) == 8
    assert first.comment in saves[0].detail  # the newest entry is that of the label that is there
