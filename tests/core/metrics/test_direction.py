"""Which way a score is good: turned where lower is better, as its metric or a person says."""

from __future__ import annotations

import numpy as np

from core.metrics.direction import turned


def test_a_score_that_falls_keeps_its_range_when_it_is_turned():
    names = ("nli_contradiction", "wasserstein", "groundedness", "verdict", "somebody_elses")
    # From 0 to 1, from 0 to 2, and three that rise.
    assert turned(np.full((1, 5), 0.25), names).tolist() == [[0.75, 1.75, 0.25, 0.25, 0.25]]


def test_a_person_may_say_that_lower_is_better():
    assert turned(np.full((1, 2), 0.25), ("somebody_elses", "other"), {"somebody_elses"}).tolist() == [[0.75, 0.25]]
