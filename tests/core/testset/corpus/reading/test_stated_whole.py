"""What a question by rules must say: which thing, of which text, in which unit, by which name of its row."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from core.testset.corpus.reading.clauses.specific import heading_above
from core.testset.topics.strata import strata
from tests.support.questions.asked_by_rules import asked as questions_of
from tests.support.questions.asked_by_rules import chunk


def asked(text, title="", kind=QuestionKind.SIMPLE, document="page.md", section=(), others=()):
    pages = ((document, title, text), *others)
    chunks = [chunk(words, name, section) for name, _, words in pages]
    return questions_of(kind, *chunks, titles={name: shown for name, shown, _ in pages})


@pytest.mark.parametrize(
    "text",
    [
        "### Can I pay monthly?\n\nYes, in instalments. The interest rate is 9.9% a year.",
        "### I have lost my papers. What now?\n\nDownload them. A printed copy costs £5.",
        "2. Storm Isha\nThe damage was severe. The average payment was £1,270.",
        "The request must be signed. The trial court will process the request and send notice to the parties.",
        "Fern Ward was highest at 9.1%.",
        "Visitors are welcome from 2 pm to 8 pm every day.",
        "Field work takes place over five days on the island of Skarra.",
        "Prices include VAT at 5%.",
        "Receipts are required for amounts over €15.",
    ],
    ids=["rate", "copy", "payment", "request", "rank", "hours", "takes place", "rate at", "limit"],
)
def test_what_its_section_alone_would_explain_is_not_asked(text):
    assert asked(text, "Home Essentials: policy summary") == {}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("### Excess\n\nThe standard excess is £200.", "what is the standard excess?", "£200"),
        ("### Claims\n\nThe excess for subsidence is £1,000.", "what is the excess for subsidence?", "£1,000"),
        (
            "## Complaints\n\nA complaint is acknowledged within three working days.",
            "within how many working days is a complaint acknowledged?",
            "three working days",
        ),
    ],
)
def test_what_its_words_or_its_heading_tell_apart_is_asked(text, question, answer):
    questions = asked(text, "Home Essentials: policy summary")
    assert questions[f'According to "Home Essentials: policy summary", {question}'] == answer


def test_headings_of_plain_text_are_seen_by_their_shape():
    text = "1 Scope\nAll staff.\n\n2. Storm Isha\nFew were hurt. The cost was high.\n\nQ: How long?\nA: Three weeks."
    assert heading_above(text, text.index("The cost"), "") == "Storm Isha"
    assert heading_above(text, text.index("Three"), "") == "How long?"
    assert heading_above("Only words.", 5, "Fees") == "Fees"


def test_the_sections_of_a_numbered_report_are_not_what_its_fields_are_about():
    report = (
        "Accident Number: NYC08CA048\n\n## Pilot Information\n\nPilot Age: 41\nPilot Rating: Private"
        "\nLast Exam: 06/01/2007"
        "\n\n## Engine Information\n\nEngine Maker: Lycoming\nRated Power: 160 hp\nEngine Model: O-320\n"
    )
    questions = asked(report, "20080109X00035", document="20080109X00035.pdf")
    assert questions
    assert all("accident NYC08CA048" in question for question in questions)


def test_a_document_is_called_by_what_it_calls_itself():
    title = "Clinical protocol CP-022: Transfusion of red cells"
    text = f"ST BRANNOC'S HOSPITAL\n{title}\n\nOwner: Anna Holub\nApproved: 3 October 2022\n"
    other = text.replace("CP-022: Transfusion of red cells", "CP-017: Suspected sepsis").replace("3 October", "4 May")
    questions = asked(text, "transfusion", document="transfusion.txt", others=(("sepsis.txt", "sepsis", other),))
    assert questions['When was "Clinical protocol CP-022: Transfusion of red cells" approved?'] == "3 October 2022"
    assert questions['Who is the owner of "Clinical protocol CP-022: Transfusion of red cells"?'] == "Anna Holub"


RATES = (
    "| Annual use | Unit rate, pence per kWh |\n|---|---|\n"
    "| up to 10,000 kWh | 27.20 |\n| 10,001 to 50,000 kWh | 25.60 |"
)
STAFF = "| Borrower | Loan period |\n|---|---|\n| Staff | 12 weeks |\n| Research student | 9 weeks |"
FLEET = "| Boat | Length (m) | Seats |\n|---|---|---|\n| Dunlin | 3.40 | 4 |\n| Little Egret | 2.36 | 2 |"
FEES = (
    "| Programme | Home | International |\n|---|---|---|\n"
    "| BA History | £9,250 | £17,400 |\n| MA Law | £8,700 | £18,200 |"
)
UNITS = (
    "| Service | Unit | Price |\n|---|---|---|\n| Passenger steps | hour | £38.50 |\n| Baggage belts | day | £74.00 |"
)


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        (RATES, "what is the unit rate for an annual use of up to 10,000 kWh, in pence per kWh?", "27.20"),
        (STAFF, 'what is the loan period for "Staff"?', "12 weeks"),
        (FLEET, "what is the length of the boat Dunlin, in m?", "3.40"),
        (UNITS, "what is the price per hour for passenger steps?", "£38.50"),
    ],
    ids=["span", "people", "name", "unit of the row"],
)
def test_a_row_is_named_as_people_name_it(table, question, answer):
    assert asked(table, "Club guide", QuestionKind.TABLE)[f'According to "Club guide", {question}'] == answer


def test_what_is_counted_or_a_group_of_people_is_no_property_of_a_row():
    assert not any("seats" in question for question in asked(FLEET, "Club guide", QuestionKind.TABLE))
    assert asked(FEES, "Tuition guide", QuestionKind.TABLE) == {}


def test_a_statement_gives_the_unit_and_a_comparison_the_word_of_its_measure():
    statements = asked(FLEET, "Club guide", QuestionKind.YES_NO)
    assert 'According to "Club guide", is 3.40 m the length of the boat Dunlin?' in statements
    compared = asked(FLEET, "Club guide", QuestionKind.COMPARISON)
    assert all("greater length" in question for question in compared)
    assert compared


def test_titles_without_the_name_of_their_site_and_without_remarks():
    pages = (("b.html", "Business tariffs | Vale Energy", "The minimum term for cafés is 24 months."),)
    text = "Invoices for businesses are due within 21 days."
    questions = asked(text, "Payment of bills | Vale Energy", document="a.html", others=pages)
    assert all("Vale Energy" not in question for question in questions)
    assert questions
    assert all(
        "extract" not in question for question in asked(UNITS, "Hospital formulary (extract)", QuestionKind.TABLE)
    )


def test_a_folder_without_topics_is_one_stratum():
    chunks = [chunk("x", "d")]
    assert list(strata(chunks, {}).values()) == [("d-0",)]
    assert strata(chunks, {"d-0": 0}, dropped=(0,)) == {}
