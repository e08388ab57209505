"""Cases and responses by column, on each database."""

from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.testset.cases import TestCase
from core.store.results import runs, scores
from core.store.results.cases import case_columns, run_inputs
from core.store.testset import testsets
from tests.support.stores import with_run

ODD = 'A "document_id": "d9" in the text, a backslash \\" and a letter like \u00e9.'


def test_cases_come_by_column_in_their_order(store):
    with_run(store, cases=2)
    case = TestCase(
        case_id="last",
        question="How many words\nare these?",
        tables=("a", "b"),
        gold_document_ids=("a:1",),
        gold_chunk_ids=("a:1#2",),
        attributes={"topic": "caf\u00e9"},
        sql_template_id="s",
        text_template_id="t",
    )
    with store.write("anna", "test.add") as connection:
        testsets.put_cases(connection, "ts_1", [case, TestCase(case_id="odd", question="Out?", excluded="Odd.")])
    with store.read() as connection:
        columns = case_columns.columns(connection, "ts_1")
        nothing = case_columns.columns(connection, "ts_none")
    assert columns.case_ids == ("c0", "c1", "last")
    assert columns.groups == ("g0", "g0", "last")
    assert (columns.words, columns.forms) == ((2, 2, 5), ("long", "short", ""))
    assert columns.tables == ((), (), ("a", "b"))
    assert (columns.gold_documents[2], columns.gold_chunks[2]) == (("a:1",), ("a:1#2",))
    assert (columns.attributes[0], columns.attributes[2]) == ({}, {"topic": "caf\u00e9"})
    assert (columns.sql_templates[2], columns.text_templates[2]) == ("s", "t")
    assert nothing.case_ids == nothing.attributes == ()


def test_responses_come_without_the_texts_of_their_passages(store):
    run = with_run(store)
    responses = [
        Response(
            case_id="c0",
            answer="Two words.",
            contexts=(
                Context(document_id="d1", text=ODD, chunk_id="d1#0"),
                Context(document_id="", text="Nobody knows whose."),
                Context(document_id="d1", text="Again.", chunk_id="d1#1"),
            ),
        ),
        Response(case_id="c1", answer=None, error="It timed out."),
        Response(case_id="c2", answer=""),
    ]
    with store.write("anna", "test.add") as connection:
        runs.save_responses(connection, run.id, responses)
    with store.read() as connection:
        by_case = {item.case_id: item for item in case_columns.retrieved(connection, run.id)}
    assert (by_case["c0"].words, by_case["c0"].passages) == (2, 3)
    assert (by_case["c0"].document_ids, by_case["c0"].chunk_ids) == (("d1", "d1"), ("d1#0", "d1#1"))
    assert (by_case["c1"].words, by_case["c2"].words) == (None, 0)


def test_cases_come_with_the_other_wordings_of_their_facts(store):
    with_run(store, cases=5)
    with store.write("anna", "test.exclude") as connection:
        testsets.exclude(connection, "ts_1", "c1", "Odd.")
    with store.read() as connection:
        assert case_columns.with_wordings(connection, "ts_1", {"c3", "nobody"}) == ["c2", "c3"]
        assert case_columns.with_wordings(connection, "ts_1", ["c0"]) == ["c0"]
        cases = case_columns.chosen(connection, "ts_1", ["c3", "nobody", "c0"])
    assert [case.case_id for case in cases] == ["c3", "c0"]


def test_responses_are_counted_and_scores_of_some_cases_are_read(store):
    run = with_run(store)
    responses = [Response(case_id="c0", answer="So."), Response(case_id="c1", answer=None)]
    stored_scores = [Score(case_id=case_id, metric=VERDICT_METRIC, value=1.0) for case_id in ("c0", "c1", "c2")]
    with store.write("anna", "test.add") as connection:
        runs.save_responses(connection, run.id, responses)
        scores.put(connection, run.id, stored_scores)
    with store.read() as connection:
        assert case_columns.answered(connection, run.id) == (2, 1)
        assert case_columns.answered(connection, "run_none") == (0, 0)
        assert sorted(scores.of_metric(connection, run.id, VERDICT_METRIC, ["c2", "c0", "nobody"])) == ["c0", "c2"]
        assert scores.of_metric(connection, run.id, VERDICT_METRIC, []) == {}


def test_the_first_case_that_retrieved_something(store):
    run = with_run(store)
    responses = [
        Response(case_id="c0", answer="So."),
        Response(case_id="c2", answer="So.", contexts=(Context(document_id="d3"),)),
        Response(case_id="c1", answer="So.", contexts=(Context(document_id="d1"), Context(document_id="d2"))),
    ]
    with store.write("anna", "test.add") as connection:
        runs.save_responses(connection, run.id, responses[:1])
    with store.read() as connection:
        assert run_inputs.first_retrieved(connection, run) == ()
    with store.write("anna", "test.add") as connection:
        runs.save_responses(connection, run.id, responses[1:])
    with store.read() as connection:
        assert run_inputs.first_retrieved(connection, run) == ("d1", "d2")
