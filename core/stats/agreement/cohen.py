"""Agreement of two raters beyond chance."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.stats.intervals import Z95


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Estimate:
    r"""Cohen's kappa for two raters who gave one label each to the same items.

    .. math:: \kappa = (p_o - p_e) / (1 - p_e)

    with the observed agreement and that expected from the raters' own frequencies. The interval uses the large-sample
    standard error of Fleiss, Cohen and Everitt. Where both raters use one and the same label throughout, chance agrees
    fully and kappa is undefined: the estimate has no value.

    Args:
        first: Labels of one rater, shape (n,).
        second: Labels of the other, same items in the same order.

    Raises:
        InvalidInput: The two differ in length.
        InsufficientData: There is no item.

    Reference:
        J. Cohen (1960), A coefficient of agreement for nominal scales. J. L. Fleiss, J. Cohen and B. S. Everitt (1969),
        Large sample standard errors of kappa and weighted kappa.

    >>> cohen_kappa("aabb", "aabb").value, round(cohen_kappa("aaabbb", "aabbbb").value, 4)  # (5/6 - 1/2) / (1/2)
    (1.0, 0.6667)
    """
    if len(first) != len(second):
        raise InvalidInput(
            f"One rater labelled {len(first)} items, the other {len(second)}.", "Give each item two labels."
        )
    n = len(first)
    if n == 0:
        raise InsufficientData(1, 0, "items")
    codes = {label: index for index, label in enumerate(dict.fromkeys([*first, *second]))}
    table = np.zeros((len(codes), len(codes)))
    for first_label, second_label in zip(first, second, strict=True):
        table[codes[first_label], codes[second_label]] += 1 / n
    rows, columns, same = table.sum(axis=1), table.sum(axis=0), np.diag(table)
    observed, expected = float(same.sum()), float(rows @ columns)
    if 1.0 - expected < 1e-12:
        return Estimate(value=None, low=None, high=None, n=n, method="Cohen's kappa, one label only")
    kappa = (observed - expected) / (1.0 - expected)
    marginal = rows[:, None] + columns[None, :]
    agreeing = float(np.sum(same * np.square(1.0 - (rows + columns) * (1.0 - kappa))))
    differing = (1.0 - kappa) ** 2 * float(np.sum((table - np.diag(same)) * np.square(marginal.T)))
    variance = (agreeing + differing - (kappa - expected * (1.0 - kappa)) ** 2) / (n * (1.0 - expected) ** 2)
    half = Z95 * max(variance, 0.0) ** 0.5
    return Estimate(
        value=kappa, low=max(-1.0, kappa - half), high=min(1.0, kappa + half), n=n, method="Cohen's kappa, 95%"
    )
