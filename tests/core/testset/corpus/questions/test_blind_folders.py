"""Classes of questions that a blind judge rejected, in folders of an insurer, a port and a maker of compressors."""

from __future__ import annotations

import pytest

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.rules import QuestionRules

KINDS = (QuestionKind.SIMPLE, QuestionKind.TABLE, QuestionKind.YES_NO, QuestionKind.OUT_OF_SCOPE)


def chunk(text, document="doc-1.md", section=(), position=0):
    return Chunk(
        id=f"{document}-{position}", document_id=document, position=position, text=text, section=section, page=None,
        start=1_000 * position, end=1_000 * position + len(text),
    )  # fmt: skip


def asked(kind, *chunks, titles):
    rules = QuestionRules(chunks, titles)
    return {question.text: question.reference for question in rules.candidates(kind, [one.id for one in chunks])}


def of_text(kind, text, title="Grooming rules", **more):
    return asked(kind, chunk(text, **more), titles={"doc-1.md": title})


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
