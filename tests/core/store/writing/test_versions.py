"""Versions of what is stored: they grow with every write of their kind, and with nothing else."""

import re
from pathlib import Path

import pytest
from sqlalchemy import select

from core.domain.errors import Conflict
from core.domain.jobs import Job, Worker
from core.domain.results.responses import Response, Score
from core.domain.results.runs import Run
from core.domain.sources.projects import Project
from core.domain.testset.cases import TestCase as Case
from core.domain.testset.cases import TestSet as Questions
from core.store import jobs, projects
from core.store.database import OF_A_RUN
from core.store.results import runs, scores
from core.store.tables import metadata
from core.store.testset import testsets
from core.store.writing import versions

CORE = Path(versions.__file__).parents[2]


def number(store, *kinds, project="", run=""):
    with store.read() as connection:
        return versions.number(connection, kinds or versions.KINDS, project_id=project, run_id=run)


@pytest.fixture
def filled(store):
    """Two projects; the first with a test set of one case and two runs."""
    for name in ("p", "q"):
        with store.write("anna", "project.create", project_id=name) as connection:
            projects.put(connection, Project(id=name, name=name))
    with store.write("anna", "test_set.build", project_id="p") as connection:
        testsets.put(connection, Questions(id="t", project_id="p", name="t"))
        testsets.put_cases(connection, "t", [Case(case_id="c", question="?", reference_answers=("a",), group_id="g")])
        for run in ("r", "s"):
            runs.put(connection, Run(id=run, project_id="p", test_set_id="t", target="keyword"))
    return store


def answer(store, run="r"):
    with store.write("anna", "run.answer", project_id="p", subject=run) as connection:
        runs.save_responses(connection, run, [Response(case_id="c", answer="a")])


def test_every_table_is_of_one_kind_or_of_none_on_purpose():
    stored = [table.name for some in versions.TABLES.values() for table in some]
    assert len(stored) == len(set(stored))
    assert set(stored) | versions.UNCOUNTED == set(metadata.tables)
    assert not set(stored) & versions.UNCOUNTED
    assert set(versions.TABLES) == set(versions.KINDS)


def test_a_write_grows_what_it_wrote_and_nothing_else(filled):
    before = {kind: number(filled, kind, project="p") for kind in versions.KINDS}
    answer(filled)
    after = {kind: number(filled, kind, project="p") for kind in versions.KINDS}
    assert [kind for kind in versions.KINDS if after[kind] != before[kind]] == ["answers"]
    assert after["answers"] == before["answers"] + 1


def test_a_write_leaves_other_projects_and_other_runs_as_they_are(filled):
    other, beside, mine = number(filled, project="q"), number(filled, project="p", run="s"), number(filled, run="r")
    answer(filled)
    assert number(filled, project="q") == other
    assert number(filled, project="p", run="s") == beside
    assert number(filled, run="r") == mine + 1
    assert number(filled, "answers") == number(filled, "answers", project="p") == 1


def test_a_write_of_no_project_reaches_every_project_and_run(filled):
    seen = [number(filled, "runs", **of) for of in ({"project": "p"}, {"project": "q"}, {"project": "p", "run": "r"})]
    with filled.write("anna", "run.rename") as connection:
        runs.put(connection, Run(id="r", project_id="p", test_set_id="t", target="oracle"))
    assert [
        number(filled, "runs", **of) for of in ({"project": "p"}, {"project": "q"}, {"project": "p", "run": "r"})
    ] == [value + 1 for value in seen]


@pytest.mark.slow
def test_a_deleted_project_grows_all_that_went_with_it(filled):
    answer(filled)
    before = {kind: number(filled, kind, project="p", run="r") for kind in versions.KINDS}
    with filled.write("anna", "project.delete", project_id="p") as connection:
        projects.remove(connection, "p")
    with filled.read() as connection:
        after = {kind: versions.number(connection, [kind], project_id="p", run_id="r") for kind in versions.KINDS}
    assert [kind for kind in versions.KINDS if after[kind] <= before[kind]] == []


def test_what_a_delete_takes_along_is_what_the_foreign_keys_say():
    assert versions.emptied(metadata.tables["labels"]) == {"labels"}
    assert versions.emptied(metadata.tables["label_rounds"]) == {
        "label_rounds",
        "label_items",
        "label_tasks",
        "labels",
    }
    assert "scores" in versions.emptied(metadata.tables["runs"])
    assert "topic_chunks" in versions.emptied(metadata.tables["projects"])


def test_a_write_that_fails_grows_nothing(filled):
    before = number(filled)
    with pytest.raises(Conflict), filled.pulse() as connection:
        runs.save_responses(connection, "no such run", [Response(case_id="c", answer="a")])
    assert number(filled) == before


def test_a_pulse_counts_and_a_heartbeat_does_not(filled):
    with filled.write("anna", "job.start", project_id="p") as connection:
        jobs.add(connection, Job(id="j", project_id="p", kind="test", actor="anna"))
    worker = Worker(token="w", host="h", pid=1, born=1.0, heartbeat=1.0)
    queued = number(filled, "jobs", project="p")
    with filled.pulse() as connection:
        assert jobs.claim(connection, "j", worker)
    running = number(filled, "jobs", project="p")
    assert running > queued
    with filled.pulse() as connection:
        assert jobs.beat(connection, "j", "w", 2.0, report={"done": 3}) is False
    assert number(filled, "jobs", project="p") == running


def test_the_scores_of_a_run_grow_with_an_edit_of_one(filled):
    with filled.write("anna", "score.edit", project_id="p", subject="r") as connection:
        scores.put(connection, "r", [Score(case_id="c", metric="m", value=1.0)])
    assert number(filled, "scores", project="p", run="r") == 1
    assert number(filled, "scores", project="p", run="s") == 0


def test_every_action_of_a_run_names_the_run_it_is_of():
    """What is counted for one run alone must be written to no other; the subject says which."""
    seen = 0
    for source in CORE.rglob("*.py"):
        text = source.read_text(encoding="utf-8")
        for found in re.finditer(r"\.write\(\s*[\w.]+,\s*f?\"(\w+\.)", text):
            if found.group(1) in OF_A_RUN:
                call = text[found.start() : text.index("as connection", found.start())]
                assert re.search(r"subject=(run\.id|run_id)\b", call), f"{source.name}: {call}"
                seen += 1
    assert seen > 10


def test_the_project_of_a_thing(filled):
    with filled.read() as connection:
        assert versions.project_of(connection, metadata.tables["runs"], "r") == "p"
        assert versions.project_of(connection, metadata.tables["runs"], "nothing") == ""
        assert connection.execute(select(metadata.tables["versions"].c.number)).first()
