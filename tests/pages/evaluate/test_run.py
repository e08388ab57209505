"""The Run page: choose, start a real worker, stop and resume it, ask failed cases again, import a recording."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.results.responses import Response
from core.domain.results.runs import RunState
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.runs.stages.first_answers import ACCEPTED
from core.store.results import runs, scores
from core.testset.service import build_test_set
from pages.kit import navigation
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.files.recordings import recorded_rows
from tests.support.processes import held
from tests.support.processes.stopped_job import wait_until_told
from tests.support.servers.answer_server import AnswerServer
from tests.support.shared_data import shared
from tests.support.small_bank import ACTOR, said

WORKER_S = 180
"""How long a test waits for a worker; only a test that fails waits so long."""


def runs_of(store, project_id):
    with store.read() as connection:
        return runs.all(connection, project_id)


def wait(store, run_id, *states):
    """Waits for the run's worker to come to one of these states."""
    until = time.monotonic() + WORKER_S
    while time.monotonic() < until:
        with store.read() as connection:
            run = runs.get(connection, run_id)
        if jobs.get(store, run.job_id).state in states:
            return run
        time.sleep(0.1)
    raise AssertionError(f"run {run_id} did not come to {states}: {jobs.get(store, run.job_id)}")


def test_without_a_frozen_test_set_the_page_leads_to_one(open_page, project):
    app = open_page("run", project=project.id)
    assert "No test set is frozen yet" in said(app)
    assert "None yet. Each run stays here" in captions(app)
    app.button(key="go_test_set").click().run()
    assert app.title[0].value == "What will be asked?"


@pytest.mark.slow
def test_a_draft_cannot_be_run(open_page, finished, bank):
    draft = build_test_set(finished, bank.id, actor=ACTOR, name="Draft")
    app = open_page("run", project=bank.id, test_set=draft.id)
    assert not app.exception
    assert app.selectbox(key="url_test_set").options == ["Branches v1"]


@pytest.mark.slow
def test_a_run_is_started_watched_and_finished_by_a_worker(open_page, finished, bank):
    app = open_page("run", project=bank.id)
    app.selectbox(key="target").set_value("bm25").run()
    assert app.number_input(key="k_bm25").value == 3
    plan = " ".join(item.value for item in app.markdown)
    assert "no paid call" in plan
    assert "from 5 probed cases" in plan
    (scored,) = [item for item in app.multiselect if item.key.startswith("metrics_")]
    assert {"recall", "groundedness", "faithfulness"} <= set(scored.value)
    assert "Scoring comes after that" in plan
    explained = holding(app, "What it answers")
    here = dict(zip(explained["Metric"], explained["Here"], strict=True))
    assert here["Recall"] == "Ready"
    assert "No NLI model is set" in here["NLI groundedness"]
    scored.set_value([]).run()
    assert "Scoring comes after that" not in " ".join(item.value for item in app.markdown)
    (scored,) = [item for item in app.multiselect if item.key.startswith("metrics_")]
    scored.set_value(["recall", "token_f1"]).run()
    app.button(key="start_run").click().run()
    assert not app.exception
    started = runs_of(finished, bank.id)[0]
    assert app.query_params["run"] == started.id
    assert (started.target, dict(started.options)) == ("bm25", {"k": 3, "metrics": ["recall", "token_f1"]})
    assert wait(finished, started.id, JobState.FINISHED).state is RunState.FINISHED
    app.run()
    assert not app.exception
    assert metrics(app)["Answered"] == str(metrics(app)["Judged"])
    with finished.read() as connection:
        assert {name for name, item in scores.of_run(connection, started.id).items() if item.finished} == {
            "recall",
            "token_f1",
        }
    shown = table(app, "runs_table")
    assert shown["State"].tolist() == ["Finished", "Finished"]
    app.button(key="go_diagnose").click().run()
    assert app.query_params["run"] == started.id
    assert app.title[0].value == "Which module is broken?"


@pytest.mark.slow
def test_a_stopped_run_is_resumed_and_asks_nothing_twice(open_page, finished, bank, tmp_path):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    told = threading.Event()

    def script(request):
        told.wait(WORKER_S)  # nothing is answered until the worker knows that it shall stop
        return {"answer": "x"}

    with AnswerServer(script) as server:
        target = tmp_path / "target.yaml"
        target.write_text(json.dumps(server.config(concurrency=1, timeout_s=WORKER_S)))
        run = create_run(
            finished, first.test_set_id, actor=ACTOR, target=f"http:{target}", options={ACCEPTED: "accepted"}
        )
        app = open_page("run", project=bank.id, run=run.id)
        assert "planned and not started" in said(app)
        app.button(key="start_planned").click().run()
        job = runs_of(finished, bank.id)[0].job_id
        wait(finished, run.id, JobState.RUNNING)
        app.run()
        app.button(key="run_job_stop").click().run()
        assert not app.exception
        wait_until_told(finished, job)
        told.set()
        wait(finished, run.id, JobState.STOPPED)
        app.run()
        app.button(key="run_job_resume").click().run()
        assert not app.exception
        wait(finished, run.id, JobState.FINISHED)
    with finished.read() as connection:
        tally = runs.tally(connection, run.id)
    assert tally.answered == tally.cases == len(server.requests)


@pytest.mark.slow
def test_failed_cases_alone_are_asked_again(open_page, finished, bank):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
        answered = sorted(runs.answered_ids(connection, first.id))
    run = create_run(finished, first.test_set_id, actor=ACTOR, target="keyword", options={"k": 1})
    failed = [Response(case_id=case_id, answer=None, error="The target timed out") for case_id in answered[:2]]
    with finished.write(ACTOR, "test.fail", project_id=bank.id) as connection:
        runs.save_responses(connection, run.id, failed)
    assert execute_run(finished, run.id, actor=ACTOR)
    app = open_page("run", project=bank.id, run=run.id)
    assert metrics(app)["Target failed"] == "2"
    assert app.button(key="retry_failed").label == "Ask the 2 failed cases again"
    app.button(key="retry_failed").click().run()
    assert not app.exception
    wait(finished, run.id, JobState.FINISHED)
    app.run()
    assert metrics(app)["Target failed"] == "0"
    assert "retry_failed" not in keys(app)


@pytest.mark.slow
def test_failed_cases_are_asked_again_from_the_results(open_page, finished, bank):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
        case_id = min(runs.answered_ids(connection, first.id))
    run = create_run(finished, first.test_set_id, actor=ACTOR, target="keyword", options={"k": 2})
    with finished.write(ACTOR, "test.fail", project_id=bank.id) as connection:
        runs.save_responses(connection, run.id, [Response(case_id=case_id, answer=None, error="It timed out")])
    assert execute_run(finished, run.id, actor=ACTOR)
    app = open_page("results", project=bank.id, run=run.id)
    assert app.button(key="retry_failed").label == "Ask the 1 failed case again"
    app.button(key="retry_failed").click().run()
    assert not app.exception
    assert app.title[0].value == "What does the system answer?"
    assert app.query_params["run"] == run.id
    wait(finished, run.id, JobState.FINISHED)
    assert "retry_failed" not in keys(open_page("results", project=bank.id, run=run.id))
    assert "retry_failed" not in keys(open_page("results", project=bank.id, run=first.id))


@pytest.mark.slow
def test_a_run_stopped_for_doubt_gives_its_reason_and_goes_on_only_where_a_person_says_so(
    open_page, finished, bank, tmp_path
):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    with AnswerServer(lambda request: {"answer": "The branch is managed by Ann Lee."}) as server:
        target = tmp_path / "target.yaml"
        target.write_text(json.dumps(server.config(concurrency=1, timeout_s=WORKER_S)))
        run = create_run(finished, first.test_set_id, actor=ACTOR, target=f"http:{target}")
        app = open_page("run", project=bank.id, run=run.id)
        app.button(key="start_planned").click().run()
        wait(finished, run.id, JobState.FAILED)
        asked = len(server.requests)
        app.run()
        (notice,) = [item.value for item in app.warning if "Stopped before the run is spent" in item.value]
        assert "passages" in notice
        assert {"accept_answers"} <= set(keys(app))
        assert "run_job_resume" not in keys(app), "it would stop again for the same reason"
        app.button(key="accept_answers").click().run()
        assert not app.exception
        wait(finished, run.id, JobState.FINISHED)
        with finished.read() as connection:
            tally = runs.tally(connection, run.id)
        assert asked < len(server.requests) == tally.cases, "what was answered was kept"


@pytest.mark.slow
def test_a_run_whose_first_questions_all_fail_alike_names_the_reason_and_can_be_resumed(
    open_page, finished, bank, tmp_path
):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    with AnswerServer(lambda request: {"answer": "I do not know."}) as server:
        target = tmp_path / "target.yaml"
        wrong = server.config(concurrency=1, timeout_s=WORKER_S, response={"answer": "$.choices[0].text"})
        target.write_text(json.dumps(wrong))
        run = create_run(finished, first.test_set_id, actor=ACTOR, target=f"http:{target}")
        app = open_page("run", project=bank.id, run=run.id)
        app.button(key="start_planned").click().run()
        wait(finished, run.id, JobState.FAILED)
        app.run()
        assert not app.exception
        assert "all failed in the same way, so the others were not asked. answer: the reply has nothing at" in said(app)
        assert "failures: answer: the reply has nothing at $.choices[0].text" in said(app)
        assert {"run_job_resume", "accept_failures"} <= set(keys(app))
        asked = len(server.requests)
        target.write_text(json.dumps(server.config(concurrency=1, timeout_s=WORKER_S)))
        app.button(key="run_job_resume").click().run()
        wait(finished, run.id, JobState.FINISHED)
        with finished.read() as connection:
            tally = runs.tally(connection, run.id)
        assert asked < tally.cases == len(server.requests) - asked
        assert tally.failed == 0


def killed_run(store, test_set_id):
    """A run whose worker was killed after its first answers."""
    run = create_run(store, test_set_id, actor=ACTOR, target="keyword", options={"k": 1})
    job = jobs.start(
        store,
        project_id=run.project_id,
        kind="evaluate",
        params={"run_id": run.id},
        actor=ACTOR,
        subject=run.id,
        command=held.command("1:after:responses", "core", "worker"),
    )
    with store.write(ACTOR, "run.start", project_id=run.project_id, subject=run.id) as connection:
        runs.put(connection, replace(runs.get(connection, run.id), job_id=job.id))
    held.wait_until_held(Path(job.log), 1)
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    wait(store, run.id, JobState.INTERRUPTED)
    return run


@pytest.mark.slow
def test_a_run_whose_worker_was_killed_is_interrupted_and_resumed(open_page, finished, bank):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    run = killed_run(finished, first.test_set_id)
    app = open_page("run", project=bank.id, run=run.id)
    assert "Interrupted: its worker ended" in said(app)
    assert "go_results" not in keys(app)
    app.button(key="run_job_resume").click().run()
    assert not app.exception
    wait(finished, run.id, JobState.FINISHED)
    with finished.read() as connection:
        tally = runs.tally(connection, run.id)
    assert tally.answered == tally.cases


@pytest.mark.slow
def test_a_run_is_opened_from_the_list(open_page, finished, bank):
    app = open_page("run", project=bank.id)
    assert "go_results" not in keys(app)
    chosen = select(app, "runs_table", 0, "run")
    assert app.query_params["run"] == chosen
    app.button(key="go_results").click().run()
    assert app.title[0].value == "Which answers are wrong?"


def test_recorded_answers_are_a_target(open_page, finished, bank):
    app = open_page("run", project=bank.id)
    app.selectbox(key="target").set_value("recorded").run()
    assert "start_run" not in keys(app)
    rows = "\n".join(json.dumps({"case_id": "none of ours", "answer": "x"}) for _ in range(1))
    app.file_uploader(key="recording").upload("answers.jsonl", rows.encode(), "application/json")
    app.run()
    assert not app.exception
    assert app.error or "duration unknown" in " ".join(item.value for item in app.markdown)


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[3]", b"<script>"])
def test_a_recording_that_cannot_be_read_is_told(open_page, bank, content):
    app = open_page("run", project=bank.id)
    app.selectbox(key="target").set_value("recorded").run()
    app.file_uploader(key="recording").upload("answers.jsonl", content, "application/json")
    app.run()
    assert not app.exception
    assert app.error
    assert "start_run" not in keys(app)


def upload_recording(app, rows, name="results_short.json"):
    """Imports rows in GRAMMAR's format as a person does."""
    app.file_uploader(key="replay_results_0").upload(name, json.dumps(rows).encode(), "application/json")
    app.run()
    app.button(key="replay").click().run()
    assert not app.exception
    assert not app.error
    return app


@pytest.mark.slow
def test_an_imported_recording_is_read_like_any_other_run_and_needs_no_documents(open_page, finished):
    other = create_project(finished, "No documents", ACTOR)
    app = open_page("run", project=other.id, view="replay")
    assert app.button(key="replay").disabled
    upload_recording(app, recorded_rows())
    assert app.title[0].value == "Which module is broken?"
    assert metrics(app)["Accuracy"] == "0.50"
    assert "[" in captions(app)
    app.query_params.clear()
    app.query_params["project"] = other.id
    app.switch_page(navigation.spec("run").file).run()
    assert "the project has none" in said(app)
    assert "start_run" not in keys(app)


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[3]", b"[]", b'[{"query": ""}]'])
def test_a_file_that_is_no_recording_is_told(open_page, finished, bank, content):
    app = open_page("run", project=bank.id, view="replay")
    app.file_uploader(key="replay_results_0").upload("results_short.json", content, "application/json")
    app.run()
    app.button(key="replay").click().run()
    assert not app.exception
    assert app.error
    assert all("/tmp" not in error.value for error in app.error)
    assert len(runs_of(finished, bank.id)) == 1


@pytest.mark.slow
def test_the_recorded_run_of_aurp_comes_out_as_in_the_reference(open_page, bank):
    folder = shared("grammar-aurp")
    app = open_page("run", project=bank.id, view="replay")
    for form in ("short", "long"):
        results = (folder / "eval_results" / f"results_{form}.json").read_bytes()
        app.file_uploader(key="replay_results_0").upload(f"results_{form}.json", results, "application/json")
        matches = (folder / "SemanticsMatch" / f"{form}.json").read_bytes()
        app.file_uploader(key="replay_verdicts_0").upload(f"{form}.json", matches, "application/json")
    app.run()
    app.button(key="replay").click().run()
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "Which module is broken?"
    assert "answers of 571 not judged" in captions(app)
    app.query_params["reading"] = "paper"
    app.switch_page(navigation.spec("diagnose").file).run()
    figures = " ".join(str(cell) for item in app.table for cell in item.value.to_numpy().ravel())
    # Rows of the reference: accuracy, id match, refined accuracy; short, then long.
    for counts in ("84/314", "130/257", "90/314", "132/257", "84/88", "130/135"):
        assert counts in figures
    groups = holding(app, "Facts over all forms").set_index("Groups")
    assert groups.filter(like="Gap", axis=0)["Short"].iloc[0].startswith("113 groups")
    assert groups.filter(like="Robust", axis=0)["Long"].iloc[0].startswith("40 groups")


@pytest.mark.slow
def test_a_viewer_watches_and_starts_nothing(open_page, finished, bank, monkeypatch):
    app = open_page("run", project=bank.id)
    select(app, "runs_table", 0, "run")
    as_viewer(app, finished, bank, monkeypatch)
    assert not app.exception
    assert "start_run" not in keys(app)
    assert metrics(app)["Answered"]
    app.query_params["view"] = "replay"
    app.run()
    assert "not import runs" in said(app)
    assert "replay" not in keys(app)


def test_a_target_that_encodes_its_documents_is_planned_without_asking_it(open_page, finished, bank):
    app = open_page("run", project=bank.id)
    app.selectbox(key="target").set_value("dense").run()
    assert not app.exception
    plan = " ".join(item.value for item in app.markdown)
    assert "words of documents are encoded first" in plan
    assert "probed" not in plan
