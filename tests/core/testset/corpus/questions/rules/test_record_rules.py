"""Questions that rules make from tables of records and from lists, on pages of other kinds than cards."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from tests.support.questions.asked_by_rules import DOCUMENT, of_text

RENT = """Rent is payable in advance. All prices are in pounds.

| Size | Dimensions (cm) | Annual rent |
| --- | --- | --- |
| Small | 10 x 25 x 45 | 95 |
| Large | 40 x 50 x 45 | 290 |
"""
TARIFF = """| Service | Starter plan | Growth plan |
| --- | --- | --- |
| Audit letter | 40.00 | 25.00 |
| Cash paid in | 1.20 | 0.95 |
"""
PAY = """| Length of service | Full pay |
| --- | --- |
| 1 to 3 years | 8 weeks |
| More than 3 years | 16 weeks |
"""
HOURS = """| Branch | Mon–Fri | Saturday | Manager |
| --- | --- | --- | --- |
| Ashford | 9:00–17:00 | 9:00–12:00 | Gwen Parry |
| Carlow | 9:30–17:00 | closed | Lucy Reid |
"""
HELP = """| Use | When | Read |
| --- | --- | --- |
| Charts of lines | You need a trend | `event.selection` |
| Charts of bars | You need a comparison | `event.points` |
"""
CAPITAL = """Table: Capital position (in £ million)
|  | 2023 | 2024 |
| --- | --- | --- |
| Risk-weighted assets | 4,512 | 4,690 |
"""
SEGMENTS = """Table: Arrears by segment (£ million)
|  | 30 June 2024 Balance | 30 September 2024 Balance |
| --- | --- | --- |
| Buy-to-let | 1,220.4 | 1,205.7 |
| Shared ownership | 305.8 | 310.2 |
"""


def asked(text, title, kind=QuestionKind.TABLE, document=DOCUMENT, section=()):
    return of_text(kind, text, title, document, section)


@pytest.mark.parametrize(
    ("text", "title", "question", "answer"),
    [
        (RENT, "Lockers: rent", "what is the annual rent for the size Large, in pounds?", "290"),
        (RENT, "Lockers: rent", "what are the dimensions for the size Small, in cm?", "10 x 25 x 45"),
        (PAY, "Leave policy", 'what is the full pay for "More than 3 years"?', "16 weeks"),
        (HOURS, "Branch guide", "who is the manager of the branch Ashford?", "Gwen Parry"),
    ],
    ids=["unit of the page", "unit of the head", "condition", "person"],
)
def test_a_record_is_asked_about_with_its_document_and_unit(text, title, question, answer):
    assert asked(text, title)[f'According to "{title}", {question}'] == answer


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (CAPITAL, "what were the risk-weighted assets in 2024, in millions of pounds?", "4,690"),
        (
            SEGMENTS,
            "what was the balance for buy-to-let as of 30 June 2024, in millions of pounds?",
            "1,220.4",
        ),
    ],
    ids=["short scale", "part below a period"],
)
def test_a_figure_of_a_paper_is_asked_for_with_its_scale(text, question, answer):
    assert asked(text, "Board paper")[f'According to "Board paper", {question}'] == answer


@pytest.mark.parametrize(
    ("text", "words"),
    [(TARIFF, "plan"), (HOURS, "Saturday"), (HOURS, "Mon"), (HELP, "Read"), (HELP, "When")],
    ids=["plans are no properties", "a day", "days", "an order", "a conjunction"],
)
def test_a_column_that_is_no_property_is_not_asked_for(text, words):
    assert not any(words.casefold() in question.casefold() for question in asked(text, "Branch guide"))


def test_a_price_without_its_unit_is_not_asked_for():
    assert not any("rent" in question.split(",", 1)[1] for question in asked(RENT.split("\n", 1)[1], "Lockers: rent"))


def test_two_conditions_are_compared_by_what_lasts_longer():
    compared = asked(PAY, "Leave policy", QuestionKind.COMPARISON)
    assert list(compared.values()) == ["More than 3 years"]
    assert "is the full pay longer for " in next(iter(compared))


@pytest.mark.parametrize(
    "line",
    [
        "- **Inline strings:** fastest to start (single-file apps, spikes)",
        "- Requirements: a ttl is required, and the mode can't be combined",
        "Shorter: st.checkbox, st.toggle",
        "Ash: 1.36 3.23 2.36 0.27",
        "max_depth: 12",
        "Present: Paul Sorensen, Mei Lin",
        "A NOTE: on stderr",
        "Private cars: €0.43 per kilometre",
        "See the symposium on\n    Electronic Imaging: Science and Technology",
    ],
)
def test_a_line_with_a_colon_that_is_no_field_is_not_asked_about(line):
    assert asked(f"Guide\n\n{line}\n", "Staff guide", QuestionKind.SIMPLE) == {}


@pytest.mark.parametrize(
    ("text", "document", "title", "name"),
    [
        ("FIXED RATE SAVER\nMinimum deposit: £500\n", "fixed-saver.txt", "fixed saver", '"Fixed Rate Saver"'),
        ("Remote Work At Sea Policy\n\nMinimum deposit: £500\n", "remote.txt", "remote", '"Remote Work At Sea Policy"'),
        ("Minimum deposit: £500\n", "fixed-saver.txt", "fixed saver", '"fixed saver"'),
    ],
    ids=["capitals", "first line", "name of the file"],
)
def test_a_document_is_called_by_its_first_line_rather_than_by_its_file(text, document, title, name):
    assert list(asked(text, title, QuestionKind.SIMPLE, document)) == [
        f"According to {name}, what is the minimum deposit?"
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The limit for a hotel room is £160 a night in London and £110 elsewhere.",
        "A full-time week has 39 hours for nurses and 42 hours for vets.",
        "The collar stays on for ten days, for female cats for seven.",
        "A mispredicted branch costs in the region of 10 to 30 cycles.",
        "Two accesses are considered to be ordered by the happens-before rule.",
        "A trial is wanted by the local council.",
        "The lease ends on 30 June 2026 with an option to be exercised by 31 December 2025.",
    ],
)
def test_a_value_that_holds_for_one_of_two_cases_is_not_asked_for(sentence):
    assert asked(sentence, "Staff guide", QuestionKind.SIMPLE) == {}
