"""An answer that asks the question's own question again declines, whatever else it tells."""

import pytest

from core.judging.match.abstention import abstains


@pytest.mark.parametrize(
    ("question", "answer", "declines"),
    [
        (
            "Who is master of the Maja?",
            "The chief officer is Jo Wilk. I could not find who is serving as master.",
            True,
        ),
        ("What is the name of the cat?", "It is owned by Ms Penn; I could not find its name.", True),
        ("How many boxes were lost?", "Boxes were lost in heavy weather, though it doesn't specify how many.", True),
        (
            "When does the licence of Dr. Pell expire?",
            "It was renewed on 30 June 2023, but I cannot tell the exact expiry date.",
            True,
        ),
        (
            "Which customer has the highest unpaid invoice?",
            "The highest unpaid amount is EUR 61,200, but the document does not say which customer it relates to.",
            True,
        ),
        # another question is open
        (
            "How many sick days are paid?",
            "Employees get 30 days at full pay. It doesn't say whether these are calendar days.",
            False,
        ),
        ("Who acted for Morrow?", "Solvay & Finch did. I don't know who appeared for the other side.", False),
        ("Which is the best seller?", "The Alto. Which colour of it is not stated.", False),
        ("Who built it and who paid?", "Ann Lee built it. I could not find who paid.", False),
        ("When was Mr Falk hired?", "Mr Falk was hired in spring 2019, but the exact day is not given.", False),
        ("What is the balance?", "There's nothing outstanding on the account.", False),
    ],
)
def test_the_question_asked_again(question, answer, declines):
    assert abstains(question, answer) is declines


def test_a_turn_to_what_is_told_instead_declines_where_it_weighs_so():
    assert abstains(
        "What was Eastlake Dairy's long-term debt, excluding current portion, at year-end 2022 in USD thousands?",
        "Unfortunately, I don't see a balance sheet in what was provided. There is a reference to a $600 million "
        "revolving credit facility, of which $145 million was drawn at year-end 2022, yet that isn't the total of "
        "long-term debt.",
    )
