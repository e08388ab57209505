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
        # what the source tells instead, or that a comparison cannot be made
        (
            "Is the pier safe at night?",
            "The leaflet does not discuss safety at the pier. It lists its cafés.",
            "declined",
        ),
        ("What lining has the tent?", "The sheet doesn't mention a lining. It says the poles are steel.", "declined"),
        (
            "How do the Alto and Brio excesses compare?",
            "Alto's excess is £250. I could not find the one of Brio, so I can't tell you the difference.",
            "declined",
        ),
        ("How long has one to report it?", "As soon as possible. No number of days is stated.", "answered"),
        ("May pupils be exempted?", "Exemptions of pupils aren't granted in this county.", "answered"),
        ("What does fault F9 mean?", "F9 means that the pump is dry. Often the tap is missing a seal.", "answered"),
        ("When may I visit?", "If you tell me your ward, I can look that up.", "asks back"),
        ("Can you quote me a rate?", "I can't quote rates. Please call 1-800-555-0133.", "declined"),
        # figures beside the question, and then that it is given up
        (
            "How much goodwill did Alder record?",
            "Alder paid $212 million. The table is absent from the text provided. I therefore cannot state the amount.",
            "declined",
        ),
        (
            "What is the lease term of Alder?",
            "Liabilities were $688 million. The note is not part of the excerpt. So I must leave this one unanswered.",
            "declined",
        ),
        (
            "What was the free cash flow of Alder?",
            "EBIT was $812 million. Capital expenditure isn't stated. So the calculation cannot be completed.",
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
