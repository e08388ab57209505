"""SelfCheck-QA: does the target keep to its answer?"""

import pytest

from core.domain.errors import BudgetSpent, TargetFailed
from core.domain.results.responses import Response
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.judging.self_check import METRIC, by_match, by_model, self_check_qa
from core.llm import load_prompt, open_chat
from core.llm.spending.budgets import Budget
from tests.support.models.fenced import fenced, outside
from tests.support.servers.llm_server import Fault, LlmServer

CASE = TestCase(case_id="c1", question="Who manages the fund?", reference_answers=("Bob",))
PRIMARY = Response(case_id="c1", answer="Ann Lee manages it.")
ASKED = []


def drawing(*others, primary=PRIMARY.answer):
    """A target that gives these answers at temperature 1."""

    def draw(case, sample, temperature):
        ASKED.append((sample, temperature))
        found = primary if temperature == 0.0 else others[sample]
        if isinstance(found, Exception):
            raise found
        return found

    ASKED.clear()
    return draw


def same(body):
    """Says that two answers are the same where both name Ann."""
    read = fenced(body)
    assert read["question"] == [CASE.question]
    return {"reason": "Names.", "same": "Yes" if all("Ann" in text for text in read["answer"]) else "No"}


def test_correct_only_where_all_four_agree(ask):
    with LlmServer(same) as server:
        compare = by_model(ask(server.spec()), load_prompt("same_answer"))
        agreed = self_check_qa(CASE, PRIMARY, drawing("Ann.", "ann lee  manages it.", "It is Ann.", "Ann Lee"), compare)
        assert len(server.bodies) == 3, "a repetition word for word needs no model"
        assert ASKED == [(0, 0.0), (0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)]
        one_off = self_check_qa(CASE, PRIMARY, drawing("Ann.", "Bob.", "It is Ann.", "Ann Lee"), compare)
        assert "Ann" not in "".join(map(outside, server.bodies))
    assert (agreed.metric, agreed.value, agreed.status) == (METRIC, 1.0, Status.SCORED)
    assert (one_off.value, one_off.detail["agreeing"]) == (0.0, 3)
    assert [item["same"] for item in one_off.detail["samples"]] == [True, False, True, True]
    assert one_off.detail["samples"][1]["call_id"]


def test_rules_can_compare_short_values():
    answers = ("Ann Lee.", "It is Ann Lee", "Ann Lee", "the manager is Ann Lee")
    short = Response(case_id="c1", answer="Ann Lee")
    assert self_check_qa(CASE, short, drawing(*answers, primary="Ann Lee"), by_match).value == 1.0
    other = (*answers[:3], "Bob Roy")
    assert self_check_qa(CASE, short, drawing(*other, primary="Ann Lee"), by_match).value == 0.0


def test_what_two_answers_cite_does_not_count():
    cited = Response(case_id="c1", answer="7 [1]")
    assert (
        self_check_qa(CASE, cited, drawing("It is 7 [2].", "7 [3][1]", "7.", "7", primary="7 [1]"), by_match).value
        == 1.0
    )
    assert (
        self_check_qa(CASE, cited, drawing("7 [1]", "It is 1 [7].", "7", "7", primary="7 [1]"), by_match).value == 0.0
    )


def test_a_target_that_cannot_be_asked_again_is_not_judged():
    score = self_check_qa(CASE, PRIMARY, None, by_match)
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)


@pytest.mark.parametrize("primary", ["Bob manages it.", None])
def test_another_primary_answer_is_another_answer(primary):
    score = self_check_qa(CASE, PRIMARY, drawing("", "", "", "", primary=primary), by_match)
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert ASKED == [(0, 0.0)]
    assert score.detail["asked_again"] == primary


def test_failures_are_reasons():
    failed = Response(case_id="c1", answer=None, error="it timed out")
    assert self_check_qa(CASE, failed, drawing(), by_match).status is Status.MISSING_INPUT
    silent = self_check_qa(CASE, PRIMARY, drawing("Ann Lee manages it.", None), by_match)
    assert (silent.value, silent.status) == (None, Status.API_ERROR)
    broken = self_check_qa(CASE, PRIMARY, drawing(TargetFailed("no connection")), by_match)
    assert broken.status is Status.API_ERROR
    assert "no connection" in broken.detail["reason"]


def test_a_comparison_that_fails_is_the_reason(ask):
    with LlmServer(lambda body: Fault(status=400)) as server:
        compare = by_model(ask(server.spec()), load_prompt("same_answer"))
        score = self_check_qa(CASE, PRIMARY, drawing("Ann.", "Ann.", "Ann.", "Ann."), compare)
    assert (score.value, score.status) == (None, Status.API_ERROR)


def test_a_spent_budget_passes_through(store):
    with LlmServer(same) as server:
        chat = open_chat(store, "", server.spec(), budget=Budget(store, "run_1", calls=0))
        with pytest.raises(BudgetSpent):
            self_check_qa(CASE, PRIMARY, drawing("Ann."), by_model(chat, load_prompt("same_answer")))
