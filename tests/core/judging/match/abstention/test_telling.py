"""Answers that begin with their figure or tell it by their source, and refusals that look like them."""

import pytest

from core.judging.match.abstention import Outcome, read_answer

ANSWERED, PARTLY, DECLINED = Outcome.ANSWERED, Outcome.PARTLY, Outcome.DECLINED


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What is the depth at berth 2?", "From what I can find in the port's book, 9.4 m at low water.", ANSWERED),
        (
            "What port does it listen on?",
            "According to the documents provided, the agent listens on port 91.",
            ANSWERED,
        ),
        (
            "When is the last day to enrol?",
            "14 March. Note that the list I have doesn't give the day for autumn.",
            PARTLY,
        ),
        ("How many days may a pupil miss?", "Up to three days. I don't have information on guests.", ANSWERED),
        ("What is the phone number of Dr Berg?", "0 results matched your query.", DECLINED),
        ("What is the depth at berth 2?", "According to the index, the depth is not given for berth 2.", DECLINED),
        ("What are her marks?", "You do not have permission to view this record.", DECLINED),
        ("What is the limit for toluene in lab 3?", "I looked and didn't come across a limit for toluene.", DECLINED),
    ],
)
def test_what_an_answer_tells(question, answer, expected):
    assert read_answer(question, answer).outcome is expected
