"""Scores beside labels: turned where lower is better, what cases can be grouped by."""

from __future__ import annotations

import numpy as np

from core.evaluation.labelled_scores import turned


def test_a_score_that_falls_keeps_its_range_when_it_is_turned():
    names = ("nli_contradiction", "wasserstein", "groundedness", "verdict", "somebody_elses")
    # From 0 to 1, from 0 to 2, and three that rise.
    assert turned(np.full((1, 5), 0.25), names).tolist() == [[0.75, 1.75, 0.25, 0.25, 0.25]]
