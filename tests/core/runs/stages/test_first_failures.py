"""A run whose first questions all fail for one reason stops before the rest is asked, and can be resumed."""

import json
from dataclasses import replace

import pytest

from core.domain.errors import AlwaysFails
from core.domain.results.runs import RunState
from core.domain.testset.cases import TestCase
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import accept_answers, create_run
from core.runs.stages.first_failures import LOOKED_AT
from core.runs.summary import summarise
from core.store.results import runs
from tests.support.bank_cases import put_test_set
from tests.support.servers.answer_server import AnswerServer, Reply
from tests.support.small_bank import ACTOR

CASES = 25
WRONG = {"response": {"answer": "$.choices[0].message"}}


@pytest.fixture
def test_set(store):
    project = create_project(store, "Blood bank", ACTOR)
    cases = [
        TestCase(case_id=f"c{number:02}", question=f"Question {number}?", reference_answers=("A",))
        for number in range(CASES)
    ]
    return put_test_set(store, project.id, cases)


def planned(store, test_set, server, tmp_path, name="target.yaml", **settings):
    path = tmp_path / name
    path.write_text(json.dumps(server.config(concurrency=1, retries=0, **settings)))
    return create_run(store, test_set.id, actor=ACTOR, target=f"http:{path}")


def stored(store, run):
    with store.read() as connection:
        return runs.get(connection, run.id)


def test_a_path_that_the_reply_does_not_have_stops_the_run_and_is_named(store, test_set, tmp_path):
    with AnswerServer(lambda request: {"answer": "A"}) as server:
        run = planned(store, test_set, server, tmp_path, **WRONG)
        with pytest.raises(AlwaysFails, match="the reply has nothing at") as raised:
            execute_run(store, run.id, actor=ACTOR)
        assert "resume" in raised.value.hint
        assert LOOKED_AT <= len(server.requests) < CASES
        summary = summarise(store, run.id)
        assert summary.failed == summary.answered == len(server.requests)
        assert summary.failure.cases == summary.failed
        assert "$.choices[0].message" in summary.failure.reason
        assert stored(store, run).state is not RunState.FINISHED

        asked = len(server.requests)
        (tmp_path / "target.yaml").write_text(json.dumps(server.config(concurrency=1)))
        assert execute_run(store, run.id, actor=ACTOR), "put right, it goes on"
        assert len(server.requests) == asked + CASES, "and asks the failed ones again"
    assert (summarise(store, run.id).failed, summarise(store, run.id).failure) == (0, None)


def test_a_status_that_lasts_stops_it_whatever_number_its_requests_have(store, test_set, tmp_path):
    def refused(request):
        return Reply(status=401, body=f"key unknown, request 7f3a9c{len(server.requests):06}")

    with AnswerServer(refused) as server:
        run = planned(store, test_set, server, tmp_path)
        with pytest.raises(AlwaysFails, match="HTTP 401: key unknown"):
            execute_run(store, run.id, actor=ACTOR)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_stops_nothing(store, test_set, tmp_path, status):
    with AnswerServer(lambda request: Reply(status=status)) as server:
        run = planned(store, test_set, server, tmp_path)
        assert execute_run(store, run.id, actor=ACTOR)
        assert len(server.requests) == CASES


def test_one_answer_or_another_reason_ends_the_doubt(store, test_set, tmp_path):
    def ninth_answers(request):
        return {"answer": "A"} if len(server.requests) == LOOKED_AT - 1 else {"text": "A", "score": "B", "error": ""}

    def two_reasons(request):
        return Reply(status=401) if len(server.requests) % 2 else Reply(status=404)

    for script in (ninth_answers, two_reasons):
        with AnswerServer(script) as server:
            run = planned(store, test_set, server, tmp_path, name=f"{script.__name__}.yaml")
            assert execute_run(store, run.id, actor=ACTOR)
            assert len(server.requests) == CASES


def test_a_person_may_let_it_go_on(store, test_set, tmp_path):
    with AnswerServer(lambda request: Reply(status=404)) as server:
        run = planned(store, test_set, server, tmp_path)
        with pytest.raises(AlwaysFails):
            execute_run(store, run.id, actor=ACTOR)
        with pytest.raises(AlwaysFails):
            execute_run(store, run.id, actor=ACTOR)
        accept_answers(store, run.id, actor=ACTOR)
        assert execute_run(store, run.id, actor=ACTOR)
    summary = summarise(store, run.id)
    assert (summary.failed, summary.failure.cases) == (CASES, CASES)


@pytest.mark.parametrize("count", [5, LOOKED_AT])
def test_a_small_run_ends_with_its_failures(store, tmp_path, count):
    """Also where none is left to ask when the last failure that counts comes back, and is not committed yet."""
    project = create_project(store, "Small", ACTOR)
    cases = [replace(TestCase(case_id=f"c{number}", question="?"), reference_answers=("A",)) for number in range(count)]
    few = put_test_set(store, project.id, cases)
    with AnswerServer(lambda request: Reply(status=404)) as server:
        run = planned(store, few, server, tmp_path)
        assert execute_run(store, run.id, actor=ACTOR)
    assert summarise(store, run.id).failure.sentence.startswith(f"{count} of {count} failures: HTTP 404")
