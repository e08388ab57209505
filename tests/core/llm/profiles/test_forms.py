"""Which form of reply an endpoint enforces: proven by a form that the words do not state, once, and remembered."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from core.domain.errors import CallFailed
from core.domain.llm import CallState, Structured
from core.domain.status import Status
from core.llm import open_chat
from core.llm.profiles.forms import Probe, holds, prove
from core.llm.structured import enforcing
from core.store.database import Store
from tests.support.ledger_calls import QUESTIONS, plain_call
from tests.support.llm_server import Fault, LlmServer
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def scripted(**by_style):
    """What asks an endpoint that ends each way's call as given; and the list of ways asked."""
    modes = {repr(enforcing(Probe, mode)): mode for mode in (Structured.SCHEMA, Structured.JSON, Structured.NONE)}
    asked = []

    def ask(question):
        form = {name: value for name, value in question.parameters.items() if name == "response_format"}
        asked.append(modes[repr(form)].value)
        ends = by_style[asked[-1]]
        return ends[min(asked.count(asked[-1]), len(ends)) - 1] if isinstance(ends, list) else ends

    return ask, asked


def ended(state, reply="", error="", reasoning=""):
    return plain_call(0, state=state, reply=reply, error=error, reasoning=reasoning)


HELD = ended(CallState.ANSWERED, '{"kestrel": 2, "basalt": true}')
OTHER = ended(CallState.ANSWERED, '{"answer": "two"}')
IN_WORDS = ended(CallState.ANSWERED, "Two.")
REFUSED = ended(CallState.FAILED, error="HTTP 400: unknown parameter")
NAMED = ended(CallState.FAILED, error="HTTP 500: response_format.type must be text or json_object")
HICCUP = ended(CallState.FAILED, error="HTTP 500: upstream")
NO_KEY = ended(CallState.FAILED, error="HTTP 401: no key")
LATE = ended(CallState.TIMEOUT, error="no answer within 1 seconds")
BLANKS = ended(CallState.TRUNCATED, "{  \n \n \n")
THINKING = ended(CallState.TRUNCATED, reasoning="One and one are")


@pytest.mark.parametrize(
    ("ends", "mode", "call", "asked"),
    [
        ({"schema": HELD}, "schema", HELD, ["schema"]),
        ({"schema": REFUSED, "json": OTHER}, "json", OTHER, ["schema", "json"]),
        ({"schema": IN_WORDS, "json": OTHER}, "json", OTHER, ["schema", "json"]),
        ({"schema": OTHER, "json": OTHER}, "json", OTHER, ["schema", "json"]),
        ({"schema": IN_WORDS, "json": IN_WORDS}, "none", IN_WORDS, ["schema", "json"]),
        ({"schema": REFUSED, "json": REFUSED, "none": IN_WORDS}, "none", IN_WORDS, ["schema", "json", "none"]),
        ({"schema": NAMED, "json": BLANKS}, "json", BLANKS, ["schema", "json"]),
        ({"schema": [HICCUP, HELD]}, "schema", HELD, ["schema", "schema"]),
        ({"schema": HICCUP, "json": OTHER}, "json", OTHER, ["schema", "schema", "json"]),
        ({"schema": [THINKING, HELD]}, "schema", HELD, ["schema", "schema"]),
        ({"schema": NO_KEY}, "schema", NO_KEY, ["schema"]),
        ({"schema": LATE}, "schema", LATE, ["schema"]),
        ({"schema": REFUSED, "json": NO_KEY}, "json", NO_KEY, ["schema", "json"]),
        ({"schema": REFUSED, "json": REFUSED, "none": REFUSED}, "none", REFUSED, ["schema", "json", "none"]),
    ],
)
def test_the_strictest_way_that_is_enforced_is_taken(ends, mode, call, asked):
    ask, sent = scripted(**ends)
    assert prove(ask) == (Structured(mode), call)
    assert sent == asked


def test_where_somebody_else_shows_meanwhile_what_was_refused_the_ways_are_asked_again():
    """A server that fails on a temperature: another caller learns it between the two questions."""
    ask, asked = scripted(schema=[REFUSED, HELD], json=OTHER)
    seen = iter(["", "no temperature", "no temperature"])
    assert prove(ask, seen=lambda: next(seen)) == (Structured.SCHEMA, HELD)
    assert asked == ["schema", "json", "schema"]


def test_where_a_plain_question_shows_what_was_refused_the_ways_are_asked_again():
    ask, sent = scripted(schema=[REFUSED, HELD], json=REFUSED, none=IN_WORDS)
    known = iter(["temperature taken", "temperature refused", "temperature refused"])
    assert prove(ask, seen=lambda: next(known)) == (Structured.SCHEMA, HELD)
    assert sent == ["schema", "json", "none", "schema"]


@pytest.mark.parametrize(
    ("reply", "schema", "json"),
    [
        ('{"kestrel": 2, "basalt": true}', True, True),
        ('{"kestrel": 2}', False, True),
        ('{"kestrel": 2, "bas', True, True),
        ('{"number": 2', False, True),
        ("Two {2}", False, False),
        ("[2]", False, False),
    ],
)
def test_what_a_reply_proves(reply, schema, json):
    assert (holds(Structured.SCHEMA, reply), holds(Structured.JSON, reply)) == (schema, json)


@pytest.mark.parametrize(("style", "mode"), [("json_schema", "schema"), ("json_object", "json"), ("none", "none")])
def test_each_style_of_endpoint_is_found_out_and_remembered(store, style, mode):
    with LlmServer(lambda body: {"number": 2}, style=style) as server:
        assert open_chat(store, "", server.spec()).structured() == mode
        sent = len(server.bodies) + len(server.probes)
        assert open_chat(store, "", server.spec()).structured() == mode
        assert len(server.bodies) + len(server.probes) == sent
        assert open_chat(store, "", server.spec("another")).structured() == mode
        assert len(server.bodies) + len(server.probes) > sent, "each model by itself"


def test_many_who_come_at_once_share_one_probe_and_its_failure(store, impatient):
    with LlmServer(latency=0.05) as server:
        server.port, real = 1, server.port  # nobody listens there
        spec = server.spec()
        server.port = real
        chat, errors = open_chat(store, "", spec), []
        gathered = threading.Barrier(20)

        def asks(number):
            gathered.wait()
            try:
                chat.structured()
            except CallFailed as error:
                errors.append(error)

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(asks, range(20)))
    assert {error.status for error in errors} == {Status.API_ERROR}
    assert len(errors) == 20
    assert len({error.call_id for error in errors}) <= 2, "one after the other each would have waited as long"


class Form(BaseModel):
    number: int


def test_a_key_that_is_refused_says_nothing_about_the_form(store):
    answers = iter([Fault(status=401, text="no")])
    with LlmServer(lambda body: {"number": 2}, style="json_object") as server:
        server.script = lambda body: next(answers, {"number": 2})
        chat = open_chat(store, "", server.spec())
        with pytest.raises(CallFailed, match="HTTP 401"):
            chat.ask_for(Form, QUESTIONS[0], purpose="judge")
        assert chat.ask_for(Form, QUESTIONS[0], purpose="judge")[0] == Form(number=2)
