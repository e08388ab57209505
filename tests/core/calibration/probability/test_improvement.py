"""Figures before and after calibration."""

import numpy as np
import pytest

from core.calibration.probability.improvement import before_and_after
from core.calibration.probability.quality import brier_score, log_loss
from core.domain.errors import InsufficientData


def drawn(n=500, seed=0):
    generator = np.random.default_rng(seed)
    chance = generator.random(n)
    return chance, (generator.random(n) < chance).astype(int)


def test_before_and_after_are_of_the_same_cases():
    chance, truth = drawn(200)
    found = {one.name: one for one in before_and_after(chance**3, chance, truth, range(200), resamples=200)}
    assert list(found) == ["ece", "brier", "log_loss"]
    assert found["brier"].before.value == pytest.approx(brier_score(chance**3, truth))
    assert found["log_loss"].after.value == pytest.approx(log_loss(chance, truth))
    for one in found.values():
        assert one.change.value == pytest.approx(one.after.value - one.before.value)
        assert one.change.high < 0.0
        assert one.before.low <= one.before.value <= one.before.high
    # What moves both cancels: the change is known better than either.
    change, before = found["brier"].change, found["brier"].before
    assert change.high - change.low < 1.5 * (before.high - before.low)


def test_few_sources_give_no_interval():
    chance, truth = drawn(40)
    for one in before_and_after(chance, chance, truth, np.arange(40) % 5, resamples=20):
        assert (one.after.low, one.after.high) == (None, None)
        assert one.change.value == 0.0
    with pytest.raises(InsufficientData):
        before_and_after([], [], [], [])


@pytest.mark.statistical
@pytest.mark.parametrize("error", [0.0, 0.05, 0.15])
def test_the_interval_of_the_calibration_error_reaches_the_true_one(error):
    """Scores that are too high by as much, 60 cases; percentiles alone never cover the first two."""
    generator = np.random.default_rng(3)
    covered = 0
    for seed in range(50):
        chance = generator.uniform(error, 1.0, 60)
        truth = (generator.random(60) < chance - error).astype(int)
        found = before_and_after(chance, chance, truth, range(60), seed=seed, resamples=60)[0].before
        covered += found.low <= error <= found.high
    assert covered / 50 >= 0.9
