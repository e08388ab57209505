"""Scores measured again: old ones stay until replaced, what a person said stays for good."""

import pytest

from core.domain.errors import Conflict
from core.domain.results.responses import Score
from core.domain.status import Status
from core.store.results import measurements, scores
from core.store.results.scores import RunMetric, ScoreEdit
from tests.support.stores import with_run


def score(case_id, value, metric="recall", detail=None):
    return Score(
        case_id=case_id,
        metric=metric,
        value=value,
        status=Status.NOT_APPLICABLE if value is None else Status.SCORED,
        detail=detail or {"seen": 1},
    )


def commit(store, measured, generation, metric="recall"):
    with store.write("anna", "run.score") as connection:
        return measurements.commit(
            connection, "run_1", measured, {metric: generation}, reasons={metric: "Anew."}, actor="anna", at="2026"
        )


def values(store, metric="recall"):
    with store.read() as connection:
        return {case_id: item.value for case_id, item in scores.of_metric(connection, "run_1", metric).items()}


@pytest.fixture
def measured(store):
    """Three cases of recall, generation 1; a person changed c1."""
    with_run(store, 3)
    commit(store, [score("c0", 0.5), score("c1", 0.25), score("c2", None)], 1)
    edit = ScoreEdit(
        run_id="run_1",
        case_id="c1",
        metric="recall",
        before_value=0.25,
        before_status=Status.SCORED,
        before_edited=False,
        value=0.9,
        status=Status.SCORED,
        reason="Seen.",
        actor="bert",
        at="1",
    )
    with store.write("bert", "score.edit") as connection:
        scores.change(connection, edit, edited=True)
    return store


def test_what_is_of_this_generation_stays(measured):
    assert commit(measured, [score("c0", 0.9), score("c1", 0.9), score("c2", 0.9)], 1) == []
    assert values(measured) == {"c0": 0.5, "c1": 0.9, "c2": None}


def test_an_outdated_score_stays_until_it_is_replaced(measured):
    assert commit(measured, [score("c0", 0.75)], 2) == []
    assert values(measured) == {"c0": 0.75, "c1": 0.9, "c2": None}
    with measured.read() as connection:
        assert measurements.reached(connection, "run_1", ["c0", "c1", "c2"], {"recall": 2}) == {("c0", "recall")}
        assert len(measurements.reached(connection, "run_1", ["c0", "c1", "c2"], {"recall": 1, "hit": 1})) == 3


@pytest.mark.slow
def test_a_new_measurement_is_kept_beside_a_persons_value(measured):
    assert commit(measured, [score("c1", 0.125, detail={"seen": 2})], 2) == [("c1", "recall")]
    with measured.read() as connection:
        found = scores.get(connection, "run_1", "c1", "recall")
        newest, first = scores.edits(connection, "run_1", "c1", "recall")
        assert measurements.reached(connection, "run_1", ["c1"], {"recall": 2}) == {("c1", "recall")}
    assert (found.value, found.edited, found.detail) == (0.9, True, {"seen": 2})
    assert (newest.before_value, newest.before_edited, newest.value, newest.actor) == (0.125, False, 0.9, "anna")
    assert (newest.reason, first.before_value, first.actor) == ("Anew.", 0.25, "bert")


def test_the_same_measurement_again_is_no_news(measured):
    assert commit(measured, [score("c1", 0.25)], 2) == [("c1", "recall")]
    with measured.read() as connection:
        assert len(scores.edits(connection, "run_1")) == 1


def test_outdated_scores_are_counted_while_a_metric_is_unfinished(measured):
    with measured.write("anna", "run.score_begin") as connection:
        scores.put_run_metrics(connection, "run_1", [RunMetric(metric="recall", version=1, generation=2)])
    commit(measured, [score("c0", 0.75)], 2)
    with measured.read() as connection:
        assert measurements.outdated(connection, "run_1") == {"recall": 2}
    commit(measured, [score("c1", 0.75), score("c2", 0.75)], 2)
    with measured.read() as connection:
        assert measurements.outdated(connection, "run_1") == {}


def test_a_column_goes_when_its_scores_are_measured_again(measured):
    with measured.pulse() as connection:
        scores.keep_column(connection, "run_1", "recall", ["c0", "c1", "c2"])
    commit(measured, [score("c0", 0.75)], 2)
    with measured.read() as connection:
        assert scores.columns(connection, "run_1", ["recall"], ["c0"])[0, 0] == 0.75


def test_a_run_that_is_not_there_is_refused(store):
    with_run(store, 1)
    with pytest.raises(Conflict), store.write("anna", "again") as connection:
        measurements.commit(
            connection, "run_none", [score("c0", 0.9)], {"recall": 1}, reasons={}, actor="anna", at="2026"
        )
