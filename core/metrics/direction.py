"""Which way a score is good, and scores turned so that higher is better."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain.errors import InvalidInput
from core.metrics.registry import find_metric
from core.metrics.spec import MetricSpec


def lower_is_better(name: str) -> bool:
    """Whether less of a stored score is better; the verdict and metrics this version does not know rise."""
    spec = _spec(name)
    return spec is not None and spec.better == "lower"


def turned(values: NDArray[np.float64], names: Sequence[str], lower: Collection[str] = ()) -> NDArray[np.float64]:
    """Scores turned so that higher is better everywhere, shape (n, m).

    Where lower is better a score x becomes low + high - x, so that it keeps its range, and -x where there is no range.
    A score that is no metric of ours is taken for one from 0 to 1.

    Args:
        values: Shape (n, m).
        names: Of the scores, m.
        lower: Names of scores of which somebody says that lower is better; metrics say it themselves.

    >>> turned(np.array([[0.25, 0.25]]), ["nli_contradiction", "groundedness"]).tolist()
    [[0.75, 0.25]]
    """
    rising = values.copy()
    for place, name in enumerate(names):
        if name in lower or lower_is_better(name):
            spec = _spec(name)
            low, high = (0.0, 1.0) if spec is None else (spec.low, spec.high)
            rising[:, place] = (0.0 if low is None or high is None else low + high) - values[:, place]
    return rising


def _spec(name: str) -> MetricSpec | None:
    try:
        return find_metric(name).spec
    except InvalidInput:
        return None
