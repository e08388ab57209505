"""What was wrong in variants that people read, a class each, over many draws."""

import pytest

from core.domain.testset.cases import TestCase
from core.testset.variants.making import Recipe, make_variants

DRAWS = range(24)


def variants_of(kind, question):
    """Every variant of a question that comes of some seed."""
    case = TestCase(case_id="c", question=question)
    made = (make_variants([case], Recipe(kinds=(kind,), seed=seed)).cases for seed in DRAWS)
    return {variant.question for cases in made for variant in cases}


@pytest.mark.parametrize(
    ("kind", "question", "wrong"),
    [
        # Other answers.
        ("paraphrase", "when was the sir robert bond bridge built", "which date"),
        ("paraphrase", "what is the defense of marriage act 1996", "tell me the"),
        ("paraphrase", "what are the sirens in o brother where art thou", "know the sirens"),
        ("other_form", "what are the sirens in o brother where art thou", "the sirens in"),
        ("clause_order", "where was the cotton gin invented and where is it used today", "today, where"),
        ("clause_order", "who did they take new york from what was it called before the english named it so", ", who"),
        (
            "clause_order",
            "When we spoke last week nobody could remember when the fee was paid, so please find it out.",
            "",
        ),
        ("grammar", "Which TV series was the best in history?", "series were"),
        # The words of no person.
        (
            "clause_order",
            "For our records, could you please confirm what the fee of card 'A' is?",
            "is for our records",
        ),
        ("clause_order", "Look up number of tracks of album 'Moon'", "look up"),
        ("clause_order", "Tickers of type 'etf'", ": Tickers"),
        ("paraphrase", "What is the effect of rates on profit? List it for each year.", ".?"),
        ("paraphrase", "What legal issues were reported in the Q2 2023 report of Intel?", "were given"),
        ("paraphrase", "What were the main influences on income as reported in Q2 2023?", "income given"),
        ("paraphrase", "Look up customers in city 'Anytown'", "check the customers"),
        ("paraphrase", "Get average price for tracks of media type 'AAC'", "the get "),
        ("paraphrase", "Which is the largest river in America?", "which the largest"),
        ("paraphrase", "How old is Cornish Rose – what year was she built?", "Cornish Rose –"),
        ("other_form", "Get average price for tracks of media type 'AAC'", "the get "),
        ("other_form", "Look up customers in city 'Anytown'", "What is the customers"),
        ("other_form", "Look up suppliers with contact title 'Agent'", "What is the suppliers"),
        ("other_form", "Look up support representative of customer 'Puja'", "What is the support rep"),
        ("colloquial", "Analyze how the tax rate in the report compares with the notes.", "need this"),
        ("colloquial", "Summarize the risk factors of the business", "Summarize"),
        ("colloquial", "Hey, how many films are there?", "Hey"),
        ("colloquial", "Quick question: how many actors does the film 'X' have?", "Quick"),
        ("colloquial", "the large pad at the base of the thumb is called", "need this"),
        ("colloquial", "the number of buckets on a pelton wheel is given by", "need this"),
        ("other_form", "what is the accounting rate of return on the investment", "Give me"),
        ("colloquial", 'it is showing "Could not place order."', "cheers"),
        ("preamble", "Hey, how many films are there?", ". Hey"),
        ("spelling", "the company's other business overview is company's", "''"),
        ("spelling", "Please look for a sound that is a find", "loo "),
        ("grammar", "What do the inventory levels in the report suggest?", "do inventory levels"),
        ("grammar", "Outline the risk factors for the business.", "Outline risk"),
    ],
)
def test_what_was_read_as_wrong_is_made_no_more(kind, question, wrong):
    assert [text for text in variants_of(kind, question) if wrong in text] == []


@pytest.mark.parametrize(
    ("kind", "question", "right"),
    [
        (
            "clause_order",
            "For our records, could you please confirm what the fee of card 'A' is?",
            "Could you please confirm, for our records, what the fee of card 'A' is?",
        ),
        ("clause_order", "Look up number of tracks of album 'Moon'", "Album 'Moon': number of tracks"),
        ("clause_order", "Number of branches of bank 'A'", "Bank 'A': number of branches"),
        ("clause_order", "Look up genre of track 'Unexpected'", "Track 'Unexpected': genre"),
        ("other_form", "Look up customers in city 'Anytown'", "Who are the customers in city 'Anytown'?"),
        (
            "other_form",
            "Look up suppliers with contact title 'Agent'",
            "Who are the suppliers with contact title 'Agent'?",
        ),
        (
            "other_form",
            "Look up support representative of customer 'Puja'",
            "Who is the support representative of customer 'Puja'?",
        ),
        (
            "other_form",
            "Get average price for tracks of media type 'AAC'",
            "What is the average price for tracks of media type 'AAC'?",
        ),
        (
            "paraphrase",
            "what is the defense of marriage act 1996",
            "could you tell me what the defense of marriage act 1996 is",
        ),
        (
            "paraphrase",
            "Which is the largest river in America?",
            "Could you tell me which is the largest river in America?",
        ),
        (
            "colloquial",
            "Analyze how the tax rate in the report compares with the notes.",
            "hey, can you analyze how the tax rate in the report compares with the notes.",
        ),
        ("colloquial", "Hey, how many films are there?", "hey, how many films are there? thx"),
        (
            "preamble",
            "Hey, how many films are there?",
            "Hey, I was just talking to someone about this on the phone. How many films are there?",
        ),
        ("paraphrase", "What is the rating of film 'X'?", "Could you tell me the rating of film 'X'?"),
    ],
)
def test_what_comes_instead(kind, question, right):
    assert right in variants_of(kind, question)
