"""Classes of questions that a third reader rejected, in folders of a building society and of inspectors."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from tests.support.questions.asked_by_rules import asked, chunk, of_text

WORKSHOPS = """| Workshop | Address | Telephone |
| --- | --- | --- |
| Kestrel Yard | 4 Mill Lane, AB1 2CD | 01632 960 101 |
| Harbour Quay | 9 Dock Road, AB3 4EF | 01632 960 202 |
"""
WAITS = """| Weeks of waiting | Number of patients | Cost (£) |
| --- | --- | --- |
| 1 to 2 | 38 | 3912 |
| Over 12 | 17 | 1820 |
"""
STOCK = """| Depot | Stock value Mar 2024 (£m) | Stock value Apr 2024 (£m) |
| --- | --- | --- |
| Castle Yard | 148.2 | 147.6 |
| Dock Street | 96.7 | 97.1 |
"""
GRADES = """| Approval level | Maximum amount (£) |
| --- | --- |
| Clerk | 500 |
| Buying Committee | 90,000 |
"""
COVER = "Exact Inc.\n(Exact name of registrant as specified in its charter)\n"
INCOME = """Table: Income statements (in millions)
|  | Three Months Ended July 1, 2023 |
| --- | --- |
| Sales and marketing | 5,379 |
| Cost of sales | 1,279 |
"""
BALANCES = """Table: Balance sheets (in millions)
|  | July 1, 2023 | April 1, 2023 | January 1, 2023 |
| --- | --- | --- | --- |
| Total shareholders’ equity | 60,274 | 62,158 | 56,727 |
| Total current liabilities | 124,963 | 120,075 | 137,286 |
"""
CHANGES = """Table: Statements of shareholders’ equity (in millions)
|  | Three Months Ended July 1, 2023 |
| --- | --- |
| Total shareholders’ equity, beginning balances | 62,158 |
| Total shareholders’ equity, ending balances | 60,274 |
"""


@pytest.mark.parametrize("title", ["Find a workshop", "Contact your workshop", "Book the workshop"])
def test_a_title_that_tells_the_reader_to_do_something_is_no_thing(title):
    text = f"# Our workshops\n\n{WORKSHOPS}\nThe workshop at Harbour Quay has no lift.\n"
    written = asked(QuestionKind.TABLE, chunk(text, section=("Our workshops",)), titles={"doc-1.md": title})
    assert written
    assert all(question.startswith(f'According to "{title}", ') for question in written)


def test_what_a_text_has_is_of_it_and_not_in_it():
    text = "# W12 Broken or missing tools\n\nOwner: Stores Department\n\nVersion: 4.2\n\nNext review: November 2026\n"
    titles = {"doc-1.md": "W12 Broken or missing tools"}
    written = asked(QuestionKind.SIMPLE, chunk(text, section=("W12 Broken or missing tools",)), titles=titles)
    assert written == {
        'Who is the owner of "W12 Broken or missing tools"?': "Stores Department",
        'What is the version of "W12 Broken or missing tools"?': "4.2",
        'What is the date of the next review of "W12 Broken or missing tools"?': "November 2026",
    }


def test_a_span_of_a_plural_head_is_said_with_it():
    written = of_text(QuestionKind.TABLE, WAITS, "Waiting list")
    assert written['According to "Waiting list", what is the number of patients for 1 to 2 weeks of waiting?'] == "38"
    over = 'According to "Waiting list", what is the cost for over 12 weeks of waiting, in pounds?'
    assert written[over] == "1820"


def test_a_head_with_a_month_and_a_unit_is_read_whole():
    written = of_text(QuestionKind.TABLE, STOCK, "Stock report")
    question = (
        'According to "Stock report", what was the stock value for Dock Street in March 2024, in millions of pounds?'
    )
    assert written[question] == "96.7"
    assert len(written) == 4
    absent = of_text(QuestionKind.OUT_OF_SCOPE, STOCK, "Stock report")
    assert absent
    assert all("(" not in text and "stock value for" in text for text in absent)


def test_a_class_of_several_words_is_called_with_its_head():
    written = of_text(QuestionKind.TABLE, GRADES, "Buying rules")
    long = (
        'According to "Buying rules", what is the maximum amount for the approval level "Buying Committee", in pounds?'
    )
    assert written[long] == "90,000"


def test_a_clause_cut_before_its_relative_pronoun_is_left_out():
    text = "# Tool policy\n\nForm TR9 is kept for six years from the date on which the tool is scrapped.\n"
    titles = {"doc-1.md": "Tool policy"}
    for kind in (QuestionKind.SIMPLE, QuestionKind.YES_NO):
        assert not asked(kind, chunk(text, section=("Tool policy",)), titles=titles)


def test_a_rule_of_another_text_is_not_asked_of_this_one():
    texts = {
        "stock.md": ("Stock counts", "A difference of more than £100 is reported to the auditor as well."),
        "tools.md": ("Broken tools", "A tool of more than £50 is replaced by the supplier at once."),
    }
    chunks = [chunk(f"# {title}\n\nOwner: Stores\n\nVersion: {n}.2\n\n{words}\n", name, section=(title,))
              for n, (name, (title, words)) in enumerate(texts.items())]  # fmt: skip
    written = asked(QuestionKind.OUT_OF_SCOPE, *chunks, titles={name: title for name, (title, _) in texts.items()})
    assert not any("difference" in text or "tool is" in text for text in written)


def test_a_field_of_things_is_not_asked_what_the_thing_is():
    text = "# Van check, April\n\nDate of check: 3 April 2024\n\nFire blanket: in date\n\nWashing soda: 5 kg\n"
    titles = {"doc-1.md": "Van check, April"}
    for kind in (QuestionKind.SIMPLE, QuestionKind.YES_NO):
        written = asked(kind, chunk(text, section=("Van check, April",)), titles=titles)
        assert not any("blanket" in question or "soda" in question for question in written)


def test_a_name_that_ends_with_an_activity_is_no_amount():
    written = asked(QuestionKind.TABLE, chunk(COVER), chunk(INCOME, position=1))
    text = " ".join(written)
    assert "cost of sales" in text
    assert "marketing" not in text


def test_a_row_of_which_other_days_are_given_elsewhere_is_no_trend():
    chunks = [chunk(COVER), chunk(BALANCES, position=1), chunk(CHANGES, position=2)]
    written = " ".join(asked(QuestionKind.TREND, *chunks))
    assert "total current liabilities" in written
    assert "equity" not in written


def test_a_head_for_one_or_several_is_singular_where_one_is_given():
    first = "Accident Number: NYC08CA048\n\nRunway Surface Type(s): Asphalt\n\nEngine Rating(s): A; B\n"
    second = first.replace("048", "055")
    written = asked(QuestionKind.SIMPLE, chunk(first, "a.pdf"), chunk(second, "b.pdf"))
    assert "What was the runway surface type in accident NYC08CA048?" in written


def visit(number, surveyor, colour):
    return chunk(
        f"SITE VISIT REPORT\nWardens\n\nReport no: {number}\nDate of visit: 14 May 2024\nSurveyor: {surveyor}\n"
        f"Grid reference: TF 418 22{number[-1]}\nNumber of nests: 1{number[-1]}\nPaint colour: {colour}\n",
        f"{number}.txt",
    )


def test_a_numbered_report_is_said_first_and_its_fields_without_it():
    chunks = [visit("NW-24-0117", "R. Tolland", "Dark green"), visit("NW-24-0132", "M. Okonjo", "Light grey")]
    written = asked(QuestionKind.SIMPLE, *chunks)
    assert written["According to report NW-24-0117, who was the surveyor?"] == "R. Tolland"
    assert written["According to report NW-24-0132, what was the number of nests?"] == "12"
    assert written["According to report NW-24-0132, what was the date of the visit?"] == "14 May 2024"
    both = asked(QuestionKind.MULTI_DOCUMENT, *chunks)
    question = "What was the paint colour in report {}, and what was it in report {}?"
    assert {question.format(*pair) for pair in (("NW-24-0117", "NW-24-0132"), ("NW-24-0132", "NW-24-0117"))} & {*both}
    absent = asked(QuestionKind.OUT_OF_SCOPE, *chunks)
    assert absent
    assert all(text.startswith("According to report NW-24-0") for text in absent)
    assert not any("NW-24-0117" in text or "NW-24-0132" in text for text in absent)


def test_a_letter_is_not_called_by_the_reference_of_who_wrote_it():
    letter = "Northern Wardens\n\nOur ref: NW/2207-118\n\nSite area: 12 ha\n"
    assert not any("our" in text for text in asked(QuestionKind.SIMPLE, chunk(letter, "letter-3.txt")))


def test_an_event_numbered_by_its_title_is_called_by_it():
    text = "# Incident INC-0225-03\n\nReported by: Mohsin Raza\n\nRoot cause: missing guard\n\nClosed: 19 May 2025\n"
    written = asked(
        QuestionKind.SIMPLE, chunk(text, section=("Incident INC-0225-03",)), titles={"doc-1.md": "Incident INC-0225-03"}
    )
    assert written == {
        "Who was incident INC-0225-03 reported by?": "Mohsin Raza",
        "What was the root cause of incident INC-0225-03?": "missing guard",
        "When was incident INC-0225-03 closed?": "19 May 2025",
    }


def test_forms_of_one_title_are_told_apart_by_the_number_that_their_table_begins_with():
    def notice(number, officer):
        table = f"| Notice number | {number} |\n| --- | --- |\n| Premises | Unit 4, Mill Yard |\n"
        return chunk(f"{table}| Responsible officer | {officer} |\n| Inspection fee | £120 |\n", f"{number}.docx")

    chunks = [notice("SN-2024-06", "R. Tolland"), notice("SN-2024-09", "M. Okonjo")]
    written = asked(QuestionKind.SIMPLE, *chunks, titles={one.document_id: "Closure Notice" for one in chunks})
    assert written["According to notice SN-2024-09, who is the responsible officer?"] == "M. Okonjo"
    assert written["According to notice SN-2024-06, what is the inspection fee?"] == "£120"
    assert not any("premises" in text for text in written)


def test_what_was_counted_is_no_property():
    chunks = [
        visit("NW-24-0117", "R. Tolland", "Grey\nNests seen: 14"),
        visit("NW-24-0132", "M. Okonjo", "Blue\nNests seen: 18"),
    ]
    assert not any("nests seen" in text for text in asked(QuestionKind.SIMPLE, *chunks))


FORM = """| Reports to | Workshop manager |
| --- | --- |
| Closing date | 16 May 2025 |
| Annual salary | £26,400 |
| Work place | Long Lane |
"""
REGIONS = """Table: Segment information (in millions)
|  | Three Months Ended July 1, 2023 |
| --- | --- |
| Net sales |  |
| Americas | 35,383 |
| Japan | 4,821 |
| Non-U.S. government contracts | 1,020 |
"""


def test_a_form_in_a_table_is_no_table_of_records():
    titles = {"doc-1.md": "Job description: fitter"}
    assert not asked(QuestionKind.TABLE, chunk(FORM), titles=titles)
    written = asked(QuestionKind.SIMPLE, chunk(FORM), titles=titles)
    assert written['According to "Job description: fitter", what is the closing date?'] == "16 May 2025"
    assert not any("manager of" in text for text in written)


def test_when_a_report_was_published_is_not_asked_of_the_accident():
    lines = "Accident Number: {}\n\nPublish Date: 06/17/2019\n\nAirport: Private Airstrip\n\nRunway Surface Type: {}\n"
    chunks = [
        chunk(lines.format("NYC08CA048", "Asphalt"), "a.pdf"),
        chunk(lines.format("NYC08CA055", "Grass"), "b.pdf"),
    ]
    for kind in (QuestionKind.SIMPLE, QuestionKind.OUT_OF_SCOPE, QuestionKind.YES_NO):
        assert all("runway surface type" in text for text in asked(kind, *chunks))
    assert asked(QuestionKind.SIMPLE, *chunks)


def test_names_of_regions_stand_in_a_sentence_as_people_write_them():
    written = asked(QuestionKind.TABLE, chunk(COVER), chunk(REGIONS, position=1))
    text = " ".join(written)
    assert "net sales for the Americas in" in text
    assert "net sales for Japan in" in text
    assert "for non-U.S. government contracts" in text


def test_the_day_from_which_a_text_holds_is_of_it():
    text = "# W12 Broken tools\n\nOwner: Stores Department\n\nEffective date: 4 May 2025\n"
    written = asked(
        QuestionKind.SIMPLE, chunk(text, section=("W12 Broken tools",)), titles={"doc-1.md": "W12 Broken tools"}
    )
    assert 'What is the effective date of "W12 Broken tools"?' in written


def test_a_numbered_record_and_an_inspection_of_several_words_are_called_by_their_numbers():
    texts = {
        "a.txt": "Service Record\n\nRecord number: SR-2025-041\n\nBody weight: 31.4 kg\n",
        "b.txt": "Service Record\n\nRecord number: SR-2025-044\n\nBody weight: 4.2 kg\n",
    }
    written = asked(QuestionKind.SIMPLE, *(chunk(text, name) for name, text in texts.items()))
    assert written["According to record SR-2025-044, what was the body weight?"] == "4.2 kg"
    title = "Health and safety inspection HS-114"
    text = f"# {title}\n\n**Inspection date:** 7 January 2025\n\n**Overall score:** 92\n"
    written = asked(QuestionKind.SIMPLE, chunk(text, section=(title,)), titles={"doc-1.md": title})
    assert written["What was the overall score in health and safety inspection HS-114?"] == "92"


ZONES = """| Zone | Call-out charge |
| --- | --- |
| Zone A | £20 |
| Zone B | £25 |
"""
VALVES = """| Valve | Type | Next service |
| --- | --- | --- |
| V-101 | Ball | March 2026 |
| V-102 | Gate | September 2025 |
"""


def test_a_row_that_repeats_its_head_is_called_once():
    written = of_text(QuestionKind.TABLE, ZONES, "Where we work")
    assert written['According to "Where we work", what is the call-out charge for Zone B?'] == "£25"


def test_a_day_in_a_table_is_asked_for_as_one():
    written = of_text(QuestionKind.TABLE, VALVES, "Valve list")
    question = 'According to "Valve list", what is the date of the next service of valve V-101?'
    assert written[question] == "March 2026"


def test_a_title_of_a_text_is_in_quotes_where_something_was_done_with_it():
    text = "# Broken tools\n\nOwner: Stores Department\n\nLast reviewed: 4 May 2025\n"
    written = asked(QuestionKind.SIMPLE, chunk(text, section=("Broken tools",)), titles={"doc-1.md": "Broken tools"})
    assert 'When was "Broken tools" last reviewed?' in written
    stated = asked(QuestionKind.YES_NO, chunk(text, section=("Broken tools",)), titles={"doc-1.md": "Broken tools"})
    assert 'Was "Broken tools" last reviewed on 4 May 2025?' in stated


def test_what_is_so_as_well_takes_up_what_was_said_before():
    text = "# Stock counts\n\nA difference of more than £100 is reported to the auditor as well.\n"
    written = asked(QuestionKind.SIMPLE, chunk(text, section=("Stock counts",)), titles={"doc-1.md": "Stock counts"})
    assert not written
