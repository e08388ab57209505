"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InvalidInput


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's step-down adjustment: the chance of any false rejection stays at the level, however the tests depend.

    With the p-values in order, the k-th of m becomes max over j <= k of min(1, (m - j + 1) p_j).

    Args:
        p_values: One per test; None where a test could not be made, which is no test and is not counted.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        InvalidInput: A value outside 0 to 1.

    Reference:
        S. Holm (1979), A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    (0.03, 0.06, None, 0.06)
    """
    ordered = sorted((value, index) for index, value in enumerate(p_values) if value is not None)
    wrong = next((value for value, _ in ordered if not 0.0 <= value <= 1.0), None)
    if wrong is not None:
        raise InvalidInput(f"{wrong} is not a p-value.", "It lies between 0 and 1.")
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (value, index) in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * value))
        adjusted[index] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    r"""Benjamini and Hochberg's adjustment: of what is called different at q, a share of q at most is not, on average.

    With the p-values in order, the k-th of m becomes :math:`\min_{j \ge k} \min(1, m p_j / j)`.

    Args:
        p_values: One per test, shape (m,); NaN where a test could not be made, which is no test and is not counted.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        InvalidInput: A value outside 0 to 1.

    Reference:
        Y. Benjamini and Y. Hochberg (1995), Controlling the false discovery rate.

    >>> benjamini_hochberg([0.01, 0.04, float("nan"), 0.03]).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    values = np.asarray(p_values, dtype=np.float64)
    tested = np.flatnonzero(~np.isnan(values))
    wrong = values[tested][(values[tested] < 0.0) | (values[tested] > 1.0)]
    if wrong.size:
        raise InvalidInput(f"{wrong[0]} is not a p-value.", "It lies between 0 and 1.")
    order = tested[np.argsort(-values[tested], kind="stable")]
    ranks = np.arange(order.size, 0, -1)
    adjusted = np.full(values.shape, np.nan)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(values[order] * order.size / ranks))
    return adjusted
