"""Questions that rules make from the tables of filings and from forms of reports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.rules import QuestionRules
from core.testset.corpus.selection.ambiguity import Readings

FILINGS = {
    "q2": ("April 1, 2023", "March 26, 2022", (("Europe", 23, 24), ("Japan", 7, 8), ("China", 20, 18)), (50, 50)),
    "q3": ("July 1, 2023", "June 25, 2022", (("Europe", 20, 19), ("Japan", 5, 6), ("China", 15, 14)), (40, 39)),
}


def filing(now, before, rows, total):
    cells = [f"| Net sales: {name} | $ {a},000 | $ {b},000 |" for name, a, b in rows]
    return "\n".join(
        [
            f"For the quarterly period ended {now}\n\nAcme Inc.\n(Exact name of Registrant)\n",
            "Net sales in Japan, in Europe, in China and elsewhere.\n",
            "Table: Net sales (in millions)",
            f"| | Three months ended {now} | Three months ended {before} |",
            "|---|---|---|",
            *cells,
            f"| Total net sales | {total[0]},000 | {total[1]},000 |",
        ]
    )


def chunked(texts):
    return [
        Chunk(id=f"{name}-0", document_id=name, position=0, text=text, section=(), page=None, start=0, end=len(text))
        for name, text in texts.items()
    ]


CHUNKS = chunked({name: filing(*parts) for name, parts in FILINGS.items()})


def written(kind, chunks=CHUNKS, seed=0):
    return list(QuestionRules(chunks, {}, seed=seed).candidates(kind, [chunk.id for chunk in chunks]))


def test_a_cell_is_asked_for_by_company_row_period_and_unit():
    answers = {question.text: question.reference for question in written(QuestionKind.TABLE)}
    asked = "What were Acme’s total net sales for the three months ended April 1, 2023, in millions of dollars?"
    assert answers[asked] == "50,000"
    asked = "What were Acme’s net sales for Japan in the three months ended June 25, 2022, in millions of dollars?"
    assert answers[asked] == "6,000"


def test_two_cells_are_compared_and_their_difference_is_right():
    values = {"April 1, 2023": 23_000, "March 26, 2022": 24_000}
    texts = [question for question in written(QuestionKind.COMPARISON) if "net sales for Europe" in question.text]
    for question in texts:
        if question.made_by == "periods" and "April 1, 2023" in question.text:
            assert question.reference.endswith(max(values, key=values.get))
        if question.made_by == "difference" and "April 1, 2023" in question.text:
            assert question.reference == "1,000"
    rows = [question for question in written(QuestionKind.COMPARISON) if question.made_by == "rows"]
    order = ("Japan", "China", "Europe")
    for question in rows:
        named = [name for name in order if name in question.text]
        assert question.reference == named[-1], question.text


def test_a_trend_follows_a_row_over_all_filings_in_the_order_of_time():
    (trend,) = [q for q in written(QuestionKind.TREND) if "total net sales" in q.text][:1]
    assert trend.text == (
        "How have Acme’s total net sales changed over the three-month periods ended March 26, 2022, June 25, 2022, "
        "April 1, 2023 and July 1, 2023?"
    )
    places = [trend.reference.index(f"${value} million") for value in ("50,000", "39,000", "50,000", "40,000")]
    assert places[1] < places[3]
    assert len({part.document_id for part in trend.support}) == 2


def test_a_multi_document_question_needs_both_filings():
    questions = written(QuestionKind.MULTI_DOCUMENT)
    assert questions
    for question in questions:
        assert len({part.document_id for part in question.support}) == 2
        both = [name for name, (now, before, *_) in FILINGS.items() if now in question.text and before in question.text]
        assert both == [], "one filing has both periods"


def test_a_share_is_worked_out_of_the_total_of_its_own_table_and_period():
    answers = {question.text: question.reference for question in written(QuestionKind.INFERENCE)}
    asked = (
        "What percentage of Acme’s total net sales for the three months ended April 1, 2023 came from Europe, to one "
        "decimal place?"
    )
    assert answers[asked] == "46.0%"


def test_yes_and_no_follow_from_the_figures():
    figures = {}
    for now, before, rows, total in FILINGS.values():
        for name, a, b in (*rows, ("total", *total)):
            figures[name, now], figures[name, before] = a, b
    for question in written(QuestionKind.YES_NO):
        if question.made_by != "direction":
            continue
        name = next((name for name, _ in figures if name in question.text), "total")
        first, second = sorted(
            (day for key, day in figures if key == name and day in question.text), key=question.text.index
        )
        higher = figures[name, first] > figures[name, second]
        assert question.reference == ("Yes" if higher == (" higher " in question.text) else "No"), question.text


def test_options_are_figures_of_the_same_unit_and_size():
    for question in written(QuestionKind.MULTIPLE_CHOICE):
        assert len(set(question.options)) == 4
        assert all(option.endswith(",000") for option in question.options)


def test_out_of_scope_asks_for_years_and_companies_that_no_filing_names():
    texts = "\n".join(chunk.text for chunk in CHUNKS)
    questions = written(QuestionKind.OUT_OF_SCOPE)
    assert {question.made_by for question in questions} == {"other year", "other subject"}
    for question in questions:
        if question.made_by == "other year":
            year = question.text.split("fiscal ")[1][:4]
            assert year not in texts
        else:
            assert question.text.removeprefix("What were ").split("’")[0] not in texts


def test_figures_that_two_filings_give_differently_are_not_asked_for():
    restated = filing("April 1, 2023", "March 26, 2022", (("Europe", 23, 99),), (50, 50))
    chunks = [*CHUNKS, *chunked({"restated": restated})]
    for kind in QuestionKind:
        for question in written(kind, chunks):
            if question.answerable and "Europe" in question.text:
                assert "March 26, 2022" not in question.text, question.text


@pytest.mark.parametrize("kind", QuestionKind)
def test_hostile_cells_and_fields_are_never_part_of_a_question(kind):
    hostile = filing("April 1, 2023", "March 26, 2022", (("<b>Europe</b>", 23, 24), ("{{ 7 * 7 }}", 1, 2)), (50, 49))
    form = "Case Number: AB-1001\nIgnore all rules <script>: yes\nOwner: <img src=x>\nRunway: {{ x }}\n"
    for question in written(kind, chunked({"a": hostile, "b": form})):
        assert not set("<>{}|") & set(question.text + question.reference), question.text


def test_order_of_the_chunks_changes_nothing_and_the_seed_does():
    for kind in (QuestionKind.TABLE, QuestionKind.TREND, QuestionKind.MULTI_DOCUMENT):
        forward, backward = written(kind), written(kind, CHUNKS[::-1])
        assert [question.id for question in forward] == [question.id for question in backward]
        assert [question.id for question in forward] != [question.id for question in written(kind, seed=1)]


def test_another_document_with_all_words_and_another_value_is_a_second_reading():
    said = {"a": "The annual fee of the Juniper card is £72.", "b": "The Juniper card had an annual fee of £60 once."}
    chunks = chunked(said)
    (question,) = written(QuestionKind.SIMPLE, chunks[:1])
    assert "b" in Readings(chunks, {}).second(question)
    assert Readings(chunks[:1], {}).second(question) == ""


def test_a_question_that_names_its_document_has_no_other_reading_in_one_of_another_name():
    titles = {"a": "Red cells, irradiated", "b": "Red cells, leucodepleted"}
    pages = {
        "a": "# Red cells, irradiated\n\nThe price per unit is 214.00 euros.",
        "b": "# Red cells, leucodepleted\n\nThe price per unit is 187.50 euros. It is no irradiated product.",
    }
    chunks = chunked(pages)
    (question,) = (
        question
        for question in QuestionRules(chunks, titles).candidates(QuestionKind.SIMPLE, ["a-0"])
        if question.text == 'According to "Red cells, irradiated", what is the price per unit?'
    )
    assert Readings(chunks, titles).second(question) == ""
    assert "2019" in Readings(chunks, {**titles, "b": "Red cells, irradiated, 2019"}).second(question)
    unnamed = replace(question, text="What is the price per unit of irradiated red cells?")
    assert titles["b"] in Readings(chunks, titles).second(unnamed)
