"""The metrics of a run in figures."""

import numpy as np
import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.results.runs import VERDICT_METRIC
from core.metrics import find_metric
from core.runs.execute import execute_run
from core.runs.scores.edits import edit_score
from core.runs.scores.scoring import score_run
from core.runs.scores.summary import NO_SCORE, metric_summaries, score_matrix
from core.runs.service import create_run
from core.stats import clustered_mean
from core.store.results import scores
from core.store.results.scores import RunMetric
from tests.support.small_bank import ACTOR


@pytest.fixture
def run(store, bank):
    made = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    execute_run(store, made.id, actor=ACTOR)
    score_run(store, made.id, ["precision", "hit@1"], actor=ACTOR)
    return made


def summaries(store, run):
    return {item.name: item for item in metric_summaries(store, run.id)}


def test_mean_interval_and_n_of_n(store, run):
    found = summaries(store, run)
    assert list(found) == ["hit@1", "precision"]
    precision = found["precision"]
    # Ten cases of five branches with one of two passages each; the two of the sixth have no document to be found.
    assert (precision.scored, precision.of, precision.unscored) == (10, 12, {"not_applicable": 2})
    assert (precision.mean.value, precision.median, precision.clusters) == (0.5, 0.5, 5)
    assert precision.mean == clustered_mean([0.5] * 10, np.repeat(range(5), 2), low=0.0, high=1.0)
    assert (precision.edited, precision.stale, precision.finished) == (0, False, True)
    assert (precision.spec.name, found["hit@1"].spec.name) == ("precision", "hit")
    assert (precision.version, precision.options, precision.scored_by) == (precision.spec.version, {}, ACTOR)


def test_without_a_score_there_is_no_metric(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    assert metric_summaries(store, run.id) == ()
    with pytest.raises(NotFound, match="run_none"):
        metric_summaries(store, "run_none")


def test_a_metric_that_scored_nothing_has_no_mean(store, run):
    score_run(store, run.id, ["chunk_recall"], actor=ACTOR)
    found = summaries(store, run)["chunk_recall"]
    assert (found.mean.value, found.mean.n, found.mean.method, found.median) == (None, 0, NO_SCORE, None)
    assert (found.scored, found.clusters, sum(found.unscored.values())) == (0, 0, 12)


def test_changed_and_older_scores_are_told(store, run):
    edit_score(store, run.id, "arden-short", "precision", value=1.0, reason="So.", actor=ACTOR)
    with store.write(ACTOR, "test.older") as connection:
        older = RunMetric(metric="precision", version=find_metric("precision").spec.version - 1, options={"k": "v"})
        scores.put_run_metrics(connection, run.id, [older])
    found = summaries(store, run)["precision"]
    assert (found.edited, found.stale, found.finished, found.options) == (1, True, False, {"k": "v"})
    assert found.mean.value == pytest.approx((9 * 0.5 + 1.0) / 10)


def test_a_metric_this_version_does_not_know_is_shown_all_the_same(store, run):
    with store.write(ACTOR, "test.foreign") as connection:
        kept = scores.of_metric(connection, run.id, "precision")["arden-short"]
        scores.put(connection, run.id, [type(kept)(case_id="arden-short", metric="from_elsewhere", value=7.0)])
    found = summaries(store, run)["from_elsewhere"]
    assert (found.spec, found.version, found.stale, found.mean.value) == (None, 0, False, 7.0)
    assert found.unscored == {"not_reached": 11}


@pytest.mark.slow
def test_the_matrix_has_a_row_for_each_case(store, run):
    matrix = score_matrix(store, run.id, ["hit@1", VERDICT_METRIC, "recall"])
    assert matrix.case_ids[:2] == ("arden-short", "arden-long")
    assert matrix.clusters.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert matrix.values.shape == (12, 3)
    assert np.isnan(matrix.column("recall")).all()
    assert matrix.column(VERDICT_METRIC).tolist() == [1.0] * 10 + [0.0] * 2
    assert np.isnan(matrix.column("hit@1")).tolist() == [False] * 10 + [True] * 2
    with pytest.raises(InvalidInput, match="mrr was not read"):
        matrix.column("mrr")
    assert score_matrix(store, run.id, []).values.shape == (12, 0)
