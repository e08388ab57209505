"""Distributions, correlations and disagreements of metrics."""

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.domain.results.runs import VERDICT_METRIC
from core.runs.scores.comparing import correlations, disagreements, distribution
from core.runs.scores.summary import ScoreMatrix
from core.stats.ranks.rank_correlation import CONSTANT

NAN = float("nan")


def matrix(**columns):
    values = np.array(list(columns.values()), dtype=float).T
    return ScoreMatrix(
        case_ids=tuple(f"c{place}" for place in range(len(values))),
        clusters=np.arange(len(values)) // 2,
        names=tuple(columns),
        values=values,
    )


def test_a_distribution_spans_the_range_of_the_metric():
    found = distribution(matrix(recall=[0.0, 0.1, 0.5, 1.0, NAN]), "recall", bins=4)
    assert found.edges == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert found.counts == (2, 0, 1, 1)  # 0.5 belongs to the bin above it, 1.0 to the last
    assert (found.n, found.of, found.low, found.high) == (4, 5, 0.0, 1.0)
    cosine = distribution(matrix(groundedness=[0.0, 0.1]), "groundedness", bins=2)
    assert (cosine.edges, cosine.counts) == ((-1.0, 0.0, 1.0), (0, 2))


def test_a_distribution_without_bounds_spans_what_was_seen():
    assert distribution(matrix(foreign=[3.0, 5.0, 7.0]), "foreign", bins=2).edges == (3.0, 5.0, 7.0)
    assert distribution(matrix(foreign=[3.0, 3.0]), "foreign", bins=1).counts == (2,)
    empty = distribution(matrix(foreign=[NAN, NAN]), "foreign", bins=2)
    assert (empty.counts, empty.n, empty.of) == ((0, 0), 0, 2)
    with pytest.raises(InvalidInput, match="mrr was not read"):
        distribution(matrix(recall=[0.0]), "mrr")


def test_values_beyond_the_range_are_shown_too():
    found = distribution(matrix(recall=[-0.5, 0.5, 1.5]), "recall", bins=2)
    assert (found.edges, found.counts) == ((-0.5, 0.5, 1.5), (1, 2))


def test_each_pair_is_compared_where_both_are_scored():
    draw = np.random.default_rng(0)
    first = draw.normal(size=60)
    second = first + draw.normal(size=60)
    first[:10], second[5:20] = NAN, NAN
    found = correlations(matrix(a=first, b=second, c=np.ones(60)))
    pair = found.of("b", "a")
    assert (pair.a, pair.b, pair.estimate.n, pair.clusters) == ("a", "b", 40, 20)
    assert pair.estimate.low < pair.estimate.value < pair.estimate.high
    assert (found.of("a", "c").estimate.value, found.of("a", "c").estimate.method) == (None, CONSTANT)
    assert len(found.pairs) == 3


def test_the_greatest_disagreement_comes_first():
    # Ranks of recall 0, 1/3, 2/3, 1; a lower wasserstein is better, so its ranks are 1, 2/3, 1/3, 0 over 0.1 .. 0.4.
    found = disagreements(
        matrix(recall=[0.1, 0.2, 0.3, 0.4, NAN], wasserstein=[0.1, 0.2, 0.3, 0.4, 0.5]), "recall", "wasserstein"
    )
    assert [(row.case_id, round(row.difference, 3)) for row in found] == [
        ("c0", -1.0),
        ("c3", 1.0),
        ("c1", -0.333),
        ("c2", 0.333),
    ]
    assert (found[0].a, found[0].b, found[0].a_rank, found[0].b_rank) == (0.1, 0.1, 0.0, 1.0)
    assert len(disagreements(matrix(recall=[0.1, 0.2], wasserstein=[0.1, 0.2]), "recall", "wasserstein", n=1)) == 1


def test_a_verdict_may_be_one_of_them():
    found = disagreements(
        matrix(**{"groundedness": [0.9, 0.8, 0.2, 0.1], VERDICT_METRIC: [0.0, 1.0, 1.0, 1.0]}),
        "groundedness",
        VERDICT_METRIC,
    )
    # Grounded and wrong: rank 1 against 0; ungrounded and right: rank 0 against the mean rank of the right ones, 2/3.
    assert [(row.case_id, round(row.difference, 3)) for row in found[:2]] == [("c0", 1.0), ("c3", -0.667)]


def test_two_cases_are_needed_to_disagree():
    assert disagreements(matrix(a=[0.5, NAN], b=[0.1, 0.2]), "a", "b") == ()
    assert disagreements(matrix(a=[], b=[]), "a", "b") == ()
