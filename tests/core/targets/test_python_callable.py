"""A Python function as the system under test."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain.errors import Forbidden, InvalidInput, TargetFailed
from core.domain.results.responses import Context
from core.targets import open_target

SOURCE = """
import asyncio, sys, threading
from dataclasses import dataclass, field
from core.domain.results.responses import Context, Response

def text(question): return "said " + question
def mapping(question):
    told = {"tokens": 9, "abstained": False, "latency_s": 0.5}
    return {"answer": 5, "contexts": ("a", "b"), "document_ids": (1.0, "x"), **told}
def response(question): return Response(case_id="other", answer="r", contexts=(Context(document_id="d"),))
async def later(question):
    await asyncio.sleep(0.01)
    return "later"

@dataclass
class Passage:
    page_content: str
    id: str = ""
@dataclass
class Result:
    answer: str
    contexts: list = field(default_factory=list)
def thing(question): return Result("t", [Passage("p", "7"), Context(document_id="d", text="q", score=0.5)])

class Rag:
    def ask(self, question): return "method"
rag = Rag()

def nothing(question): return None
def number(question): return 7
def bad(question): return {"answer": {"rating": True}}
def empty(question): return {"contexts": []}
def told(question): return {"error": "index is down"}
def boom(question): raise KeyError("no such index")
def leave(question): sys.exit(3)
given_up = threading.Event()
def slow(question): given_up.wait(60); return "slow"
constant = "x"
"""


@pytest.fixture(autouse=True)
def module(tmp_path, monkeypatch):
    (tmp_path / "rag_of_the_test.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "rag_broken.py").write_text("raise RuntimeError('no licence')", encoding="utf-8")
    (tmp_path / "rag_needs.py").write_text("import a_module_nobody_has", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("PLUMBLINE_REQUIRE_LOGIN", raising=False)
    yield
    for name in ("rag_of_the_test", "rag_broken", "rag_needs"):
        sys.modules.pop(name, None)


def opened(function, **options):
    return open_target(f"python:rag_of_the_test:{function}", None, **options)


def test_a_text_is_the_answer():
    target = opened("text")
    response = target.answer("c1", "Hm?")
    assert (response.case_id, response.answer, response.contexts) == ("c1", "said Hm?", ())
    assert response.latency_s >= 0
    assert (target.name, target.concurrency) == ("python:rag_of_the_test:text", 1)


def test_a_mapping_has_the_names_of_a_recording():
    response = opened("mapping").answer("c1", "Q?")
    assert (response.answer, response.tokens, response.abstained, response.latency_s) == ("5", 9, False, 0.5)
    assert response.contexts == (Context(document_id="1", text="a"), Context(document_id="x", text="b"))


def test_a_response_keeps_what_it_says_and_belongs_to_the_case_asked():
    response = opened("response").answer("c1", "Q?")
    assert (response.case_id, response.answer, response.document_ids) == ("c1", "r", ("d",))
    assert response.latency_s is not None


def test_an_object_with_passages_a_method_and_an_asynchronous_function():
    assert opened("thing").answer("c", "Q?").contexts == (
        Context(document_id="7", text="p"),
        Context(document_id="d", text="q", score=0.5),
    )
    assert opened("rag.ask").answer("c", "Q?").answer == "method"
    assert opened("later").answer("c", "Q?").answer == "later"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("boom", "The function raised KeyError: 'no such index'"),
        ("leave", "The function raised SystemExit: 3"),
        ("nothing", "returned NoneType, which has no answer"),
        ("number", "returned int, which has no answer"),
        ("bad", "What the function returned has no answer"),
        ("empty", "What the function returned has no answer"),
        ("told", "index is down"),
    ],
)
def test_a_case_that_fails_says_why(function, message):
    with pytest.raises(TargetFailed, match=message):
        opened(function).answer("c", "Q?")


def test_a_call_that_takes_too_long_is_left():
    # The function goes on until it was given up: who waited for it would have its answer.
    slow = opened("slow", timeout_s=0.1)
    with pytest.raises(TargetFailed, match=r"took more than 0\.1 seconds"):
        slow.answer("c", "Q?")
    sys.modules["rag_of_the_test"].given_up.set()
    with pytest.raises(TargetFailed, match="KeyError"):
        opened("boom", timeout_s=60).answer("c", "Q?")


def test_rate_and_concurrency_are_those_of_the_run():
    target = opened("text", concurrency=4, rate=50)
    assert target.concurrency == 4
    started = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: target.answer(f"c{n}", "Q?"), range(6)))
    # A slow machine takes longer and none takes less: the rate itself is held in test_pacing.py.
    assert time.monotonic() - started >= 5 / 50


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rag_of_the_test", "names no function"),
        ("rag of:it", "names no function"),
        ("a_module_nobody_has:f", "There is no module a_module_nobody_has"),
        ("rag_needs:f", "cannot be imported: ModuleNotFoundError"),
        ("rag_broken:f", "cannot be imported: RuntimeError: no licence"),
        ("rag_of_the_test:missing", "has no missing"),
        ("rag_of_the_test:rag.missing", "has no rag.missing"),
        ("rag_of_the_test:constant", "is str, which cannot be called"),
    ],
)
def test_a_function_that_is_not_there(spec, message):
    with pytest.raises(InvalidInput, match=message):
        open_target(f"python:{spec}", None)


def test_a_server_with_sign_in_runs_no_code(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    with pytest.raises(Forbidden, match="runs code of its own"):
        opened("text")
    assert "rag_of_the_test" not in sys.modules
