"""An answer is wrong only where it gives another value: what no rule reads is left to a judge, with the reason."""

import pytest

from core.judging.match import judge_match

LEFT = [
    ("When did it leave?", "2022-11-08", "It was gated in on 6 November 2022 and sailed two days later.", "distance"),
    (
        "When is the next one?",
        "2026-05",
        "The last was in May 2021, the next one follows exactly five years after it.",
        "dis",
    ),
    ("How many cards lead to a ban?", "5", "A player is banned for one match upon his fifth card.", "ordinal"),
    ("What humidity is wanted?", "45-55 %", "It has to be held at 50 % ± 5 percentage points.", "middle"),
    ("From which century is the psalter?", "13th century", "Le psautier date du XIIIe siècle.", "xiiie"),
    ("Which vaccination is due?", "Leptospirosis", "Biscuit is due a lepto booster.", "short for"),
    ("How is overtime paid?", "150% of the hourly rate", "Overtime is paid at time and a half.", "another way"),
    ("Who won first?", "Harrow Vale (1974)", "The first title, in 1974, went to Harrow Vale.", "another order"),
    ("What is the light limit?", "at most 50 lux", "Paper must not be shown above fifty lux.", "bound"),
    ("What dose is given?", "40 mg twice daily", "80 mg per day in two equal doses.", "rates"),
    ("What is the fee?", "€210 per tonne", "It is €0.21 per kilogram.", "measure"),
    ("What are the dimensions?", "64 x 52 cm", "640 mm high by 520 mm wide.", "other units"),
    ("How long is it kept?", "6 months from filling", "Half a year, counted from filling.", "half a year"),
    ("What was missing?", "2 ice screws and 1 radio", "One radio plus two ice screws.", "order"),
    ("What dose is set for Otis?", "0.1 mg/kg once daily", "Otis gets 0.1 mg/kg of it twice daily.", "twice"),
    ("What was the glucose?", "18.2 mmol/L", "It was 18.2 mg/dL.", "mg/dl"),
    ("What is the estimate?", "€148,000 net", "It is estimated at €148,000 including VAT.", "including vat"),
    ("What share do they get?", "5% of gross revenue", "They get five percent of the net profit.", "net profit"),
    (
        "What rate does the charter party fix for discharging?",
        "8,000 mt per weather working day",
        "The charter party fixes 8,000 mt per weather working day for loading and 6,000 mt for discharging.",
        "another clause",
    ),
    ("Which article covers it?", "Section 7.2", "It is dealt with in § 7.2 of the policy.", "7.2"),
    ("Which day count is used?", "ACT/360", "Interest accrues on an Actual/360 basis.", "actual/360"),
    ("What is its BIC?", "BLITPTPL", "BLITPTPLXXX (head office)", "begins with"),
    ("Which law governs it?", "English law", "It is governed by the laws of England and Wales.", "england"),
    ("Which region grew most?", "Asia Pacific", "APAC, at 14%.", "short for"),
    ("Who leads the treaty?", "Hannover Re", "The lead is Hannover Rück SE.", "may be"),
    ("At what level is the covenant set?", "4.25", "Net debt may not exceed 4.25 times EBITDA.", "bound"),
    ("How far is it?", "3,412 nm", "The route is 3,412 km long.", "km"),
]


@pytest.mark.parametrize(("question", "reference", "answer", "reason"), LEFT)
def test_what_gives_no_other_value_is_left_to_a_judge(question, reference, answer, reason):
    found = judge_match(question, [reference], answer)
    assert (found.verdict.value, found.rule) == ("not_judged", "needs a judge"), found.reason
    assert reason in found.reason.casefold()


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("When did it leave?", "2022-11-08", "It was gated in on 6 November 2022 and sailed three days later."),
        ("How many works are there?", "6,312", "There are roughly 7,300 works."),
        ("How many cards lead to a ban?", "5", "A player is banned upon his sixth card."),
        ("What humidity is wanted?", "45-55 %", "It has to be held at 60 % ± 5 percentage points."),
        ("Which port comes next?", "Tanger Med", "The ship proceeds to **Valencia**."),
        ("What is its number?", "1934.17.2", "1934.17.3"),
        ("What is the postcode?", "LS11 7QB", "LS11 7BQ"),
        ("What was the diagnosis?", "Type 2 diabetes", "Type 1 diabetes"),
        ("How late was it?", "35 minutes", "half an hour"),
        ("What is the fee?", "€210 per tonne", "It is €180 per tonne."),
        ("Who leads site 7?", "Dr. Imke Sanders", "Site 7 is led by Prof. Lars Holm."),
    ],
)
def test_another_value_of_the_kind_is_wrong(question, reference, answer):
    assert judge_match(question, [reference], answer).verdict.value == "incorrect"


def test_sums_and_turnovers_are_no_bounds():
    assert judge_match("How many works?", ["6,312"], "Roughly 6,300 works.").verdict.value == "correct"
    for answer in ("The two add up to 94.3%.", "It comes up to 94.3%."):
        assert judge_match("What was the combined ratio?", ["94.3%"], answer).verdict.value == "correct"
    assert (
        judge_match("What is the minimum age?", ["18 years"], "They are eighteen or over.").verdict.value == "correct"
    )
