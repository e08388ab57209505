"""Means of many groups at once against the same means one by one."""

from __future__ import annotations

import numpy as np
import pytest

from core.stats import clustered_mean, grouped_means

BOUNDS = [(0.0, 1.0), (None, None), (-1.0, 1.0), (0.0, None)]


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("kind", ["binary", "real", "constant", "both"])
@pytest.mark.parametrize("size", [1, 3, 200])
def test_each_group_has_the_figures_it_has_alone(
    bounds: tuple[float | None, float | None], kind: str, size: int
) -> None:
    low, high = bounds
    draw = np.random.default_rng(size)
    n, count = 600, 30
    groups = draw.integers(0, count - 1, n)  # the last group is empty
    clusters = draw.integers(0, size, n) if size > 1 else np.arange(n)
    real = draw.random(n)
    values = {
        "binary": (real < 0.8).astype(float),
        "real": real,
        "constant": np.where(groups % 2 == 0, 1.0, 0.25),
        "both": np.where(groups % 3 == 0, np.round(real), real),
    }[kind]
    found = grouped_means(values, groups, clusters, count, low=low, high=high)
    for group in range(count - 1):
        inside = groups == group
        alone = clustered_mean(values[inside], clusters[inside], low=low, high=high)
        assert found.n[group] == alone.n
        assert found.clusters[group] == np.unique(clusters[inside]).size
        assert found.mean[group] == pytest.approx(alone.value, abs=1e-12)
        for end, other in ((found.low[group], alone.low), (found.high[group], alone.high)):
            assert np.isnan(end) if other is None else end == pytest.approx(other, abs=1e-9)
    assert (found.n[-1], found.clusters[-1]) == (0, 0)
    assert np.isnan([found.mean[-1], found.low[-1], found.high[-1]]).all()


def test_nothing_is_no_group() -> None:
    found = grouped_means(np.empty(0), np.empty(0, dtype=int), np.empty(0, dtype=int), 2, low=0.0, high=1.0)
    assert found.n.tolist() == [0, 0]
    assert np.isnan(found.mean).all()
