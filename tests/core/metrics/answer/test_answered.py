"""Answered: the target's own word, else the rules, and who decided."""

import pytest

from core.domain.status import Status
from core.metrics import Sample
from tests.support.models.scripted_encoder import score_of


def score(answer, **fields):
    return score_of("answered", Sample(case_id="c", question="What is the fee?", answer=answer, **fields), {})


def test_an_answer_answers():
    found = score("The fee is 5 euros.")
    assert found.value == 1.0
    assert found.detail == {"decided_by": "rules"}


def test_the_declining_words_are_shown():
    found = score("I'm sorry, but I could not find the fee.")
    assert found.value == 0.0
    assert found.detail == {"decided_by": "rules", "said": "i could not", "abstained": True}


def test_a_partial_answer_answers():
    assert score("The documents do not say since when, but the fee is 5 euros.").value == 1.0


def test_the_word_of_the_target_counts_and_a_contradiction_is_told():
    found = score("I do not know.", abstained=False)
    assert found.value == 1.0
    assert found.detail == {"decided_by": "target", "said": "i do not know.", "rules_disagree": True}
    found = score("The fee is 5 euros.", abstained=True)
    assert found.value == 0.0
    assert found.detail == {"decided_by": "target", "rules_disagree": True, "abstained": True}
    assert score("The fee is 5 euros.", abstained=False).detail == {"decided_by": "target"}


@pytest.mark.parametrize("told", [None, True, False])
def test_an_empty_answer_is_no_answer_whatever_the_target_says(told):
    found = score("  \n", abstained=told)
    assert found.value == 0.0
    assert found.detail["rule"] == "empty answer"


def test_a_failed_target_has_no_value():
    assert score(None, error="HTTP 500").status is Status.MISSING_INPUT


def test_symbols_say_nothing_and_other_scripts_answer():
    assert score("🎉").value == 0.0
    assert score("月額料金は5ユーロです。").value == 1.0


def test_the_evidence_stays_small():
    assert len(score("Could you clarify " + "which account " * 50 + "you mean?").detail["said"]) == 200
