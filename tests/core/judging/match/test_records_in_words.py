"""Values of a database that answers put in words, by what authors wrote of harbours, vets and films."""

import pytest

from core.judging.match import judge_match

RIGHT, WRONG, OPEN = "correct", "incorrect", "not_judged"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # kinds by a letter
        ("How many B hoses are there?", "64", "There are 64 B hoses and 112 C hoses.", RIGHT),
        ("How many B hoses are there?", "112", "There are 64 B hoses and 112 C hoses.", WRONG),
        ("How many pupils has class D?", "19", "Class C has 24 pupils, class D 19.", RIGHT),
        # codes that everybody knows
        ("What is the sex of the animal Tilda?", "F", "Tilda is female.", RIGHT),
        ("What is the sex of the animal Tilda?", "F", "Male (neutered)", WRONG),
        ("What is the gender of the customer?", "M", "The customer is a man.", RIGHT),
        ("Which language does the owner prefer?", "PT", "Portuguese", RIGHT),
        ("Which language does the owner prefer?", "deu", "She prefers German.", RIGHT),
        ("Which language does the owner prefer?", "PT", "Polish", WRONG),
        ("Which country is the owner from?", "IE", "Ireland", RIGHT),
        ("Which country is the owner from?", "IE", "The owner lives in Northern Ireland (United Kingdom).", WRONG),
        ("Which country is the owner from?", "Mexico", "The owner lives in New Mexico.", WRONG),
        # measures
        ("What is the gross weight of the crate in kilograms?", "24180", "24.18 metric tonnes", RIGHT),
        ("What is the gross weight of the crate in kilograms?", "24180", "24.81 metric tonnes", WRONG),
        ("On what floor is ward 4?", "0", "On the ground floor.", RIGHT),
        ("On what floor is ward 4?", "2", "On the ground floor.", WRONG),
        ("What is the unit of the length of copy C-0044?", "ft", "Its length is given in feet.", RIGHT),
        ("What is the unit of the length of copy C-0044?", "ft", "Its length is given in metres.", WRONG),
        # a figure with what is said of it
        ("How many days did the voyage take?", "5", "It took five days, from 14 to 19 July.", RIGHT),
        ("How many long containers were loaded?", "388", "388 forty-foot boxes were loaded.", RIGHT),
        ("What was the cash flow?", "£613 million", "It was £613 million, £48 million less than in 2021.", RIGHT),
        ("What was the cash flow?", "£613 million", "It was £613 million, £48 million.", WRONG),
        (
            "How many copies of Otto are held?",
            "4",
            "The archive holds four copies: two on film, one on tape and one digital.",
            RIGHT,
        ),
        ("How many copies of Otto are held?", "2", "It holds four copies: two on film, two on tape.", WRONG),
        ("By how many percent did it rise?", "4", "It did not rise by 6% as proposed but by 4% in the end.", RIGHT),
        ("By how many percent did it rise?", "6", "It did not rise by 6% as proposed but by 4% in the end.", WRONG),
        ("What was the ticket price?", "8.5", "A ticket cost €8.50, or €6.00 for members.", RIGHT),
        ("What was the ticket price for members?", "8.5", "A ticket cost €8.50, or €6.00 for members.", WRONG),
        ("How many times was it screened in 2021?", "0", "It was not screened at all in 2021.", RIGHT),
        ("How many times was it screened in 2021?", "3", "It was not screened at all in 2021.", WRONG),
        ("What is the rate?", "4%", "The current rate is 6% but was 4%.", WRONG),
        ("Which member chairs the board?", "Anna Hall", "Hall chairs it.", OPEN),
        # no longer this, so that
        ("Is the film in the public domain?", "0", "It is no longer protected, so it is in the public domain.", WRONG),
        ("Is the film in the public domain?", "1", "It is no longer protected, so it is in the public domain.", RIGHT),
        ("Is the loan active?", "0", "It is no longer active.", RIGHT),
        # names in part, states and reasons in other words
        ("Which hospital has the ward?", "Riverside Animal Hospital", "It is at Riverside.", OPEN),
        ("Which hospital has the ward?", "Riverside Animal Hospital", "It is at the Northgate Hospital.", WRONG),
        ("What is the state of the box?", "GATE_OUT", "The box has already gone out through the gate.", OPEN),
        ("What is the status of the animal?", "DECEASED", "Sadly, she passed away in May.", OPEN),
        ("What is the reason for the visit?", "Dental extraction", "She came in to have a tooth pulled.", OPEN),
    ],
)
def test_records_in_words(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
