"""What an answer has in another form, order or direction, and what it concludes: classes of three more authors."""

import pytest

from core.judging.match import judge_match

RIGHT = "correct"
OPEN = "not_judged"
WRONG = "incorrect"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # codes, versions, names and signs
        ("Which release added the export?", "Version 6.1", "The export came with v6.1.", RIGHT),
        ("Which release added the export?", "6.1", "It came in version 6.1. Later, with 7.0, it was rewritten.", RIGHT),
        ("Which release added the export?", "6.1", "The export came with v6.2.", WRONG),
        ("Which fault code is it?", "F31", "The panel reads F-31.", RIGHT),
        ("Which fault code is it?", "F31", "The panel reads F32.", WRONG),
        (
            "Who built the dome?",
            "Filippo Brunelleschi",
            "It was the work of the Florentine architect Brunelleschi.",
            OPEN,
        ),
        ("Who wrote it?", "Irène Curie", "Irène Joliot-Curie did.", OPEN),
        ("Who built it?", "Pierre Lescot", "Jean-Pierre Lescot did, in 1546.", OPEN),
        ("Which blood group is it?", "B+", "Her blood group is B positive.", RIGHT),
        ("Which picture format is sent?", "TIFF", "It sends TIF.", OPEN),
        ("On which port does it listen?", "9411", "Open http://localhost:9411; traces arrive on 4317.", OPEN),
        ("What is the postcode of the depot?", "04109", "The depot is at 7 Alte Messe, 04109 Leipzig.", OPEN),
        ("From when is leave granted?", "From the 7th month", "Once 7 months have passed.", OPEN),
        ("What was the winning time?", "2:14:07", "She needed 2 hours, 14 minutes and 7 seconds.", OPEN),
        ("How long does it take?", "4-6 working days", "Four to six business days.", RIGHT),
        ("What share agreed?", "one third", "33% agreed, the others did not.", OPEN),
        ("What share agreed?", "one third", "43% agreed, the others did not.", WRONG),
        # rates and bounds
        ("What does the weekly pass cost?", "CHF 30", "The pass is CHF 30 per day.", WRONG),
        ("What does the weekly pass cost?", "CHF 30", "The pass is CHF 30 a week.", RIGHT),
        ("How high is the rate of the Monthly Saver?", "4.75", "The Monthly Saver pays 4.75% gross a year.", RIGHT),
        ("What is the limit of requests?", "90 requests per hour", "You may send 90 requests per minute.", WRONG),
        ("How many guests can the cabin take?", "12", "The cabin may take up to twelve guests.", RIGHT),
        ("How many guests can the cabin take?", "12", "The cabin takes at least twelve guests.", WRONG),
        ("What is the least age?", "14", "Tickets may be sold to children from fourteen years of age.", RIGHT),
        ("What is the least age?", "14", "It may be fourteen.", WRONG),
        (
            "What minimum score is needed?",
            "60%",
            "At least 70 percent. Between 60 and 70 percent you sit it again.",
            WRONG,
        ),
        ("What was revenue?", "$2,415 million", "Revenue came to $2.415 million.", OPEN),
        # what an answer leaves open
        ("When was it built?", "1904", "The sources disagree: one gives 1904, another 1911.", OPEN),
        ("What is the fee?", "5 euros", "The fee cannot be waived, which is a pity: it is 5 euros.", RIGHT),
        ("When was it built?", "1904", "It is open every day, which is new. It was built in 1904.", RIGHT),
        ("When was it built?", "1904", "It gives 1904 and 1911. I cannot say which of the two is right.", WRONG),
        ("Is a visa required?", "Yes", "A visa may be required.", WRONG),
        ("Is a deposit charged?", "Yes", "A deposit may be charged.", WRONG),
        ("What is the extension of the desk?", "4410", "The fax is 4410; the extension of the desk is 221.", WRONG),
        ("Who signed it?", "null", "The record has no signatory; the field is empty.", RIGHT),
        # direction and order
        ("How did it change?", "It fell from 8.4% to 7.9%", "It was 7.9% in 2021 and 8.4% in 2022.", OPEN),
        ("How did it change?", "It fell from 8.4% to 7.9%", "It fell to 7.9% from 8.4%.", OPEN),
        ("List both, cheapest first.", "Basic, Plus", "1. Plus\n2. Basic", OPEN),
        ("List both, cheapest first.", "Basic, Plus", "1. Basic\n2. Plus", RIGHT),
        ("Where does it run?", "iOS, Android", "It runs on iOS only. Android users take the web page.", OPEN),
        # what an answer concludes
        ("Which team scored most?", "Reds", "Blues 31, Reds 24. The Blues therefore scored most.", OPEN),
        ("Which had fewer faults?", "Line 2", "Line 1 had 9, line 2 had 4. Line 1 had fewer faults than line 2.", OPEN),
        (
            "Which region grew fastest?",
            "North",
            "- North: 19%\n- South: 3%\n\nSouth was the fastest region that grew.",
            OPEN,
        ),
        ("Who must sign above €20,000?", "The CFO", "Above €20,000 nobody; above €90,000 the CFO signs.", OPEN),
        (
            "Which unit fell most?",
            "Retail",
            "Retail -2%, Wholesale -4%. The biggest drop was therefore in Wholesale.",
            OPEN,
        ),
        ("What is grown most?", "Cocoa", "They grow mainly coffee, with cocoa second.", WRONG),
        (
            "Where is its seat?",
            "Bergen, Norway",
            "In Oslo, Norway, while the old vaults of it lie outside of Bergen.",
            WRONG,
        ),
        ("Where is its seat?", "Bergen, Norway", "In Bergen, Norway.", RIGHT),
        ("How often does it meet?", "Quarterly", "It meets four times a year.", RIGHT),
        ("How often does it meet?", "Quarterly", "It meets twice a year.", WRONG),
        ("What is the entrance fee for pupils?", "Free", "Pupils don't pay anything; adults pay 9 euros.", OPEN),
        ("Which licence is it under?", "Apache License 2.0", "It has been under GPL 3.0 since then.", WRONG),
        ("Which licence is it under?", "Apache License 2.0", "It has been under Apache-2.0 since then.", OPEN),
        ("What is the largest fine?", "$9,000", "A fine not exceeding nine thousand dollars.", RIGHT),
        ("By how many basis points did it rise?", "25 bps", "It went from 3.25% to 3.5%.", OPEN),
        ("Is a permit needed?", "No", "A permit is not needed. A form may be requested at the gate.", RIGHT),
        # yes and no
        ("Was the motion adopted by the board?", "No, it was rejected.", "The board voted the motion down.", RIGHT),
        ("Was the motion adopted by the board?", "Yes", "The board voted the motion down.", WRONG),
        ("Did cash flow increase in 2023?", "Yes", "2022: 210\n2023: 265\nCash flow thus decreased in 2023.", WRONG),
        ("Was free cash flow positive in 2021?", "No", "Free cash flow was negative in 2021.", RIGHT),
        ("Does the Team plan include roaming?", "Yes", "Roaming is only included in the Gold plan.", OPEN),
        ("Does the Team plan include roaming?", "Yes", "The Team plan does include roaming.", RIGHT),
        (
            "Does it fit the old socket?",
            "Yes",
            "The list names sockets, but I cannot say whether it fits the old socket.",
            WRONG,
        ),
    ],
)
def test_what_stands_in_another_form(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


def test_which_of_two_spent_more_needs_its_name():
    question = "Which spent more on travel, Arden or Brook, and by how much?"
    assert judge_match(question, ["Brook, by $12 million"], "Arden spent $12 million more.").verdict.value == OPEN
    assert judge_match(question, ["Brook, by $12 million"], "Brook, by $12 million.").verdict.value == RIGHT
