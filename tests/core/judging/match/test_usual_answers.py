"""Classes of what systems usually write, in other words and domains than those in which they were met."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # names without the word that says what they are
        ("Which ward is she on?", "Larch ward", "She is on Larch.", RIGHT),
        ("Which division will be sold?", "The Marine Coatings division", "Marine Coatings will be sold in May.", RIGHT),
        ("Which team handles it?", "Sales team", "The sales manager handles it.", WRONG),
        # moments and quarters
        ("When did the pump stop?", "2022-05-03 04:11:37", "It stopped on 3 May 2022 at 4:11 am.", RIGHT),
        ("When did the pump stop?", "2022-05-03 04:11:37", "It stopped on 3 May 2022 at 4:12 am.", WRONG),
        ("Which quarter of 2021 was the best?", "Q3 2021", "The third quarter.", RIGHT),
        ("Which quarter of 2021 was the best?", "Q3 2021", "It was Q1.", WRONG),
        # where somebody went, and came from
        ("Which depot did the tram move to?", "Harbour Road", "It was moved from Harbour Road to Mill Lane.", WRONG),
        ("Which depot did the tram move to?", "Mill Lane", "It was moved from Harbour Road to Mill Lane.", RIGHT),
        ("Which depot did the tram move from?", "Harbour Road", "It was moved from Harbour Road to Mill Lane.", RIGHT),
        # other words for a state
        ("What is the status of permit 7?", "Cancelled", "Permit 7 was voided in June.", OPEN),
        ("What is the status of permit 7?", "Cancelled", "Permit 7 is valid until June.", WRONG),
        ("Where was he treated?", "Coronary Care", "He was treated in the CCU.", OPEN),
        ("Where was he treated?", "Paediatric Intensive Care", "He was treated in the PICU.", OPEN),
        ("Is the oak table in stock?", "no", "The oak table is sold out until March.", RIGHT),
        ("Is the oak table in stock?", "yes", "The oak table is out of stock.", WRONG),
        ("Did the yield of the northern fields improve?", "yes", "The yield improved by 4%.", RIGHT),
        ("Did the yield of the northern fields improve?", "yes", "The yield of the orchards improved.", OPEN),
        # figures
        ("What is net debt, in EUR millions?", "2481.00", "Net debt stood at €2,480.7 million.", RIGHT),
        ("What is net debt, in EUR millions?", "2481.00", "Net debt stood at €2,479.7 million.", WRONG),
        ("What was the dividend of 2020?", "$0.88", "It paid $0.22 each quarter of 2020, for a total of $0.88.", RIGHT),
        ("How many staff has it?", "5,210", "It has 5,210 staff; some 900 of them are drivers.", RIGHT),
        (
            "What were the fees at 30 June, in $m?",
            "$412m",
            "- Advice fees: $290m\n- Other fees: $122m\n\nTotal fees = $290m + $122m = **$412m**.",
            RIGHT,
        ),
        (
            "What are the fees on the form? If none are shown state 0.",
            "0",
            "The form has no such line. As fees are not shown on the form, the answer is **0**.",
            RIGHT,
        ),
        ("What was growth excluding fuel?", "1.9%", "Sales excluding fuel rose by 1.9%.", RIGHT),
        ("What was growth?", "1.9%", "It was 3% excluding the 1.9% from fuel.", WRONG),
        (
            "Are there any products above 20% of sales?",
            "Yes: tents (41%), boots (27%) and packs (22%).",
            "Yes, tents with 41% and boots with 27%, and no other.",
            OPEN,
        ),
    ],
)
def test_what_systems_usually_write(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
