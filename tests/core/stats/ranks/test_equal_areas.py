"""A test of equal areas under ROC curves."""

import numpy as np
import pytest
from scipy import stats

from core.stats.ranks.auc import grouped_auc
from core.stats.ranks.equal_areas import equal_areas


def drawn(aucs, sizes, rates, generator):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    accepted = generator.random(codes.size) < np.repeat(rates, sizes)
    apart = np.sqrt(2.0) * stats.norm.ppf(aucs)
    # Groups lie apart, which no area inside a group sees.
    scores = generator.normal(size=codes.size) + apart[codes] * accepted + 2.0 * codes
    return equal_areas(grouped_auc(scores, accepted, codes, np.arange(codes.size), len(sizes)))


def rejected(runs, aucs, sizes, rates):
    generator = np.random.default_rng(11)
    return np.mean([drawn(aucs, sizes, rates, generator).p_value <= 0.05 for _ in range(runs)])


def test_two_groups_are_welchs_t_test_of_the_two_areas():
    generator = np.random.default_rng(3)
    codes = np.repeat([0, 1], (60, 90))
    accepted = generator.random(150) < 0.55
    areas = grouped_auc(generator.normal(size=150) + accepted * (1 - codes), accepted, codes, np.arange(150), 2)
    found = equal_areas(areas)
    assert (found.groups, found.method) == (2, "Welch's test of equal areas")
    z = stats.norm.ppf(0.975)
    centre = (areas.auc * areas.worth + z**2 / 2) / (areas.worth + z**2)
    variance = centre * (1 - centre) / (areas.worth + z**2)
    freedom = variance.sum() ** 2 / (variance**2 / (areas.sides - 1)).sum()
    t = (areas.auc[0] - areas.auc[1]) / np.sqrt(variance.sum())
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-6)
    assert found.spread == pytest.approx(abs(areas.auc[0] - areas.auc[1]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("area", "sizes", "rates"),
    [
        (0.5, (100, 100), (0.5, 0.5)),
        (0.7, (40, 40), (0.5, 0.5)),
        (0.7, (300, 60), (0.7, 0.4)),
        (0.7, (60,) * 5, (0.6,) * 5),
        (0.9, (200,) * 3, (0.9, 0.7, 0.5)),
    ],
)
def test_equal_areas_are_seldom_called_unequal(area, sizes, rates):
    # 400 runs: the Monte Carlo error of .05 is .011.
    assert rejected(400, (area,) * len(sizes), sizes, rates) <= 0.08


@pytest.mark.slow
def test_areas_as_far_apart_as_matters_are_found():
    assert rejected(200, (0.75, 0.54), (60, 60), (0.6, 0.6)) > 0.4
    assert rejected(200, (0.75, 0.54), (150, 150), (0.6, 0.6)) > 0.85


def test_groups_with_few_cases_and_one_group_alone_are_no_test():
    generator = np.random.default_rng(1)
    assert drawn((0.7, 0.7, 0.7), (80, 80, 6), (0.5, 0.5, 0.5), generator).groups == 2
    alone = drawn((0.7,), (80,), (0.5,), generator)
    assert (alone.groups, alone.p_value, alone.spread) == (1, None, None)
    assert alone.method.startswith("fewer than two groups")


def test_groups_without_a_mistake_are_equal():
    accepted = np.tile([True, False], 40)
    found = equal_areas(grouped_auc(accepted.astype(float), accepted, np.repeat([0, 1], 40), np.arange(80), 2))
    assert (found.spread, found.p_value) == (0.0, 1.0)
