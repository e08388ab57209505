"""The job that writes questions from documents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from core import jobs
from core.domain.errors import Forbidden, InvalidInput, NotFound, NothingAnswered
from core.domain.jobs import Job, JobState
from core.domain.llm import Endpoint
from core.domain.testset.question_drafts import DraftStatus
from core.domain.testset.questions import QuestionKind
from core.jobs import JobContext
from core.project.service import create_project
from core.sources.corpora import connect_corpus, corpus_chunks
from core.store import jobs as job_rows
from core.store.codec import to_row
from core.store.models import endpoints
from core.testset.corpus.allocation import Allocation
from core.testset.corpus.drafting import KIND, start_questions, write_batch, write_job
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.questions.review import set_question_status
from core.testset.corpus.selection.selecting import Limits
from core.testset.topics.strata import Crossing
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

EASY = {QuestionKind.SIMPLE: 2, QuestionKind.YES_NO: 1, QuestionKind.OUT_OF_SCOPE: 1}
PLAN = QuestionPlan(questions=20, kinds=EASY, limits=Limits(similarity=0.2))


def context_of(library, plan, job_id="job_1"):
    """A job seen from its worker, in this process."""
    job = Job(id=job_id, project_id=library.project_id, kind=KIND, actor=ACTOR, params=plan.as_params())
    with library.store.write(ACTOR, "job.start", project_id=library.project_id) as connection:
        job_rows.add(connection, job)
    return JobContext(library.store, job)


def write(library, plan=PLAN, job_id="job_1"):
    write_batch(library.store, library.project_id, plan, actor=ACTOR, batch_id=job_id)


@pytest.mark.slow
def test_a_worker_writes_what_is_asked_for_and_stores_it_with_where_it_came_from(library):
    job = start_questions(library.store, library.project_id, PLAN, actor=ACTOR)
    ended = jobs.wait(library.store, job.id, seconds=120)
    assert ended.state is JobState.FINISHED, ended.error
    (batch,) = library.batches()
    assert (batch.id, batch.topics_id) == (job.id, "tm_1")
    assert QuestionPlan.of(batch.plan) == PLAN
    assert sum(row["requested"] for row in batch.delivered) == 20
    drafts = library.drafts(status=DraftStatus.DRAFT)
    assert len(drafts) == sum(row["delivered"] for row in batch.delivered) == 20
    assert {row["stratum"] for row in batch.delivered} == {"Topic A", "Topic B"}
    assert Counter(draft.topic for draft in drafts) == {0: 12, 1: 8}  # six cards and four branches


@pytest.mark.slow
def test_every_support_is_in_its_chunk_and_every_topic_is_that_of_its_chunk(library):
    write(library, replace(PLAN, questions=60))
    _, chunks = corpus_chunks(library.store, library.project_id, actor=ACTOR)
    by_id = {chunk.id: chunk for chunk in chunks}
    for draft in library.drafts(status=DraftStatus.DRAFT):
        for part in draft.support:
            assert by_id[part.chunk_id].text[part.start : part.end] == part.text != ""
        if draft.question.home_chunk_id:
            assert int("branch" in by_id[draft.question.home_chunk_id].section[0]) == draft.topic


def test_what_cannot_be_delivered_has_its_reason(library):
    kinds = {QuestionKind.TREND: 1}
    write(library, replace(PLAN, questions=200, kinds=kinds))
    (batch,) = library.batches()
    assert sum(row["requested"] for row in batch.delivered) == 200
    for row in batch.delivered:
        assert (row["delivered"] < row["requested"]) == bool(row["reason"])


@pytest.mark.slow
def test_the_same_plan_gives_the_same_questions_and_a_second_go_writes_none_twice(library, tmp_path):
    write(library)
    first = library.drafts()
    write(library, job_id="job_2")
    second = [draft for draft in library.drafts() if draft.batch_id == "job_2"]
    assert {draft.text for draft in first if not draft.failed}.isdisjoint(
        draft.text for draft in second if not draft.failed
    )
    other = create_project(library.store, "Twin", ACTOR)
    twin = replace(library, project_id=other.id)

    connect_corpus(library.store, other.id, tmp_path / "documents", actor=ACTOR)
    twin.put_topics(lambda chunk: int("branch" in chunk.section[0]), "tm_2")
    write(twin, job_id="job_3")
    assert [replace(draft, batch_id="") for draft in twin.drafts()] == [replace(draft, batch_id="") for draft in first]


@pytest.mark.slow
def test_another_process_writes_the_same_byte_for_byte(library, tmp_path):
    write(library)
    code = (
        "import sys; from pathlib import Path\n"
        "from core.project.service import create_project\n"
        "from core.sources.corpora import connect_corpus\n"
        "from core.store.database import Store\n"
        "from tests.core.testset.corpus.test_drafting import as_bytes, write\n"
        "from tests.support.documents.library import Library\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    project = create_project(store, 'Elsewhere', 'local')\n"
        "    connect_corpus(store, project.id, Path(sys.argv[2]), actor='local')\n"
        "    made = Library(store, project.id)\n"
        "    made.put_topics(lambda chunk: int('branch' in chunk.section[0]))\n"
        "    write(made)\n"
        "    sys.stdout.write(as_bytes(made))\n"
    )
    (tmp_path / "other").mkdir()
    command = [sys.executable, "-c", code, blank_url(tmp_path / "other"), str(tmp_path / "documents")]
    environment = {**os.environ, "PYTHONHASHSEED": "97"}
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    assert told == as_bytes(library)


def as_bytes(library):
    """Everything that is stored of the questions, as it is written out."""
    return json.dumps([to_row(draft) for draft in library.drafts()], ensure_ascii=True)


@pytest.mark.slow
def test_other_limits_give_a_turned_down_question_another_chance(library):
    write(library, replace(PLAN, questions=4, limits=Limits(similarity=1.0)))
    assert {draft.status for draft in library.drafts() if draft.support} == {DraftStatus.TURNED_DOWN}
    write(library, replace(PLAN, questions=4), job_id="job_2")
    accepted = library.drafts(status=DraftStatus.DRAFT)
    assert any(draft.support for draft in accepted)


@pytest.mark.slow
def test_equal_and_weighted_shares(library):
    write(library, replace(PLAN, questions=10, allocation=Allocation.EQUAL))
    assert Counter(draft.topic for draft in library.drafts(status=DraftStatus.DRAFT)) == {0: 5, 1: 5}
    write(library, replace(PLAN, questions=8, allocation=Allocation.WEIGHTED, weights={0: 1, 1: 3}), job_id="job_2")
    (batch, _) = library.batches()
    wanted = Counter()
    for row in batch.delivered:
        wanted[row["stratum"]] += row["requested"]
    assert wanted == {"Topic A": 2, "Topic B": 6}


def test_strata_can_be_crossed_with_the_type_of_document(library):
    write(library, replace(PLAN, crossing=Crossing.FORMAT))
    drafts = library.drafts(status=DraftStatus.DRAFT)
    assert len({draft.value for draft in drafts}) == 1
    assert all(draft.value for draft in drafts)


def test_a_worker_killed_after_its_last_write_does_nothing_again(library):
    context = context_of(library, PLAN)
    assert write_job(context)
    before = library.drafts()
    set_question_status(library.store, library.project_id, [before[0].id], DraftStatus.APPROVED, actor=ACTOR)
    assert write_job(JobContext(library.store, context.job))
    assert len(library.drafts()) == len(before)
    assert len(library.batches()) == 1


@pytest.mark.parametrize(
    ("plan", "error", "message"),
    [
        (replace(PLAN, questions=0), InvalidInput, "0 questions"),
        (replace(PLAN, kinds={QuestionKind.SIMPLE: 0}), InvalidInput, "No kind"),
        (replace(PLAN, model="m@http://127.0.0.1:9/v1"), Forbidden, "nobody agreed to send them"),
        (replace(PLAN, questions=3, minimum=5), InvalidInput, "budget is 3"),
    ],
)
def test_a_plan_that_cannot_be_met_is_refused_before_anything_starts(library, plan, error, message):
    with pytest.raises(error, match=message):
        start_questions(library.store, library.project_id, plan, actor=ACTOR)
    assert jobs.list_jobs(library.store, library.project_id) == []


def test_a_plan_reads_back_as_it_was_written():
    plan = replace(PLAN, crossing=Crossing.MONTH, outliers=True, weights={3: 0.5}, seed=7, model="m@http://x/v1")
    assert QuestionPlan.of(json.loads(json.dumps(plan.as_params()))) == plan
    with pytest.raises(InvalidInput, match="cannot be read"):
        QuestionPlan.of({"questions": "many"})


def test_without_documents_or_topics_it_says_what_to_do_first(library):
    empty = create_project(library.store, "Empty", ACTOR)
    with pytest.raises(NotFound, match="no documents"):
        start_questions(library.store, empty.id, PLAN, actor=ACTOR)


def test_topics_of_other_documents_are_refused(library, tmp_path):
    (tmp_path / "documents" / "new.md").write_text("# New card\n\nThe annual fee of the New card is £1.\n")

    connect_corpus(library.store, library.project_id, tmp_path / "documents", actor=ACTOR)
    with pytest.raises(InvalidInput, match="changed since"):
        start_questions(library.store, library.project_id, PLAN, actor=ACTOR)


def model(body):
    """A fact of every passage with a sum; a question about it; the answer where it is shown the passage."""
    said = body["messages"][-1]["content"]
    if "List at most" not in said and "Kind: " not in said:
        fee = next((line for line in said.splitlines() if line.startswith("The annual fee")), "")
        return f"It is {fee.split(' is ')[1]}" if fee else "I do not know."
    if "List at most" in said:
        quotes = [line for line in said.splitlines() if line.startswith("The annual fee")]
        return {"facts": [{"fact": quote, "quote": quote} for quote in quotes]}
    quote = next(line for line in said.splitlines() if line.startswith("The annual fee"))
    name, fee = quote.split(" the ")[1].split(" card")[0], quote.split(" is ")[1].rstrip(".")
    return {"questions": [{"question": f"What do I pay a year for {name}?", "answer": fee, "quotes": [quote]}]}


def held(library, server):
    with library.store.write(ACTOR, "test.endpoint", project_id=library.project_id) as connection:
        where = Endpoint(
            id="end_1",
            project_id=library.project_id,
            name="Held",
            base_url=server.base_url,
            concurrency=2,
            timeout_s=600,
            deadline_s=600,
        )
        endpoints.put(connection, where)


def with_model(server, **change):
    kinds = {QuestionKind.SIMPLE: 1}
    return replace(PLAN, questions=12, kinds=kinds, model=server.spec(), send_documents=True, **change)


@pytest.mark.slow
def test_a_killed_worker_asks_the_model_nothing_again(library):
    with LlmServer(model, hold_after=3) as server:
        held(library, server)
        job = start_questions(library.store, library.project_id, with_model(server), actor=ACTOR)
        ended = killed_and_resumed(library.store, job, server, at_once=2)
        assert ended.state is JobState.FINISHED, ended.error
    drafts = library.drafts(status=DraftStatus.DRAFT)
    assert {draft.made_by for draft in drafts} == {"document_questions v1"}
    assert len(drafts) == 6  # one of each card; branches have no fee
    assert {draft.probed for draft in drafts} == {"With its passages a model answers it. Without them it does not."}


def test_a_model_that_answers_nothing_fails_the_job_with_the_reason(library):
    with LlmServer(lambda body: Fault(status=401)) as server, pytest.raises(NothingAnswered, match="passages"):
        write(library, with_model(server))
    assert library.batches() == []
