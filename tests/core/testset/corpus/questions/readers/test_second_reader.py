"""Classes of questions that another reader rejected, in documents of a hire shop, a maker of gear and in reports."""

from __future__ import annotations

from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.kinds import NEEDS_MODEL
from core.testset.corpus.reading.labels import is_plural
from tests.support.questions.asked_by_rules import asked, chunk, of_text

DEPOTS = """| Depot | Manager | Telephone |
| --- | --- | --- |
| Stroud | Priya Nair | 01453 555 210 |
| Ross-on-Wye | Carys Bevan | 01989 555 034 |
"""
PLANT = """| Machine | Code | Day (£) | Deposit (£) |
| --- | --- | --- | --- |
| Cut-off saw, 300 mm | CS-30 | 32.00 | 150.00 |
| Trench rammer | CP-09 | 38.00 | 100.00 |
"""
FALLS = """| Rope | Mean number of falls | Impact force (kN) |
| --- | --- | --- |
| Fell 9.8 | 9.1 | 8.6 |
| Langdale 10.2 | 11.2 | 8.9 |
"""
COURSES = """| Course | Date | Fee |
| --- | --- | --- |
| Selling harnesses | 2 October 2025 | £120 |
| Rope splicing | 23 September 2025 | £135 |
"""
SIZES = """| Size | Merlin Waist (cm) | Merlin Legs (cm) | Peregrine Waist (cm) | Peregrine Legs (cm) |
| --- | --- | --- | --- | --- |
| Small | 67-76 | 48-57 | 68-76 | 50-55 |
| Large | 84-95 | 58-68 | 82-91 | 58-64 |
"""
EQUITY = """Table: Equity statements (in millions)
|  | Three Months Ended December 31, 2022 |
| --- | --- |
| Common stock and paid-in capital |  |
| Stock-based compensation expense | 2,538 |
| Cash flows |  |
| Amounts reclassified from other income | 81 |
| Total liabilities and shareholders’ equity | 346,747 |
"""
SALE = """Table: Balance sheet (in millions)
|  | July 1, 2023 |
| --- | --- |
| Deferred revenue | 8,158 |
| Retained earnings | 4,346 |

As of July 1, 2023, the Company had total deferred revenue of $12.2 billion.
"""


def report(number, *lines):
    return chunk("\n".join((f"Accident Number: {number}", *lines)), f"{number}.pdf")


def test_a_name_with_hyphens_is_called_with_its_article_and_one_with_a_comma_in_quotes():
    assert 'According to "Our depots", who is the manager of the depot Ross-on-Wye?' in of_text(
        QuestionKind.TABLE, DEPOTS, "Our depots"
    )
    plant = of_text(QuestionKind.TABLE, PLANT)
    assert any('"Cut-off saw, 300 mm"' in text for text in plant)
    assert not any("machine Cut-off saw" in text for text in plant)


def test_a_value_does_not_run_into_the_name_before_it():
    written = {*of_text(QuestionKind.YES_NO, FALLS), *of_text(QuestionKind.YES_NO, DEPOTS)}
    assert 'According to "Price list", is 9.1 the mean number of falls of Fell 9.8?' in written
    assert 'According to "Price list", is Carys Bevan the manager of the depot Ross-on-Wye?' in written
    assert not any("9.8 9.1" in text or "Stroud Priya" in text for text in written)


def test_a_course_named_by_an_activity_keeps_its_name():
    written = of_text(QuestionKind.TABLE, COURSES, "Courses")
    assert any('"Selling harnesses"' in text for text in written)
    assert not any("selling harnesses" in text for text in written)


def test_columns_under_two_heads_are_no_properties_of_their_rows():
    assert not of_text(QuestionKind.TABLE, SIZES, "Sizes of harnesses")


def test_a_page_whose_only_mention_of_its_title_is_its_own_heading_is_no_thing():
    written = asked(
        QuestionKind.TABLE,
        chunk(f"# Price chart harnesses\n\nPrice chart harnesses\n\n{COURSES}", section=("Price chart harnesses",)),
        titles={"doc-1.md": "Price chart harnesses"},
    )
    assert written
    assert all(text.startswith('According to "Price chart harnesses", ') for text in written)


def test_a_thing_called_by_one_name_on_its_own_sheet_is_no_page():
    sheet = "# Lanner\n\nHead size: 52 to 62 cm\n\nShell colour: dark grey\n\nRetail price: £89.95\n"
    written = asked(QuestionKind.SIMPLE, chunk(sheet, section=("Lanner",)), titles={"doc-1.md": "Lanner"})
    assert "What is the retail price of Lanner?" in written


def test_a_measure_in_a_name_is_no_number_of_the_thing():
    plant = PLANT.replace("Cut-off saw, 300 mm", "Wacker DPU 400 mm")
    written = of_text(QuestionKind.OUT_OF_SCOPE, plant)
    assert not any("Wacker" in text for text in written)


def test_a_field_that_its_report_gives_twice_is_not_asked_for():
    lines = (
        "Occurrence #1: LOSS OF CONTROL",
        "Phase of Operation: LANDING - FLARE/TOUCHDOWN",
        "1. CONTROL - NOT MAINTAINED",
        "-----------",
        "Occurrence #2: COLLISION",
        "Phase of Operation: LANDING - ABORTED",
        "Report Date: 02/28/2008",
    )
    written = asked(
        QuestionKind.SIMPLE, report("NYC08CA048", *lines), report("NYC08CA055", "Phase of Operation: APPROACH")
    )
    assert "What was the report date of accident NYC08CA048?" in written
    assert not any("NYC08CA048" in text and "phase" in text for text in written)


def test_nobody_asks_for_none_nor_for_the_airport_in_an_accident_nor_what_people_are():
    lines = (
        "Total Injuries: 1 None",
        "Airport: Arnold Palmer Regional Airport",
        "Additional Participating Persons: Andrew Pierce; Allegheny County",
        "Runway Surface Type: Asphalt",
    )
    written = asked(QuestionKind.SIMPLE, report("NYC08CA048", *lines), report("NYC08CA055", *lines[:1]))
    assert list(written) == ["What was the runway surface type in accident NYC08CA048?"]


def test_values_and_keys_of_a_form_are_in_small_letters_inside_a_question():
    first = report(
        "NYC08CA048", "He had a flight experience of 12 hours; the Flight crew and the Flight deck are named.",
        "Visibility: 10 Miles", "Last Flight Review or Equivalent: 06/01/2006", "Lowest Cloud Condition: Clear",
    )  # fmt: skip
    second = report(
        "NYC08CA055", "Visibility: 7 Miles", "Last Flight Review or Equivalent: 10/01/2006",
        "Lowest Cloud Condition: Few",
    )  # fmt: skip
    written = [
        *asked(QuestionKind.YES_NO, first, second),
        *asked(QuestionKind.SIMPLE, first, second),
    ]
    text = " ".join(written)
    assert "10 miles" in text
    assert "last flight review or equivalent" in text
    assert not any(word in text for word in ("Miles", "Flight", " Clear", " Few"))


def test_figures_of_the_equity_statement_are_left_out_and_what_is_plural_was_not():
    cover = "Exact Inc.\n(Exact name of registrant as specified in its charter)\n"
    written = asked(QuestionKind.TABLE, chunk(cover), chunk(EQUITY, position=1))
    assert not any("paid-in capital" in text for text in written)
    assert all(map(is_plural, ("total liabilities and shareholders’ equity", "amounts reclassified from other income")))
    assert not is_plural("sales and marketing expense")


def test_a_part_is_not_asked_for_where_the_filing_gives_another_total_of_that_name():
    cover = "Exact Inc.\n(Exact name of registrant as specified in its charter)\n"
    written = asked(QuestionKind.TABLE, chunk(cover), chunk(SALE, position=1))
    text = " ".join(written)
    assert "retained earnings" in text
    assert "deferred revenue" not in text


def test_a_question_that_begins_with_for_and_has_no_comma_is_read():
    text = "# Guide\n\nThe workshop keeps the signed copy of the safety sheet for seven years.\n"
    assert asked(QuestionKind.SIMPLE, chunk(text), titles={"doc-1.md": "Guide"}) is not None


def test_one_fact_of_a_report_stands_beside_one_other_only():
    reports = [report(f"NYC08CA0{n}", f"Report Date: 0{n % 9 + 1}/28/2008") for n in range(41, 47)]
    written = asked(QuestionKind.MULTI_DOCUMENT, *reports)
    named = [number for text in written for number in ("NYC08CA041", "NYC08CA042", "NYC08CA043") if number in text]
    assert 0 < len(named) == len(set(named))


def test_rows_are_compared_by_a_model_only():
    assert {QuestionKind.MULTI_HOP, QuestionKind.COMPARISON} <= set(NEEDS_MODEL)
    sheets = [
        chunk(f"# {name}\n\nWeight (size {size}): {grams} g\n\nRetail price: £{grams}\n", f"{name}.md", section=(name,))
        for name, size, grams in (("Lanner", "S", 265), ("Merlin", "M", 415))
    ]
    titles = {"Lanner.md": "Lanner", "Merlin.md": "Merlin"}
    assert not any("higher" in text for text in asked(QuestionKind.MULTI_DOCUMENT, *sheets, titles=titles))


FREIGHT = """Freight is carried on two sailings only.

| Load | Rate | Notice |
| --- | --- | --- |
| Pallet | £18 | 1 day |
| Livestock trailer | £46 | 2 days |
"""
PIERS = """| Pier | Harbour master | Waiting room |
| --- | --- | --- |
| Kilbrae | Donald Currie | heated |
| Port Ban | Sheena Gillies | shelter |
"""


def test_a_page_named_by_one_ordinary_word_is_quoted_as_a_page():
    written = of_text(QuestionKind.TABLE, f"# Freight\n\n{FREIGHT}", "Freight")
    assert written
    assert all(text.startswith('According to "Freight", ') for text in written)


def test_the_state_of_a_thing_is_not_what_it_is():
    assert all("harbour master" in text for text in of_text(QuestionKind.TABLE, PIERS, "Our piers"))


def test_the_number_of_persons_is_no_property_in_the_singular():
    sheet = "# Drill report: fire\n\nShip: Orsa Rose\n\nDate of drill: 14 May 2025\n\nPersons taking part: 7\n"
    written = asked(QuestionKind.SIMPLE, chunk(sheet), titles={"doc-1.md": "Drill report: fire"})
    assert written
    assert not any("persons" in text for text in written)


HABITS = """| Product | Keeps after opening | Opens | Price |
| --- | --- | --- | --- |
| Caer Wen | 10 days | 09:30 | £19.80 |
| Hen Gapel | 5 weeks | 10:00 | £26.50 |
"""


def test_a_head_that_is_a_verb_is_no_property():
    assert all("price" in text for text in of_text(QuestionKind.TABLE, HABITS, "Our cheeses"))


def test_a_property_of_one_size_is_not_lacking_in_another():
    sheets = [
        chunk(
            f"# {name}\n\nArticle number: 20-{grams}\n\nWeight ({size}): {grams} g\n\nRetail price: £{grams}\n",
            f"{name}.md",
            section=(name,),
        )
        for name, size, grams in (("Lanner", "size M", 265), ("Merlin", "one size", 415))
    ]
    written = asked(QuestionKind.OUT_OF_SCOPE, *sheets, titles={"Lanner.md": "Lanner", "Merlin.md": "Merlin"})
    assert not any("(" in text for text in written)


ENGINES = """| Name | Builder | Weight (t) |
| --- | --- | --- |
| Lady Bolton | Hudswell Clarke | 38 |
| Penhill | Hunslet | 48 |
| D2094 | Doncaster works | 31 |
"""
CARRIAGE = """# Carriage C

Built: 1954

Works: Swindon

Brake: vacuum

Length: 19.4 m

Carriage C may be hired for £280 a day.
"""


def test_a_column_of_names_is_no_sort_of_thing():
    assert not any(" name " in text for text in of_text(QuestionKind.TABLE, ENGINES, "Engines"))


def test_a_sheet_is_asked_when_its_thing_was_built_and_not_what_its_brake_is():
    written = asked(QuestionKind.SIMPLE, chunk(CARRIAGE, section=("Carriage C",)), titles={"doc-1.md": "Carriage C"})
    assert "When was Carriage C built?" in written
    assert "What is the length of Carriage C?" in written
    assert not any(word in text for text in written for word in ("brake", "works", "hired for"))


def test_no_option_is_nearly_the_answer_and_no_site_of_the_accident_is_in_the_accident():
    makes = ("Cessna 172", "Cessna Skyhawk 172", "Piper Cherokee 140", "Vans RV 8", "Beech Bonanza 35")
    reports = [
        report(f"NYC08CA0{place}", f"Aircraft Model: {make}", f"Distance from Accident Site: {place} miles")
        for place, make in enumerate(makes, start=41)
    ]
    written = asked(QuestionKind.MULTIPLE_CHOICE, *reports)
    assert written
    both = ("Cessna 172", "Cessna Skyhawk 172")
    assert not any(all(make in text for make in both) for text, answer in written.items() if answer in both)
    assert not any("accident site" in text for text in written)


ROUNDS = """| Round | Day | Driver | Vegetables |
| --- | --- | --- | --- |
| Bridport | Tuesday | Jem Coombes | 8 kinds |
| Lyme Regis | Wednesday | Jem Coombes | 11 kinds |
"""


def test_rows_of_one_table_are_called_alike_and_what_is_counted_is_not_asked_for():
    written = of_text(QuestionKind.TABLE, ROUNDS, "Delivery rounds")
    assert 'According to "Delivery rounds", who is the driver of the round Lyme Regis?' in written
    assert not any("vegetables" in text for text in written)
    assert is_plural("members present")
