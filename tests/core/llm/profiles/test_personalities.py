"""Services that refuse, ignore, think aloud, cut and stream: each case is answered once or has its true reason."""

from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import pytest
from pydantic import BaseModel

from core.domain.errors import CallFailed
from core.domain.llm import Message, Structured
from core.domain.model_profiles import Api, Support, Thoughts, TokenLimit
from core.domain.status import Status
from core.llm import open_chat
from core.store.database import Store
from core.store.tables import llm_calls
from tests.support.personalities import ANSWER, FURTHER, LATEST, NEWEST, THOUGHT, Personalities
from tests.support.stores import blank_url

MARK = "Is case"


class Verdict(BaseModel):
    verdict: Literal["Correct", "Incorrect"]


@pytest.fixture(scope="module")
def server():
    with Personalities() as running:
        yield running


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def messages(number, words=0):
    passage = "The page lists a locker and a key. " * (words // 8)
    return [
        Message("system", "You judge answers by what the pages say."),
        Message("user", f"{MARK} {number} right? {passage}"),
    ]


def work(chat, cases=6):
    """Verdicts and answers of cases at once; each ends with what was read or with the error."""

    def judge(number):
        try:
            value, reply = chat.ask_for(Verdict, messages(number), purpose="judge", max_tokens=500)
            return value.verdict, reply.reasoning
        except CallFailed as error:
            return error

    def answer(number):
        return chat.ask(messages(f"{number} of the target"), purpose="target", max_tokens=500).text

    with ThreadPoolExecutor(4) as pool:
        verdicts = pool.map(judge, range(cases))
        answers = pool.map(answer, range(2))
        return list(verdicts), list(answers)


TAKEN = {
    "plain": {"structured": Structured.SCHEMA},
    "no_temperature": {"temperature": False, "structured": Structured.SCHEMA},
    "max_completion_tokens": {"token_limit": TokenLimit.MAX_COMPLETION_TOKENS, "structured": Structured.SCHEMA},
    "ignores_form": {"structured": Structured.NONE},
    "form_500": {"structured": Structured.JSON},
    "form_500_silent": {"structured": Structured.JSON},
    "thoughts_field": {"thoughts": Thoughts.FIELD},
    "thoughts_tags": {"thoughts": Thoughts.TAGS, "structured": Structured.SCHEMA},
    "thoughts_bare": {"thoughts": Thoughts.BARE, "structured": Structured.SCHEMA},
    "thoughts_harmony": {"thoughts": Thoughts.HARMONY, "structured": Structured.SCHEMA},
    "content_list": {"content": "parts"},
    "no_usage": {"usage": Support.IGNORED},
    "n_ignored": {"structured": Structured.SCHEMA},
    "responses_only": {"api": Api.RESPONSES, "structured": Structured.SCHEMA, "thoughts": Thoughts.FIELD},
    "cuts_prompts": {"context_cut": False},
    "streams_only": {"stream": True, "structured": Structured.SCHEMA},
}


@pytest.mark.parametrize("name", TAKEN)
def test_every_case_is_answered_once_and_the_profile_says_how(store, server, name):
    spec, before = server.spec(name), server.sent(name)
    chat = open_chat(store, "", spec)
    verdicts, answers = work(chat)
    thinks = name.startswith("thoughts") or name == "responses_only"
    assert verdicts == [("Correct", THOUGHT if thinks else "")] * 6
    assert answers == [ANSWER] * 2, "no thought and no form is taken for the answer"
    paid = server.paid(name, MARK)
    assert (len(paid), set(paid.values())) == (8, {1}), "none was paid twice"
    now = chat.profile.now
    assert {key: getattr(now, key) for key in TAKEN[name]} == TAKEN[name]
    assert all(chat.profile.ground(key) for key, value in TAKEN[name].items() if value)
    # Refusals of the questions at work: each of the four threads may come to know of one by itself.
    assert server.sent(name) - before < 8 + 4 + 8

    sent = server.sent(name)
    again = open_chat(store, "", spec)
    assert work(again) == (verdicts, answers)
    assert server.sent(name) == sent, "a second run sends nothing"
    again.ask(messages("new"), purpose="target", max_tokens=500)
    assert server.sent(name) == sent + 1, "what was learnt is known to the next"


FOUND = {
    "mistral": {"thoughts": Thoughts.PARTS, "structured": Structured.SCHEMA},
    "google_gemma": {"system": False, "structured": Structured.NONE},
    "lm_studio": {"structured": Structured.SCHEMA},
    "deepseek": {"structured": Structured.JSON, "thoughts": Thoughts.FIELD},
    "litellm_gpt5": {"temperature": False, "structured": Structured.SCHEMA},
    "claude_compatible": {"temperature": False, "structured": Structured.NONE},
    "tgi": {"system": False, "structured": Structured.SCHEMA},
    "streams_always": {"stream": False, "structured": Structured.SCHEMA, "thoughts": Thoughts.FIELD},
    "openrouter": {"structured": Structured.SCHEMA, "thoughts": Thoughts.FIELD},
    "o1_mini": {"temperature": False, "system": False, "structured": Structured.NONE},
    "bedrock_gateway": {"structured": Structured.NONE},
    "mute_400": {"temperature": False, "structured": Structured.NONE},
    "mute_500": {"temperature": False, "structured": Structured.SCHEMA},
    "counts_otherwise": {"context_cut": False, "structured": Structured.SCHEMA},
    "thinks_long": {"thoughts": Thoughts.TAGS, "structured": Structured.SCHEMA},
    "warms_up": {"temperature": True, "system": True, "structured": Structured.SCHEMA},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FURTHER)
def test_services_nobody_had_in_mind_are_asked_as_they_take_it(store, server, name, impatient):
    chat = open_chat(store, "", server.spec(name))
    verdicts, answers = work(chat, cases=3)
    assert ({verdict for verdict, _ in verdicts}, set(answers)) == ({"Correct"}, {ANSWER})
    assert {key: getattr(chat.profile.now, key) for key in FOUND[name]} == FOUND[name]
    sent = server.sent(name)
    assert work(open_chat(store, "", server.spec(name)), cases=3) == (verdicts, answers)
    assert server.sent(name) == sent


def test_a_server_that_was_starting_is_not_taken_to_refuse_the_form(store, server, impatient):
    """Nobody else asks meanwhile: both failures fall on the question that asks for the schema."""
    chat = open_chat(store, "", server.spec("starts"))
    value, _ = chat.ask_for(Verdict, messages("alone"), purpose="judge", max_tokens=500)
    assert (value.verdict, chat.profile.now.structured) == ("Correct", Structured.SCHEMA)


SEEN = {
    "vllm_reasoning": {"structured": Structured.SCHEMA, "thoughts": Thoughts.FIELD},
    "gemini_thinking": {"structured": Structured.JSON},
    "bedrock_gpt_oss": {"structured": Structured.NONE, "thoughts": Thoughts.TAGS},
    "litellm_error_in_200": {"structured": Structured.SCHEMA},
    "openrouter_error_in_200": {"structured": Structured.SCHEMA},
    "openrouter_keeps_alive": {"structured": Structured.SCHEMA},
    "mistral_references": {"structured": Structured.SCHEMA, "content": "parts"},
    "fireworks_grammar": {"structured": Structured.GRAMMAR, "thoughts": Thoughts.TAGS},
}


@pytest.mark.parametrize("name", NEWEST)
def test_services_of_today_are_asked_as_they_take_it(store, server, name, impatient):
    chat = open_chat(store, "", server.spec(name))
    verdicts, answers = work(chat, cases=3)
    assert ({verdict for verdict, _ in verdicts}, set(answers)) == ({"Correct"}, {ANSWER})
    assert {key: getattr(chat.profile.now, key) for key in SEEN[name]} == SEEN[name]
    sent = server.sent(name)
    assert work(open_chat(store, "", server.spec(name)), cases=3) == (verdicts, answers)
    assert server.sent(name) == sent


def test_what_no_wording_cures_is_the_reason_of_the_case(store, server):
    chat = open_chat(store, "", server.spec("tgi"))
    with pytest.raises(CallFailed, match="must be <= 4096"):
        chat.ask(messages("long", 4000), purpose="target")
    assert chat.ask(messages("short"), purpose="target").text == ANSWER
    chat = open_chat(store, "", server.spec("azure", base="/nowhere"))
    with pytest.raises(CallFailed, match="HTTP 404: Resource not found"):
        chat.ask(messages("lost"), purpose="target")
    sent = server.sent("azure")
    with pytest.raises(CallFailed, match="HTTP 404"):
        chat.ask(messages("lost again"), purpose="target")
    assert server.sent("azure") == sent + 1, "it is looked into once"


def test_azure_is_found_by_its_path_and_its_version(store, server):
    chat = open_chat(store, "", server.spec("azure", base=""))
    verdicts, answers = work(chat)
    assert (verdicts, answers) == ([("Correct", "")] * 6, [ANSWER] * 2)
    assert (chat.profile.now.api, chat.profile.now.api_version) == (Api.AZURE, "2024-10-21")
    assert set(server.paid("azure", MARK).values()) == {1}


def test_a_prompt_that_was_cut_is_a_reason_and_no_answer(store, server):
    chat = open_chat(store, "", server.spec("cuts_prompts"))
    assert chat.ask_for(Verdict, messages("short"), purpose="judge")[0].verdict == "Correct"
    for number, words in enumerate((2000, 2400)):
        with pytest.raises(CallFailed, match="cut") as caught:
            chat.ask_for(Verdict, messages(f"long {number}", words), purpose="judge")
        assert caught.value.status is Status.TRUNCATED
    assert (chat.profile.now.context_tokens, chat.profile.now.context_cut) == (2048, True)
    # What surely does not fit is not paid for.
    sent = server.sent("cuts_prompts")
    with pytest.raises(CallFailed, match="was not sent"):
        chat.ask_for(Verdict, messages("longest", 4000), purpose="judge")
    assert server.sent("cuts_prompts") == sent


def test_thoughts_are_kept_with_the_call_and_are_not_its_reply(store, server):
    chat = open_chat(store, "", server.spec("thoughts_tags"))
    chat.ask(messages("kept"), purpose="target")
    with store.read() as connection:
        rows = connection.execute(llm_calls.select().where(llm_calls.c.purpose == "target")).mappings().all()
    assert [(row["reply"], row["reasoning"]) for row in rows] == [(ANSWER, THOUGHT)]


@pytest.mark.parametrize("name", LATEST)
def test_what_gateways_of_today_send_is_read_or_told(store, server, name, impatient):
    """Written before it was tried: 5 of these 14 were read as they were."""
    chat = open_chat(store, "", server.spec(name))
    if name == "effort_eats_the_limit":
        with pytest.raises(CallFailed, match="before it said anything: thoughts count") as failed:
            chat.ask(messages(0), purpose="target", max_tokens=500)
        assert failed.value.status is Status.TRUNCATED
        assert chat.ask(messages(0), purpose="target", max_tokens=900).text == ANSWER
        return
    verdicts, answers = work(chat, cases=3)
    assert ({verdict for verdict, _ in verdicts}, set(answers)) == ({"Correct"}, {ANSWER})
    assert set(server.paid(name, MARK).values()) <= {1} or name == "gateway_page_in_200"
    thinks = name in ("anthropic_body", "gemini_body", "bedrock_body")
    assert {reasoning for _, reasoning in verdicts} == {THOUGHT if thinks else ""}
    assert chat.profile.now.structured is (Structured.JSON if name == "guided_json" else Structured.SCHEMA)
