"""Which form of reply an endpoint keeps to: asked once, remembered."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from core.domain.errors import CallFailed
from core.domain.llm import CallState, Structured
from core.domain.status import Status
from core.llm import open_chat
from core.llm.probing import QUESTION, STYLES, Probe, probe
from core.llm.structured import held_to
from core.store.database import Store
from tests.support.ledger_calls import QUESTIONS, plain_call
from tests.support.llm_server import Fault, LlmServer
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def scripted(**by_style):
    """What asks an endpoint that ends each style's call as given; and the list of styles asked."""
    styles = {repr(held_to(Probe, QUESTION, style)): style for style in STYLES}
    asked = []

    def ask(messages, parameters):
        style = styles[repr((messages, parameters))]
        asked.append(style)
        return by_style[style.value]

    return ask, asked


def nothing(messages, parameters):
    return None


def ended(state, reply="", error=""):
    return plain_call(0, state=state, reply=reply, error=error)


KEPT = ended(CallState.ANSWERED, '{"number": 2}')
IN_WORDS = ended(CallState.ANSWERED, "The number is two.")
REFUSED = ended(CallState.FAILED, error="HTTP 400: unknown parameter")
NO_KEY = ended(CallState.FAILED, error="HTTP 401: no key")
LATE = ended(CallState.TIMEOUT, error="no answer within 1 seconds")


@pytest.mark.parametrize(
    ("ends", "mode", "failed"),
    [
        ({"schema": KEPT}, Structured.SCHEMA, None),
        ({"schema": REFUSED, "json": KEPT}, Structured.JSON, None),
        ({"schema": IN_WORDS, "json": KEPT}, Structured.JSON, None),
        ({"schema": REFUSED, "json": REFUSED, "none": KEPT}, Structured.NONE, None),
        ({"schema": REFUSED, "json": IN_WORDS, "none": IN_WORDS}, Structured.NONE, None),
        ({"schema": NO_KEY}, Structured.SCHEMA, NO_KEY),
        ({"schema": LATE}, Structured.SCHEMA, LATE),
        ({"schema": REFUSED, "json": NO_KEY}, Structured.JSON, NO_KEY),
        ({"schema": REFUSED, "json": REFUSED, "none": REFUSED}, Structured.NONE, REFUSED),
    ],
)
def test_the_strictest_way_that_holds_is_taken(ends, mode, failed):
    ask, asked = scripted(**ends)
    assert probe(ask, nothing) == (mode, failed)
    assert [style.value for style in asked] == list(ends)


@pytest.mark.parametrize(
    ("known", "mode"),
    [
        ({"schema": KEPT}, Structured.SCHEMA),
        ({"schema": REFUSED, "json": KEPT}, Structured.JSON),
        ({"schema": REFUSED, "json": REFUSED, "none": KEPT}, Structured.NONE),
    ],
)
def test_what_was_found_before_is_not_asked_again(known, mode):
    recall, _ = scripted(**known)
    ask, asked = scripted()
    assert probe(ask, recall) == (mode, None)
    assert asked == []


@pytest.mark.parametrize(
    "known",
    [{"schema": NO_KEY}, {"schema": LATE}, {"schema": REFUSED, "json": REFUSED, "none": REFUSED}],
)
def test_an_endpoint_that_could_not_be_used_is_asked_anew(known):
    recall, _ = scripted(**known)
    ask, asked = scripted(schema=KEPT)
    assert probe(ask, recall) == (Structured.SCHEMA, None)
    assert asked == [Structured.SCHEMA]


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
