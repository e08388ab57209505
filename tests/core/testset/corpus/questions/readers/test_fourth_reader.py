"""Classes of questions that a fourth reader rejected, in folders of a lift maker, a bank, a railway and an aquarium."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from core.testset.corpus.making_up import MOST_OF_A_COLUMN, Sparing
from core.testset.corpus.questions.rules import QuestionRules
from tests.support.questions.asked_by_rules import asked, chunk, of_text

VISITS = """| Lift | Usual time (minutes) | Note | Price |
| --- | --- | --- | --- |
| Alto 250 | 45 | KEL only | £210 |
| Corvo 630 | 90 | by two | £480 |
"""
THRESHOLDS = """| Measure | Green | Amber | Frequency |
| --- | --- | --- | --- |
| Gini index | ≥ 0.55 | 0.45 – 0.55 | half-yearly |
| Override share | < 10 % | 10 – 20 % | quarterly |
"""
FINDINGS = """| Finding | Model | Status |
| --- | --- | --- |
| F1 | PD-SME-03 | open |
| F2 | PD-SME-03 | open |
| F1 | LGD-RE-02 | closed |
| F3 | LGD-RE-02 | closed |
"""
RANGE = """| | Alto 250 | Alto 400 |
| --- | --- | --- |
| Rated load | 250 kg | 400 kg |
| Warranty | 24 months | 36 months |
| Pit | none | 130 mm |
"""
HALLS = """| | Old Courtroom | Garden Room |
| --- | --- | --- |
| Floor area | 96 m² | 54 m² |
"""
SHEET = """| Item | Value | Remarks |
| --- | --- | --- |
| Max. travel | 40 m | |
| Motor | 4.6 kW | |
| Ropes | 6 x 8 mm | steel core |
"""
VANS = """| Reg. | Fuel | Seats |
| --- | --- | --- |
| KB17 TLA | Diesel | 16 |
| KB24 TLE | Electric | 12 |
"""
SYSTEMS = """| System | Temp. range | Colour |
| --- | --- | --- |
| Q1 | 8–14 °C | red |
| Q4 | 22–27 °C | green |
"""
SECTIONS = """| Section | Colour |
| --- | --- |
| Lower | red |
| Upper | blue |
"""


def test_a_head_that_leaves_open_of_what_is_not_asked_for():
    written = of_text(QuestionKind.TABLE, VISITS)
    assert written['According to "Price list", what is the price of Alto 250?'] == "£210"
    assert not any("usual time" in text or "note" in text for text in written)


def test_a_column_of_a_plan_is_no_property_of_its_row():
    assert not any("green" in text or "amber" in text for text in of_text(QuestionKind.TABLE, THRESHOLDS))


def test_rows_that_their_first_column_does_not_tell_apart_are_left_out():
    assert of_text(QuestionKind.TABLE, FINDINGS, "Model inventory") == {}


def test_a_table_of_a_text_without_a_title_is_left_out():
    assert asked(QuestionKind.TABLE, chunk(VISITS, "x.md"), titles={"x.md": "x"}) == {}


@pytest.mark.parametrize("title", ["About us", "Isolation and lock-off", "P-07 Lone working"])
def test_a_title_that_is_no_name_is_quoted_as_a_text(title):
    body = f"# {title}\n\nLone working and isolation and lock-off concern about us all.\n\n{VISITS}"
    written = of_text(QuestionKind.TABLE, body, title)
    assert written
    assert all(text.startswith(f'According to "{title}", ') for text in written)


def test_the_name_of_who_issues_a_paper_is_no_title():
    texts = {
        "report-on-lifts.txt": f"TARNBECK LIFTS LTD\n\nOur report.\n\n{VISITS}",
        "budget-for-lifts.txt": f"Corrie Vale Trust\n\n{VISITS.replace('Alto', 'Brae')}",
        "news.txt": "News\n\nThe Corrie Vale Trust meets in May.\n",
        "more-news.txt": "More news\n\nA letter from the Corrie Vale Trust.\n",
    }
    titles = {name: name.removesuffix(".txt").replace("-", " ") for name in texts}
    written = asked(QuestionKind.TABLE, *(chunk(text, name) for name, text in texts.items()), titles=titles)
    assert any('"report on lifts"' in text for text in written)
    assert any('"budget for lifts"' in text for text in written)
    assert not any("Ltd" in text or "Trust" in text or "LTD" in text for text in written)


def test_a_table_that_stands_upright_is_read_by_its_heads():
    written = of_text(QuestionKind.TABLE, RANGE)
    assert written == {
        'According to "Price list", what is the rated load of Alto 250?': "250 kg",
        'According to "Price list", what is the rated load of Alto 400?': "400 kg",
        'According to "Price list", what is the warranty of Alto 250?': "24 months",
        'According to "Price list", what is the warranty of Alto 400?': "36 months",
    }
    assert 'According to "Price list", what is the floor area of the Garden Room?' in of_text(QuestionKind.TABLE, HALLS)


def test_the_fields_of_a_data_sheet_are_asked_with_its_title_in_front():
    written = of_text(QuestionKind.TABLE, SHEET, "Corvo 630 – data sheet")
    assert written == {'According to "Corvo 630 – data sheet", what is the maximum travel?': "40 m"}


def test_rows_without_a_name_of_their_own_are_called_by_their_heading():
    written = of_text(QuestionKind.TABLE, VANS, "Depot list", section=("Vans",))
    assert written['According to "Depot list", what is the fuel of the van KB17 TLA?'] == "Diesel"
    assert written['According to "Depot list", how many seats does the van KB24 TLE have?'] == "12"
    assert 'According to "Depot list", does the van KB17 TLA have 16 seats?' in of_text(
        QuestionKind.YES_NO, VANS, "Depot list", section=("Vans",)
    )


def test_short_forms_of_heads_are_opened():
    written = of_text(QuestionKind.TABLE, SYSTEMS, "Quarantine manual")
    assert written['According to "Quarantine manual", what is the temperature range of system Q1?'] == "8–14 °C"
    assert not any("temp." in text for text in written)


def test_a_class_of_one_common_word_is_said_with_its_head():
    written = of_text(QuestionKind.TABLE, f"The drivers of upper trains carry a staff.\n\n{SECTIONS}", "Rule book")
    assert written['According to "Rule book", what is the colour for the section "Upper"?'] == "blue"


@pytest.mark.parametrize(
    "sentence",
    [
        "The café closes 30 minutes before.",
        "Release weight for grey seals stays at 40 kg.",
        "The chamber at Oldhaven is 55 minutes by road.",
        "The whole 420 m³ turns over every 95 minutes.",
        "The key deposit of £20 is returned when the key is.",
        "Keyholders should practise 6.3 with an empty car at least every 6 months.",
        "VF-2 – all lifts were built before 2014.",
        "LOST PROPERTY is kept at the booking office for 3 months.",
        "The Skelhead drain works at last, after three attempts.",
        "Laptops are encrypted and lock after five minutes.",
    ],
)
def test_what_nobody_would_say_so_is_not_asked(sentence):
    assert of_text(QuestionKind.SIMPLE, f"# Guide for keepers\n\n{sentence}\n", "Guide for keepers") == {}


def test_a_unit_is_said_in_words():
    text = "# Quarantine manual\n\nEvery death of a fish is reported within 24 h.\n"
    written = of_text(QuestionKind.SIMPLE, text, "Quarantine manual")
    assert 'According to "Quarantine manual", within how many hours is every death of a fish reported?' in written


def test_short_forms_are_asked_once_and_only_where_their_letters_agree():
    texts = {
        "glossary.md": "# Glossary of terms\n\n**EAD** – Exposure at default.\n\n**DWH** – Data warehouse.\n\n"
        "**LRD** – Loan review desk.\n",
        "policy.md": "# Credit rules\n\nThe exposure at default (EAD) is set by the Model Risk Committee (MRC).\n",
    }
    titles = {"glossary.md": "Glossary of terms", "policy.md": "Credit rules"}
    written = asked(QuestionKind.SIMPLE, *(chunk(text, name) for name, text in texts.items()), titles=titles)
    assert written == {
        'According to "Glossary of terms", what does LRD stand for?': "Loan review desk",
        'According to "Credit rules", what does MRC stand for?': "Model Risk Committee",
    }


def test_the_caption_of_a_table_answers_no_heading():
    table = "Table: How long is a visit?\n| Lift | Time |\n|---|---|\n| A | 4 |\n"
    text = f"# Owner FAQ\n\n### How long is a visit?\n\n{table}"
    assert not any("visit" in question for question in of_text(QuestionKind.SIMPLE, text, "Owner FAQ"))


def test_the_other_value_of_a_statement_is_of_the_same_sort():
    staff = """| Name | Line manager |
| --- | --- |
| Ruth Calder | Council |
| Owen Beck | Ruth Calder |
| Priya Nair | Owen Beck |
"""
    statements = of_text(QuestionKind.YES_NO, staff, "Staff list")
    assert statements
    assert not any("Council" in text for text in statements)


def test_a_column_gives_a_few_questions_and_a_document_its_share():
    rows = "".join(f"| Lamp {number} | £{number}.50 | {number} kg |\n" for number in range(100, 140))
    table = f"| Lamp | Price | Weight |\n| --- | --- | --- |\n{rows}"
    rules = QuestionRules([chunk(table)], {"doc-1.md": "Lamp list"})
    questions = list(Sparing(rules).candidates(QuestionKind.TABLE, ["doc-1.md-0"]))
    assert sum("price" in question.text for question in questions) == MOST_OF_A_COLUMN
    assert len(questions) == 2 * MOST_OF_A_COLUMN
    source = Sparing(rules, most_of_a_document=3)
    assert len(list(source.candidates(QuestionKind.TABLE, ["doc-1.md-0"]))) == 3


ROADS = """| Site | Surface |
| --- | --- |
| Station Road | sand |
| Hawthorn Park | rubber |
"""


def test_a_place_called_by_its_street_is_said_with_its_head():
    written = of_text(QuestionKind.TABLE, ROADS, "Play areas")
    assert written['According to "Play areas", what is the surface of the site Station Road?'] == "sand"


def test_the_title_of_a_page_is_no_sort_of_its_rows():
    table = ROADS.replace("Site", "Name").replace("Station Road", "Gasworks Field")
    written = of_text(
        QuestionKind.TABLE, f"# Allotment rules\n\n{table}", "Allotment rules", section=("Allotment rules",)
    )
    assert written['According to "Allotment rules", what is the surface of Gasworks Field?'] == "sand"


def test_a_figure_of_a_titled_paper_is_asked_behind_its_title():
    figures = "| | 2023 | 2024 |\n| --- | --- | --- |\n| Fare income | £361,700 | £402,300 |\n"
    written = of_text(QuestionKind.TABLE, figures, "Trustees: minutes")
    assert written['According to "Trustees: minutes", what was the fare income in 2024?'] == "£402,300"
    (trend,) = of_text(QuestionKind.TREND, figures, "Trustees: minutes")
    assert trend == 'According to "Trustees: minutes", how did the fare income change from 2023 to 2024?'


GOODS = """| Inv. no. | Supplier |
| --- | --- |
| LH-0411 | Gastro Eder |
| LH-0522 | Miele Trade |
"""
EXTINGUISHERS = """| Place | Type | Capacity |
| --- | --- | --- |
| Boiler room | Foam | 6 litres |
| Main kitchen | Powder | 9 litres |
"""


def test_rows_called_by_a_short_form_are_left_out():
    assert of_text(QuestionKind.TABLE, GOODS, "Inventory of goods") == {}


def test_what_stands_at_a_place_has_the_type_and_not_the_place():
    assert of_text(QuestionKind.TABLE, EXTINGUISHERS, "Fire rules") == {}
    assert of_text(QuestionKind.TABLE, EXTINGUISHERS.replace("Place", "Room"), "Fire rules")


BUDGET = """| Item | 2024 | 2025 |
| --- | --- | --- |
| Running costs | 14,000 | 28,000 |
| Travel | 2,500 | 6,000 |
"""


def test_a_figure_is_asked_for_with_the_unit_of_its_heading_or_not_at_all():
    written = of_text(QuestionKind.TABLE, f"Table: Budget by year (EUR)\n{BUDGET}", "Grant agreement")
    assert written['According to "Grant agreement", what were the running costs in 2025, in euros?'] == "28,000"
    assert not any("Travel" in text for text in written)
    assert of_text(QuestionKind.TABLE, BUDGET, "Grant agreement") == {}


@pytest.mark.parametrize("head", ["Code", "Indicator", "Step", "Inv. no."])
def test_rows_that_are_no_things_are_left_out(head):
    table = f"| {head} | Lecturer |\n| --- | --- |\n| MB-201 | Ilse Brandt |\n| MB-305 | Chidi Okoye |\n"
    assert of_text(QuestionKind.TABLE, table, "Summer courses") == {}


CALLS = """| Ship | Arrived | Chartered |
| --- | --- | --- |
| Orient Pearl | 2025-03-19 | 2025-01-07 |
| Green Havdis | 2025-03-11 | 2025-02-02 |
"""


def test_what_a_thing_does_by_itself_is_not_done_to_it():
    written = of_text(QuestionKind.TABLE, CALLS, "Port log")
    assert written['According to "Port log", when did Orient Pearl arrive?'] == "2025-03-19"
    assert written['According to "Port log", when was Orient Pearl chartered?'] == "2025-01-07"
    statements = of_text(QuestionKind.YES_NO, CALLS, "Port log")
    assert any("did Orient Pearl arrive on" in text for text in statements)


def test_a_line_that_goes_on_with_another_is_no_title():
    text = "CONTRACT NO. PS-2025-03\n\nbetween the Port of Skerva and Nordmud\n\nUnit price: NOK 186 per cubic metre\n"
    written = asked(
        QuestionKind.SIMPLE, chunk(text, "dredging works.txt"), titles={"dredging works.txt": "dredging works"}
    )
    assert not any("between" in question for question in written)


MACHINES = """| Stock no. | Model |
| --- | --- |
| G-124 | Vario 313 |
| G-131 | Geotrac 84 |
"""


def test_what_a_number_is_of_is_not_what_the_row_is():
    written = of_text(QuestionKind.TABLE, MACHINES, "Yard list", section=("Used machines",))
    assert written['According to "Yard list", what is the model of the used machine G-131?'] == "Geotrac 84"
    assert of_text(QuestionKind.TABLE, MACHINES, "Yard list") == {}


def test_the_mark_of_a_clause_is_no_word_of_it():
    text = "# Warranty terms\n\n§3 Complaints are answered within eight days.\n"
    written = of_text(QuestionKind.SIMPLE, text, "Warranty terms")
    assert written == {'According to "Warranty terms", within how many days are complaints answered?': "eight days"}


def test_a_person_is_answered_by_a_name_alone_and_was_born_without_an_article():
    form = (
        "Date of birth: 8 November 2002\n\nEmergency contact: Haruto Tanabe, +81 3 5550 1188\n\nCourse fee: €360.00\n"
    )
    written = of_text(QuestionKind.SIMPLE, f"# Enrolment form\n\n{form}", "Enrolment form")
    assert written == {
        'According to "Enrolment form", what is the date of birth?': "8 November 2002",
        'According to "Enrolment form", what is the course fee?': "€360.00",
    }


CARS = """| Plate | Driver |
| --- | --- |
| NF-NV 101 | Jan Ebert |
| NF-NV 104 | Olga Reis |
"""
COVER = """| Cover | Basic | Premium |
| --- | --- | --- |
| Glass damage | €300 | €1,000 |
| Valuables | €650 | €2,000 |
"""


def test_a_plate_is_not_what_has_a_driver():
    written = of_text(QuestionKind.TABLE, CARS, "Fleet list", section=("Vehicles",))
    assert written['According to "Fleet list", who is the driver of vehicle NF-NV 104?'] == "Olga Reis"


def test_a_plan_called_premium_is_no_premium():
    assert of_text(QuestionKind.TABLE, COVER, "Household conditions") == {}


def test_a_title_keeps_its_article_and_does_not_answer_itself():
    text = "title: A Clockmaker's Ledger\nformat: paperback\n\nA Clockmaker's Ledger tells of a shop.\n"
    title = "A Clockmaker's Ledger"
    written = asked(QuestionKind.SIMPLE, chunk(text, "book.json"), titles={"book.json": title})
    assert not any("the title of" in question for question in written)
    assert all(title in question for question in written)


LETTER = """| Fund | Yearly charge |
| --- | --- |
| For distress and inconvenience | £175.00 |
| Interest on the disputed part, 22 Dec to today | £31.18 |
| Corporate Bond | £12.00 |
| Global Shares Index | £14.00 |
"""


def test_no_row_is_called_by_a_phrase_or_by_a_time_that_only_its_letter_knows():
    written = " ".join(of_text(QuestionKind.TABLE, LETTER, "Final response"))
    assert "Corporate Bond" in written
    assert "distress" not in written
    assert "today" not in written
