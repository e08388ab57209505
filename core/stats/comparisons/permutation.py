"""Permutation tests on clusters' values: paired, paired with unequal numbers of cases, and unpaired."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData
from core.stats.resampling import CELLS, LEAST_CLUSTERS

EXACT_COST = 20_000_000
"""Additions up to which the sign-flip distribution is worked out in full."""

EXACT_SPLITS = 20_000
"""Ways of dividing the clusters up to which each one is looked at."""

CLOSE = 1e-9

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """A two-sided p-value and how it came about.

    Attributes:
        n: Clusters.
        method: Exact or drawn, and what was exchanged.
    """

    p_value: float
    n: int
    method: str


def paired_permutation(differences: ArrayLike, *, seed: int = 0, draws: int = 99_999) -> PermutationTest:
    """Tests that within-cluster differences are symmetric about zero, by flipping their signs.

    If the two values of an attribute do not matter, each cluster's difference is as likely to have the other sign. The
    sum over all sign patterns is worked out exactly where the differences lie on a common grid (they are differences of
    shares with small denominators); clusters of equal size of difference are convolved as one binomial. Otherwise
    patterns are drawn, and the observed one counts as one of them, so that the p-value is never too small. Clusters
    with a difference of zero change nothing and stay in.

    Args:
        differences: One per cluster, shape (n,).
        seed: For drawn patterns.
        draws: How many of them.

    Raises:
        InsufficientData: There are fewer than six clusters: the smallest p-value of five is 2/32.

    Reference:
        R. A. Fisher (1935), The design of experiments, section 21.

    >>> paired_permutation([0.5, 0.5, 1.0, 0.5, 1.0, 0.5]).p_value  # 2 of the 64 patterns are as extreme
    0.03125
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size < LEAST_CLUSTERS:
        raise InsufficientData(LEAST_CLUSTERS, int(values.size), "paired clusters")
    nonzero = np.asarray(np.round(np.abs(values[np.abs(values) > CLOSE]), 12), dtype=np.float64)
    sizes, counts = np.unique(nonzero, return_counts=True)
    if sizes.size == 0:
        return PermutationTest(p_value=1.0, n=int(values.size), method="sign flips within clusters, exact")
    observed = abs(float(values.sum()))
    grid = _grid(sizes)
    if grid is not None and float(grid @ counts) * 2 * float(counts.sum()) <= EXACT_COST:
        p_value = _exact_flips(grid, counts, observed / (float(sizes[0]) / int(grid[0])))
        return PermutationTest(p_value=p_value, n=int(values.size), method="sign flips within clusters, exact")
    generator = np.random.default_rng(seed)
    sums = np.zeros(draws)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2.0 * generator.binomial(int(count), 0.5, size=draws) - count)
    extreme = int(np.sum(np.abs(sums) >= observed - CLOSE))
    method = f"sign flips within clusters, {draws:,} drawn"
    return PermutationTest(p_value=(extreme + 1) / (draws + 1), n=int(values.size), method=method)


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """What one kind of cluster can contribute when its cases exchange their labels.

    Attributes:
        values: The possible differences, shape (k,).
        chances: How likely each is, shape (k,), summing to 1.
        clusters: How many clusters are of this kind.
    """

    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    clusters: int


def exchange_permutation(
    observed: float, exchanges: Sequence[Exchange], *, seed: int = 0, draws: int = 9_999
) -> PermutationTest:
    """Tests a sum of within-cluster differences by exchanging labels between the cases of each cluster.

    Sign flips assume differences symmetric about zero, which those of clusters with, say, one case against six are not.
    Exchanging labels inside a cluster is exact for any sizes, as long as its cases are alike but for the label. The
    differences are measured from the sum expected under exchange.

    Args:
        observed: The sum of all clusters' differences.
        exchanges: The null distribution of each kind of cluster.
        seed: For the draws.
        draws: How many; the observed sum counts as one of them.

    Reference:
        E. J. G. Pitman (1937), Significance tests which may be applied to samples from any populations.

    >>> even = Exchange(np.array([-1.0, 1.0]), np.array([0.5, 0.5]), 8)
    >>> exchange_permutation(8.0, [even]).p_value < 0.05  # 2 of 256
    True
    """
    generator = np.random.default_rng(seed)
    sums = np.zeros(draws)
    expected = 0.0
    for kind in exchanges:
        kind_counts = generator.multinomial(kind.clusters, kind.chances, size=draws)
        sums += kind_counts @ kind.values
        expected += kind.clusters * float(kind.values @ kind.chances)
    extreme = int(np.sum(np.abs(sums - expected) >= abs(observed - expected) - CLOSE))
    return PermutationTest(
        p_value=(extreme + 1) / (draws + 1),
        n=sum(kind.clusters for kind in exchanges),
        method=f"labels exchanged within clusters, {draws:,} drawn",
    )


def unpaired_permutation(
    values: ArrayLike, other: ArrayLike, *, alike: bool = True, seed: int = 0, draws: int = 9_999
) -> PermutationTest:
    """Tests that two independent samples of clusters have the same mean, by exchanging cluster labels.

    The statistic is Welch's t, so that the test holds its level for samples that differ in spread as well, as they
    grow; for equal distributions it is exact. All divisions are looked at where there are few of them.

    Shares of clusters of different sizes differ in distribution even if nothing differs but the sizes: one of one case
    is 0 or 1, one of ten cases seldom either. With `alike=False` the larger of two p-values counts: this one, and that
    of Welch's t with a 0 and a 1 added to each sample, which does not rest on exchange.

    Args:
        values: One value per cluster of the first sample, shape (n,).
        other: One value per cluster of the second, shape (m,).
        alike: Whether clusters of both samples have the same distribution if nothing differs.
        seed: For drawn divisions.
        draws: How many of them.

    Raises:
        InsufficientData: A sample has fewer than six clusters.

    Reference:
        A. Janssen (1997), Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher
        problem.

    >>> unpaired_permutation([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]).p_value < 0.01
    True
    """
    first, second = np.asarray(values, dtype=np.float64), np.asarray(other, dtype=np.float64)
    smallest = int(min(first.size, second.size))
    if smallest < LEAST_CLUSTERS:
        raise InsufficientData(LEAST_CLUSTERS, smallest, "clusters on each side")
    exchanged = _exchanged_labels(first, second, seed, draws)
    if alike:
        return exchanged
    steadied = _steadied_welch(first, second)
    return steadied if steadied.p_value > exchanged.p_value else exchanged


def permuted_blocks(values: NDArray[T], draws: int, seed: int, width: int) -> Iterator[NDArray[T]]:
    """The values in drawn orders, shape (some draws, n), as many at a time as `width` cells an order allow."""
    generator = np.random.default_rng(seed)
    block = max(1, CELLS // width)
    for start in range(0, draws, block):
        yield generator.permuted(np.broadcast_to(values, (min(block, draws - start), values.size)), axis=1)


def _exchanged_labels(
    first: NDArray[np.float64], second: NDArray[np.float64], seed: int, draws: int
) -> PermutationTest:
    pooled = np.concatenate([first, second])
    n, total = int(first.size), int(pooled.size)
    observed = float(_welch(pooled[None, :], n)[0])
    if comb(total, n) <= EXACT_SPLITS:
        picks = np.array(list(combinations(range(total), n)))
        chosen = np.zeros((len(picks), total), dtype=bool)
        np.put_along_axis(chosen, picks, values=True, axis=1)
        order = np.argsort(~chosen, axis=1, kind="stable")
        extreme = int(np.sum(_welch(pooled[order], n) >= observed - CLOSE))
        return PermutationTest(p_value=extreme / len(picks), n=total, method="labels exchanged between clusters, exact")
    blocks = permuted_blocks(pooled, draws, seed, total)
    extreme = sum(int(np.sum(_welch(shuffled, n) >= observed - CLOSE)) for shuffled in blocks)
    method = f"labels exchanged between clusters, {draws:,} drawn"
    return PermutationTest(p_value=(extreme + 1) / (draws + 1), n=total, method=method)


def _steadied_welch(first: NDArray[np.float64], second: NDArray[np.float64]) -> PermutationTest:
    """Welch's t with a 0 and a 1 added to each sample, two-sided; the freedom is that of the smaller sample."""
    n, m = int(first.size), int(second.size)
    steadied_first, steadied_second = (np.concatenate([sample, [0.0, 1.0]]) for sample in (first, second))
    statistic = float(_welch(np.concatenate([steadied_first, steadied_second])[None, :], n + 2)[0])
    p_value = 2.0 * float(special.stdtr(min(n, m) - 1, -statistic))
    return PermutationTest(p_value=p_value, n=n + m, method="Welch's t with a 0 and a 1 added to each side")


def _grid(sizes: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """The sizes as whole multiples of one step, None where no small step fits them all."""
    fractions = [Fraction(float(size)).limit_denominator(1_000) for size in sizes]
    step = lcm(*(fraction.denominator for fraction in fractions))
    if step > 1_000_000:
        return None
    whole = np.array([int(fraction * step) for fraction in fractions], dtype=np.int64)
    return whole if bool(np.all(np.abs(whole / step - sizes) < CLOSE)) else None


def _exact_flips(grid: NDArray[np.int64], counts: NDArray[np.intp], observed: float) -> float:
    """The share of sign patterns whose sum is at least as far from zero, by convolution on the grid."""
    reach = int(grid @ counts)
    mass = np.zeros(2 * reach + 1)
    mass[reach] = 1.0
    for step, count in zip(grid.tolist(), counts.tolist(), strict=True):
        for _ in range(count):
            # No mass lies within `step` of the ends yet, so rolling does not wrap anything but zeros.
            mass = 0.5 * (np.roll(mass, step) + np.roll(mass, -step))
    far = np.abs(np.arange(-reach, reach + 1)) >= observed - 1e-6
    return min(float(mass[far].sum()), 1.0)


def _welch(blocks: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Absolute Welch t of the first `n` columns against the rest, per row; 0/0 is 0, and x/0 infinite."""
    first, second = blocks[:, :n], blocks[:, n:]
    gap = np.abs(first.mean(axis=1) - second.mean(axis=1))
    variance = first.var(axis=1, ddof=1) / n + second.var(axis=1, ddof=1) / second.shape[1]
    gap[gap < CLOSE] = 0.0
    flat = variance < CLOSE**2
    return np.where(flat, np.where(gap > 0, np.inf, 0.0), gap / np.sqrt(np.where(flat, 1.0, variance)))
