"""Verdicts on texts, and on yes or no, of many domains; half of the cases were not looked at."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.domain.results.responses import Verdict
from core.judging.match import judge_match
from core.stats.agreement.cohen import cohen_kappa

CASES = json.loads((Path(__file__).parent / "tables" / "text_cases.json").read_text(encoding="utf-8"))
SEEN = [case for case in CASES if case["set"] == "seen"]
HELD_OUT = [case for case in CASES if case["set"] == "held out"]


def verdict(case):
    return judge_match(case["question"], case["references"], case["answer"]).verdict


def test_there_are_enough_cases():
    assert len(CASES) >= 100
    assert len({case["domain"] for case in CASES}) >= 10
    assert min(len(SEEN), len(HELD_OUT)) >= 50


@pytest.mark.parametrize("case", SEEN, ids=[f"{case['domain']}: {case['answer'][:50]}" for case in SEEN])
def test_case(case):
    assert verdict(case).value == case["verdict"]


def test_the_held_out_cases():
    # 58 of 59 as labelled; of those that both judge all agree, and one denial is left to a judge.
    told = Counter((case["verdict"], verdict(case).value) for case in HELD_OUT)
    assert sum(count for (wanted, found), count in told.items() if wanted == found) >= 57
    assert not any(count for (wanted, found), count in told.items() if found == "correct" and wanted != "correct")
    judged = [case for case in HELD_OUT if "not_judged" not in (case["verdict"], verdict(case).value)]
    assert cohen_kappa([case["verdict"] for case in judged], [verdict(case).value for case in judged]).value >= 0.9


@pytest.mark.parametrize(
    "answer", ["Employees need prior approval for extra hours.", "Extra hours are paid out at once."]
)
def test_what_words_cannot_decide_says_why(answer):
    reference = "Overtime must be approved in advance by the line manager and is compensated by time off."
    judgement = judge_match("What does the handbook say about overtime?", [reference], answer)
    assert (judgement.verdict, judgement.rule) == (Verdict.NOT_JUDGED, "needs a judge")
    assert judgement.reason.endswith("This needs a judge or a person.")


def test_of_several_references_one_that_needs_a_judge_outranks_a_miss():
    references = ["Bob Roy", "European Central Bank"]
    assert judge_match("Who supervises it?", references, "The ECB.").rule == "needs a judge"
    assert judge_match("Who supervises it?", references, "Bob Roy.").verdict is Verdict.CORRECT
