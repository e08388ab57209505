"""Classes of questions that a blind judge rejected, in folders of an insurer, a port and a maker of compressors."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from tests.support.questions.asked_by_rules import asked, chunk, of_text

KINDS = (QuestionKind.SIMPLE, QuestionKind.TABLE, QuestionKind.YES_NO, QuestionKind.OUT_OF_SCOPE)


def all_of(*chunks, titles):
    return [text for kind in KINDS for text in asked(kind, *chunks, titles=titles)]


def test_what_is_no_number_of_things_is_not_counted():
    text = "# Grooming rules\n\nThe 2025 Tarn budget has £1,946 unspent at 30 June. The Tarn salon has 14 dryers.\n"
    assert of_text(QuestionKind.SIMPLE, text) == {"How many dryers does the Tarn salon have?": "14"}


def test_an_answer_that_the_next_line_goes_on_with_is_left_out():
    text = "When does the pass start?\nThe pass starts on the day of purchase for Single\nTrip, and later for Annual.\n"
    assert of_text(QuestionKind.SIMPLE, text, "Pass leaflet") == {}
    cut = "When does the pass start?\nThe pass starts on the day of purchase for Single"
    assert of_text(QuestionKind.SIMPLE, cut, "Pass leaflet") == {}
    whole = "When does the office close?\n17:30 on weekdays\n"
    assert list(of_text(QuestionKind.SIMPLE, whole, "Pass leaflet").values()) == ["17:30 on weekdays"]


FERRY = """Table: Ferry figures
| Measure | Unit | 2022 | 2023 | 2024 |
| --- | --- | --- | --- | --- |
| Vehicle units | thousand units | 71.2 | 74.8 | 86.1 |
| Fuel purchases (bunker) | thousand litres | 412 | 398 | 377 |
| Spending | furlongs | 1 | 2 | 3 |
"""
REPAIRS = """Table: Repairs of pumps
| Pumps | Q1 2023 | Q2 2023 |
| --- | --- | --- |
| Repair cost (USD thousand) | 203 | 211 |
| Mean per claim (USD) | 1,562 | 1,518 |
| Expense (USD thousand) | 31 | 45 |
| Claims repudiated (% of closed) | 3.8 | 4.1 |
"""
PREMIUMS = """Table: Table 3. Earned premium (£ thousand)
| Line | Q1 2024 | Q2 2024 |
| --- | --- | --- |
| Pet cover | 9,310 | 9,405 |
| Van cover | 7,240 | 7,295 |
"""


def test_a_unit_in_a_column_is_said():
    written = of_text(QuestionKind.TABLE, FERRY, "Ferry report 2024")
    assert written['According to "Ferry report 2024", what were the vehicle units in 2024, in thousands?'] == "86.1"
    litres = 'According to "Ferry report 2024", what were the fuel purchases (bunker) in 2024, in thousands of litres?'
    assert written[litres] == "377"
    assert not any("spending" in text for text in written)
    trend = of_text(QuestionKind.TREND, FERRY, "Ferry report 2024")
    assert "In 2024, vehicle units were 86.1 thousand." in " ".join(trend.values())
    whether = of_text(QuestionKind.YES_NO, FERRY, "Ferry report 2024")
    assert whether
    assert not any(text.endswith(" 412 thousand?") for text in whether)


def test_a_unit_in_the_brackets_of_a_row_is_said_behind_the_question():
    written = of_text(QuestionKind.TABLE, REPAIRS, "Pump statistics")
    assert written == {
        f'According to "Pump statistics", what was the repair cost in the {name} quarter of 2023, '
        "in thousands of dollars?": value
        for name, value in (("first", "203"), ("second", "211"))
    }


def test_a_title_with_a_unit_says_what_its_rows_measure():
    written = of_text(QuestionKind.TABLE, PREMIUMS, "Pet statistics")
    question = (
        'According to "Pet statistics", what was the earned premium for pet cover in the first quarter of 2024, '
        "in thousands of pounds?"
    )
    assert written[question] == "9,310"


def test_rows_that_go_on_with_the_row_above_are_left_out():
    table = "| Service | Price |\n|---|---|\n| Towing, boats below 10 m | €265 |\n| 10–15 m | €390 |\n| Above 15 m | €540 |\n| Fresh water, per m³ | €4 |\n| Late payment | €40 |\n"  # noqa: E501
    written = of_text(QuestionKind.TABLE, table, "Marina prices")
    assert written
    assert not any("15 m" in text for text in written)


def test_rows_below_a_group_are_left_out_unless_they_have_a_name():
    table = "| Ticket | Price |\n|---|---|\n| Adults | |\n| Evening tickets | €9 |\n| Children | |\n| Weekend tickets | €5 |\n"  # noqa: E501
    assert of_text(QuestionKind.TABLE, table, "Pier prices") == {}
    assert of_text(
        QuestionKind.TABLE, table.replace("| Adults | |\n", "").replace("| Children | |\n", ""), "Pier prices"
    )


def test_a_row_is_called_with_what_it_is():
    table = "| Vessel type | Fee |\n|---|---|\n| Cruise | €12 |\n| Tankers | €30 |\n| Fishing boats | €4 |\n"
    written = of_text(QuestionKind.TABLE, table, "Quay tariff")
    assert written['According to "Quay tariff", what is the fee for the vessel type "Cruise"?'] == "€12"


@pytest.mark.parametrize("head", ["Amount", "Figure", "Value", "Charge"])
def test_a_bare_noun_without_an_owner_is_not_asked_for(head):
    table = f"| Cover | {head} |\n|---|---|\n| Money | £6,000 |\n| Stock and tools | £9,000 |\n"
    assert of_text(QuestionKind.TABLE, table, "Cover list") == {}


def test_a_number_that_two_tables_give_their_rows_names_none():
    layers = "| Layer | Premium (£) |\n|---|---|\n| 1 | 1,140 |\n| 2 | 870 |\n"
    more = layers.replace("870", "960").replace("Premium (£)", "Premium (£) and terms")
    one = chunk(layers, section=("Scheme of cover", "3 Vans over their limit"))
    two = chunk(more, section=("Scheme of cover", "2 Sheds over their limit"), position=1)
    assert asked(QuestionKind.TABLE, one, titles={"doc-1.md": "Scheme of cover"})
    assert asked(QuestionKind.TABLE, one, two, titles={"doc-1.md": "Scheme of cover"}) == {}


def test_issues_of_a_document_and_who_wrote_it_are_not_asked_about():
    issues = "| Issue | Date | Author | Summary of change |\n|---|---|---|---|\n| 5 | 14 March 2022 | O. Fell | New forms |\n| 6 | 1 May 2023 | C. Dunn | New fees |\n"  # noqa: E501
    fields = "Author: Ona Fell\nFile date: 3 May 2023\nPrepared by: Cara Dunn\nYear built: 2011\n"
    assert all_of(chunk(f"{issues}\n{fields}"), titles={"doc-1.md": "Kennel rules"}) == []


def test_the_terms_of_a_trade_are_no_short_forms_to_ask_about():
    text = "# Spa rules\n\nPaid time off (PTO) and Sales Tax Relief (STR) are set by the Tarn Rota Board (TRB).\n"
    written = of_text(QuestionKind.SIMPLE, text, "Spa rules")
    assert written == {'According to "Spa rules", what does TRB stand for?': "Tarn Rota Board"}


FIELDS = "Renewal date: 1 August 2025\nAnnual turnover: £864,300\n"


def test_a_title_that_is_a_sort_of_paper_is_taken_from_its_heading_or_left_out():
    named = "Risk presentation: Elm Café"
    whole = chunk(f"# {named}\n\n{FIELDS}", section=(named,))
    written = asked(QuestionKind.SIMPLE, whole, titles={"doc-1.md": "Risk presentation"})
    assert written[f'According to "{named}", what is the renewal date?'] == "1 August 2025"
    bare = chunk(f"# Risk presentation\n\n{FIELDS}", section=("Risk presentation",))
    assert all_of(bare, titles={"doc-1.md": "Risk presentation"}) == []


def test_a_number_of_a_paper_is_said_with_its_name():
    name = "KP-02 Kennel procedure"
    text = f"# {name}\n\nOwners have 5 days to reply.\n"
    written = asked(QuestionKind.SIMPLE, chunk(text, section=(name,)), titles={"doc-1.md": "KP-02"})
    assert all(question.startswith(f'According to "{name}"') for question in written)
    assert written


def test_a_property_of_one_record_is_not_missed_in_the_others():
    fields = "Potential severity: 5 (of 5)\nReported by: Ana Roe\nLocation: Yard 7\n"
    others = {f"{n}.txt": f"PR-{n} Paddock record\n\nDate of event: 1 May 2024\n{fields}" for n in range(311, 316)}
    others["311.txt"] += "Permit issuer: Maeve Corr\n"
    titles = {name: text.split("\n")[0] for name, text in others.items()}
    chunks = [chunk(text, name) for name, text in others.items()]
    assert any("permit issuer" in text for text in asked(QuestionKind.SIMPLE, *chunks, titles=titles))
    assert not any("permit issuer" in text for text in asked(QuestionKind.OUT_OF_SCOPE, *chunks, titles=titles))


def test_the_number_of_a_section_names_no_document():
    text = "# Cover scheme\n\n## 3 Vans over their limit\n\nThe Vans over their limit cost 5 EUR.\n"
    layers = "| Layer | Premium (£) |\n|---|---|\n| 1 | 1,140 |\n| 2 | 870 |\n"
    one = chunk(f"{text}\n{layers}", section=("Cover scheme", "3 Vans over their limit"))
    written = all_of(one, titles={"doc-1.md": "Cover scheme"})
    assert written
    assert not any('According to "3 ' in question or "For 3 " in question for question in written)


def test_who_signs_every_form_is_not_asked_of_one():
    forms = {
        f"{n}.txt": f"PR-{n} Paddock record\n\nDate of event: 1 May 2024\nYard manager: Tom Riddle\nVet: Ana Roe{n}\n"
        for n in (311, 312, 313)
    }
    titles = {name: text.split("\n")[0] for name, text in forms.items()}
    written = all_of(*(chunk(text, name) for name, text in forms.items()), titles=titles)
    assert not any("ard manager" in text for text in written)
    some = list(forms.items())[:2]
    assert any("ard manager" in text for text in all_of(*(chunk(text, name) for name, text in some), titles=titles))


def test_a_state_does_not_stand_before_what_it_is_the_state_of():
    table = (
        "| Boat | Position |\n|---|---|\n| Brae Wren | At sea |\n| Brae Lark | Quay Nine |\n| Brae Dove | Quay Two |\n"
    )
    written = of_text(QuestionKind.YES_NO, table, "Harbour list")
    assert any("is Quay Two the position of Brae Dove" in text for text in written)
    assert not any("At sea" in text for text in written)


def test_a_figure_does_not_stand_behind_a_year():
    table = "Table: Zoo figures\n| Measure | 2023 | 2024 |\n|---|---|---|\n| Total units sold | 122 | 151 |\n"
    written = of_text(QuestionKind.YES_NO, table, "Zoo statistics")
    assert any("units sold 122 in 2023?" in text for text in written)
    assert not any("2023 122" in text for text in written)


def test_a_cell_with_another_unit_than_its_head_is_left_out():
    table = (
        "| Boat type | Rate per day (€) |\n|---|---|\n| Canoes | 12.50 |\n| Dinghies | 50% of the rate for canoes |\n"
    )
    written = of_text(QuestionKind.TABLE, table, "Hire tariff")
    assert list(written.values()) == ["12.50"]
    assert not any("50%" in text for text in of_text(QuestionKind.YES_NO, table, "Hire tariff"))


def test_a_status_is_not_said_before_what_has_it():
    table = "| Boat | Status |\n|---|---|\n| Brae Wren | Waiting for Quay |\n| Brae Lark | Works Barge |\n"
    assert of_text(QuestionKind.YES_NO, table, "Harbour list") == {}


def test_a_section_is_called_with_its_article():
    fields = "Address: {}\nTelephone: 01749 555 310\nOpening hours: {}\n"
    text = "# Branches\n\n"
    text += "## Tarn bakery\n\n" + fields.format("14 Mill Street, Tarn", "8:45 to 17:30")
    text += "\n## Corrie bakery\n\n" + fields.format("3 Cork Street, Corrie", "9:00 to 17:00")
    written = of_text(QuestionKind.SIMPLE, text, "Branches", section=("Branches",))
    assert written["What is the address of the Tarn bakery?"] == "14 Mill Street, Tarn"


@pytest.mark.parametrize(
    "sentence",
    [
        "The Tarn Officer decides within three working days.",  # on what?
        "Results are kept for seven years.",  # of what?
    ],
)
def test_what_is_done_to_nothing_is_not_asked(sentence):
    text = f"# Kennel procedure\n\n{sentence}\n"
    assert of_text(QuestionKind.SIMPLE, text, "Kennel procedure") == {}


def test_a_row_with_a_part_behind_a_comma_says_of_what_it_is_in_no_question():
    table = "| Team | Q1 2024 | Q2 2024 |\n|---|---|---|\n| Paid hours, kennels | 3120 | 3240 |\n| Paid hours | 9120 | 9240 |\n"  # noqa: E501
    written = of_text(QuestionKind.TABLE, table, "Kennel statistics")
    assert not any("," in text.split('", ', 1)[1] for text in written)


def test_a_span_of_amounts_goes_on_with_the_row_above():
    table = (
        "| Service | Fee |\n|---|---|\n| Boarding of a cat up to £400 | £50 |\n| £401 to £750 | £80 |\n| Bath | £9 |\n"
    )
    written = of_text(QuestionKind.TABLE, table, "Kennel tariff")
    assert not any("750" in text for text in written)
    assert not any("£401" in text for text in of_text(QuestionKind.OUT_OF_SCOPE, table, "Kennel tariff"))


def test_a_head_with_a_period_behind_its_noun_is_plural():
    table = "| Grade | Target hours a year |\n|---|---|\n| Groomer | 1,050 |\n| Walker | 1,300 |\n"
    assert not any("what is the target hours" in text for text in of_text(QuestionKind.TABLE, table, "Kennel tariff"))


def test_the_name_of_a_site_behind_a_bar_is_no_part_of_a_title():
    table = "| Grade | Rate per hour (£) |\n|---|---|\n| Groomer | 45 |\n| Walker | 30 |\n"
    written = of_text(QuestionKind.TABLE, table, "Kennel fees | Tarn Pets LLP")
    assert written
    assert all(text.startswith('According to "Kennel fees", ') for text in written)


def test_a_wrong_price_is_counted_by_what_the_right_one_is():
    table = "| Product | Price |\n|---|---|\n| Straw bales | £8 per tonne |\n| Chew sticks | £11 per kg |\n| Dog biscuits | £9 per kg |\n"  # noqa: E501
    written = of_text(QuestionKind.YES_NO, table, "Feed tariff")
    assert written
    assert not any("chew sticks £8" in text or "straw bales £11" in text for text in written)
    assert any("chew sticks £9 per kg" in text for text in written)


def test_a_label_of_one_word_is_no_noun_of_a_question():
    table = PREMIUMS.replace("| Pet cover |", "| Home |")
    text = f"{table}\n\nCats stay at home, and the home is checked.\n"
    written = of_text(QuestionKind.TABLE, text, "Pet statistics")
    assert any("for van cover" in question for question in written)
    assert not any("for home" in question for question in written)


def test_a_firm_is_asked_for_with_who():
    table = "| Spare part | Supplier |\n|---|---|\n| Slip ring | Moog |\n| Yaw motor | Bonfig |\n"
    written = of_text(QuestionKind.TABLE, table, "Kennel spares")
    assert written
    assert all("who is the supplier" in text for text in written)


def test_a_heading_names_a_page_whose_title_nobody_says():
    table = (
        "Table: Income statement (£ million, three months)\n\n"
        "| | Q1 2024 | Q4 2023 |\n| --- | --- | --- |\n| Net fee income | 2.9 | 3.1 |\n| Total income | 24.3 | 24.7 |\n"
    )
    heads = [f"Quarterly lending figures - Q{quarter} 2024" for quarter in (1, 2)]
    pages = [chunk(f"# {head}\n\n{table}", f"{place}.html", (head,)) for place, head in enumerate(heads)]
    questions = asked(QuestionKind.TABLE, *pages, titles={"0.html": "Lending Q1 2024", "1.html": "Lending Q2 2024"})
    assert (
        questions[
            f'According to "{heads[0]}", what was the total income in the first quarter of 2024, in millions of pounds?'
        ]
        == "24.3"
    )


def test_an_amount_among_shares_is_not_asked_for():
    rows = ["| Rider programme | Discount |", "| --- | --- |", "| Senior Saver | 20% |", "| Family Saver | 15% |"]
    text = "\n".join([*rows, "| College Saver | $148.50 per term |"])
    written = of_text(QuestionKind.TABLE, f"# Ferry fares 2025\n\n{text}\n", "Ferry fares 2025")
    assert any("Senior Saver" in question for question in written)
    assert not any("College Saver" in question for question in written)


def test_a_phrase_of_a_cell_is_not_pasted_into_a_statement():
    rows = [
        "| Boat | Delivery address |",
        "| --- | --- |",
        "| Dunlin | Letter from the owner |",
        "| Merlin | Quay House |",
    ]
    text = "# Boat list 2025\n\n{}\n".format("\n".join(rows))
    assert not any("Letter" in question for question in of_text(QuestionKind.YES_NO, text, "Boat list 2025"))


def test_nobody_approved_just_any_sale():
    text = "# Sales policy\n\nA sale below 92% of the lower valuation is approved by the Credit Committee.\n"
    assert of_text(QuestionKind.SIMPLE, text, "Sales policy") == {}


PEOPLE = """Table: Key figures
| Measure | Q1 2024 | Q1 2025 |
| --- | --- | --- |
| PEOPLE | | |
| Employees (FTE) | 831 | 846 |
| Staff turnover (%) | 4.1 | 3.9 |
"""


def test_a_line_in_capitals_is_no_owner_of_its_rows_and_a_dated_code_no_employer():
    text = f"# SUS-2025-Q1\n\nSUS-2025-Q1 is issued each quarter.\n\n{PEOPLE}"
    written = of_text(QuestionKind.TABLE, text, "SUS-2025-Q1")
    question = "According to SUS-2025-Q1, what was the number of employees in the first quarter of 2025, in FTE?"
    assert written[question] == "846"
    assert not any("PEOPLE" in one or "of SUS" in one for one in written)


def test_a_heading_that_two_forms_have_names_no_thing():
    form = "# Inspection {0}\n\n## Overall assessment\n\nThe Overall assessment is good. Pump 1 has run 3{0},000 h.\n"
    form += "\n## Condition of pump\n\nThe Condition of pump is fair. The pump has run for 1{0} hours.\n"
    forms = [form.format(number) for number in (1, 2)]
    pages = [
        chunk(part, f"{number}.md", (part.split("\n")[0].strip("# "),), place)
        for number, text in enumerate(forms)
        for place, part in enumerate(text.split("\n## "))
    ]
    titles = {"0.md": "Inspection 1", "1.md": "Inspection 2"}
    assert not any("For the " in question for question in all_of(*pages, titles=titles))


def test_an_amount_below_a_participle_is_no_year():
    rows = [
        "| Quarter | Damaged | Expired |",
        "| --- | --- | --- |",
        "| Q1 Apr-Jun | 310 | 2140 |",
        "| Q4 Jan-Mar | 95 | 1290 |",
    ]
    text = "# Stock written off\n\nTable: Stock written off, 2023-24 (£)\n{}\n".format("\n".join(rows))
    assert not any("expire" in question for question in all_of(chunk(text), titles={"doc-1.md": "Stock written off"}))


EVENT = "Accident Number: {}\n\nAirport Elevation: {} ft\n\nMedical Certification: Class 2\n\nInjuries: {} Minor\n"


def test_a_value_stands_before_its_event_and_what_a_pilot_has_is_no_property_of_it():
    texts = [("NYC08CA048", "137", 1), ("CHI08CA047", "412", 2), ("DFW08CA051", "88", 3)]
    reports = [chunk(EVENT.format(*values), f"{values[0]}.pdf") for values in texts]
    whether = asked(QuestionKind.YES_NO, *reports, titles={one.document_id: "Report" for one in reports})
    assert whether["Was the airport elevation 137 ft in accident NYC08CA048?"] == "Yes"
    assert not any("Was 137 ft" in text for text in whether)
    written = all_of(*reports, titles={one.document_id: "Report" for one in reports})
    assert not any("certification" in text or "injuries of" in text for text in written)


def test_what_the_law_gives_every_company_is_not_out_of_scope():
    filing = """Exact Inc.
(Exact name of registrant as specified in its charter)

Table: Income taxes
|  | Three Months Ended July 1, 2023 |
| --- | --- |
| Statutory federal income tax rate | 21% |
| Effective tax rate | 12.5% |
"""
    text = chunk(filing, "10-q.pdf")
    absent = asked(QuestionKind.OUT_OF_SCOPE, text, titles={"10-q.pdf": "Form 10-Q of Exact Inc."})
    other = [question for question in absent if "Exact’s" not in question]
    assert other
    assert not any("statutory" in question for question in other)
