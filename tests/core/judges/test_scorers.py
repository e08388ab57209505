"""Judges opened for a run: SelfCheck asks the run's own target again."""

from dataclasses import replace

import pytest

from core.domain.status import Status
from core.judges.comparing import judge_again
from core.judges.scorers import open_scorer
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.models.fenced import fenced, outside
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR


class Waverer:
    """A target that gives one of two answers at temperature 1 to every other question, and a model that compares."""

    def __init__(self):
        self.drawn = 0
        self.questions = []

    def __call__(self, body):
        read = fenced(body)
        if "answer" in read:
            assert len(read["answer"]) == 2
            return {"reason": "As written.", "same": "No"}
        question = read["question"][0]
        if question not in self.questions:
            self.questions.append(question)
        if body["temperature"] == 0.0:
            return "It is so."
        self.drawn += 1
        steady = self.questions.index(question) % 2 == 0
        return "It is so." if steady else f"It is {self.drawn}."


@pytest.fixture
def asked(store, bank):
    """A finished run of a model over the bank's documents, with the server that plays it."""
    script = Waverer()
    with LlmServer(script) as server:
        run = create_run(store, bank[1].id, actor=ACTOR, target=f"openai:{server.spec('target')}", options={"k": 1})
        assert execute_run(store, run.id, actor=ACTOR)
        with store.read() as connection:
            yield runs.get(connection, run.id), server, script


def test_self_check_draws_from_the_target_and_its_primary_answer_costs_nothing(store, asked):
    run, server, script = asked
    before = len(server.bodies)
    assert judge_again(store, run.id, [f"self_check_qa:{server.spec('judge')}"], actor=ACTOR)
    with store.read() as connection:
        found = scores.of_metric(connection, run.id, "self_check_qa")
    assert {score.status for score in found.values()} == {Status.SCORED}
    steady = sum(score.value == 1.0 for score in found.values())
    assert 0 < steady < len(found)
    new = server.bodies[before:]
    targets = [body for body in new if body["model"] == "target"]
    assert {body["temperature"] for body in targets} == {1.0}, "the answer at temperature 0 is in the ledger"
    questions = len(script.questions)
    assert len(targets) == 4 * questions
    # Four comparisons for each wavering answer; a repetition word for word needs no model.
    assert len(new) - len(targets) <= 4 * (questions // 2)
    assert all("It is" not in outside(body) for body in new)
    assert judge_again(store, run.id, [f"self_check_qa:{server.spec('judge')}"], actor=ACTOR)
    assert len(server.bodies) == before + len(new)


def test_self_check_of_a_target_without_temperature_is_not_applicable(store, asked):
    run, server, _ = asked
    scorer = open_scorer(store, replace(run, target="keyword"), "self_check_qa")
    assert scorer.concurrency == 1
    with store.read() as connection:
        response = next(iter(runs.responses(connection, run.id).values()))
        case = testsets.case(connection, run.test_set_id, response.case_id)
    assert scorer.score(case, response).status is Status.NOT_APPLICABLE
    assert open_scorer(store, run, f"self_check_qa:{server.spec('judge')}").concurrency > 1
