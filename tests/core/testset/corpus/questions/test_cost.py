"""What questions by a model will take before they are asked for; and a model that answers questions by rules."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from core.domain.errors import Forbidden, InvalidInput, NothingAnswered
from core.domain.llm import Price
from core.domain.testset.question_drafts import DraftStatus
from core.domain.testset.questions import QuestionKind
from core.llm import Limits as SpendingLimits
from core.llm.calls import log
from core.llm.spending.estimates import Between, Outlook
from core.store.models import prices
from core.testset.corpus.drafting import write_batch
from core.testset.corpus.questions.cost import expected_cost
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.selection.selecting import Limits
from tests.core.testset.corpus.test_drafting import model
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR

SIMPLE = QuestionPlan(questions=10, kinds={QuestionKind.SIMPLE: 1}, limits=Limits(similarity=0.2))


def by_model(server, **more):
    return replace(SIMPLE, model=server.spec(), send_documents=True, **more)


def checked(server, **more):
    return replace(SIMPLE, checker=server.spec(), send_documents=True, **more)


def parts(library, plan):
    return {part.purpose: part for part in expected_cost(library.store, library.project_id, plan, actor=ACTOR)}


def write(library, plan, job_id="job_1"):
    return write_batch(library.store, library.project_id, plan, actor=ACTOR, batch_id=job_id)


def reader(body):
    """Answers with the fee or the month that the passages shown give, and with no name; knows nothing without them."""
    said = body["messages"][-1]["content"]
    passages, _, asked = said.rpartition("Question\n")
    for word, line in (("fee", "The annual fee"), ("launched", "launched"), ("", "opened")):
        if word in asked and (found := [part for part in passages.splitlines() if line in part]):
            return found[0]
    return "I could not find this in the documents."


def test_rules_alone_take_no_calls(library):
    assert expected_cost(library.store, library.project_id, SIMPLE) == ()


@pytest.mark.slow
def test_an_estimate_holds_what_then_comes_and_sends_nothing(library):
    price = Price(model="m", input_per_million=Decimal(1000), output_per_million=Decimal(0), currency="EUR")
    with library.store.pulse() as connection:
        prices.replace(connection, library.project_id, [price])
    with LlmServer(model) as server:
        plan = by_model(server, questions=5)
        found = parts(library, plan)
        assert (server.bodies, server.probes) == ([], [])
        write(library, plan)
        bodies = list(server.bodies)
    spent = log.of_job(library.store, library.project_id, "job_1")
    outlook = Outlook(parts=tuple(found.values()))
    assert list(found) == ["key_facts", "document_questions", "question_probe", "question_alone"]
    # Three questions of cards and two of branches: two passages and one are enough if each gives two questions.
    assert found["document_questions"].calls == Between(low=3, high=10)
    assert found["question_probe"].calls == Between(low=5, high=9 + 6 + 4 + 2)
    assert outlook.calls.low <= spent.calls <= outlook.calls.high
    assert (outlook.priced, outlook.currency) == (4, "EUR")
    characters = sum(len(message["content"]) for body in bodies for message in body["messages"])
    assert sum(part.prompt_tokens.low for part in outlook.parts) < characters / 4 < outlook.tokens.high


def test_only_kinds_whose_answer_cannot_be_guessed_are_asked_without_passages(library):
    with LlmServer(model) as server:
        wanted = checked(server, kinds={QuestionKind.SIMPLE: 1, QuestionKind.YES_NO: 1})
        found = parts(library, wanted)
        assert parts(library, by_model(server, probe=False)).keys() == {"key_facts", "document_questions"}
    assert list(found) == ["question_probe", "question_alone"]
    assert (found["question_probe"].calls.low, found["question_alone"].calls.low) == (10, 5)


@pytest.mark.slow
def test_questions_by_rules_are_answered_by_a_model_where_one_is_given(library):
    with LlmServer(reader) as server:
        plan = checked(server)
        batch = write(library, plan)
        outlook = Outlook(parts=expected_cost(library.store, library.project_id, plan, actor=ACTOR))
        assert len(server.bodies) <= outlook.calls.high
    accepted = library.drafts(status=DraftStatus.DRAFT)
    down = library.drafts(status=DraftStatus.TURNED_DOWN)
    assert sum(row["delivered"] for row in batch.delivered) == len(accepted) > 0
    assert {draft.probed for draft in accepted} == {"With its passages a model answers it. Without them it does not."}
    assert {draft.made_by for draft in accepted} <= {"property", "event", "key_value", "table"}
    assert {draft.failed for draft in down} <= {"answerable", "duplicate", "similarity", "copy"}
    assert "answerable" in {draft.failed for draft in down}, "the reader knows no manager"


@pytest.mark.slow
def test_a_model_is_given_no_more_than_the_bound(library):
    with LlmServer(lambda body: "I could not find this in the documents.") as server:
        batch = write(library, checked(server, questions=2))
        assert len(server.bodies) <= 2 * 2 * 6
    assert sum(row["delivered"] for row in batch.delivered) == 0
    for row in batch.delivered:
        assert row["candidates"] <= 6 or "no more candidates" in row["reason"]
        assert "not answered as they should be by a model" in row["reason"]


def test_nobody_is_sent_passages_without_consent_and_a_dead_model_is_no_check(library):
    with LlmServer(lambda body: Fault(status=401)) as server:
        with pytest.raises(Forbidden, match="answers questions reads passages"):
            write(library, replace(checked(server), send_documents=False))
        assert server.bodies == []
        with pytest.raises(NothingAnswered, match="questions"):
            write(library, checked(server, questions=2))
    assert library.drafts() == []


@pytest.mark.slow
def test_another_model_can_answer_what_one_writes(library):
    with LlmServer(model) as writer, LlmServer(reader) as answering:
        plan = by_model(writer, checker=answering.spec(), questions=4)
        write(library, plan)
        assert not any("Passage [1]" in body["messages"][-1]["content"] for body in writer.bodies)
        assert answering.bodies
    assert QuestionPlan.of(plan.as_params()) == plan


def test_a_budget_holds_for_the_checks_too(library):
    with LlmServer(reader) as server:
        plan = checked(server, spending=SpendingLimits(calls=-1))
        with pytest.raises(InvalidInput, match="-1"):
            write(library, plan)
