"""The area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from core.stats.rank_correlation import midranks


def auc(scores: ArrayLike, accepted: ArrayLike) -> float:
    """The chance that an accepted case scores above one that is not, ties counted half.

    >>> auc([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1])
    0.875
    """
    ranks, good = midranks(scores), np.asarray(accepted, dtype=bool)
    yes, no = int(good.sum()), int((~good).sum())
    return float((ranks[good].sum() - yes * (yes + 1) / 2.0) / (yes * no))
