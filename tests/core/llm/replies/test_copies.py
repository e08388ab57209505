"""A reply that copies the example of its prompt is no answer: it is sent back once, and then fails as a copy."""

import json
import re

import pytest
from pydantic import BaseModel, create_model

from core.domain.errors import CallFailed
from core.domain.llm import Message, PromptVariant
from core.domain.status import Status
from core.judging.claims.checks import verdicts_of
from core.judging.claims.extraction import ClaimList
from core.judging.grouse.replies import GrouseMetric, form_of
from core.judging.models.votes import ReferenceVerdict
from core.judging.self_check import SameAnswer
from core.llm import list_prompts, load_prompt, open_chat
from core.llm.prompts.examples import examples
from core.llm.replies.copies import copied
from core.store.database import Store
from core.testset.corpus.questions.model import KeyFacts, WrittenQuestions
from core.testset.grounded.llm.round_trip import BackInSql
from core.testset.grounded.llm.sql_generator import SqlProposals
from core.testset.grounded.llm.text_generator import TextProposals
from core.testset.topics.naming import TopicName
from core.testset.variants.rewording import Reworded
from tests.support.servers.llm_server import LlmServer
from tests.support.stores import blank_url

FORMS = {
    "claim_support": verdicts_of(2),
    "claims": ClaimList,
    "document_questions": WrittenQuestions,
    "grouse_answer_relevancy": form_of(GrouseMetric.ANSWER_RELEVANCY, 2),
    "grouse_completeness": form_of(GrouseMetric.COMPLETENESS, 2),
    "grouse_faithfulness": form_of(GrouseMetric.FAITHFULNESS, 2),
    "grouse_faithfulness_uncited": form_of(GrouseMetric.FAITHFULNESS_UNCITED, 2),
    "grouse_usefulness": form_of(GrouseMetric.USEFULNESS, 2),
    "key_facts": KeyFacts,
    "question_paraphrase": Reworded,
    "reference_verdict": ReferenceVerdict,
    "round_trip": BackInSql,
    "same_answer": SameAnswer,
    "sql_templates": SqlProposals,
    "text_templates": TextProposals,
    "topic_names": TopicName,
}
ANSWER = {"reason": "Both name the fee of 12 EUR.", "verdict": "Correct"}


def filled(name):
    prompt = load_prompt(name, variant=PromptVariant.SHORT)
    return prompt, prompt.render(**examples(prompt.id, prompt.inputs))


def example_in(messages):
    return json.loads(re.search(r"^JSON: (\{.*\})$", messages[0].content, re.MULTILINE)[1])


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_example_of_each_short_prompt_is_known_again_in_a_reply(name):
    _, messages = filled(name)
    example = FORMS[name].model_validate(example_in(messages))
    assert copied(example, messages), "the example itself"


def test_every_short_prompt_that_wants_json_shows_an_example_that_can_be_known_again():
    short = [prompt for prompt in list_prompts() if prompt.id.endswith("/short")]
    wanting = {prompt.id.removesuffix("/short") for prompt in short if "JSON:" in prompt.text}
    assert wanting == set(FORMS)


def reply_of(*texts):
    return create_model("Reply", texts=(list[str], ...))(texts=list(texts))


SAYS = Message("system", 'Split it.\n\nExample:\nJSON: {"claims": ["The lamp was lit in 1887.", "Ona Fisk", "1887"]}')
ASKS = Message("user", "Answer: The fee is 12 EUR.\nJSON:")


@pytest.mark.parametrize(
    ("texts", "copy"),
    [
        (["The fee is 12 EUR."], ""),
        (["the lamp was lit in 1887"], "the lamp was lit in 1887"),
        (["The fee is 12 EUR.", "The lamp was lit in 1887."], "The lamp was lit in 1887."),
        (["As is said, the lamp was lit in 1887, and so on."], "As is said, the lamp was lit in 1887, and so on."),
        (["The fee was set in 1887."], ""),  # a figure may be the answer to anything
        (["The Fisk report."], ""),
        (["The manager is Ona Fisk."], "The manager is Ona Fisk."),
        (["..."], "..."),
    ],
)
def test_a_text_of_the_example_is_a_copy_in_any_spelling_and_a_figure_of_it_is_none(texts, copy):
    assert copied(reply_of(*texts), (SAYS, ASKS)) == copy


def test_what_was_asked_about_may_be_what_the_example_tells_of():
    asks = Message("user", "Answer: The lamp was lit in 1887, says Ona Fisk.\nJSON:")
    assert copied(reply_of("The lamp was lit in 1887.", "Ona Fisk says so."), (SAYS, asks)) == ""


def test_an_edited_prompt_without_an_example_that_can_be_read_refuses_nothing():
    says = Message("system", 'JSON: {"claims": [one, two]}')
    assert copied(reply_of("one two three"), (says, ASKS)) == ""


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def judged(store, replies):
    """What came of a verdict that a server gives by these replies in turn, and what it was asked."""
    prompt = load_prompt("reference_verdict", variant=PromptVariant.SHORT)
    messages = prompt.render(question="What is the fee?", references=["12 EUR"], response="12 EUR")
    turn = iter(replies)
    with LlmServer(lambda body: next(turn)) as server:
        chat = open_chat(store, "", server.spec(), prompts=PromptVariant.SHORT)
        try:
            return chat.ask_for(ReferenceVerdict, messages, purpose="judge", prompt=prompt.ref)[0], server.bodies
        except CallFailed as error:
            return error, server.bodies


def test_a_copy_is_sent_back_once_and_the_answer_that_comes_then_is_taken(store):
    _, messages = filled("reference_verdict")
    verdict, bodies = judged(store, [example_in(messages), ANSWER])
    assert verdict == ReferenceVerdict(**ANSWER)
    assert bodies[1]["messages"][-1]["content"].startswith("That is the example, not an answer.")


def test_a_copy_that_comes_again_fails_as_one_and_is_not_asked_for_a_third_time(store):
    _, messages = filled("reference_verdict")
    error, bodies = judged(store, [example_in(messages)] * 2)
    assert error.status is Status.PARSE_FAILED
    assert "it copied the example of the prompt" in error.message
    assert len(bodies) == 2


class Note(BaseModel):
    text: str


def test_a_whole_prompt_shows_its_form_by_a_schema_and_its_words_may_come_back(store):
    says = Message("system", 'Note it.\nJSON: {"text": "The lamp was lit in 1887."}')
    with LlmServer(lambda body: {"text": "The lamp was lit in 1887."}) as server:
        note, _ = open_chat(store, "", server.spec()).ask_for(Note, [says, ASKS], purpose="note")
    assert note.text == "The lamp was lit in 1887."
