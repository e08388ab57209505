"""Three parts of the labelled cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calibration.splits import SplitPart, labels_needed, least_conformal, split_parts
from core.domain.errors import InsufficientData, InvalidInput

FIT, CONFORMAL, TEST, UNUSED = SplitPart


def counts(split):
    return tuple(split.count(part) for part in (FIT, CONFORMAL, TEST, UNUSED))


@pytest.mark.parametrize(("alpha", "least", "needed"), [(0.1, 9, 30), (0.05, 19, 64), (0.01, 99, 330), (0.2, 4, 25)])
def test_what_a_promise_takes(alpha, least, needed):
    # ceil(1 / alpha) - 1 in the conformal part, 0.3 of all; at least 10 to fit, 0.4 of all.
    assert (least_conformal(alpha), labels_needed(alpha)) == (least, needed)


@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.01])
def test_the_labels_needed_give_a_finite_quantile(alpha):
    split = split_parts(range(labels_needed(alpha)), alpha=alpha)
    assert split.count(CONFORMAL) >= least_conformal(alpha)


def test_shares_are_kept():
    assert counts(split_parts(range(200))) == (80, 60, 60, 0)
    assert counts(split_parts(range(200), shares=(2, 1, 1))) == (100, 50, 50, 0)


def test_the_same_cases_come_into_the_same_parts_in_any_order():
    names = np.array([f"case {place}" for place in range(60)])
    order = np.random.default_rng(1).permutation(60)
    assert (split_parts(names, seed=4).parts[order] == split_parts(names[order], seed=4).parts).all()
    assert (split_parts(names, seed=4).parts != split_parts(names, seed=5).parts).any()


@pytest.mark.slow
@given(st.lists(st.integers(0, 30), min_size=60, max_size=120), st.integers(0, 50))
def test_a_cluster_is_never_in_two_parts(clusters, seed):
    names = np.array(clusters)
    drawn = np.random.default_rng(seed).random(names.size) < 0.8
    try:
        split = split_parts(names, random=drawn, seed=seed)
    except InsufficientData:
        return
    for name in np.unique(names):
        assert len(set(split.parts[names == name]) - {"unused"}) <= 1
    assert not (np.isin(split.parts, ["conformal", "test"]) & ~drawn).any()


def test_targeted_cases_are_fitted_on_and_nothing_else():
    drawn = np.arange(100) < 60
    split = split_parts(range(100), random=drawn)
    assert counts(split) == (24 + 40, 18, 18, 0)
    assert split.targeted == 40
    # A random case comes into the fit part in 24 of 60, a targeted one always.
    assert split.weights[drawn] == pytest.approx(60 / 24)
    assert split.weights[~drawn] == pytest.approx(1.0)


def test_clusters_with_targeted_cases_are_not_kept_from_the_test():
    # Every cluster has one random and one targeted case: keeping them in the fit would leave the others empty.
    clusters = np.repeat(np.arange(50), 2)
    drawn = np.tile([True, False], 50)
    assert counts(split_parts(clusters, random=drawn)) == (40, 15, 15, 30)


def test_too_few_labels_say_how_many_it_takes():
    with pytest.raises(InsufficientData) as caught:
        split_parts(range(5))
    assert (caught.value.need, caught.value.have) == (30, 5)
    assert "25 more cases drawn at random" in caught.value.hint
    with pytest.raises(InsufficientData):
        split_parts([])
    with pytest.raises(InsufficientData, match="there are 0"):
        split_parts(range(100), random=np.zeros(100, dtype=bool))
    with pytest.raises(InsufficientData):
        split_parts(["one source"] * 100)


@pytest.mark.parametrize("shares", [(0.5, 0.5, 0.0), (0.5, 0.5), (1, 1, -1), (float("nan"), 1, 1)])
def test_shares_that_leave_a_part_empty_are_refused(shares):
    with pytest.raises(InvalidInput, match="shares"):
        split_parts(range(50), shares=shares)


def test_an_impossible_alpha_is_refused():
    with pytest.raises(InvalidInput, match="alpha"):
        split_parts(range(50), alpha=1.5)
