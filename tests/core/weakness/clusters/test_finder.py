"""Failure clusters on the topic map: what is found, what is not, and what is said of it."""

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.weakness.clusters.finder import ClusterOptions, failing_of, find_clusters
from core.weakness.table import CaseTable, ScoreColumn, attribute_of

QUICK = ClusterOptions(permutations=199)


def table(values, clusters=None, **score):
    values = np.asarray(values, dtype=float)
    n = values.size
    return CaseTable(
        case_ids=tuple(f"c{number}" for number in range(n)),
        clusters=np.arange(n) if clusters is None else np.asarray(clusters),
        score=ScoreColumn(name="verdict", values=values, **score),
        attributes=(),
    )


@pytest.fixture
def grid():
    """A hundred cases on a grid; those of the lower left corner, 4 by 4, fail."""
    places = np.array([(x, y) for x in range(10) for y in range(10)], dtype=float)
    wrong = (places < 4).all(axis=1)
    return places, wrong


def test_a_corner_that_fails_is_one_cluster_with_its_words_and_topics(grid):
    places, wrong = grid
    topics = attribute_of("topic", ["loans" if bad else "cards" for bad in wrong])
    questions = [f"What is the penalty of loan {n}?" if bad else f"Which card is {n}?" for n, bad in enumerate(wrong)]
    report = find_clusters(table(~wrong), places, topics=topics, questions=questions)
    (one,) = report.clusters
    assert set(np.flatnonzero(wrong)) >= set(one.failing.tolist())
    assert one.failing.size >= 12
    assert one.topics[0][0] == "loans"
    assert {term.text for term in one.terms} == {"penalty loan"}
    assert one.p_adjusted == 0.001
    assert one.effect > 0.8
    assert one.mean.n == one.cases.size
    assert (report.looked_at, report.groups, report.failing_means, report.reason) == (100, 100, "failing", "")


def test_what_reaches_over_one_neighbourhood_is_put_together():
    places = np.array([(x, y) for x in range(20) for y in range(10)], dtype=float)
    wrong = (places[:, 0] < 12) & (places[:, 1] < 2)  # a stripe of 24, which no circle fits
    clusters = find_clusters(table(~wrong), places, options=QUICK).clusters
    assert sum(one.failing.size for one in clusters) >= 20
    taken = np.concatenate([one.cases for one in clusters])
    assert taken.size == np.unique(taken).size


def test_two_places_far_apart_are_two_clusters():
    places = np.array([(x, y) for x in range(20) for y in range(10)], dtype=float)
    wrong = ((places[:, 0] < 4) | (places[:, 0] > 15)) & (places[:, 1] < 4)
    assert len(find_clusters(table(~wrong), places, options=QUICK).clusters) == 2


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_or_none_failing_is_no_cluster(grid, value):
    report = find_clusters(table(np.full(100, value)), grid[0])
    assert report.clusters == ()
    assert "have the same score" in report.reason


def test_no_place_and_no_score_are_counted_and_play_no_role(grid):
    places, wrong = grid
    values = (~wrong).astype(float)
    values[90:] = np.nan
    places[80:95] = np.nan
    report = find_clusters(table(values), places, options=QUICK)
    assert (report.looked_at, report.no_place, report.no_score) == (80, 10, 10)
    assert not np.isin(np.arange(80, 100), report.clusters[0].cases).any()


def test_without_any_place_it_says_so(grid):
    report = find_clusters(table(grid[1]), np.full((100, 2), np.nan))
    assert report.reason == "No case has both a score and a place on the map."


def test_without_a_case_it_says_so():
    assert find_clusters(table([]), np.empty((0, 2))).reason


def test_one_place_for_all_is_nothing_to_compare(grid):
    report = find_clusters(table(grid[1]), np.zeros((100, 2)))
    assert "at one place" in report.reason


def test_few_groups_are_too_few_however_many_cases(grid):
    report = find_clusters(table(grid[1], np.arange(100) // 5), grid[0])
    assert report.reason == "Only 20 semantic groups have a score and a place; the scan needs 24."


def test_cases_of_one_group_are_one_unit():
    """A group that fails twenty times over is one failure, not twenty."""
    places = np.repeat(np.array([(x, y) for x in range(6) for y in range(6)], dtype=float), 20, axis=0)
    values = np.ones(720)
    values[:20] = 0
    assert find_clusters(table(values, np.arange(720) // 20), places, options=QUICK).clusters == ()


def test_a_shown_cluster_below_the_least_effect_is_left_out(grid):
    places, wrong = grid
    values = np.where(wrong, 0.50, 0.55) + np.tile([0.0, 0.01], 50)
    assert find_clusters(table(values), places, options=QUICK).clusters == ()
    assert find_clusters(table(values), places, options=ClusterOptions(permutations=199, min_effect=0.02)).clusters


def test_less_is_better_where_the_score_says_so(grid):
    places, wrong = grid
    values = wrong * 5.0 + np.tile([0.0, 1.0], 50)
    report = find_clusters(table(values, low=None, high=None, higher_is_better=False), places, options=QUICK)
    (one,) = report.clusters
    assert one.effect > 0
    assert report.failing_means == "worse than the mean 1.3"
    assert wrong[one.failing].all()


def test_who_fails_by_a_score_of_two_values_and_of_many():
    two, _ = failing_of(ScoreColumn(name="error", values=np.array([1.0, 0.0]), higher_is_better=False))
    assert two.tolist() == [True, False]
    many, means = failing_of(ScoreColumn(name="f1", values=np.array([0.2, 0.8, np.nan])))
    assert (many.tolist(), means) == ([True, False, False], "worse than the mean 0.5")
    assert not failing_of(ScoreColumn(name="f1", values=np.array([np.nan])))[0].any()


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"min_effect": -1.0}, {"least": 1}, {"permutations": 3}])
def test_options_out_of_bounds_are_refused(wrong):
    with pytest.raises(InvalidInput):
        ClusterOptions(**wrong)
