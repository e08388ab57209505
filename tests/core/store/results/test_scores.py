"""Scores: added once, changed by people, counted, read by column."""

import numpy as np
import pytest

from core.domain.errors import Conflict, InvalidInput
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.store.results import failures, runs, scores
from core.store.results.cases import run_inputs
from core.store.results.scores import MetricCount, RunMetric, ScoreEdit
from core.store.testset import testsets
from tests.support.stores import with_run


def score(case_id, value, metric="recall", status=Status.NOT_APPLICABLE):
    return Score(
        case_id=case_id, metric=metric, value=value, status=status if value is None else Status.SCORED, detail={"a": 1}
    )


@pytest.fixture
def scored(store):
    """Seven cases: c0 0.5, c1 none, c2 failed, c3 0.25, c4 0.5 and another metric, c5 not reached, c6 excluded."""
    run = with_run(store, 7)
    with store.write("anna", "prepare") as connection:
        testsets.exclude(connection, "ts_1", "c6", "odd")
        runs.save_responses(
            connection,
            run.id,
            [Response(case_id=f"c{n}", answer=None if n == 2 else "x", error="e" if n == 2 else "") for n in range(7)],
        )
        scores.put(
            connection,
            run.id,
            [
                score("c0", 0.5),
                score("c1", None),
                score("c2", None, status=Status.MISSING_INPUT),
                score("c3", 0.25),
                score("c4", 0.5),
                score("c6", 0.75),
                score("c4", 1.0, "hit"),
                score("c6", None, "hit"),
                score("c0", 1.0, VERDICT_METRIC),
            ],
        )
    return store


def edit(value, *, before=0.5, before_edited=False, at="1", case_id="c0", metric="recall"):
    return ScoreEdit(
        run_id="run_1",
        case_id=case_id,
        metric=metric,
        before_value=before,
        before_status=Status.SCORED,
        before_edited=before_edited,
        value=value,
        status=Status.SCORED if value is not None else Status.NOT_JUDGED,
        reason="seen",
        actor="anna",
        at=at,
    )


def test_one_score_or_none(scored):
    with scored.read() as connection:
        assert scores.get(connection, "run_1", "c0", "recall").value == 0.5
        assert scores.get(connection, "run_1", "c5", "hit") is None
    with pytest.raises(Conflict), scored.write("anna", "again") as connection:
        scores.put(connection, "run_none", [score("c0", 0.9)])


def test_counts_leave_out_excluded_cases_and_set_failures_apart(scored):
    with scored.read() as connection:
        counted = scores.counts(connection, "run_1", "ts_1")
    assert counted == {
        "hit": MetricCount(metric="hit", scored=1, unscored={}, failed=1),
        "recall": MetricCount(metric="recall", scored=3, unscored={"not_applicable": 1}, failed=1),
        VERDICT_METRIC: MetricCount(metric=VERDICT_METRIC, scored=1, unscored={}, failed=1),
    }


def test_a_failed_case_that_a_person_scored_is_scored(scored):
    with scored.write("anna", "score.edit") as connection:
        scores.change(connection, edit(0.1, before=None, case_id="c2"), edited=True)
    with scored.read() as connection:
        assert scores.counts(connection, "run_1", "ts_1")["recall"] == MetricCount(
            metric="recall", scored=4, unscored={"not_applicable": 1}, failed=0, edited=1
        )


def test_a_change_keeps_what_stood_there_and_the_evidence(scored):
    with scored.write("anna", "score.edit") as connection:
        scores.change(connection, edit(0.9, at="1"), edited=True)
        scores.change(connection, edit(None, before=0.9, before_edited=True, at="2"), edited=True)
        scores.change(connection, edit(0.2, before=0.5, case_id="c4", at="3"), edited=True)
    with scored.read() as connection:
        score = scores.get(connection, "run_1", "c0", "recall")
        assert (score.value, score.status, score.edited, score.detail) == (None, Status.NOT_JUDGED, True, {"a": 1})
        assert [item.at for item in scores.edits(connection, "run_1")] == ["3", "2", "1"]
        assert [item.at for item in scores.edits(connection, "run_1", "c0")] == ["2", "1"]
        assert scores.edits(connection, "run_1", "c0")[1] == edit(0.9, at="1")
        assert scores.edits(connection, "run_1", "c0", "hit") == ()


def test_light_scores_have_no_evidence(scored):
    with scored.read() as connection:
        light_scores = scores.light(connection, "run_1", ["c4", "c1", "c5", "c9"], ["recall", "hit"])
        assert scores.light(connection, "run_1", ["c4"], []) == {}
        assert scores.light(connection, "run_1", [], ["recall"]) == {}
    assert set(light_scores) == {"c4", "c1"}
    assert {name: item.value for name, item in light_scores["c4"].items()} == {"recall": 0.5, "hit": 1.0}
    assert (light_scores["c1"]["recall"].status, light_scores["c1"]["recall"].detail) == (Status.NOT_APPLICABLE, {})


def test_every_score_of_a_case(scored):
    with scored.read() as connection:
        case_scores = scores.of_case(connection, "run_1", "c4")
    assert case_scores == {"recall": score("c4", 0.5), "hit": score("c4", 1.0, "hit")}


def columns(store, metrics=("recall", "hit")):
    with store.read() as connection:
        return scores.columns(connection, "run_1", metrics, [f"c{number}" for number in range(6)])


RECALL, HIT = [0.5, np.nan, np.nan, 0.25, 0.5, np.nan], [np.nan, np.nan, np.nan, np.nan, 1.0, np.nan]


@pytest.fixture(params=["read", "kept"])
def by_column(request, scored):
    """The scores, without and with a copy by column."""
    if request.param == "kept":
        with scored.write("anna", "keep") as connection:
            for metric in ("recall", "hit"):
                scores.keep_column(connection, "run_1", metric, [f"c{number}" for number in range(6)])
    return scored


def test_columns_have_a_place_for_each_case(by_column):
    np.testing.assert_array_equal(columns(by_column), np.column_stack([RECALL, HIT]))
    np.testing.assert_array_equal(columns(by_column, ["nope", "recall"]), np.column_stack([[np.nan] * 6, RECALL]))
    assert columns(by_column, []).shape == (6, 0)


def test_a_column_follows_every_change_of_a_score(by_column):
    with by_column.write("anna", "score.edit") as connection:
        scores.change(connection, edit(0.1, case_id="c4"), edited=True)
        scores.change(connection, edit(None, case_id="c3"), edited=True)
        scores.change(connection, edit(0.9, case_id="c6"), edited=True)  # excluded: it has no place
    np.testing.assert_array_equal(columns(by_column)[:, 0], [0.5, np.nan, np.nan, np.nan, 0.1, np.nan])
    with by_column.write("anna", "run.score") as connection:
        scores.put(connection, "run_1", [score("c5", 0.7)])
        scores.put(connection, "run_1", [score("c0", 0.8, "hit")])
    np.testing.assert_array_equal(columns(by_column)[:, 0], [0.5, np.nan, np.nan, np.nan, 0.1, 0.7])
    np.testing.assert_array_equal(columns(by_column)[:, 1], [0.8, *HIT[1:]])


def test_a_column_of_another_length_is_not_believed(scored):
    with scored.write("anna", "keep") as connection:
        scores.keep_column(connection, "run_1", "recall", ["c0", "c1"])
    np.testing.assert_array_equal(columns(scored)[:, 0], RECALL)


def test_a_retry_takes_the_columns_away(by_column):
    with by_column.write("anna", "score.edit") as connection:
        scores.change(connection, edit(0.3, before=None, case_id="c2"), edited=True)
    assert columns(by_column)[2, 0] == 0.3
    with by_column.write("anna", "run.retry") as connection:
        failures.forget_failed(connection, "run_1")
    assert np.isnan(columns(by_column)[2, 0])


def test_how_metrics_were_made(scored):
    first = RunMetric(metric="recall", version=2, options={"encoder": "x"}, finished=True, scored_by="anna")
    with scored.write("anna", "run.score_begin") as connection:
        scores.put_run_metrics(connection, "run_1", [first, RunMetric(metric="hit", version=1)])
    with scored.read() as connection:
        assert scores.run_metric(connection, "run_1", "recall") == first
        assert scores.run_metric(connection, "run_1", "nope") is None
        assert list(scores.of_run(connection, "run_1")) == ["hit", "recall"]
    with scored.write("anna", "run.retry") as connection:
        failures.forget_failed(connection, "run_1")
    with scored.read() as connection:
        assert not scores.run_metric(connection, "run_1", "recall").finished
        assert scores.get(connection, "run_1", "c2", "recall") is None


def page(store, **filters):
    with store.read() as connection:
        rows, total = runs.page(connection, "run_1", **filters)
    return [row.case.case_id for row in rows], total


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["c3", "c0", "c4", "c1", "c2", "c5"]),
        ({"descending": True}, ["c0", "c4", "c3", "c1", "c2", "c5"]),
        ({"low": 0.3}, ["c0", "c4"]),
        ({"high": 0.25}, ["c3"]),
        ({"low": 0.25, "high": 0.5, "form": "long"}, ["c0", "c4"]),
        ({"metric_status": "scored"}, ["c3", "c0", "c4"]),
        ({"metric_status": "unscored"}, ["c1", "c2", "c5"]),
        ({"metric_status": "not_applicable"}, ["c1"]),
        ({"metric_status": "missing_input"}, []),
        ({"metric_status": "target_failed"}, ["c2"]),
        ({"metric_status": "not_reached"}, ["c5"]),
        ({"metric_status": "edited"}, []),
        ({"search": "question 4"}, ["c4"]),
        ({"verdict": "correct"}, ["c0"]),
        ({"verdict": "not_judged", "metric_status": "scored"}, ["c3", "c4"]),
    ],
)
def test_a_page_sorted_and_filtered_by_a_metric(scored, filters, expected):
    assert page(scored, sort="recall", **filters) == (expected, len(expected))


def test_pages_of_a_sorted_list_follow_each_other(scored):
    pages = [page(scored, sort="recall", limit=2, offset=start) for start in (0, 2, 4)]
    assert pages == [(["c3", "c0"], 6), (["c4", "c1"], 6), (["c2", "c5"], 6)]
    assert page(scored, sort=VERDICT_METRIC, limit=1) == (["c0"], 6)


def test_a_page_with_scores(scored):
    with scored.read() as connection:
        rows, _ = runs.page(connection, "run_1", metrics=("recall", "hit"), sort="hit", limit=1)
        plain, _ = runs.page(connection, "run_1", limit=1)
    assert rows[0].case.case_id == "c4"
    assert {name: item.value for name, item in rows[0].scores.items()} == {"recall": 0.5, "hit": 1.0}
    assert plain[0].scores == {}
    assert plain[0].verdict.value == 1.0


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"low": 0.5}, "needs the metric"),
        ({"metric_status": "scored"}, "needs the metric"),
        ({"sort": "recall", "metric_status": "nope"}, "status 'nope'"),
    ],
)
def test_filters_that_make_no_sense(scored, filters, message):
    with pytest.raises(InvalidInput, match=message):
        page(scored, **filters)


def test_what_a_run_has_for_metrics(store):
    run = with_run(store, 3)
    with store.read() as connection:
        nothing = run_inputs.inputs(connection, run, "answerable")
    assert (nothing.answers, nothing.contexts, nothing.texts, nothing.references) == (False, False, False, True)
    assert (nothing.gold_documents, nothing.gold_chunks, nothing.answerable) == (False, False, True)
    with store.write("anna", "answer") as connection:
        runs.save_responses(
            connection,
            run.id,
            [
                Response(case_id="c0", answer=None, error="e"),
                Response(case_id="c1", answer="x", contexts=(Context(document_id="d"), Context(document_id="e"))),
            ],
        )
    with store.read() as connection:
        inputs = run_inputs.inputs(connection, run, "answerable")
    assert (inputs.answers, inputs.contexts, inputs.texts) == (True, True, False)
    assert (inputs.document_ids, inputs.chunk_ids) == (True, False)
    with store.write("anna", "answer") as connection:
        runs.save_responses(
            connection,
            run.id,
            [Response(case_id="c2", answer="x", contexts=(Context(document_id="", text='a "b"', chunk_id="k"),))],
        )
    with store.read() as connection:
        inputs = run_inputs.inputs(connection, run, "answerable")
        assert [case.case_id for case, _ in run_inputs.pairs(connection, run, ["c2", "c1", "c9"])] == ["c2", "c1"]
        [(case, without_contexts)] = run_inputs.pairs(connection, run, ["c1"], contexts=False)
        assert run_inputs.answered_cases(connection, run) == ["c0", "c1", "c2"]
        assert run_inputs.groups(connection, "ts_1") == (["c0", "c1", "c2"], ["g0", "g0", "g1"])
    assert (inputs.texts, inputs.chunk_ids) == (True, True)
    assert (case.case_id, without_contexts.answer, without_contexts.contexts) == ("c1", "x", ())


def test_gold_and_what_can_be_answered(store):
    run = with_run(store, 1)
    more = [
        TestCase(case_id="g", question="?", gold_document_ids=("d",), gold_chunk_ids=("k",)),
        TestCase(case_id="u", question="?", attributes={"answerable": "no"}),
    ]
    with store.write("anna", "prepare") as connection:
        testsets.exclude(connection, "ts_1", "c0", "odd")
        testsets.put_cases(connection, "ts_1", more[1:])
    with store.read() as connection:
        inputs = run_inputs.inputs(connection, run, "answerable")
    assert (inputs.references, inputs.gold_documents, inputs.answerable) == (False, False, True)
    with store.write("anna", "prepare") as connection:
        testsets.put_cases(connection, "ts_1", more[:1])
    with store.read() as connection:
        inputs = run_inputs.inputs(connection, run, "answerable")
        assert run_inputs.groups(connection, "ts_1") == (["u", "g"], ["u", "g"])
    assert (inputs.gold_documents, inputs.gold_chunks) == (True, True)
