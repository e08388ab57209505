"""Clusters drawn anew: the one engine of every bootstrap, the intervals from its draws, and that of a mean.

What is drawn are counts: how often each cluster, or each kind of alike ones, is in a resample. Loops elsewhere draw
something else from their seeds and stay where they are: permutation tests exchange and never repeat (the blocks of
`core.stats.comparisons.permutation`, and `core.weakness.clusters.scan` with its rotations), halves and folds deal each
cluster once (`core.stats.folds`), and `core.calibration.probability.improvement` draws labels by their probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate

LEAST_CLUSTERS = 6
"""With five clusters no two-sided sign-flip test can reach 0.05, and a bootstrap has too little to draw from."""

CELLS = 4_000_000
"""Draws times cases that are held at once, so that memory stays bounded."""

METHOD = "cluster bootstrap, BCa 95%"

Floats = NDArray[np.float64]


def resampled(
    statistic: Callable[[Floats], Floats], sizes: ArrayLike, *, draws: int, seed: int | np.random.Generator
) -> Floats:
    """A statistic of resamples in which as many clusters are drawn as there are, shape (draws,).

    Args:
        statistic: Of how often each kind is drawn, (some draws, kinds), one value for each row.
        sizes: How many clusters are of each kind, shape (kinds,); alike clusters drawn together cost no more than one.
        draws: How many resamples.
        seed: For the draws.

    >>> drawn = resampled(lambda counts: counts @ [0.0, 1.0] / 100, [60, 40], draws=500, seed=0)
    >>> drawn.shape, bool(abs(drawn.mean() - 0.4) < 0.01)
    ((500,), True)
    """
    weights = np.asarray(sizes, dtype=np.float64)
    return np.concatenate([statistic(counts) for counts in _counts(weights, draws, seed, weights.size)])


def case_counts(clusters: NDArray[np.intp], draws: int, seed: int) -> Iterator[Floats]:
    """How often each case is in a resample of whole clusters, (some draws, n), a bounded number of draws at a time.

    Args:
        clusters: What each case belongs to, numbered from 0 without a gap, shape (n,).
        draws: How many resamples.
        seed: For the draws.
    """
    for counts in _counts(np.ones(int(clusters.max()) + 1), draws, seed, clusters.size):
        yield counts[:, clusters]


def resampled_cases(
    statistic: Callable[[NDArray[np.intp]], ArrayLike], clusters: ArrayLike, *, draws: int, seed: int
) -> Floats:
    """A statistic of the places of the cases of clusters drawn anew, shape (draws, ...).

    For a statistic that cannot be told from counts, such as one that puts cases in bins; `resampled` draws faster, and
    other resamples from the same seed.

    Args:
        statistic: Of the places of the drawn cases, some of them more than once.
        clusters: What each case belongs to, shape (n,); with fewer than six there is no draw.
        draws: How many resamples.
        seed: For the draws.
    """
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(groups.max()) + 1
    if count < LEAST_CLUSTERS:
        return np.empty(0)
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    generator = np.random.default_rng(seed)
    return np.array(
        [
            statistic(np.concatenate([members[group] for group in generator.integers(0, count, count)]))
            for _ in range(draws)
        ],
        dtype=np.float64,
    )


def percentiles(estimates: Floats) -> tuple[float | None, float | None]:
    """The middle 95% of the resamples in which the statistic is defined; None where it is in none."""
    defined = estimates[np.isfinite(estimates)]
    if not defined.size:
        return None, None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def bootstrap_interval(
    value: float,
    estimates: Floats,
    clusters: ArrayLike,
    *,
    compared: int = 1,
    least: float = -np.inf,
    most: float = np.inf,
) -> Estimate:
    """A value with the 95% interval of its resamples, which holds the value and lies in its range.

    The interval lies between two quantiles of the draws, which are moved outward from the normal's to Student's t with
    one degree of freedom less than there are clusters, and by the factor sqrt(G / (G - 1)), since a bootstrap of G
    clusters is too narrow by that (Hesterberg's expanded percentiles).

    Args:
        value: Of all cases.
        estimates: Of each resample, shape (draws,); where it is not finite it is left out.
        clusters: What each case belongs to, shape (n,); with fewer than six, or no draw, there is no interval.
        compared: By how many comparisons the level is divided (Bonferroni).
        least: The least possible value.
        most: The greatest possible value.

    Reference:
        T. C. Hesterberg (2015), What teachers should know about the bootstrap, section 5.
    """
    labels = np.asarray(clusters)
    defined = estimates[np.isfinite(estimates)]
    count = int(np.unique(labels).size)
    if not defined.size or count < LEAST_CLUSTERS:
        few = f"fewer than {LEAST_CLUSTERS} clusters"
        return Estimate(value=value, low=None, high=None, n=labels.size, method=few)
    outward = float(special.stdtrit(count - 1, 1.0 - 0.025 / max(compared, 1))) * (count / (count - 1)) ** 0.5
    tail = float(special.ndtr(-outward))
    low, high = np.quantile(defined, [tail, 1.0 - tail])
    adjusted = f", adjusted for {compared} comparisons" if compared > 1 else ""
    return Estimate(
        value=value,
        low=max(min(float(low), value), least),
        high=min(max(float(high), value), most),
        n=labels.size,
        method=f"bootstrap over {count} clusters, 95%{adjusted}",
    )


def _counts(sizes: Floats, draws: int, seed: int | np.random.Generator, width: int) -> Iterator[Floats]:
    """How often each kind is drawn, a block of draws at a time that `width` cells a draw allow."""
    generator = np.random.default_rng(seed)
    total = int(sizes.sum())
    block = max(1, CELLS // width)
    for start in range(0, draws, block):
        kind_counts = generator.multinomial(total, sizes / total, size=min(block, draws - start))
        yield kind_counts.astype(np.float64)


def cluster_bootstrap(
    values: ArrayLike, *, other: ArrayLike | None = None, seed: int = 0, resamples: int = 4_999, span: float = 1.0
) -> Estimate:
    """The mean of one value per cluster, or the difference of two such means, with a bootstrap interval.

    Whole clusters are drawn again, so that whatever is alike inside a cluster stays together. The interval is bias
    corrected and accelerated; its tail probabilities are widened from the normal to Student's t, because the bootstrap
    of `n` values is too narrow by the factor sqrt((n-1)/n) and knows the spread no better than t does.

    Each sample is drawn from with two clusters more: for differences, one as far above zero as the largest seen and one
    as far below (`span` where all are equal); for two samples of shares, a 0 and a `span`. Differences between wordings
    are mostly zero, and a bootstrap of 45 values of which three differ gives too narrow an interval; with none it has
    no width at all, which is no evidence that there is none. Agresti and Coull do the same for a share. The estimate
    itself is that of the values alone.

    Clusters with equal values are drawn together as one multinomial count, so the cost goes with the distinct values.

    Args:
        values: One value per cluster, shape (n,).
        other: One value per cluster of a second, independent sample, shape (m,); then the difference of the means.
        seed: For the draws.
        resamples: How many draws.
        span: The largest value possible; ends lie within `span` of zero.

    Raises:
        InsufficientData: A sample has fewer than six clusters.

    Reference:
        B. Efron (1987), Better bootstrap confidence intervals. T. C. Hesterberg (2015), What teachers should know about
        the bootstrap, section 5 (expanded percentiles). A. Agresti and B. A. Coull (1998), Approximate is better than
        'exact' for interval estimation of binomial proportions.

    >>> mean = cluster_bootstrap([0.0, 0.5, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0])
    >>> mean.value, mean.low < 0.5 < mean.high, mean.n
    (0.5, True, 8)
    """
    samples = [np.asarray(values, dtype=np.float64)]
    if other is not None:
        samples.append(np.asarray(other, dtype=np.float64))
    smallest = min(sample.size for sample in samples)
    if smallest < LEAST_CLUSTERS:
        raise InsufficientData(LEAST_CLUSTERS, int(smallest), "clusters")
    signs = (1.0, -1.0)
    total = int(sum(sample.size for sample in samples))
    value = float(sum(sign * sample.mean() for sign, sample in zip(signs, samples, strict=False)))
    if other is None:
        reach = float(np.abs(samples[0]).max()) if np.ptp(samples[0]) > 0.0 else span
        added = [reach, -reach]
    else:
        added = [span, 0.0]
    steadied = [np.concatenate([sample, added]) for sample in samples]
    generator = np.random.default_rng(seed)
    draws = np.zeros(resamples)
    for sign, sample in zip(signs, steadied, strict=False):
        draws += sign * _resampled_means(sample, generator, resamples)
    low, high = _bca(draws, steadied, smallest)
    return Estimate(
        value=value, low=max(min(low, value), -span), high=min(max(high, value), span), n=total, method=METHOD
    )


def _resampled_means(sample: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    distinct, counts = np.unique(sample, return_counts=True)
    return resampled(
        lambda sample_counts: sample_counts @ distinct / sample.size, counts, draws=resamples, seed=generator
    )


def _bca(draws: NDArray[np.float64], samples: list[NDArray[np.float64]], smallest: int) -> tuple[float, float]:
    signs = (1.0, -1.0)
    centre = float(sum(sign * sample.mean() for sign, sample in zip(signs, samples, strict=False)))
    tolerance = 1e-12
    below = float(np.mean(draws < centre - tolerance) + 0.5 * np.mean(np.abs(draws - centre) <= tolerance))
    edge = 0.5 / draws.size
    bias = float(special.ndtri(min(max(below, edge), 1.0 - edge)))
    influence = np.concatenate(
        [sign * (sample - sample.mean()) / (sample.size - 1) for sign, sample in zip(signs, samples, strict=False)]
    )
    acceleration = float((influence**3).sum()) / (6.0 * float(np.square(influence).sum()) ** 1.5)
    wide = float(special.stdtrit(smallest - 1, 0.975)) * np.sqrt(smallest / (smallest - 1))
    levels = []
    for quantile in (-wide, wide):
        moved = bias + quantile
        # The correction folds back where the skew is extreme; the quantile is then left as it is.
        bent = 1.0 - acceleration * moved
        levels.append(float(special.ndtr(bias + moved / bent)) if bent > 0 else float(special.ndtr(quantile)))
    low, high = np.quantile(draws, levels)
    return float(low), float(high)
