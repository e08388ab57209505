"""Answers that quote a record with several values: the one that is asked for counts, wherever it stands."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match.figures.asked import asked_property
from core.judging.match.judge import judge_match
from core.judging.match.readers.texts.normalise import match_text
from core.text.words import stem

ROWS = json.loads((Path(__file__).parents[1] / "tables" / "record_answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("half", "table"),
    [
        (
            "tuned",
            {
                ("correct", "correct"): 31,
                # "16 cores at 3.2 GHz" for the clock speed was incorrect once
                ("correct", "not_judged"): 1,
                ("incorrect", "incorrect"): 19,
                ("incorrect", "not_judged"): 1,
            },
        ),
        # 20 and one not judged at first sight
        ("held out", {("correct", "correct"): 21, ("incorrect", "incorrect"): 12}),
    ],
)
def test_another_value_of_the_record_is_never_accepted(half, table):
    rows = [row for row in ROWS if row["half"] == half]
    ours = [judge_match(row["question"], row["references"], row["answer"]).verdict.value for row in rows]
    assert Counter(zip((row["verdict"] for row in rows), ours, strict=True)) == table


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("What is the credit limit of the Gold card?", "limit"),
        ("How many free withdrawals does the Gold card have?", "withdrawals"),
        ("How many units of Chai are on order?", "order"),
        ("What does the Gold card cost a year?", "cost"),
        ("When was order 10248 shipped?", "shipped"),
        ("Shipped date of order dated 1996-07-04", "shipped"),
        ("Look up quantity per unit of Chai", "quantity"),
    ],
)
def test_what_a_question_asks_for(question, head):
    assert asked_property(match_text(question)).head == stem(head)


@pytest.mark.parametrize("question", ["Is the card free?", "Who manages branch 17?", ""])
def test_a_question_that_names_no_property(question):
    assert asked_property(match_text(question)) is None


def test_the_end_of_a_range_that_is_asked_for_counts():
    answer = "Personal loan: 5,000 to 75,000 EUR, term 12 to 84 months."
    wanted = {
        "What is the maximum amount of the personal loan?": ("75,000", "5,000"),
        "What is the lowest amount of the personal loan?": ("5,000", "75,000"),
        "What is the longest term of the personal loan in months?": ("84", "12"),
    }
    for question, (right, wrong) in wanted.items():
        assert judge_match(question, [right], answer).verdict.value == "correct", question
        assert judge_match(question, [wrong], answer).verdict.value == "incorrect", question
    assert judge_match("What is the amount of the personal loan?", ["5,000"], answer).rule == "range"
