"""The area under the ROC curve."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.stats.auc import auc


def test_auc_is_that_of_scikit_learn():
    generator = np.random.default_rng(1)
    for _ in range(5):
        score, good = generator.integers(0, 8, 60), generator.random(60) < 0.4
        assert auc(score, good) == pytest.approx(roc_auc_score(good, score))
