"""Cluster bootstrap: an interval for the mean of independent clusters' values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate

LEAST_CLUSTERS = 6
"""With five clusters no two-sided sign-flip test can reach 0.05, and a bootstrap has too little to draw from."""

METHOD = "cluster bootstrap, BCa 95%"


def cluster_bootstrap(
    values: ArrayLike, *, other: ArrayLike | None = None, seed: int = 0, resamples: int = 4_999, span: float = 1.0
) -> Estimate:
    """The mean of one value per cluster, or the difference of two such means, with a bootstrap interval.

    Whole clusters are drawn again, so that whatever is alike inside a cluster stays together. The interval is bias
    corrected and accelerated; its tail probabilities are widened from the normal to Student's t, because the bootstrap
    of `n` values is too narrow by the factor sqrt((n-1)/n) and knows the spread no better than t does.

    Each sample is drawn from with two clusters more: for differences, one as far above zero as the largest seen and one
    as far below (`span` where all are equal); for two samples of shares, a 0 and a `span`. Differences between wordings
    are mostly zero, and a bootstrap of 45 values of which three differ is too sure of itself; with none it has no width
    at all, which is no evidence that there is none. Agresti and Coull do the same for a share. The estimate itself is
    that of the values alone.

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

    >>> found = cluster_bootstrap([0.0, 0.5, 0.5, 1.0, 0.5, 0.0, 0.5, 1.0])
    >>> found.value, found.low < 0.5 < found.high, found.n
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


def _resampled_means(
    sample: NDArray[np.float64], generator: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    distinct, counts = np.unique(sample, return_counts=True)
    drawn = generator.multinomial(sample.size, counts / sample.size, size=resamples)
    return np.asarray(drawn @ distinct / sample.size, dtype=np.float64)


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
