"""Answers that begin with their value, things that a letter or a number tells apart, codes, and lists that go on."""

import pytest

from core.judging.match import judge_match

RIGHT, WRONG, OPEN = "correct", "incorrect", "not_judged"


def verdict(question, reference, answer):
    return judge_match(question, [reference], answer).verdict.value


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("How long is the lease?", "12 years", "Twelve years, starting in May. The annex is let for 20 years.", RIGHT),
        ("How long is the lease?", "12 years", "Twelve years. Wait, the annex is let for 20 years, so 20.", WRONG),
        ("How many leaks are open?", "0", "None. Two leaks were closed last week.", RIGHT),
        ("How many leaks are open?", "0", "There aren't any. Last year there were 14.", RIGHT),
        ("How many leaks are open?", "3", "None.", WRONG),
        ("Which leak is open?", "L-7", "None.", WRONG),
        (
            "How much is outstanding?",
            "0.00",
            "He is paid up, so nothing is outstanding. His last bill was $212.",
            RIGHT,
        ),
        ("How many tenants owe rent?", "0", "None of the tenants owes rent. In May there were two.", RIGHT),
        ("How many ships were held?", "0", "None. There were 46 visits, but no ship was held.", RIGHT),
        ("How many days was he absent?", "0", "He had no absences in the first quarter.", RIGHT),
        ("Has the pump been serviced?", "N", "Not yet. The service is booked for 3 May.", RIGHT),
        ("Has the pump been serviced?", "Y", "Not yet. The service is booked for 3 May.", WRONG),
        ("Is the north hall heated?", "N", "It isn't heated, although a stove is planned.", RIGHT),
        ("Is the north hall still heated?", "N", "It's not heated at the moment.", RIGHT),
        # a legal form ends no sentence
        ("Who audits it?", "Hale Ltd.", "Hale Ltd. was the auditor until 2020; since then it has been Roe LLP.", WRONG),
        ("Which fee is highest?", "Harbour", "That would be Quay Street, at £9. Harbour has more visitors.", OPEN),
    ],
)
def test_what_an_answer_begins_with(question, reference, answer, expected):
    assert verdict(question, reference, answer) == expected


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("How many beds are in ward B?", "12", "Ward A has 12 beds and ward B has 15, so it is 15.", WRONG),
        ("How many beds has ward B?", "15", "Ward A has 12 beds and ward B has 15.", RIGHT),
        ("How many beds has ward 2?", "12", "There are 12 beds in ward 1 and 15 beds in ward 2.", WRONG),
        ("Who runs line 7?", "Ann Lee", "Line 7 is run by the city; Ann Lee runs line 8.", WRONG),
        ("Where is sample KB-12 from?", "Malta", "KB-12 is from Crete. The next one, KB-13, is from Malta.", OPEN),
        (
            "When is the next C-check?",
            "2025-11-12",
            "The C-check is due 3 July 2025, the A-check 12 November 2025.",
            OPEN,
        ),
        # parts of dates, quarters and years are none
        (
            "What is the freight of the order dated 1997-03-04?",
            "12.50",
            "That of the order dated 4 March 1997 is 12.50.",
            RIGHT,
        ),
        (
            "When did the lease of unit 3 begin?",
            "2021-05-07",
            "The lease of unit 3, signed 2 May 2021, began 7 May 2021.",
            RIGHT,
        ),
        (
            "What was the loss in Q2 2023?",
            "401",
            "Losses were 401 in the second quarter of 2023 (Q1 2023: 372).",
            RIGHT,
        ),
    ],
)
def test_what_a_letter_or_a_number_tells_apart(question, reference, answer, expected):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == expected
    assert "zx" not in judgement.reason
    assert "zv" not in judgement.reason


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("What is the shelf number of the print?", "TR-1962-088", "It is catalogued as FT-1962-088.", WRONG),
        ("What is the shelf number of the print?", "TR-1962-088", "It stands at TR 1962 088.", RIGHT),
        ("What is the tariff code?", "6907.21", "HS 690721", RIGHT),
        ("What is the tariff code?", "6907.21", "6908.21", WRONG),
        ("What is the scale?", "1.66:1", "It is recorded as 1.66:1. Later ones were cut to 1.85:1.", RIGHT),
        ("How long is the ride?", "2h 35m", "It takes 155 minutes.", RIGHT),
        ("How long is the ride?", "2h 35m", "2 hours 53 minutes.", WRONG),
        ("What was the flow, in megalitres?", "12.4", "12.4 ML", RIGHT),
        ("How many metres of pipe were laid?", "1860", "1.86 km of pipe was laid.", RIGHT),
        ("Which pump station is the oldest?", "Salt PS", "Salt pump station, built in 1911.", RIGHT),
        ("What pitch has the park?", "3G turf", "It has grass; a change to 3G turf is planned.", OPEN),
    ],
)
def test_codes_and_units(question, reference, answer, expected):
    assert verdict(question, reference, answer) == expected


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("How many seats are sold?", "248", "248 seats are sold out of a capacity of 260.", RIGHT),
        ("How many electric vans are there?", "62", "There are 62 electric vans (out of 118 vans in total).", RIGHT),
        (
            "What was the score of the class of 2023?",
            "1124",
            "It had a score of 1124, compared with 1098 in 2022.",
            RIGHT,
        ),
        ("Which flag does it fly?", "Liberia", "It flies the Liberian flag.", RIGHT),
        ("How many reels are there?", "11", "We hold 11 of the original 12 reels.", RIGHT),
        ("How many valves failed?", "7", "Of the 142 valves tested, 135 passed and seven failed.", RIGHT),
        ("How many loans failed?", "37", "A total of 149 loans failed: 37 of the bank's and 112 of others.", WRONG),
        ("Which halls closed?", "Elm; Oak", "Elm, Oak and Ash closed.", WRONG),
        ("Which three halls closed?", "Elm; Oak; Fir", "It was Elm, Oak and Ash. Fir followed in 2021.", OPEN),
        ("Which stops does it skip?", "Elm; Oak", "It does not call at Oak or Elm.", RIGHT),
    ],
)
def test_parts_and_wholes(question, reference, answer, expected):
    assert verdict(question, reference, answer) == expected


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("Who is the account's manager?", "Ana Lima", "I first read this as Ana Lima, but it is Jo Park.", WRONG),
        ("What is the pump's serial number?", "GX-5", "The serial number is GX-5 and it was fitted in 2019.", RIGHT),
        ("Which route earned most?", "Pusan", "It was a race between Oslo and Pusan, but Oslo earned most.", WRONG),
        (
            "What is the course's language?",
            "French",
            "It lists English as the language of the course. Notes are in French.",
            WRONG,
        ),
        ("Who performed the surgery?", "Ann Lee", "It was performed by Bob Roy, assisted by Ann Lee.", OPEN),
        ("Which era is it from?", "Devonian", "It is from the Silurian, the era just before the Devonian.", OPEN),
        ("What is the trainee's status?", "on_hold", "Status = in_progress. He was on hold in 2024.", WRONG),
        ("What is the desk's e-mail?", "a@b.example", "Write to a@b.example, or by phone on 0555 210.", RIGHT),
        ("Who referred the client?", "none", "No referrer is recorded; the field is blank.", RIGHT),
        ("Which prize did it win?", "none", "It hasn't won any prize. It was shortlisted once.", RIGHT),
    ],
)
def test_what_is_said_of_a_name(question, reference, answer, expected):
    assert verdict(question, reference, answer) == expected


@pytest.mark.parametrize(
    ("question", "reference", "answer", "expected"),
    [
        ("Which donor weighs most?", "D-4310", "Donors are asked to drink water before they come.", WRONG),
        ("Which donors gave in May?", "D-4142; D-4282", "Donors are asked to drink water before they come.", WRONG),
        ("What is the first name of donor D-41?", "Tam", "Donor D-41, Tam Poole, was born in 1987.", RIGHT),
        ("What is the last name of donor D-41?", "Poole", "Donor D-41, Tam Poole, was born in 1987.", RIGHT),
        ("What is the role of Hana Vesely?", "Quality officer", "Hana works as quality officer at Mill House.", RIGHT),
        ("What is the site of staff member Hana?", "Mill House", "Hana (staff number 9) works at Mill House.", RIGHT),
        ("How many products has the clinic?", "3", "The clinic has 180 beds.", WRONG),
        ("How many of the staff were hired after Ann?", "1", "Ottilie (staff number 1) is director.", WRONG),
        ("How many were hired before 2016?", "8", "Piers was hired on 13 August 2015.", WRONG),
        ("What is the distance of the clinic in km?", "62.3", "The clinic has 95 beds and lies 62.3 km away.", RIGHT),
        ("Has the clinic 72 beds?", "No", "There are 180 beds.", RIGHT),
        ("Was the service founded in 1961?", "Yes", "The service was founded in 1964.", WRONG),
        ("Which costs more, 'Plasma' or 'Red cells'?", "Plasma", "The shelf life of Plasma is 7 days.", OPEN),
        ("Which costs more, 'Plasma' or 'Red cells'?", "Plasma", "Plasma costs more.", RIGHT),
        ("Which costs more, 'Plasma' or 'Red cells'?", "Plasma", "Plasma.", RIGHT),
    ],
)
def test_answers_that_repeat_a_sentence_of_a_document(question, reference, answer, expected):
    assert verdict(question, reference, answer) == expected
