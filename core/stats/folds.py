"""Parts in which cases are left out in turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def balanced_folds(
    values: ArrayLike, clusters: NDArray[np.intp], folds: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """The fold of each case, shape (n,); a cluster stays together, and clusters of like means are spread evenly.

    Args:
        values: One a case, shape (n,).
        clusters: What each case belongs to, numbered from 0 without a gap, shape (n,).
        folds: How many, at most as many as there are clusters.
        generator: Breaks ties and deals the clusters.
    """
    sizes = np.bincount(clusters)
    means = np.bincount(clusters, weights=np.asarray(values)) / sizes
    order = np.lexsort((generator.random(sizes.size), means))
    fold = np.empty(sizes.size, dtype=np.intp)
    for start in range(0, sizes.size, folds):
        block = order[start : start + folds]
        fold[block] = generator.permutation(folds)[: block.size]
    return fold[clusters]
