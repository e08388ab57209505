"""Templates by a model as a job: stored as drafts with what became of the rest, stopped and resumed for nothing."""

import json

import pytest

from core import jobs
from core.domain.errors import InvalidInput, InvalidTemplate
from core.domain.jobs import Job, JobState
from core.domain.testset.templates import TemplateStatus
from core.jobs import JobContext
from core.store import jobs as job_rows
from core.testset.grounded.wording.checks import ROUND_TRIP
from core.testset.templates.generating import (
    KIND,
    generate,
    generate_job,
    generation_result,
    start_generation,
)
from core.testset.templates.generation_cost import expected_calls
from core.testset.templates.llm_requests import Generation
from core.testset.templates.review import set_text_status
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER
from tests.core.testset.grounded.llm.script import part, rejected
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

OTHER = "Where is branch '[branch.name]'?"
UNKNOWN = "SELECT street FROM branch WHERE name = '[branch.name]'"


def script(body):
    """Answers by what is asked for; the wording "Where is ..." is read as a question for the manager."""
    question = part(body, "question")
    if question:
        column = "manager" if question == OTHER else "city"
        return {"sql": f"SELECT {column} FROM branch WHERE name = '[branch.name]'", "reason": ""}
    if part(body, "query"):
        return {"wordings": [CITY_SHORT, OTHER]}
    if part(body, "tables") == "branch":
        return {"templates": [MANAGER] if rejected(body) else [CITY, UNKNOWN]}
    return {"templates": []}


@pytest.fixture
def server():
    with LlmServer(script) as started:
        yield started


def context_of(bank, generation, job_id="job_1"):
    """A job seen from its worker, in this process."""
    job = Job(id=job_id, project_id=bank.project_id, kind=KIND, actor=ACTOR, params=generation.as_params())
    with bank.store.write(ACTOR, "job.start", project_id=bank.project_id) as connection:
        job_rows.add(connection, job)
    return JobContext(bank.store, job)


@pytest.mark.slow
def test_a_worker_stores_sql_templates_as_drafts_and_what_became_of_the_rest(bank, server):
    generation = Generation(what="sql", model=server.spec(), sizes=(1,), per_set=2, criteria="Branches first.")
    expected = expected_calls(bank.store, bank.project_id, generation)
    assert (expected.requests, expected.wanted, expected.least_calls, expected.most_calls) == (2, 4, 2, 4)
    job = start_generation(bank.store, bank.project_id, generation, actor=ACTOR)
    ended = jobs.wait(bank.store, job.id, seconds=60)
    assert ended.state is JobState.FINISHED, ended.error
    assert [(item.sql, item.status, item.origin) for item in bank.sql()] == [
        (CITY, TemplateStatus.DRAFT, "llm"),
        (MANAGER, TemplateStatus.DRAFT, "llm"),
    ]
    told = generation_result(bank.store, job.id)
    assert (told["requested"], told["delivered"], told["calls"], told["criteria"]) == (4, 2, 3, "Branches first.")
    assert told["by_subject"] == [
        {"subject": "account", "form": "", "requested": 2, "delivered": 0, "missing": "the model proposed no more"},
        {"subject": "branch", "form": "", "requested": 2, "delivered": 2, "missing": ""},
    ]
    [item] = told["rejected"]
    assert (item["subject"], item["proposal"], item["check"], item["round"]) == ("branch", UNKNOWN, "names", 1)
    assert "street" in item["reason"]
    # The progress a person saw last says that all was asked.
    assert (ended.progress.done, ended.progress.total) == (2, 2)


def test_wordings_are_turned_back_and_the_flag_outlives_their_approval(bank, server):
    bank.approved_sql(CITY)
    generation = Generation(
        what="text", model=server.spec(), forms={"Short": "", "plain": "Plain."}, n=2, round_trip=True
    )
    expected = expected_calls(bank.store, bank.project_id, generation)
    assert (expected.requests, expected.wanted, expected.least_calls, expected.most_calls) == (2, 4, 6, 8)
    generate(context_of(bank, generation))
    by_text = {text.text: text for text in bank.texts()}
    assert {(text.form, text.origin) for text in by_text.values()} == {("short", "llm")}
    trips = {
        words: [check.passed for check in text.checks if check.name == ROUND_TRIP] for words, text in by_text.items()
    }
    assert trips == {CITY_SHORT: [True], OTHER: [False]}
    told = generation_result(bank.store, "job_1")
    assert (told["requested"], told["delivered"], told["duplicates"]) == (4, 2, 2)
    assert told["round_trips"] == {"passed": 1, "flagged": 1, "failed": 0, "failures": []}
    assert set_text_status(bank.store, bank.project_id, [by_text[OTHER].id], TemplateStatus.APPROVED, actor=ACTOR) == []
    [approved] = bank.texts(TemplateStatus.APPROVED)
    [flag] = [check for check in approved.checks if check.name == ROUND_TRIP]
    assert "Results differ for 6 of 6" in flag.message


def test_wordings_that_are_there_can_be_turned_back_later(bank, server):
    template = bank.approved_sql(CITY)
    bank.approved_text(template, CITY_SHORT)
    draft = bank.saved_text(template, OTHER)
    generate(context_of(bank, Generation(what="round_trip", model=server.spec())))
    checked = {text.id: text for text in bank.texts()}
    assert [check.passed for check in checked[draft.id].checks if check.name == ROUND_TRIP] == [False]
    assert len(server.bodies) == 1  # the approved one was looked at by a person already
    assert generation_result(bank.store, "job_1")["round_trips"]["flagged"] == 1


def test_a_stopped_job_stores_nothing_and_its_resume_asks_only_what_is_left(bank, server):
    generation = Generation(what="sql", model=server.spec(), sizes=(1, 2), per_set=2)
    context = context_of(bank, generation)
    answers = iter([False, True, True])  # one set is asked about, then somebody presses Stop
    context.should_stop = lambda: next(answers)
    assert generate_job(context) is False
    assert bank.sql() == []
    assert generation_result(bank.store, "job_1") is None
    sent = len(server.bodies)
    assert sent == 1
    again = JobContext(bank.store, context.job)
    assert generate_job(again) is True
    assert [template.sql for template in bank.sql()] == [CITY, MANAGER]
    bodies = [json.dumps(body, sort_keys=True) for body in server.bodies]
    assert len(bodies) == len(set(bodies)) > sent
    # A worker that was killed after its last write does nothing twice, and another job pays for nothing again.
    entries = len(bank.actions())
    assert generate_job(again) is True
    assert len(bank.actions()) == entries
    generate(context_of(bank, generation, "job_2"))
    assert len(server.bodies) == len(bodies)
    told = generation_result(bank.store, "job_2")
    assert (told["delivered"], told["duplicates"], told["calls_from_cache"]) == (0, 2, told["calls"])


def test_what_cannot_be_written_is_refused_before_a_worker_starts(bank, server):
    def refused(**wanted):
        start_generation(bank.store, bank.project_id, Generation(**wanted), actor=ACTOR)

    model = server.spec()
    for wanted, says in (
        ({"what": "poem", "model": model}, "A model cannot write 'poem'"),
        ({"model": " "}, "No model is named"),
        ({"model": "m"}, "does not say where"),
        ({"model": model, "sizes": ()}, "No size"),
        ({"model": model, "sizes": (3,)}, "nothing to ask"),
        ({"model": model, "per_set": 0}, "0 templates of each table set"),
        ({"what": "text", "model": model, "forms": {"short": ""}, "n": 51}, "51 wordings of each form"),
        ({"what": "text", "model": model}, "No form"),
        ({"what": "text", "model": model, "forms": {"pirate": " "}}, "no description"),
        ({"what": "text", "model": model, "forms": {"short": ""}}, "nothing to ask"),
        ({"what": "round_trip", "model": model}, "nothing to ask"),
    ):
        with pytest.raises(InvalidInput, match=says):
            refused(**wanted)
    with pytest.raises(InvalidTemplate, match="cannot be called"):
        refused(what="text", model=model, forms={"a/b": "Odd."})
    assert jobs.list_jobs(bank.store, bank.project_id) == []
    assert server.bodies == []


def test_a_generation_survives_its_way_through_a_job():
    generation = Generation(
        what="text",
        model="m@http://h/v1",
        criteria="c",
        sizes=(2, 3),
        tables=("a",),
        per_set=4,
        forms={"x": "y"},
        n=7,
        round_trip=True,
    )
    assert Generation.of(json.loads(json.dumps(generation.as_params()))) == generation
