"""Questions as clauses of other sentences, and parts of questions at their other end."""

import pytest

from core.testset.variants.indirect import indirect
from core.testset.variants.movable import elsewhere


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("When does the spring term start?", "when the spring term starts"),
        ("When did the board approve the 2024 charges?", "when the board approved the 2024 charges"),
        ("Why was my last bill estimated?", "why my last bill was estimated"),
        ("Can a student be represented by a lawyer?", "whether a student can be represented by a lawyer"),
        ("Has the order for heparin been delivered?", "whether the order for heparin has been delivered"),
        ("Are there lockers in the hall?", "whether there are lockers in the hall"),
        ("Does the discount for pensioners apply here?", "whether the discount for pensioners applies here"),
        ("Which samples must be kept on ice?", "which samples must be kept on ice"),
        ("Which days is the centre at Quay Street open?", "which days the centre at Quay Street is open"),
        ("How many litres may a household use?", "how many litres a household may use"),
        ("Who is the fleet manager in Ghent?", "who the fleet manager is in Ghent"),
        ("By whom is the exam board elected?", "by whom the exam board is elected"),
        ("where do guinea pigs sleep in the wild", "where guinea pigs sleep in the wild"),
        ("What must a cover sheet contain?", "what a cover sheet must contain"),
        ("Who pays if the car was lent to a colleague?", "who pays if the car was lent to a colleague"),
    ],
)
def test_a_question_becomes_a_clause(question, clause):
    assert indirect(question) == clause


@pytest.mark.parametrize(
    "question",
    [
        "Does the pay rise start?",  # two verbs, one of them a noun
        "How much does the rapid test for influenza cost?",  # the same, apart
        "where is bone marrow found what does it do for the body",  # two questions
        "When a cork is added to water",  # no question
        "What is the rate charged by the bank at the counter?",  # said of the rate, not of what is asked
        "Could you open the door?",  # a request
        "Why doesn't it work?",
        "What was the firm's margin in the most recent quarterly filing?",
        "Fee of card 'A'",
    ],
)
def test_where_the_subject_is_uncertain_there_is_no_clause(question):
    assert indirect(question) == ""


@pytest.mark.parametrize(
    ("question", "moved"),
    [
        ("What happens if I do not pay within 28 days?", "If I do not pay within 28 days, what happens?"),
        ("I hit a deer last night. Which form do I use?", "Which form do I use? I hit a deer last night."),
        ("Are bags collected in winter?", "In winter, are bags collected?"),
        ("What is the limit for nitrate?", "For nitrate, what is the limit?"),
        ("Which garages repair windscreens in Leuven?", "In Leuven, which garages repair windscreens?"),
        ("Employee 'Jane Peacock': hire date", "Hire date of employee 'Jane Peacock'"),
        ("Tell me what the fee of card 'A' is.", "For card 'A', tell me what the fee is."),
        ("how do colours differ at night", "at night, how do colours differ"),
    ],
)
def test_a_part_moves_to_the_other_end(question, moved):
    draft = elsewhere(question)
    assert draft is not None
    assert draft.question == moved


@pytest.mark.parametrize(
    "question",
    [
        "Has the price changed since last year?",  # the time belongs to the word before it
        "Could I carry over days into next year?",
        "How much notice is given before it is turned off?",  # "it" would stand before what it refers to
        "I moved in March. Who pays until then?",
        "Is there a charge for replacing a bin?",
        "Can I use the cluster only in Spain?",
        "What is the difference between Advisor version 3 and version 4?",
        "Could you check when the cabinet was certified?",
        "What is the hull of Teal made of?",
        "What is the engine power of Jenny Wren in kW?",  # the unit is the answer's
        "How many parking spaces are at Nordby Landing?",
    ],
)
def test_a_part_that_would_not_fit_there_stays(question):
    assert elsewhere(question) is None
