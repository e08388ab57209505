"""The area under the ROC curve of several metrics on the same resamples of clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.domain.estimates import Estimate
from core.stats import LEAST_CLUSTERS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _aucs(score: Floats, good: Bools, weights: Floats) -> Floats:
    """The AUC for each row of case counts, (draws,); NaN where one side is empty."""
    order = np.argsort(score, kind="stable")
    _, starts = np.unique(score[order], return_index=True)
    drawn = weights[:, order]
    yes, no = drawn * good[order], drawn * ~good[order]
    if starts.size < score.size:
        yes, no = (np.add.reduceat(side, starts, axis=1) for side in (yes, no))
    below = np.cumsum(no, axis=1) - no / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((yes * below).sum(axis=1) / (yes.sum(axis=1) * no.sum(axis=1)))


def cluster_weights(group: NDArray[np.intp], draws: int, seed: int) -> Floats | None:
    """How often each case is drawn, (draws, n); None where there are too few clusters."""
    count = int(group.max()) + 1 if group.size else 0
    if count < LEAST_CLUSTERS:
        return None
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1.0 / count), size=draws)
    return np.asarray(drawn[:, group], dtype=np.float64)


class AucDraws:
    """The AUC of each metric in every resample; kept, since most metrics score the same cases."""

    def __init__(self, table: Floats, accepted: Bools, weights: Floats | None) -> None:
        self._table, self._accepted, self._weights = table, accepted, weights
        self._kept: dict[tuple[int, bytes], Floats] = {}

    def aucs(self, place: int, cases: Bools) -> Floats:
        """Of one metric on some cases, (draws,); none where there are too few clusters."""
        if self._weights is None:
            return np.empty(0)
        key = (place, cases.tobytes())
        if key not in self._kept:
            good = self._accepted[cases]
            self._kept[key] = _aucs(self._table[cases, place], good, self._weights[:, cases])
        return self._kept[key]


def auc_interval(value: float, drawn: Floats, near: NDArray[np.intp], n: int, compared: int, least: float) -> Estimate:
    """Percentiles moved outward to Student's t, at a level divided by the number of comparisons."""
    defined = drawn[np.isfinite(drawn)]
    count = int(np.unique(near).size)
    if not defined.size or count < LEAST_CLUSTERS:
        return Estimate(value=value, low=None, high=None, n=n, method=f"fewer than {LEAST_CLUSTERS} clusters")
    level = 0.025 / max(compared, 1)
    outward = float(special.stdtrit(count - 1, 1.0 - level)) * (count / (count - 1)) ** 0.5
    tail = float(special.ndtr(-outward))
    low, high = np.quantile(defined, [tail, 1.0 - tail])
    adjusted = f", adjusted for {compared} comparisons" if compared > 1 else ""
    return Estimate(
        value=value,
        low=max(min(float(low), value), least),
        high=min(max(float(high), value), 1.0),
        n=n,
        method=f"bootstrap over {count} clusters, 95%{adjusted}",
    )
