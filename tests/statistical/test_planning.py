"""A planned test set gives what was planned: the width of the interval, the chance to pass, the power to show a change.

Verdicts of a group are drawn with a common share of the group's own (beta-binomial), so that their likeness is known.
"""

import numpy as np
import pytest

from core.stats import clustered_proportion, paired_permutation
from core.stats.planning import Grouping, grouping_of, groups_for_change, groups_for_width, groups_to_pass

pytestmark = pytest.mark.statistical

DRAWS = 500


def drawn(generator, groups, grouping, share):
    """Outcomes and groups of one run."""
    size, likeness = int(grouping.size), grouping.likeness
    spread = (1 - likeness) / likeness if likeness else 0.0
    of_group = generator.beta(share * spread, (1 - share) * spread, groups) if likeness else np.full(groups, share)
    return (generator.random((groups, size)) < of_group[:, None]).ravel(), np.repeat(np.arange(groups), size)


@pytest.mark.parametrize(
    ("share", "wanted", "size", "likeness"), [(0.5, 0.05, 1, 0.0), (0.9, 0.03, 6, 0.5), (0.7, 0.1, 3, 0.8)]
)
def test_intervals_are_as_wide_as_planned(share, wanted, size, likeness):
    grouping = Grouping(size=size, likeness=likeness)
    plan, generator = groups_for_width(share, wanted, grouping), np.random.default_rng(3)
    widths = []
    for _ in range(DRAWS):
        interval = clustered_proportion(*drawn(generator, plan.groups, grouping, share))
        widths.append((interval.high - interval.low) / 2)
    assert np.mean(widths) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize(
    ("share", "threshold", "size", "likeness"),
    [(0.95, 0.9, 1, 0.0), (0.95, 0.9, 6, 0.5), (0.9, 0.8, 4, 0.3), (0.85, 0.8, 3, 0.8), (0.97, 0.9, 5, 0.2)],
)
def test_a_good_system_passes_as_often_as_planned(share, threshold, size, likeness):
    grouping = Grouping(size=size, likeness=likeness)
    plan, generator = groups_to_pass(share, threshold, 0.8, grouping), np.random.default_rng(5)
    passed = [
        clustered_proportion(*drawn(generator, plan.groups, grouping, share)).low >= threshold for _ in range(DRAWS)
    ]
    # Four standard errors of 500 draws are 0.07; few groups cost a little more power than the binomial knows.
    assert 0.75 <= np.mean(passed) <= 0.93


def test_a_system_at_the_threshold_passes_in_one_of_forty_at_most():
    grouping = Grouping(size=4, likeness=0.4)
    plan, generator = groups_to_pass(0.9, 0.8, 0.8, grouping), np.random.default_rng(7)
    passed = [clustered_proportion(*drawn(generator, plan.groups, grouping, 0.8)).low >= 0.8 for _ in range(DRAWS)]
    assert np.mean(passed) <= 0.025 + 4 * np.sqrt(0.025 * 0.975 / DRAWS)


def test_a_change_is_shown_as_often_as_planned():
    difference, changing = 0.1, 0.2
    plan, generator = groups_for_change(difference, changing), np.random.default_rng(11)
    better, worse = (changing + difference) / 2, (changing - difference) / 2
    shown = 0
    for draw in range(200):
        changes = generator.choice([1, -1, 0], size=plan.groups, p=[better, worse, 1 - changing])
        shown += paired_permutation(changes, seed=draw).p_value <= 0.05
    assert 0.7 <= shown / 200 <= 0.9


def test_the_likeness_of_a_run_is_read_back():
    generator, grouping = np.random.default_rng(13), Grouping(size=5, likeness=0.35)
    read = [grouping_of(*drawn(generator, 150, grouping, 0.8)).likeness for _ in range(200)]
    assert np.mean(read) == pytest.approx(0.35, abs=0.02)
