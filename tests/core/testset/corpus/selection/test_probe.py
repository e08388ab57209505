"""A model answers each question with its passages and without, over real HTTP."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.errors import BudgetSpent
from core.domain.testset.questions import QuestionKind
from core.llm import Budget, load_prompt, open_chat
from core.store.database import Store
from core.testset.corpus.selection.probe import WITH_PROMPT, WITHOUT_PROMPT, QuestionProbe
from core.testset.corpus.selection.selecting import Check, Limits, Selection
from tests.core.testset.corpus.selection.test_selecting import CHUNK, QUESTION, Angles
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url

FAR = replace(QUESTION, kind=QuestionKind.OUT_OF_SCOPE, text="Who designed the Juniper card?", reference="", support=())


@pytest.fixture
def store(tmp_path):
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


def probe(store, server, **options):
    return QuestionProbe(
        open_chat(store, "", server.spec(), **options),
        with_prompt=load_prompt(WITH_PROMPT),
        without_prompt=load_prompt(WITHOUT_PROMPT),
        chunks={"c1": CHUNK},
        titles={"d1": "Juniper card"},
        nearest=lambda text: ["c1"],
    )


def answers(with_passages, without="I do not know."):
    def script(body):
        return with_passages if "Passage [1]" in body["messages"][-1]["content"] else without

    return script


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "question", "answerable", "known"),
    [
        (answers("It costs £72 a year [1]."), QUESTION, True, False),
        (answers("It is £72.", "As far as I know £72."), QUESTION, True, True),
        (answers("I could not find this in the documents."), QUESTION, False, False),
        (answers("It costs £36."), QUESTION, False, False),
        (answers("I could not find this in the documents."), FAR, False, None),
        (answers("Ada Finch designed it."), FAR, True, None),
        (answers("Yes.", "Yes."), replace(QUESTION, kind=QuestionKind.YES_NO, reference="Yes"), True, None),
        (lambda body: Fault(status=400), QUESTION, None, None),
    ],
)
def test_what_a_model_makes_of_a_question(store, script, question, answerable, known):
    with LlmServer(script) as server:
        found = probe(store, server).probe(question)
    assert (found.answerable, found.known) == (answerable, known)
    assert found.told.endswith((".", '"', "…"))


def examine(store, script, question):
    """Examines a question twice: what is turned down leaves its place free."""
    with LlmServer(script) as server:
        selection = Selection({"c1": CHUNK}, Angles(), limits=Limits(), probe=probe(store, server))
        return [selection.examine([question])[0] for _ in range(2)]


def test_only_what_passed_the_other_checks_is_asked(store):
    with LlmServer(answers("It is £72.")) as server:
        selection = Selection({"c1": CHUNK}, Angles(), probe=probe(store, server))
        found = selection.examine([QUESTION, replace(QUESTION, reference="£36", text="What is it?")])
        assert len(server.bodies) == 2  # one question, with its passage and without
    assert [examined.failed for examined in found] == [None, Check.ANSWER]
    assert found[0].probed == "With its passages a model answers it. Without them it does not."
    assert [(examined.answered, examined.known) for examined in found] == [(True, False), (None, None)]


@pytest.mark.parametrize(
    ("script", "check"),
    [(answers("It costs £36."), Check.ANSWERABLE), (answers("It is £72.", "It is £72."), Check.KNOWN)],
)
def test_what_cannot_be_answered_or_needs_no_document_is_turned_down(store, script, check):
    found, again = examine(store, script, QUESTION)
    assert (found.failed, again.failed) == (check, check)  # not a repetition of one that was turned down
    assert found.reason.startswith(("With its passages", "A model gives"))


def test_a_failed_call_turns_nothing_down_and_is_told(store):
    found, _ = examine(store, lambda body: Fault(status=400), QUESTION)
    assert found.accepted
    assert found.probed.startswith("A model was asked and gave no reply:")


def test_a_spent_budget_stops_it(store):
    with LlmServer(answers("It is £72.")) as server, pytest.raises(BudgetSpent):
        probe(store, server, budget=Budget(store, calls=1)).probe(QUESTION)
