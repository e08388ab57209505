"""Times in words, versions, codes, ships and lists that go on: classes that a fourth author of answers showed."""

import pytest

from core.judging.match import judge_match

RIGHT = "correct"
OPEN = "not_judged"
WRONG = "incorrect"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        ("When does it close on Fridays?", "16:30", "It closes at half past four in the afternoon.", RIGHT),
        ("When does it close on Fridays?", "16:30", "It closes at half past three in the afternoon.", WRONG),
        ("When does it close on Fridays?", "16:30", "It closes at half past four.", OPEN),
        ("When does it close on Fridays?", "16:30", "It closes at 4:30.", OPEN),
        ("When does it close on Fridays?", "16:30", "It closes at 4:30 am.", WRONG),
        ("When does it start?", "12:00", "It starts at noon.", RIGHT),
        ("What is the date of invoice 7?", "20240520", "It is dated 20 May 2024.", RIGHT),
        ("What is the date of invoice 7?", "20240520", "2024-05-20", RIGHT),
        ("What is the date of invoice 7?", "20240520", "It is dated 21 May 2024.", WRONG),
        ("What is the date of invoice 7?", "2024-05-20", "inv_dt: 20240520", RIGHT),
        ("What is the date of invoice 7?", "2024-05-20", "inv_dt: 20240521", WRONG),
        ("What is the reading of meter 7?", "20240520", "It is 20,240,520.", RIGHT),
        ("What is the reading of meter 7?", "20240520", "It was read on 20 May 2024.", WRONG),
        ("When does the gate open?", "05:45", "The gate opens at a quarter to six in the morning.", RIGHT),
        ("Which version introduced it?", "5.3", "It came with release 5.3.0; OAuth had been there since 4.8.", RIGHT),
        ("Which version introduced it?", "5.3.0", "It came with 5.3.", RIGHT),
        ("Which version introduced it?", "5.3", "It came with release 5.3.1.", OPEN),
        ("What error code does it return?", "429", "An HTTP `429 Too Many Requests` comes back.", RIGHT),
        ("What error code does it return?", "429", "An HTTP 503 comes back.", WRONG),
        ("Which vessel sails at night?", "MV Ternefjord", "The Ternefjord does.", RIGHT),
        ("Which vessel sails at night?", "MV Ternefjord", "The Havdis does.", WRONG),
        ("What fire category is it certified for?", "Category 7", "RFFS CAT 7.", OPEN),
        ("What fire category is it certified for?", "Category 7", "It is certified for category 9.", WRONG),
        ("Were there any open faults?", "none", "No, every fault had been closed by then.", RIGHT),
        ("Were there any open faults?", "none", "Yes, two were open.", WRONG),
        ("How many people work there?", "6,240", "It employs around 6,200 people (6,240 to be exact).", RIGHT),
        ("How many people work there?", "6,240", "It employs around 6,240 people (6,310 to be exact).", WRONG),
        (
            "Which hops go in?",
            "Citra, Simcoe",
            "It is hopped with Citra, Simcoe and Mosaic, giving it its character.",
            WRONG,
        ),
        ("Which branches close?", "Thornby, Marsh End", "Thornby, Marsh End and Castle Row will be closed.", WRONG),
        ("Which branches close?", "Thornby, Marsh End", "Thornby and Marsh End will be closed.", RIGHT),
        (
            "Which farms left?",
            "Hollins Farm and Upper Dene",
            "- Hollins Farm (sold)\n- Upper Dene (old)\n- Crag End (joined others)",
            WRONG,
        ),
        ("Which hops go in?", "Fuggle and Target", "The recipe lists Fuggle and Target – no dry hopping.", RIGHT),
        ("Within how many days?", "31 days after returning home", "Within 31 days of the start of your trip.", OPEN),
        ("Within how many days?", "31 days after returning home", "Within 31 days of coming home.", RIGHT),
        (
            "What interest do balances over 10,000 earn?",
            "2.15%",
            "Anything above 10,000 earns 2.15%, the first 10,000 1.75%.",
            RIGHT,
        ),
        ("Which animals are in quarantine?", "none", "There are no animals in quarantine at the moment.", RIGHT),
        ("Which animals are in quarantine?", "none", "Two lions are in quarantine.", WRONG),
        ("Who is on call on Sunday?", "nobody", "Nobody but Ann Lee is on call on Sunday.", WRONG),
        ("Who is on call on Sunday?", "nobody", "There is no one except Ann Lee.", OPEN),
        ("Who are the heirs?", "Rosa Castellano and Miguel Castellano", "Miguel and Rosa Castellano.", RIGHT),
        ("Who are the heirs?", "Rosa Castellano and Miguel Castellano", "Miguel and Ada Castellano.", OPEN),
        ("Which customs code applies?", "6907 21", "The code is 690721.", RIGHT),
        ("Which customs code applies?", "6907 21", "The code is 690722.", WRONG),
        ("What biosafety level does it have?", "BSL-2", "It is classified as biosafety level 2.", OPEN),
        ("What biosafety level does it have?", "BSL-2", "It is classified as biosafety level 3.", WRONG),
        ("How often is it inspected?", "once a year", "It is inspected annually by a company.", RIGHT),
        ("How often is it inspected?", "twice a year", "It is inspected every six months.", RIGHT),
        ("How wide must it be?", "1.20 m", "It has to be at least 120 cm wide.", RIGHT),
        ("How wide must it be?", "1.20 m", "It has to be at least 90 cm wide.", WRONG),
        ("What was net income?", "$5,604 million", "Net income was $5.6 billion ($5,604m in the statement).", RIGHT),
        (
            "What is due?",
            "€300m in 2026 and €450m in 2029",
            "A first 300 million euros falls due in 2026, then €450 million in 2029.",
            OPEN,
        ),
    ],
)
def test_a_class_of_answers(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
