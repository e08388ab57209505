"""What has a trace of the reference is left to a judge; another name, code or list of several things is not."""

import pytest

from core.judging.match import judge_match

LEFT_OPEN = [
    ("What kind of rock is the hill made of?", "Basalt", "Basaltic rock of volcanic origin."),
    ("Who chaired the inquiry?", "Baroness Helen Ashworth", "It was chaired by Lady Ashworth."),
    ("What is the duration of the course?", "P10D", "The course takes 10 days."),
    (
        "What did the expedition set out to find?",
        "The source of the river Okar",
        "Its goal was to see where Okar rises.",
    ),
    ("When was the abbey dissolved?", "In 1538, under Henry VIII", "The abbey was dissolved in 1538."),
    ("Who wrote the preface?", "The publisher, Anselm Roth", "Anselm Roth wrote it."),
]
DECIDED = [
    ("Where is the firm?", "Paris", "In the Parish of St. Ann."),
    ("In which country is the supplier based?", "Niger", "Nigeria"),
    ("What is the serial number of the pump?", "PX-44018-B", "PX-44018-D"),
    ("Who manages it?", "Ann Lee", "Bob Roy manages it."),
    ("Who manages it?", "Ann Lee and Bob Ray", "Ann Lee."),
    ("Which ingredients does the glaze contain?", "Honey, mustard and thyme", "The glaze contains honey and mustard."),
    ("What is the status of the claim?", "rejected", "The claim is pending."),
]


@pytest.mark.parametrize(("question", "reference", "answer"), LEFT_OPEN)
def test_a_trace_is_left_to_a_judge(question, reference, answer):
    judgement = judge_match(question, [reference], answer)
    assert (judgement.verdict.value, judgement.rule) == ("not_judged", "needs a judge")


@pytest.mark.parametrize(("question", "reference", "answer"), DECIDED)
def test_another_value_is_wrong(question, reference, answer):
    assert judge_match(question, [reference], answer).verdict.value == "incorrect"
