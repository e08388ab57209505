"""Runs whose answers are judged and measured while others are still asked for: the same values, nothing lost."""

import json
import threading

import pytest

from core.domain.errors import BudgetSpent
from core.domain.results.runs import VERDICT_METRIC
from core.jobs import JobState
from core.metrics.scoring import BATCH
from core.runs.execute import execute_run
from core.runs.service import create_run, set_budget, start_run
from core.store.results import runs, scores
from tests.support.processes.killed_job import committed, killed_and_resumed, until
from tests.support.runs.judged_run import ACTOR, project_with_cases
from tests.support.servers.llm_server import VERDICT, LlmServer

METRICS = ["token_f1", "answered", "lexical_precision"]
CASES = BATCH + 16


def answer(body):
    """The question's words again; a verdict where one is asked for."""
    return VERDICT if "response_format" in body else f"Truth {body['messages'][-1]['content'].split()[-1]}"


@pytest.fixture
def server():
    with LlmServer(answer) as running:
        yield running


def streamed(store, server, cases, *, judge=None, **options):
    test_set = project_with_cases(store, cases)
    return create_run(
        store,
        test_set.id,
        actor=ACTOR,
        target=f"openai:{server.spec('t')}",
        judge=judge or f"llm:{server.spec('j')}",
        options={"mode": "closed_book", "concurrency": 8, **options},
    )


def measured(store, run):
    with store.read() as connection:
        return {
            name: {
                case_id: (score.value, score.status, score.detail)
                for case_id, score in scores.of_metric(connection, run.id, name).items()
            }
            for name in METRICS
        }


@pytest.mark.slow
def test_answers_are_judged_and_measured_while_others_are_asked_for_with_the_same_values(store, server, tmp_path):
    with LlmServer(answer) as judging:
        server.hold_after = CASES - 4
        run = streamed(store, server, CASES, judge=f"llm:{judging.spec('j')}", metrics=METRICS)
        said, done = [], []
        worker = threading.Thread(
            target=lambda: done.append(
                execute_run(store, run.id, actor=ACTOR, progress=lambda *told: said.append(told))
            )
        )
        worker.start()

        def beside():
            with store.read() as connection:
                verdicts = len(scores.of_metric(connection, run.id, VERDICT_METRIC))
                values = len(scores.of_metric(connection, run.id, "token_f1"))
            return (verdicts, values) == (CASES - 4, BATCH)

        until(beside, "the answers there are were not judged and measured while the others were waited for")
        server.release()
        worker.join()
    assert done == [True]
    assert [told[1:] for told in said if told[0] == "Asking"][-1] == (CASES, CASES)
    with store.read() as connection:
        answers = runs.responses(connection, run.id)
    recording = tmp_path / "answers.jsonl"
    recording.write_text("".join(json.dumps({"case_id": c, "answer": r.answer}) + "\n" for c, r in answers.items()))
    in_turn = create_run(
        store, run.test_set_id, actor=ACTOR, target=f"recorded:{recording}", options={"metrics": METRICS}
    )
    assert execute_run(store, in_turn.id, actor=ACTOR)
    assert measured(store, run) == measured(store, in_turn)


def test_a_budget_that_is_spent_stops_all_stages_and_what_was_paid_for_is_kept(store, server):
    run = streamed(store, server, 12, metrics=METRICS, budget_calls=9)
    with pytest.raises(BudgetSpent):
        execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        assert len(runs.answered_ids(connection, run.id)) == 9
        assert scores.of_metric(connection, run.id, "token_f1") == {}
    set_budget(store, run.id, actor=ACTOR, money=None, calls=100)
    assert execute_run(store, run.id, actor=ACTOR)
    assert (len(server.bodies), len(measured(store, run)["token_f1"])) == (2 * 12, 12)


@pytest.mark.slow
def test_a_wish_to_stop_leaves_all_stages_and_the_rest_is_done_later(store, server):
    run = streamed(store, server, CASES, metrics=METRICS)
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: len(server.bodies) >= 20)
    before = len(server.bodies)
    assert before < CASES
    assert execute_run(store, run.id, actor=ACTOR)
    assert len(server.bodies) == 2 * CASES
    assert {name: len(values) for name, values in measured(store, run).items()} == dict.fromkeys(METRICS, CASES)


@pytest.mark.slow
def test_after_a_kill_only_what_was_in_flight_is_sent_again(store, server):
    server.hold_after = 70
    run = streamed(store, server, 60, metrics=METRICS)
    ended = killed_and_resumed(store, start_run(store, run.id, actor=ACTOR), server, at_once=2 * 8)
    assert ended.state is JobState.FINISHED
    assert committed(store) == 2 * 60
    assert {name: len(values) for name, values in measured(store, run).items()} == dict.fromkeys(METRICS, 60)
