from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.results.responses import Context, Response, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.domain.status import Status
from core.store.results import failures, runs, scores
from core.store.results.runs import RunTally
from core.store.testset import testsets
from tests.support.stores import with_run


def verdict(case_id, value):
    """1.0 correct, 0.0 incorrect, None not judged."""
    status = Status.NOT_JUDGED if value is None else Status.SCORED
    return Score(case_id=case_id, metric=VERDICT_METRIC, value=value, status=status, detail={"rule": "number"})


ANSWERS = [
    Response(
        case_id="c0", answer="Nought, the ÉLAN 5% way", contexts=(Context(document_id="a:1", text="x", score=0.5),)
    ),
    Response(case_id="c1", answer="One", abstained=False, latency_s=0.25, tokens=12),
    Response(case_id="c2", answer=None, error="timeout"),
    Response(case_id="c3", answer="I do not know", abstained=True),
]
SCORES = [verdict("c0", 1.0), verdict("c1", 0.0), verdict("c3", None)]


@pytest.fixture
def judged(store):
    """Seven cases: c0 correct, c1 incorrect, c2 failed, c3 not judged, c4 and c5 not reached, c6 excluded."""
    run = with_run(store, 7)
    with store.write("anna", "prepare") as connection:
        testsets.exclude(connection, "ts_1", "c6", "odd")
        runs.save_responses(connection, run.id, ANSWERS)
        scores.put(connection, run.id, SCORES)
        scores.put(connection, run.id, [Score(case_id="c0", metric="other", value=0.5)])
    return store


def page(store, **filters):
    with store.read() as connection:
        rows, total = runs.page(connection, "run_1", **filters)
    return [row.case.case_id for row in rows], total


def test_tally_counts_every_case_once(judged):
    with judged.read() as connection:
        tally = runs.tally(connection, "run_1")
    # 6 cases = 1 correct + 1 incorrect + 4 (failed, not judged, two not reached)
    assert tally == RunTally(cases=6, answered=4, failed=1, correct=1, incorrect=1, not_judged=4)


def test_page_joins_case_response_and_verdict(judged):
    with judged.read() as connection:
        rows, total = runs.page(connection, "run_1")
        cases = testsets.cases(connection, "ts_1")
    assert total == 6
    assert tuple(row.case for row in rows) == cases
    assert [row.response for row in rows] == [*ANSWERS, None, None]
    assert [row.verdict for row in rows] == [SCORES[0], SCORES[1], None, SCORES[2], None, None]


@pytest.mark.parametrize(
    ("filters", "expected", "total"),
    [
        ({"verdict": "correct"}, ["c0"], 1),
        ({"verdict": Verdict.INCORRECT}, ["c1"], 1),
        ({"verdict": "not_judged"}, ["c2", "c3", "c4", "c5"], 4),
        ({"verdict": "not_judged", "limit": 2, "offset": 1}, ["c3", "c4"], 4),
        ({"form": "short"}, ["c1", "c3", "c5"], 3),
        ({"form": "short", "verdict": "not_judged"}, ["c3", "c5"], 2),
        ({"search": "élan"}, ["c0"], 1),
        ({"search": "5%"}, ["c0"], 1),
        ({"search": "question 3"}, ["c3"], 1),
        ({"search": "know", "verdict": "correct"}, [], 0),
        ({"limit": None}, ["c0", "c1", "c2", "c3", "c4", "c5"], 6),
        ({"limit": 0}, [], 6),
    ],
)
def test_filters(judged, filters, expected, total):
    assert page(judged, **filters) == (expected, total)


def test_scores_are_replaced_and_responses_are_not(judged):
    with judged.write("anna", "again") as connection:
        scores.put(connection, "run_1", [verdict("c1", 1.0), verdict("c4", None)])
        assert runs.save_responses(connection, "run_1", [Response(case_id="c1", answer="Two")]) == 0
    with judged.read() as connection:
        stored = scores.of_metric(connection, "run_1", VERDICT_METRIC)
        assert {case_id: score.value for case_id, score in stored.items()} == {"c0": 1, "c1": 1, "c3": None, "c4": None}
        assert scores.of_metric(connection, "run_1", "other")["c0"].value == 0.5
        assert runs.responses(connection, "run_1", ["c1", "c9"]) == {"c1": ANSWERS[1]}
        assert runs.responses(connection, "run_1", []) == {}
        assert runs.answered_ids(connection, "run_1") == {"c0", "c1", "c2", "c3"}


def test_failed_cases_are_forgotten_with_their_scores(judged):
    with judged.write("anna", "prepare") as connection:
        scores.put(connection, "run_1", [verdict("c2", None)])
    with judged.write("anna", "run.retry") as connection:
        assert failures.forget_failed(connection, "run_1") == 1
        assert failures.forget_failed(connection, "run_1") == 0
    with judged.read() as connection:
        assert runs.answered_ids(connection, "run_1") == {"c0", "c1", "c3"}
        assert "c2" not in scores.of_metric(connection, "run_1", VERDICT_METRIC)


def test_runs(store):
    run = with_run(store)
    later = replace(run, id="run_2", options={"k": 3}, seed=7)
    with store.write("anna", "run.create") as connection:
        runs.put(connection, later)
        runs.set_state(connection, "run_1", RunState.FINISHED, finished_at="2026-01-01T00:00:00+00:00")
    with store.read() as connection:
        assert runs.get(connection, "run_2") == later
        assert runs.get(connection, "run_1").state is RunState.FINISHED
        assert [found.id for found in runs.all(connection, "prj_1")] == ["run_2", "run_1"]
        assert [found.id for found in runs.all(connection, None)] == ["run_2", "run_1"]
        assert runs.all(connection, "prj_other") == []
        for missing in (runs.get, runs.tally, runs.page):
            with pytest.raises(NotFound, match="run_9"):
                missing(connection, "run_9")
    with pytest.raises(NotFound, match="run_9"), store.write("anna", "try") as connection:
        runs.set_state(connection, "run_9", RunState.RUNNING)
    with pytest.raises(Conflict), store.write("anna", "try") as connection:
        runs.put(connection, replace(run, id="run_3", corpus_id="src_none"))


@pytest.mark.slow
def test_more_rows_than_one_statement_takes(store):
    run = with_run(store, 2)
    many = [Response(case_id=f"x{number}", answer=str(number)) for number in range(5_000)]
    with store.write("anna", "run.answer") as connection:
        assert runs.save_responses(connection, run.id, many) == 5_000
        assert runs.save_responses(connection, run.id, many) == 0
    with store.read() as connection:
        assert len(runs.responses(connection, run.id, [response.case_id for response in many])) == 5_000
        assert runs.tally(connection, run.id).answered == 0  # none of them is a case of the test set
