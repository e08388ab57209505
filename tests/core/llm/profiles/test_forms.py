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
from core.llm.replies.structured import enforcing
from core.store.database import Store
from tests.support.models.ledger_calls import QUESTIONS, plain_call
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def scripted(**by_style):
    """What asks an endpoint that ends each way's call as given; and the list of ways asked."""
    ways = (Structured.SCHEMA, Structured.GRAMMAR, Structured.JSON, Structured.NONE)
    modes = {repr(enforcing(Probe, mode)): mode for mode in ways}
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
CUT = ended(CallState.TRUNCATED, '{"kestrel": 2, "bas')
NO_JSON = {"grammar": REFUSED, "json": REFUSED}
THINKING = ended(CallState.TRUNCATED, reasoning="One and one are")


@pytest.mark.parametrize(
    ("ends", "mode", "call", "asked"),
    [
        ({"schema": HELD}, "schema", HELD, ["schema"]),
        ({"schema": REFUSED, "grammar": OTHER}, "json", OTHER, ["schema", "grammar"]),
        ({"schema": IN_WORDS, "grammar": OTHER}, "json", OTHER, ["schema", "grammar"]),
        ({"schema": OTHER, "grammar": OTHER}, "json", OTHER, ["schema", "grammar"]),
        ({"schema": IN_WORDS, "grammar": IN_WORDS}, "none", IN_WORDS, ["schema", "grammar"]),
        ({"schema": REFUSED, **NO_JSON, "none": IN_WORDS}, "none", IN_WORDS, ["schema", *NO_JSON, "none"]),
        ({"schema": NAMED, "grammar": BLANKS}, "json", BLANKS, ["schema", "grammar"]),
        ({"schema": NAMED, "grammar": HELD}, "grammar", HELD, ["schema", "grammar"]),
        ({"schema": NAMED, "grammar": CUT}, "grammar", CUT, ["schema", "grammar"]),
        ({"schema": NAMED, "grammar": [THINKING, HELD]}, "grammar", HELD, ["schema", "grammar", "grammar"]),
        ({"schema": REFUSED, "grammar": REFUSED, "json": OTHER}, "json", OTHER, ["schema", *NO_JSON]),
        ({"schema": REFUSED, "grammar": NAMED, "json": IN_WORDS}, "none", IN_WORDS, ["schema", *NO_JSON]),
        ({"schema": [HICCUP, HELD]}, "schema", HELD, ["schema", "schema"]),
        # A server that is starting fails without a word of the form: what it refused then is asked for once more.
        ({"schema": HICCUP, "grammar": OTHER}, "json", OTHER, ["schema", "schema", "grammar", "schema"]),
        (
            {"schema": [HICCUP, HICCUP, HELD], "grammar": OTHER},
            "schema",
            HELD,
            ["schema", "schema", "grammar", "schema"],
        ),
        ({"schema": [THINKING, HELD]}, "schema", HELD, ["schema", "schema"]),
        ({"schema": NO_KEY}, "schema", NO_KEY, ["schema"]),
        ({"schema": LATE}, "schema", LATE, ["schema"]),
        ({"schema": REFUSED, "grammar": NO_KEY}, "grammar", NO_KEY, ["schema", "grammar"]),
        ({"schema": REFUSED, **NO_JSON, "none": REFUSED}, "none", REFUSED, ["schema", *NO_JSON, "none"]),
    ],
)
def test_the_strictest_way_that_is_enforced_is_taken(ends, mode, call, asked):
    ask, sent = scripted(**ends)
    assert prove(ask) == (Structured(mode), call)
    assert sent == asked


def test_where_somebody_else_shows_meanwhile_what_was_refused_the_ways_are_asked_again():
    """A server that fails on a temperature: another caller learns it between the two questions."""
    ask, asked = scripted(schema=[REFUSED, HELD], grammar=OTHER)
    seen = iter(["", "no temperature", "no temperature"])
    assert prove(ask, seen=lambda: next(seen)) == (Structured.SCHEMA, HELD)
    assert asked == ["schema", "grammar", "schema"]


def test_where_a_plain_question_shows_what_was_refused_the_ways_are_asked_again():
    ask, sent = scripted(schema=[REFUSED, HELD], none=IN_WORDS, **NO_JSON)
    known = iter(["temperature taken", "temperature refused", "temperature refused"])
    assert prove(ask, seen=lambda: next(known)) == (Structured.SCHEMA, HELD)
    assert sent == ["schema", *NO_JSON, "none", "schema"]


@pytest.mark.parametrize(
    ("reply", "schema", "json"),
    [
        ('{"kestrel": 2, "basalt": true}', True, True),
        ('{"kestrel": 2}', False, True),
        ('{"kestrel": 2, "bas', True, True),
        ('{"number": 2', False, True),
        ('```json\n{"number": 2}\n```', False, True),
        ('```json\n{"kestrel": 2, "basalt": true}\n```', True, True),
        ("```\ntwo\n```", False, False),
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


def test_a_server_that_takes_a_schema_beside_json_mode_is_held_to_it_and_a_verdict_comes_in_its_form(store):
    """As llama.cpp's server: the type json_schema is an error, a schema beside json_object becomes a grammar."""

    def script(body):
        assert body["response_format"]["schema"]["required"] == ["number"]
        return {"number": 2}

    with LlmServer(script, style="json_object", grammar=True) as server:
        chat = open_chat(store, "", server.spec())
        assert chat.ask_for(Form, QUESTIONS[0], purpose="judge")[0] == Form(number=2)
        assert chat.structured() == Structured.GRAMMAR
        assert len(server.probes) == 1, "the type json_schema was refused, and the next question showed the grammar"


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
