"""Weak slices that only another one makes weak."""

import numpy as np

from core.weakness.slices.relatives import explained
from core.weakness.slices.search import Half


def half(a, b, effect):
    generator = np.random.default_rng(20)
    return Half(0.8 + generator.normal(0, 0.2, a.size) - effect, np.arange(a.size))


def levels(n=800):
    generator = np.random.default_rng(21)
    return generator.integers(0, 2, n), generator.integers(0, 4, n)


def test_a_parent_that_is_low_through_its_child_only():
    a, b = levels()
    pair = (a == 1) & (b == 2)
    scores = half(a, b, 0.4 * pair)
    assert explained(scores, [a == 1, pair, b == 2]) == (1, None, 1)


def test_a_child_that_is_as_low_as_its_parent():
    a, b = levels()
    assert explained(half(a, b, 0.4 * (a == 1)), [(a == 1) & (b == 2), a == 1]) == (1, None)


def test_a_child_below_its_low_parent_stands_by_itself():
    a, b = levels()
    scores = half(a, b, 0.3 * (a == 1) + 0.3 * ((a == 1) & (b == 2)))
    assert explained(scores, [a == 1, (a == 1) & (b == 2)]) == (None, None)


def test_two_that_cross_and_are_both_low():
    a, b = levels()
    assert explained(half(a, b, 0.3 * (a == 1) + 0.3 * (b == 2)), [a == 1, b == 2]) == (None, None)


def test_slices_that_share_no_case_do_not_explain_each_other():
    a, b = levels()
    assert explained(half(a, b, 0.3 * (b > 1)), [b == 2, b == 3]) == (None, None)


def test_none_and_one():
    a, b = levels()
    scores = half(a, b, 0.3 * (a == 1))
    assert explained(scores, []) == ()
    assert explained(scores, [a == 1]) == (None,)
