"""Facts told beside the question, where the answer says that what is asked is missing."""

import pytest

from core.judging.match.abstention import read_answer


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        # another thing of the same kind has a figure, the one that is asked about has none
        (
            "What does the Saver account pay?",
            "Rates are given for Flex (1.2%) and Gold (1.7%). Saver isn't listed.",
            "declined",
        ),
        (
            "How many beds does ward 17 have?",
            "The plan gives beds for wards 5 (22) and 6 (18). Ward 17 is missing.",
            "declined",
        ),
        ("Is hail covered?", "Section 4 names fire and storm. The policy does not mention hail.", "declined"),
        # nothing of the kind that is asked
        (
            "How many people were hired in Graz?",
            "The office in Graz was enlarged. The number hired isn't reported.",
            "declined",
        ),
        (
            "Why did the auditor resign?",
            "She was replaced by Bo Lind in May. The reasons are not disclosed.",
            "declined",
        ),
        # an answer, with something missing besides
        ("What is the fee?", "It is 5% for cards. The fee for loans is not stated.", "partly"),
        ("Why was the ferry late?", "Because of fog. The log does not say what became of the cars.", "answered"),
        (
            "What was capex in 2018?",
            "The report doesn't give capex. However, purchases of equipment were $15 million in 2018.",
            "partly",
        ),
        (
            "Who were its rivals?",
            "Arden and Brook are similar, but the page does not state that those are rivals.",
            "partly",
        ),
        ("Which side effects were seen?", "None.", "answered"),
        ("How many were hurt?", "Nobody.", "answered"),
        ("What is the expiry date?", "None.", "declined"),
    ],
)
def test_what_is_told_besides(question, answer, outcome):
    assert read_answer(question, answer, by_rules=True).outcome.value == outcome
