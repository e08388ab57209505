"""What a model takes for people: asked for all at once, read in words, set by hand, forgotten."""

import pytest

from core.domain.errors import CallFailed, Forbidden, InvalidInput, NotFound
from core.domain.llm import Message, PromptVariant
from core.domain.model_profiles import Api, Support
from core.llm import open_chat, profile_settings
from core.project.service import create_project
from core.store.database import Store
from core.store.digests import checking as rows
from core.store.tables import audit, llm_calls
from tests.support.personalities import Personalities
from tests.support.stores import blank_url

ACTOR = "anna"


@pytest.fixture(scope="module")
def server():
    with Personalities() as running:
        yield running


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR).id


def words(profile):
    return {line.name: line.value for line in profile_settings.lines(profile)}


def test_all_is_asked_at_once_and_told_by_which_call(store, project, server):
    stages = []
    profile = profile_settings.probe(store, project, server.spec("no_temperature"), actor=ACTOR, progress=stages.append)
    assert stages == ["a plain question", "forms", "parameters", "context", "judging"]
    now = profile.now
    assert (now.api, now.temperature, now.structured.value, now.prompts) == (
        Api.CHAT,
        False,
        "schema",
        PromptVariant.FULL,
    )
    assert (now.effort, now.several, now.seed, now.logprobs, now.usage) == (
        Support.YES,
        Support.IGNORED,
        Support.YES,
        Support.IGNORED,
        Support.YES,
    )
    with store.read() as connection:
        calls = {row["id"]: row for row in connection.execute(llm_calls.select()).mappings()}
    for line in profile_settings.lines(profile):
        assert line.call_id in calls or not line.at, line
    assert "does not support 0" in profile.ground("temperature").text
    assert calls[profile.ground("temperature").call_id]["parameters"].get("temperature") is None
    assert {row["purpose"] for row in calls.values()} == {"probe"}, "every request is in the list of calls"
    assert words(profile)["temperature"] == "not sent: the model draws at its own"


def test_a_small_context_that_cuts_gets_the_short_prompts(store, project, server):
    profile = profile_settings.probe(store, project, server.spec("cuts_prompts"), actor=ACTOR)
    assert (profile.now.context_tokens, profile.now.context_cut) == (2048, True)
    assert profile.prompts is PromptVariant.SHORT
    assert words(profile)["context_cut"] == "cut without a word"


def test_an_endpoint_that_does_not_answer_leaves_what_was_known(store, project, server, impatient):
    spec = server.spec("plain")
    known = profile_settings.probe(store, project, spec, actor=ACTOR)
    with pytest.raises(CallFailed):
        profile_settings.probe(store, project, "plain@http://127.0.0.1:9/v1", actor=ACTOR)
    assert open_chat(store, project, spec).profile == known


@pytest.mark.slow
def test_what_a_person_sets_stands_above_what_was_found(store, project, server):
    spec = server.spec("plain")
    found = profile_settings.set_of(
        store, project, spec, {"temperature": "no", "prompts": "short", "extra_body": '{"top_k": 1}'}, actor=ACTOR
    )
    chat = open_chat(store, project, spec)
    asked = [Message("user", "Who?")]
    chat.ask(asked, purpose="judge")
    body = server.requests[-1][2].body
    assert ("temperature" in body, body["top_k"]) == (False, 1)
    assert chat.profile.prompts is PromptVariant.SHORT
    edited = {line.name for line in profile_settings.lines(found) if line.edited}
    assert edited == {"temperature", "prompts", "extra_body"}
    assert profile_settings.as_json(found)["grounds"]["prompts"]["why"] == "set by anna"
    # It is asked about again without losing what the person said, and taken back by the person alone.
    again = profile_settings.probe(store, project, spec, actor=ACTOR)
    assert (again.now.temperature, again.found.temperature) == (False, True)
    back = profile_settings.edit(store, project, again.id, {"temperature": None, "extra_body": None}, actor=ACTOR)
    assert (back.now.temperature, dict(back.now.extra_body), back.prompts) == (True, {}, PromptVariant.SHORT)
    # How a question is put is no part of what is asked; what a person has sent with it is.
    before = server.sent("plain")
    assert not open_chat(store, project, spec).ask(asked, purpose="judge").cached
    profile_settings.edit(store, project, again.id, {"temperature": "no"}, actor=ACTOR)
    assert open_chat(store, project, spec).ask(asked, purpose="judge").cached
    assert server.sent("plain") == before + 1


def test_the_longest_reply_is_what_a_person_sets_under_the_name_the_model_takes(store, project, server):
    """Without it no limit is sent at work: a model that comes to no end fills its context."""
    spec, asked = server.spec("max_completion_tokens"), [Message("user", "Who?")]
    open_chat(store, project, spec).ask(asked, purpose="target")
    assert not {"max_tokens", "max_completion_tokens"} & server.requests[-1][2].body.keys()
    changed = profile_settings.set_of(store, project, spec, {"reply_tokens": "800"}, actor=ACTOR)
    assert words(changed)["reply_tokens"] == "800 tokens"
    chat = open_chat(store, project, spec)
    assert not chat.ask(asked, purpose="target").cached, "a shorter reply may be another one"
    assert server.requests[-1][2].body["max_completion_tokens"] == 800
    chat.ask(asked, purpose="target", max_tokens=50)
    assert server.requests[-1][2].body["max_completion_tokens"] == 50, "what a question asks for goes before"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"colour": "red"}, "no 'colour'"),
        ({"prompts": "tiny"}, "prompts cannot be 'tiny'"),
        ({"context_tokens": "-1"}, "context_tokens cannot be"),
        ({"reply_tokens": "many"}, "reply_tokens cannot be"),
        ({"extra_body": '{"messages": []}'}, "extra_body cannot be"),
        ({"temperature": "warm"}, "temperature cannot be"),
    ],
)
def test_what_is_no_value_is_refused(store, project, server, changes, says):
    with pytest.raises(InvalidInput, match=says):
        profile_settings.set_of(store, project, server.spec("plain"), changes, actor=ACTOR)


def test_each_change_is_in_the_trail_and_the_rows_are_sealed(store, project, server):
    profile = profile_settings.set_of(store, project, server.spec("plain"), {"prompts": "short"}, actor=ACTOR)
    with pytest.raises(Forbidden):
        profile_settings.edit(store, project, profile.id, {"prompts": "full"}, actor="bob")
    with pytest.raises(NotFound):
        profile_settings.edit(store, project, "profile_none", {"prompts": "full"}, actor=ACTOR)
    profile_settings.forget(store, project, profile.id, actor=ACTOR)
    assert profile_settings.of_endpoint(store, project, "") == []
    with store.read() as connection:
        actions = [row["action"] for row in connection.execute(audit.select().order_by(audit.c.seq)).mappings()]
        assert not rows.check(connection).broken
    assert actions[-2:] == ["profile.change", "profile.forget"]
