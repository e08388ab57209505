"""Split conformal prediction: sets of labels that hold the human's label with a chosen probability."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData, InvalidInput

Floats = NDArray[np.float64]
Method = Literal["lac", "aps"]
POOLED = "(all)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """The finite-sample quantile of one calibration part.

    Attributes:
        value: The k-th smallest score, infinite where k > n: then every label is in every set.
        n: Size of the calibration part.
        k: Its rank: ceil((n + 1)(1 - alpha)), or more where cases share sources.
        clusters: How many sources the cases come from.
    """

    value: float
    n: int
    k: int
    clusters: int

    @property
    def too_few(self) -> bool:
        """Whether n labels cannot promise 1 - alpha."""
        return self.k > self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Conformal:
    """A calibrated rule that turns probabilities into sets.

    Attributes:
        alpha: The share of sets that may miss the label.
        method: How a label's score comes from the probabilities.
        quantiles: One for all cases under `POOLED`; Mondrian: one a group that has enough labels besides.
    """

    alpha: float
    method: Method
    quantiles: Mapping[Hashable, Quantile]

    def quantile(self, group: Hashable = POOLED) -> Quantile:
        """The quantile of a group; a group without one of its own falls back to that of all."""
        return self.quantiles.get(group, self.quantiles[POOLED])

    def sets(self, probabilities: ArrayLike, groups: Sequence[Hashable] | None = None) -> NDArray[np.bool_]:
        """Which labels are in each case's set, {y : S(x, y) <= q}, ties included.

        Args:
            probabilities: One row a case, one column a label, shape (n, labels).
            groups: The group of each case, where there are groups.

        Returns:
            Membership, shape (n, labels); a row may be empty.
        """
        scores = conformity(probabilities, self.method)
        if groups is None:
            limits = np.full(len(scores), self.quantile().value)
        else:
            limits = np.array([self.quantile(group).value for group in groups])
        return np.asarray(scores <= limits[:, None])


def finite_quantile(scores: ArrayLike, alpha: float, clusters: ArrayLike | None = None) -> Quantile:
    r"""The :math:`k`-th smallest score with :math:`k = \lceil (n+1)(1-\alpha) \rceil`; never interpolated.

    Where cases share sources, a new case comes from a new source, and n cases of few sources promise less than n
    independent ones. Then the quantile is the larger of this one and that in which each of G sources has the mass
    1 / (G + 1), spread over its cases, and infinity has the rest: the smallest score with a mass of 1 - alpha.

    Args:
        scores: Nonconformity of the true labels of the calibration part, shape (n,).
        alpha: Share of misses allowed, between 0 and 1.
        clusters: The source of each case, shape (n,); each case alone by default.

    Returns:
        The quantile; infinite where k > n (n < 9 at alpha 0.1, n < 19 at 0.05, n < 99 at 0.01, of sources as well).

    Raises:
        InvalidInput: Alpha is not between 0 and 1.

    Reference:
        V. Vovk, A. Gammerman and G. Shafer (2005), Algorithmic learning in a random world. HCAT's quantile level
        ceil((n+1)(1-alpha))/n is this one only with the inverse of the empirical distribution and k <= n. Y. Lee, R. F.
        Barber and R. Willett (2023), Distribution-free inference with hierarchical data, for shared sources.

    >>> finite_quantile([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], 0.1).value
    0.9
    >>> finite_quantile([0.1, 0.2], 0.1).value
    inf
    """
    if not 0.0 < alpha < 1.0:
        raise InvalidInput(f"alpha is {alpha}.", "Give a share of misses between 0 and 1, such as 0.1.")
    values = np.asarray(scores, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    # The product is rounded first: (9 + 1) * (1 - 0.1) is 9.000000000000002 in floating point, and its ceiling 10.
    k = math.ceil(round((ordered.size + 1) * (1.0 - alpha), 9))
    sources = ordered.size
    if clusters is not None and ordered.size:
        _, index = np.unique(np.asarray(clusters), return_inverse=True)
        sizes = np.bincount(index)
        sources = int(sizes.size)
        mass = np.cumsum(1.0 / sizes[index][order]) / (sources + 1.0)
        k = max(k, int(np.searchsorted(mass, 1.0 - alpha - 1e-9)) + 1)
    value = float(ordered[k - 1]) if k <= ordered.size else math.inf
    return Quantile(value=value, n=int(ordered.size), k=k, clusters=int(sources))


def conformity(probabilities: ArrayLike, method: Method = "lac") -> Floats:
    r"""The nonconformity of every label, shape (n, labels).

    LAC, the paper's score: :math:`S(x, y) = 1 - P(y \mid x)`. APS: the probability of all labels that are more probable
    than y, plus that of y: larger sets where the model is unsure, more even coverage.

    Raises:
        InvalidInput: The rows are not distributions.

    Reference:
        HCAT, equation of section 5.2. M. Sadinle, J. Lei and L. Wasserman (2019), Least ambiguous set-valued
        classifiers. Y. Romano, M. Sesia and E. Candes (2020), Classification with valid and adaptive coverage; without
        their randomisation, so that equal cases get equal sets: coverage is then at least what is promised.
    """
    table = np.asarray(probabilities, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all() or (np.abs(table.sum(axis=1) - 1.0) > 1e-6).any():
        raise InvalidInput("The probabilities of a case do not sum to 1.", "Give one row a case, one column a label.")
    if method == "lac":
        return 1.0 - table
    order = np.argsort(-table, axis=1, kind="stable")
    sums = np.cumsum(np.take_along_axis(table, order, axis=1), axis=1)
    cumulative = np.empty_like(table)
    np.put_along_axis(cumulative, order, sums, axis=1)
    # Labels of equal probability are equally conforming, whatever order they were listed in.
    ties = table[:, :, None] == table[:, None, :]
    # Sums of the same numbers in another order differ in the last digits, which is no difference.
    return np.asarray(np.round(np.where(ties, cumulative[:, None, :], 0.0).max(axis=2), 12))


def conformalise(
    probabilities: ArrayLike,
    labels: ArrayLike,
    *,
    alpha: float,
    method: Method = "lac",
    groups: Sequence[Hashable] | None = None,
    clusters: ArrayLike | None = None,
) -> Conformal:
    """Calibrates sets on labelled cases that the probability model has not seen.

    Args:
        probabilities: Of the calibration cases, shape (n, labels).
        labels: The true label of each, as its column number, shape (n,).
        alpha: Share of misses allowed.
        method: LAC or APS.
        groups: Mondrian: the group of each case; a group gets its own quantile where its size allows the promise.
        clusters: The source of each case, shape (n,); each case alone by default.

    Raises:
        InsufficientData: There is no case.
        InvalidInput: A label has no column, alpha is out of range, the rows are not distributions, or a group has the
            name that stands for all.
    """
    scores = conformity(probabilities, method)
    truth = np.asarray(labels)
    if not len(scores):
        raise InsufficientData(1, 0, "labelled cases")
    if truth.shape != (len(scores),) or not np.isin(truth, np.arange(scores.shape[1])).all():
        raise InvalidInput("A label is not one of the levels.", "Give each case's level by its column number.")
    label_scores = scores[np.arange(len(scores)), truth.astype(int)]
    sources = np.arange(len(scores)) if clusters is None else np.asarray(clusters)
    quantiles: dict[Hashable, Quantile] = {POOLED: finite_quantile(label_scores, alpha, sources)}
    if groups is not None:
        if POOLED in groups:
            raise InvalidInput(f"A group is called {POOLED}.", "Rename it: this name stands for all cases.")
        for group in dict.fromkeys(groups):
            members = np.array([name == group for name in groups])
            quantile = finite_quantile(label_scores[members], alpha, sources[members])
            if not quantile.too_few:
                quantiles[group] = quantile
    return Conformal(alpha=alpha, method=method, quantiles=quantiles)
