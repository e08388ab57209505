"""A trial of a project's set-up: what is refused, what a worker keeps, what a stop leaves."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core import jobs
from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound, Stopped
from core.domain.jobs import JobState
from core.domain.results.responses import Response
from core.domain.sources.document_mappings import Way
from core.domain.sources.projects import Role
from core.faults import service
from core.faults.kinds import FAULTS, USUAL, Combination, FaultKind
from core.faults.service import (
    KIND,
    TrialPlan,
    asking,
    fitting,
    kept_answers,
    kinds_named,
    set_up,
    start_trial,
    trial_result,
    try_setup,
    usual,
)
from core.jobs import JobContext
from core.knowledge.matching.service import choose
from core.llm import Limits
from core.project.service import create_project, ensure_member
from core.sources.service import connect_corpus
from core.store import jobs as job_table
from core.store.database import Store
from tests.support.bank_cases import MANAGERS, bank_cases, bank_project, put_test_set
from tests.support.processes.killed_job import until
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

PLAN = TrialPlan(test_set_id="ts_bank", target="bm25", options={"k": 1}, share=0.4, seed=2)


@pytest.fixture
def project(store, tmp_path):
    """The small bank: five of its six branches have a document."""
    project, _ = bank_project(store, tmp_path)
    return project


def in_this_process(store: Store, project_id: str, **params: object) -> JobContext:
    """A job that is worked on here."""
    job = jobs.Job(
        id="job_1",
        project_id=project_id,
        kind=KIND,
        params={**PLAN.as_params(), **params},
        actor=ACTOR,
        subject="trial_1",
        created_at="2026-01-01T00:00:00.000+00:00",
        log="",
    )
    with store.write(ACTOR, "test.job", project_id=project_id) as connection:
        job_table.add(connection, job)
    return JobContext(store, job)


@pytest.mark.slow
def test_a_worker_plants_the_faults_and_keeps_what_came_of_it(store, project):
    job = start_trial(store, PLAN, actor=ACTOR)
    ended = jobs.wait(store, job.id, seconds=120)
    assert ended.state is JobState.FINISHED, ended.error
    result = trial_result(store, job.subject)
    assert (result.counts["cases"], result.counts["facts"], result.counts["sound"]) == (12, 6, 5)
    assert (result.misnamed, result.confusion.named.num) == (0, result.wrong)
    made_from = result.made_from
    assert (made_from["target"], made_from["seed"], made_from["share"]) == ("bm25", 2, 0.4)
    assert made_from["kinds"] == [str(kind) for kind in USUAL]
    assert len(made_from["test_set_hash"]) == len(made_from["corpus_fingerprint"]) == 64


@pytest.mark.slow
def test_a_job_that_was_killed_after_its_last_write_does_nothing_again(store, project, monkeypatch):
    context = in_this_process(store, project.id)
    assert service.trial_job(context) is True
    first = trial_result(store, "trial_1")
    monkeypatch.setattr(service, "try_setup", lambda *_, **__: pytest.fail("tried again"))
    assert service.trial_job(context) is True
    assert trial_result(store, "trial_1") == first


def test_a_stopped_trial_keeps_nothing(store, project):
    context = in_this_process(store, project.id)
    context._stop.set()
    assert service.trial_job(context) is False
    assert trial_result(store, "trial_1") is None


def test_a_stop_is_obeyed_between_questions(store, project):
    told = []
    with pytest.raises(Stopped, match="The asking was stopped after"):
        try_setup(
            store,
            set_up(store, PLAN, actor=ACTOR),
            progress=lambda *now: told.append(now),
            should_stop=lambda: len(told) > 0,
        )


@pytest.mark.slow
def test_progress_names_the_fault_and_counts_the_questions(store, project):
    told = []
    try_setup(store, set_up(store, PLAN, actor=ACTOR), progress=lambda *now: told.append(now))
    assert ("Asking the working set-up", 12, 12) in told
    assert ("Planting: page deleted", 4, 4) in told


@pytest.mark.slow
def test_two_trials_of_one_plan_are_equal(store, project):
    setup = set_up(store, PLAN, actor=ACTOR)
    first, second = (try_setup(store, setup)[1] for _ in range(2))
    assert replace(first, seconds=0.0, at="") == replace(second, seconds=0.0, at="")


@pytest.mark.slow
def test_documents_and_test_set_stay_as_they_are(store, project):
    setup = set_up(store, PLAN, actor=ACTOR)
    try_setup(store, setup)
    again = set_up(store, PLAN, actor=ACTOR)
    assert (again.source, again.test_set, again.cases) == (setup.source, setup.test_set, setup.cases)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"test_set_id": "ts_none"}, NotFound, "ts_none"),
        ({"target": "nothing"}, InvalidInput, "nothing"),
        ({"judge": "nothing"}, InvalidInput, "nothing"),
        ({"share": 2.0}, InvalidInput, "The share of facts is 2"),
        ({"options": {"k": 0}}, InvalidInput, "k is 0"),
        ({"options": {"mode": "oracle"}}, InvalidInput, "has no mode 'oracle'"),
        ({"target": "recorded:none.jsonl", "kinds": (FaultKind.PAGE_DELETED,)}, InvalidInput, "documents of its own"),
    ],
)
def test_what_cannot_be_tried_is_refused_before_a_worker_starts(store, project, change, error, says):
    with pytest.raises(error, match=says):
        start_trial(store, replace(PLAN, **change), actor=ACTOR)
    assert jobs.list_jobs(store, project.id) == []


def test_a_viewer_may_not_start_one(store, project):
    ensure_member(store, project.id, "ada@example.com", Role.VIEWER, actor=ACTOR)
    with pytest.raises(Forbidden):
        start_trial(store, PLAN, actor="ada@example.com")


def test_a_project_without_documents_is_refused(store, tmp_path):
    bank_project(store, tmp_path, corpus=False)
    with pytest.raises(InvalidInput, match="has no documents") as refused:
        start_trial(store, PLAN, actor=ACTOR)
    assert "Connect page" in refused.value.hint


def test_a_draft_is_refused(store):
    project = create_project(store, "Draft", ACTOR)
    put_test_set(store, project.id, bank_cases(), frozen=False)
    with pytest.raises(Conflict, match="is not frozen"):
        start_trial(store, PLAN, actor=ACTOR)


def test_a_budget_of_a_model_stops_a_trial_and_the_ledger_pays_no_answer_twice(store, project, tmp_path):
    answers = {case.question: case.reference_answers[0] for case in bank_cases()}

    def reply(body):
        text = body["messages"][-1]["content"]
        return next((answer for question, answer in answers.items() if question in text), "I do not know.")

    with LlmServer(reply) as server:
        plan = replace(PLAN, target=f"openai:{server.spec('m')}", kinds=(FaultKind.READER,), limits=Limits(calls=40))
        assert fitting(plan.target, plan.options) == FAULTS
        setup = set_up(store, plan, actor=ACTOR)
        _, result = try_setup(store, setup)
        sent = len(server.bodies)
        assert 12 <= sent <= 40
        try_setup(store, setup)
        assert len(server.bodies) == sent
    assert result.counts["planted"] == {"reader": 2}


def test_kinds_that_fit_a_target():
    own = (FaultKind.READER, FaultKind.RETRIEVAL, Combination.HIDDEN_MISREAD)
    assert fitting("bm25", {}) == FAULTS
    assert usual("bm25", {}) == USUAL
    assert usual("recorded:a.jsonl", {}) == own
    assert fitting("openai:m@http://127.0.0.1:9/v1", {"mode": "closed_book"}) == own
    assert [fitting(spec, {}) for spec in ("recorded:a.jsonl", "http:a.yaml")] == [own, own]
    assert kinds_named(["reader", "reader", "page_deleted"]) == (FaultKind.READER, FaultKind.PAGE_DELETED)
    with pytest.raises(InvalidInput, match="no kind of fault 'typo'"):
        kinds_named(["typo"])


def test_how_many_questions_a_trial_asks_is_known_before():
    # Twelve cases of six facts; 0.4 of six facts are two, with two wordings each; a wrong reader is asked nothing.
    asked = asking(bank_cases(), tuple(FaultKind), 0.4, searches=True)
    assert (asked.first, asked.most, asked.facts, asked.faults) == (12, 4 * 4, 6, 2)
    assert asking(bank_cases(), [FaultKind.READER, FaultKind.RETRIEVAL], 0.4, searches=False).most == 0
    # A mix has two facts for each of five kinds, and there are six.
    assert asking(bank_cases(), [Combination.MIXED, Combination.HIDDEN_MISREAD], 0.4, searches=True).most == 12 + 4


def test_a_plan_is_read_again_from_a_jobs_parameters():
    plan = replace(PLAN, kinds=(FaultKind.READER, Combination.MOVED_HIDDEN), limits=Limits(money=1.5, calls=7))
    assert TrialPlan.of(plan.as_params()) == plan


def test_the_newest_documents_are_tried(store, project, tmp_path):
    (tmp_path / "documents" / "farley.md").write_text(
        "---\nid: branch:6\ntitle: Farley Branch\n---\nThe manager of Farley Branch is Omar Reyes.\n"
    )
    connect_corpus(store, project.id, tmp_path / "documents", actor=ACTOR)
    _, result = try_setup(store, set_up(store, PLAN, actor=ACTOR))
    assert result.counts["sound"] == 6


@pytest.mark.slow
def test_gold_ids_name_the_documents_that_people_matched(store, tmp_path):
    """Pages named by the city have no id of a row; that of the branch stands in for the gold document all the same."""
    project, _ = bank_project(store, tmp_path, corpus=False)
    for city in ("Arden", "Belmont", "Corwen", "Dalby", "Elstow"):
        page = tmp_path / "named" / f"{city} Branch.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"{city} Branch is in {city}. The manager of {city} Branch is {MANAGERS[city]}.\n")
    connect_corpus(store, project.id, tmp_path / "named", actor=ACTOR)
    plan = replace(PLAN, kinds=(FaultKind.VALUE_CHANGED,))
    by_id = set_up(store, plan, actor=ACTOR)
    assert {case.gold_document_ids for case in by_id.cases} >= {("branch:1",)}
    _, before = try_setup(store, by_id)
    assert before.confusion.planted["value_changed"]["contradiction"] == 4
    mapping = choose(store, project.id, Way.COLUMN, {"branch": "name"}, actor=ACTOR)
    assert mapping.matched == 5
    matched = set_up(store, plan, actor=ACTOR)
    assert {case.gold_document_ids for case in matched.cases} >= {("Arden Branch.md",)}
    _, after = try_setup(store, matched)
    assert after.confusion.planted["value_changed"]["contradiction"] == 4
    assert (before.made_from["document_mapping"], after.made_from["document_mapping"]) == ("", mapping.id)


@pytest.fixture
def asked(store, project, tmp_path, monkeypatch):
    """The target of a project, which writes each question that it is asked into a file."""
    log = tmp_path / "asked.txt"
    (tmp_path / "counted.py").write_text(
        "from pathlib import Path\n"
        "MANAGERS = " + repr(MANAGERS) + "\n"
        f"LOG = Path({str(log)!r})\n"
        "def answer(question):\n"
        "    with LOG.open('a') as file:\n"
        "        file.write(question + '\\n')\n"
        "    city = next(city for city in MANAGERS if city in question)\n"
        "    return {'answer': MANAGERS[city], 'contexts': [{'document_id': city, 'text': MANAGERS[city]}]}\n"
    )
    monkeypatch.delitem(sys.modules, "counted", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return lambda: log.read_text().splitlines() if log.exists() else []


COUNTED = replace(PLAN, target="python:counted:answer", options={}, kinds=(FaultKind.READER,))


def test_a_trial_that_was_stopped_asks_no_question_again(store, project, asked):
    setup = set_up(store, COUNTED, actor=ACTOR)
    with pytest.raises(Stopped):
        try_setup(store, setup, should_stop=lambda: len(asked()) >= 5)
    before = len(asked())
    assert 5 <= before < 12
    kept = kept_answers(store, COUNTED)
    assert kept.count() == before
    # Another kind, share and seed go on with the same answers.
    again = set_up(store, replace(COUNTED, share=1.0, seed=9, kinds=(FaultKind.RETRIEVAL,)), actor=ACTOR)
    _, result = try_setup(store, again)
    assert result.counts["cases"] == 12
    assert sorted(asked()) == sorted(set(asked()))
    assert len(asked()) == 12


@pytest.mark.slow
def test_answers_are_forgotten_when_the_trial_is_done(store, project, asked):
    context = in_this_process(store, project.id, **COUNTED.as_params())
    assert service.trial_job(context) is True
    assert kept_answers(store, COUNTED).count() == 0
    try_setup(store, set_up(store, COUNTED, actor=ACTOR))
    assert len(asked()) == 24


def test_another_system_or_other_documents_are_asked_anew(store, project, asked, tmp_path):
    try_setup(store, set_up(store, COUNTED, actor=ACTOR))
    assert kept_answers(store, COUNTED).count() == 12
    assert kept_answers(store, replace(COUNTED, options={"k": 2})).count() == 0
    (tmp_path / "documents" / "farley.md").write_text("---\nid: branch:6\n---\nFarley Branch.\n")
    connect_corpus(store, project.id, tmp_path / "documents", actor=ACTOR)
    assert kept_answers(store, COUNTED).count() == 0


def test_a_set_up_that_is_refused_after_it_was_asked_is_asked_anew(store, project, tmp_path):
    """Something has to change before it can be tried, and that may be the system behind the same address."""
    recording = tmp_path / "answers.jsonl"
    recording.write_text(
        "".join(json.dumps({"question": c.question, "answer": "Nobody."}) + "\n" for c in bank_cases())
    )
    plan = replace(PLAN, target=f"recorded:{recording}", options={}, kinds=(FaultKind.READER,))
    with pytest.raises(InvalidInput, match="Only 0 of 6 facts"):
        try_setup(store, set_up(store, plan, actor=ACTOR))
    assert kept_answers(store, plan).count() == 0


def test_a_question_that_the_target_failed_at_is_asked_again(store, project):
    kept = kept_answers(store, COUNTED)
    kept.put("", [Response(case_id="a", answer="Yes."), Response(case_id="b", answer=None, error="no reply")])
    assert list(kept.on("")) == ["a"]
    kept.put("", [Response(case_id="a", answer="No.")])
    assert kept.on("")["a"].answer == "Yes."
    assert kept.on("another copy") == {}


@pytest.mark.slow
def test_a_worker_that_is_killed_goes_on_where_it_was(store, project, asked):
    """Of a target that takes its time, no answer that was kept is asked again; those in flight at the kill may be."""
    module = Path(COUNTED.target.split(":")[1] + ".py")
    place = next(path / module for path in map(Path, sys.path) if (path / module).is_file())
    place.write_text("import time\n" + place.read_text().replace("    with LOG", "    time.sleep(0.3)\n    with LOG"))
    job = start_trial(store, replace(COUNTED, options={"concurrency": 1}), actor=ACTOR)
    until(lambda: len(asked()) >= 4, "the trial did not get so far")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    jobs.resume(store, job.id, ACTOR)
    ended = jobs.wait(store, job.id, seconds=120)
    assert ended.state is JobState.FINISHED, ended.error
    assert set(asked()) == {case.question for case in bank_cases()}
    assert len(asked()) <= 12 + 2
    assert trial_result(store, job.subject).counts["cases"] == 12
