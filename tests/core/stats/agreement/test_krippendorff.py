"""Krippendorff's alpha."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InsufficientData
from core.stats.agreement.krippendorff import krippendorff_alpha

NAN = float("nan")
LEVELS = ("nominal", "ordinal", "interval")

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C: four raters, twelve cases.
PAPER = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(level, alpha):
    found = krippendorff_alpha(PAPER, level=level, resamples=200)
    assert found.value == pytest.approx(alpha, abs=0.0005)
    assert found.n == 11
    assert found.low < found.value < found.high


def test_a_hand_computed_alpha():
    # Cases (1,1) (1,1) (2,2) (1,2). Coincidences: o11 = 4, o22 = 2, o12 = o21 = 1; n1 = 5, n2 = 3, n = 8.
    # alpha = 1 - 7 * (1 + 1) / (2 * 5 * 3) = 1 - 14/30.
    found = krippendorff_alpha([[1, 1, 2, 1], [1, 1, 2, 2]], level="nominal", resamples=50)
    assert found.value == pytest.approx(1 - 14 / 30)


@pytest.mark.parametrize("level", LEVELS)
def test_it_agrees_with_the_reference_implementation(level):
    generator = np.random.default_rng(4)
    for _ in range(40):
        table = generator.integers(1, 6, (generator.integers(2, 6), generator.integers(4, 40))).astype(float)
        table[generator.random(table.shape) < 0.3] = NAN
        if ((~np.isnan(table)).sum(axis=0) >= 2).sum() < 3:
            continue
        expected = krippendorff.alpha(table, level_of_measurement=level)
        assert krippendorff_alpha(table, level=level, resamples=2).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_raters_who_never_differ_agree_fully(level):
    assert krippendorff_alpha([[1, 2, 3, 4]] * 3, level=level, resamples=20).value == pytest.approx(1.0)


def test_one_value_throughout_has_no_alpha():
    found = krippendorff_alpha([[4, 4, 4], [4, 4, 4]], level="ordinal")
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 3)


@pytest.mark.parametrize("table", [[[1, NAN, 2], [NAN, 3, NAN]], [[1, 2], [1, NAN]], [[], []], []])
def test_raters_who_hardly_overlap_have_too_little_in_common(table):
    with pytest.raises(InsufficientData):
        krippendorff_alpha(table, level="nominal")


@pytest.mark.slow
@given(st.permutations(range(12)), st.permutations(range(4)), st.sampled_from(LEVELS))
def test_neither_the_order_of_cases_nor_that_of_raters_matters(cases, raters, level):
    table = np.array(PAPER)[np.ix_(raters, cases)]
    assert krippendorff_alpha(table, level=level, resamples=2).value == pytest.approx(
        krippendorff_alpha(PAPER, level=level, resamples=2).value
    )


@pytest.mark.statistical
def test_the_interval_covers_alpha():
    """300 samples of 60 cases from a population of 20,000 whose alpha is known; two Monte Carlo errors: 2.5 points."""
    generator = np.random.default_rng(5)

    def ratings(cases):
        truth = generator.integers(1, 5, cases)
        noise = generator.random((3, cases)) < 0.35
        return np.where(noise, generator.integers(1, 5, (3, cases)), truth).astype(float)

    alpha = krippendorff_alpha(ratings(20_000), level="nominal", resamples=2).value
    covered = 0
    for seed in range(300):
        found = krippendorff_alpha(ratings(60), level="nominal", seed=seed, resamples=400)
        covered += found.low <= alpha <= found.high
    assert covered / 300 >= 0.95 - 0.035


def test_two_cases_have_no_interval():
    """Both resample to themselves or to one value: the ends would be 1 and 1, as if it were certain."""
    found = krippendorff_alpha([[1, 2], [1, 2]], level="nominal")
    assert (found.value, found.low, found.high, found.n) == (1.0, None, None, 2)
    assert "too few" in found.method


@pytest.mark.parametrize("level", LEVELS)
def test_many_cases_are_drawn_by_kind_with_the_same_interval(level):
    """4,000 cases are drawn by kind and 1,000 are not; the interval of the former is half as wide."""
    generator = np.random.default_rng(6)
    table = generator.integers(1, 5, (3, 4_000)).astype(float)
    table[1:] = np.where(generator.random((2, 4_000)) < 0.6, table[0], table[1:])
    table[generator.random(table.shape) < 0.1] = NAN
    whole = krippendorff_alpha(table, level=level, resamples=1_000)
    assert whole.value == pytest.approx(krippendorff.alpha(table, level_of_measurement=level))
    quarter = krippendorff_alpha(table[:, :1_000], level=level, resamples=1_000)

    assert (whole.high - whole.low) / (quarter.high - quarter.low) == pytest.approx(0.5, abs=0.06)
