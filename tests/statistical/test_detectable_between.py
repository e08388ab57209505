"""The smallest difference of two sides of clusters is found about as often as it promises."""

import numpy as np
import pytest

from core.stats.comparisons.detectable import smallest_detectable_between
from core.stats.comparisons.permutation import unpaired_permutation

DRAWS = 300


@pytest.mark.statistical
@pytest.mark.parametrize(("first", "second"), [(40, 40), (25, 80)])
def test_the_difference_is_found_in_four_of_five_draws(first, second):
    rng = np.random.default_rng(first + second)

    def shares(mean, groups):
        return rng.binomial(3, np.clip(rng.normal(mean, 0.15, groups), 0.0, 1.0)) / 3

    promised = np.mean([smallest_detectable_between(shares(0.6, first), shares(0.6, second)) for _ in range(20)])
    shown = [
        unpaired_permutation(shares(0.6 - promised, first), shares(0.6, second), seed=draw).p_value <= 0.05
        for draw in range(DRAWS)
    ]
    # It is on the safe side: clusters at the ends are added, and the smaller side counts alone.
    assert 0.75 <= np.mean(shown) <= 0.99
