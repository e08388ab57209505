"""Rank correlation: golden numbers, scipy, intervals that cover, and what has no correlation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from core.domain.errors import InsufficientData
from core.stats import clustered_spearman, paired_spearman_difference, spearman

ROWS = arrays.arrays(np.float64, st.integers(3, 40), elements=st.integers(-4, 4).map(float))


def test_golden() -> None:
    # ranks 1 2 3 4 5 against 2 1 4 3 5: sum of squared differences 4, 1 - 6 * 4 / (5 * 24) = 0.8
    assert spearman([10, 20, 30, 40, 50], [2, 1, 4, 3, 5]) == pytest.approx(0.8)
    # ties: ranks 1.5 1.5 3.5 3.5 and 1 2 3 4; deviations -1 -1 1 1 and -1.5 -.5 .5 1.5:
    # product 4, squares 4 and 5, 4 / sqrt(20) = 0.894427
    assert spearman([0, 0, 1, 1], [1, 2, 3, 4]) == pytest.approx(0.8944271909999159)


@pytest.mark.slow
@given(ROWS, st.randoms(use_true_random=False))
def test_is_that_of_scipy(x: np.ndarray, random: object) -> None:
    y = np.array([random.randrange(5) for _ in x], dtype=float)  # type: ignore[attr-defined]
    found = spearman(x, y)
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        assert found is None
    else:
        assert found == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert spearman(y, x) == pytest.approx(found, abs=1e-12)
        assert spearman(-x, y) == pytest.approx(-found, abs=1e-12)
        assert spearman(np.exp(x), y) == pytest.approx(found, abs=1e-12)


@pytest.mark.slow
def test_a_draw_is_the_correlation_of_the_drawn_cases() -> None:
    """The weighted ranks of a draw are those of the cases written out as often as they were drawn."""
    random = np.random.default_rng(3)
    x, y = random.integers(0, 4, 24).astype(float), random.integers(0, 4, 24).astype(float)
    clusters = np.repeat(np.arange(8), 3)
    drawn = np.random.default_rng(11).multinomial(8, np.full(8, 1 / 8), size=400)
    by_hand = []
    for counts in drawn:
        rows = np.repeat(np.arange(24), counts[clusters])
        by_hand.append(stats.spearmanr(x[rows], y[rows]).statistic)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 7) * np.sqrt(8 / 7))
    low, high = np.quantile(by_hand, [tail, 1 - tail])
    found = clustered_spearman(x, y, clusters, draws=400, seed=11)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_a_paired_difference_is_the_difference_of_both() -> None:
    random = np.random.default_rng(5)
    y = random.normal(size=120)
    good, bad = y + random.normal(size=120), y + 3.0 * random.normal(size=120)
    clusters = np.arange(120) // 2
    found = paired_spearman_difference(good, bad, y, clusters, seed=1)
    assert found.value == pytest.approx(spearman(good, y) - spearman(bad, y))  # type: ignore[operator]
    assert found.low is not None
    assert found.low > 0.0
    turned = paired_spearman_difference(bad, good, y, clusters, seed=1)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-3)  # type: ignore[operator]


def test_names_and_order_of_clusters_do_not_matter() -> None:
    random = np.random.default_rng(7)
    x, y, clusters = random.normal(size=60), random.normal(size=60), np.repeat(np.arange(20), 3)
    first = clustered_spearman(x, y, clusters)
    assert clustered_spearman(x, y, [f"task {number:03d}" for number in clusters]) == first


def test_a_constant_side_has_no_correlation() -> None:
    found = clustered_spearman([1] * 12, range(12), range(12))
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 12)
    assert paired_spearman_difference([1] * 12, range(12), range(12), range(12)).value is None


def test_too_little_is_said() -> None:
    with pytest.raises(InsufficientData, match="at least 6 clusters"):
        clustered_spearman(range(10), range(10), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    with pytest.raises(InsufficientData, match="at least 3 pairs"):
        spearman([1, 2], [1, 2])


@pytest.mark.parametrize(
    ("x", "y", "clusters"),
    [([1, 2, float("nan")], [1, 2, 3], [1, 2, 3]), ([1, 2, 3], [1, 2], [1, 2, 3]), ([1, 2, 3], [1, 2, 3], [1, 2])],
)
def test_shapes_and_values_are_checked(x: list[float], y: list[float], clusters: list[int]) -> None:
    with pytest.raises(ValueError, match=r"finite|values and"):
        clustered_spearman(x, y, clusters)


@pytest.mark.statistical
def test_the_interval_covers() -> None:
    """200 sets of 20 clusters of two: the true value is inside in 95 of 100, with room for chance (sd 1.5)."""
    random = np.random.default_rng(0)

    def rows(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        shared = random.normal(size=(count, 1))
        other = 0.6 * shared + 0.8 * random.normal(size=(count, 1))
        first, second = (side + random.normal(size=(count, 2)) for side in (shared, other))
        return first.ravel(), second.round().ravel(), np.repeat(np.arange(count), 2)

    far, near, _ = rows(200_000)
    truth = spearman(far, near)
    assert truth is not None
    found = [clustered_spearman(*rows(20), draws=400, seed=seed) for seed in range(200)]
    covered = sum(one.low <= truth <= one.high for one in found)  # type: ignore[operator]
    assert 180 <= covered <= 199
