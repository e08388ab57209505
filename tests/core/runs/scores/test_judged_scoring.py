"""Judged scores of a run: failures asked again, an edited prompt measured anew, and a kill that loses nothing."""

import random

import pytest

from core.jobs import JobState
from core.llm import load_prompt
from core.llm.prompts.versions import save, wording
from core.runs.execute import execute_run
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.scoring import score_run, start_scoring
from core.runs.scores.summary import metric_summaries
from core.store.results import scores
from tests.support.models.fenced import fenced
from tests.support.models.grouse_judge import judged, metric_of
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.runs.judged_run import ACTOR, judged_run, verdict
from tests.support.servers.llm_server import Fault, LlmServer

NAMES = ["grouse_answer_relevancy", "claim_correctness"]
KILLED_CASES = 60


class Judge:
    """Gives verdicts and grades; some answers it will not grade for now."""

    def __init__(self):
        self.refuses = set()

    def __call__(self, body):
        read = fenced(body)
        if metric := metric_of(body):
            answer = read.get("second_answer", read.get("first_answer"))[0]
            if answer in self.refuses:
                return Fault(status=400)
            names = [name for name in ("first_answer", "second_answer") if name in read]
            return {f"answer_{place}": judged(metric, 4) for place, _ in enumerate(names, start=1)}
        if "claim" in read:
            return {"verdicts": [{"claim": 1, "reason": "So.", "verdict": "Yes"}]}
        if "answer" in read:
            return {"claims": [read["answer"][0]]}
        return verdict(body)


@pytest.fixture
def judge():
    return Judge()


@pytest.fixture
def finished(store, tmp_path, judge):
    """A finished run of twelve judged answers and the server of its judge."""
    with LlmServer(judge) as server:
        run = judged_run(store, tmp_path, server, 12)
        assert execute_run(store, run.id, actor=ACTOR)
        yield run, server


def summary(store, run, name=NAMES[0]):
    return next(item for item in metric_summaries(store, run.id) if item.name == name)


def test_the_runs_own_judge_scores_and_says_how(store, finished):
    run, server = finished
    assert score_run(store, run.id, NAMES, actor=ACTOR)
    relevancy = summary(store, run)
    assert (relevancy.scored, relevancy.of, relevancy.mean.value) == (12, 12, 4.0)
    assert relevancy.options["judge"] == server.spec()
    assert relevancy.options["prompts"].startswith("grouse_answer_relevancy 1 (")
    assert summary(store, run, "claim_correctness").mean.value == 1.0
    sent = len(server.bodies)
    assert score_run(store, run.id, NAMES, actor=ACTOR)
    assert len(server.bodies) == sent


def test_a_call_that_failed_is_a_reason_and_is_made_again_alone(store, finished, judge):
    run, server = finished
    judge.refuses = {"Answer 3.", "Answer 5."}
    assert score_run(store, run.id, NAMES[:1], actor=ACTOR)
    assert (summary(store, run).scored, summary(store, run).unscored) == (10, {"api_error": 2})
    judge.refuses = set()
    sent = len(server.bodies)
    assert score_run(store, run.id, NAMES[:1], actor=ACTOR)
    assert len(server.bodies) == sent + 2
    assert (summary(store, run).scored, summary(store, run).mean.value) == (12, 4.0)


@pytest.mark.slow
def test_a_prompt_that_was_edited_measures_anew(store, finished):
    run, server = finished
    assert score_run(store, run.id, NAMES[:1], actor=ACTOR)
    prompt = load_prompt("grouse_answer_relevancy")
    save(
        store,
        run.project_id,
        prompt.id,
        wording(prompt.text).replace("Write the justification", "Always write the justification"),
        note="Clearer.",
        actor=ACTOR,
    )
    sent = len(server.bodies)
    assert score_run(store, run.id, NAMES[:1], actor=ACTOR)
    assert len(server.bodies) == sent + 12
    assert "grouse_answer_relevancy 1.1" in summary(store, run).options["prompts"]


def test_several_judges_are_named_with_the_way_they_become_one(store, finished):
    run, server = finished
    judges = f"llm:{server.spec('a')},llm:{server.spec('b')}"
    options = ScoringOptions(metric_judges=judges, ensemble="majority")
    assert score_run(store, run.id, NAMES[:1], actor=ACTOR, options=options)
    relevancy = summary(store, run)
    assert relevancy.options["ensemble"] == "majority"
    assert relevancy.scored == 12
    with store.read() as connection:
        detail = scores.get(connection, run.id, "c0", NAMES[0]).detail
    assert [part["judge"] for part in detail["judges"]] == [server.spec("a"), server.spec("b")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_after_a_kill_only_what_was_in_flight_is_sent_again(store, tmp_path, judge, seed):
    with LlmServer(judge) as server:
        run = judged_run(store, tmp_path, server, KILLED_CASES, endpoint={"concurrency": 4})
        assert execute_run(store, run.id, actor=ACTOR)
        done = len(server.bodies)
        server.hold_after = done + random.Random(seed).randrange(20, 100)
        job = start_scoring(store, run.id, NAMES, actor=ACTOR)
        ended = killed_and_resumed(store, job, server, at_once=4)
    assert ended.state is JobState.FINISHED
    for name in NAMES:
        assert summary(store, run, name).scored == KILLED_CASES
