"""The calls of judged metrics as they are foretold, and as they are made."""

import pytest

from core.runs.execute import execute_run
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.judging_cost import judging_calls
from core.runs.scores.scoring import score_run
from tests.core.runs.scores.test_judged_scoring import Judge
from tests.support.runs.judged_run import ACTOR, judged_run
from tests.support.servers.llm_server import LlmServer

CASES = 12


@pytest.fixture
def finished(store, tmp_path):
    """A finished run of twelve answers and the server of its judge."""
    with LlmServer(Judge()) as server:
        run = judged_run(store, tmp_path, server, CASES)
        assert execute_run(store, run.id, actor=ACTOR)
        yield run, server


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metrics", "least", "most"),
    [
        (["grouse_answer_relevancy"], 1, 1),
        # Each prompt once for all three; completeness only where a passage was retrieved.
        (["grouse_answer_relevancy", "grouse_completeness", "grouse_positive_acceptance"], 1, 2),
        (["grouse_usefulness"], 1, 2),  # usefulness only where relevancy is null
        (["claim_correctness"], 1, 2),  # an answer without a claim is not checked
        (["claim_correctness", "claim_coverage"], 2, 4),  # the reference is taken apart as well
        (["claim_correctness", "rouge_l"], 1, 2),
    ],
)
def test_the_calls_made_lie_in_the_range_foretold(store, finished, metrics, least, most):
    run, server = finished
    judges = f"llm:{server.spec()}"
    parts = judging_calls(store, run, metrics, judges)
    assert (sum(part.calls.low for part in parts), sum(part.calls.high for part in parts)) == (
        least * CASES,
        most * CASES,
    )
    assert all(part.money is None and part.prompt_tokens.high > 0 for part in parts)
    sent = len(server.bodies)
    assert score_run(store, run.id, metrics, actor=ACTOR, options=ScoringOptions(metric_judges=judges))
    assert least * CASES <= len(server.bodies) - sent <= most * CASES


def test_several_judges_are_paid_each(store, finished):
    run, server = finished
    judges = f"llm:{server.spec('a')},llm:{server.spec('b')}"
    parts = judging_calls(store, run, ["grouse_completeness"], judges)
    assert [(part.model, part.calls.high) for part in parts] == [("a", CASES), ("b", CASES)]


def test_no_judged_metric_or_no_judge_costs_nothing(store, finished):
    run, server = finished
    assert judging_calls(store, run, ["rouge_l"], f"llm:{server.spec()}") == ()
    assert judging_calls(store, run, ["claim_correctness"], "") == ()
