"""Errors at a threshold, and thresholds that keep a cost or a promise."""

import math

import numpy as np
import pytest

from core.calibration.decisions import (
    ErrorKind,
    Threshold,
    ThresholdBy,
    bounded_threshold,
    cheapest_threshold,
    choose_threshold,
    errors_at,
)
from core.domain.errors import InsufficientData, InvalidInput

CHANCE = [0.1, 0.3, 0.5, 0.7, 0.9, 0.9]
TRUTH = [0, 1, 0, 1, 1, 0]


def test_hand_counted_errors():
    # Accepts .5 .7 .9 .9: two of the three that people reject (.1 .5 .9); misses one of the three they accept.
    found = errors_at(CHANCE, TRUTH, range(6), 0.5)
    assert (found.type_1.num, found.type_1.den) == (2, 3)
    assert (found.type_2.num, found.type_2.den) == (1, 3)
    assert (found.accepted.num, found.accepted.den) == (4, 6)
    assert (found.wrong_among_accepted.num, found.wrong_among_accepted.den) == (2, 4)


def test_a_higher_threshold_accepts_no_more():
    found = [errors_at(CHANCE, TRUTH, range(6), threshold) for threshold in (0.0, 0.4, 0.8, 1.1)]
    assert [one.type_1.num for one in found] == sorted((one.type_1.num for one in found), reverse=True)
    assert [one.type_2.num for one in found] == sorted(one.type_2.num for one in found)
    assert found[-1].wrong_among_accepted.value is None


def test_the_cheapest_threshold_has_the_least_cost():
    # Accepting from t costs 1 a wrong accept and 1 a wrong reject: .1: 3, .3: 2, .5: 3, .7: 2, .9: 3, never: 3.
    assert cheapest_threshold(CHANCE, TRUTH, false_accept=1.0, false_reject=1.0) == 0.3
    assert cheapest_threshold(CHANCE, TRUTH, false_accept=1.0, false_reject=0.0) == math.inf
    assert cheapest_threshold(CHANCE, TRUTH, false_accept=0.0, false_reject=1.0) == 0.1


def test_costs_that_say_nothing_are_refused():
    with pytest.raises(InvalidInput, match="costs"):
        cheapest_threshold(CHANCE, TRUTH, false_accept=0.0, false_reject=0.0)
    with pytest.raises(InvalidInput, match="costs"):
        cheapest_threshold(CHANCE, TRUTH, false_accept=-1.0, false_reject=1.0)
    with pytest.raises(InsufficientData):
        cheapest_threshold([], [], false_accept=1.0, false_reject=1.0)


def test_few_labels_promise_no_threshold():
    # Without one error it takes n with (1 - .1)^n <= .05, that is 29 cases.
    assert bounded_threshold([0.9] * 28, [1] * 28, most_wrong=0.1) is None
    assert bounded_threshold([0.9] * 29, [1] * 29, most_wrong=0.1) == 0.9


def test_the_search_ends_at_the_first_failure():
    chance = [0.9] * 40 + [0.8] * 20 + [0.7] * 400
    truth = [1] * 40 + [0] * 20 + [1] * 400
    assert bounded_threshold(chance, truth, most_wrong=0.1) == 0.9


def test_a_bound_on_the_share_of_the_rejected_that_is_accepted():
    # 29 rejected cases, none above .5: (1 - .1)^29 <= .05. One above, and 46 are needed (Clopper and Pearson).
    chance, truth = [0.2] * 29 + [0.8] * 10, [0] * 29 + [1] * 10
    assert bounded_threshold(chance, truth, most_wrong=0.1, kind=ErrorKind.TYPE_1) == 0.8
    assert bounded_threshold([0.9, *chance[1:]], truth, most_wrong=0.1, kind=ErrorKind.TYPE_1) is None
    assert bounded_threshold([0.9] + [0.2] * 45, [0] * 46, most_wrong=0.1, kind=ErrorKind.TYPE_1) == 0.9


def test_a_bound_on_the_share_of_the_accepted_that_is_rejected():
    # The highest threshold that rejects none of 29: their lowest probability.
    chance, truth = [0.1] * 10 + [0.4] * 29 + [0.8] * 10, [0] * 10 + [1] * 39
    assert bounded_threshold(chance, truth, most_wrong=0.1, kind=ErrorKind.TYPE_2) == 0.4
    assert bounded_threshold(chance[:20], truth[:20], most_wrong=0.1, kind=ErrorKind.TYPE_2) is None


def test_cases_of_one_source_promise_no_more_than_one():
    chance, truth = [0.9] * 40, [1] * 40
    assert bounded_threshold(chance, truth, most_wrong=0.1) == 0.9
    assert bounded_threshold(chance, truth, most_wrong=0.1, clusters=np.repeat(range(10), 4)) is None
    assert bounded_threshold(chance, truth, most_wrong=0.1, clusters=range(40)) == 0.9


def test_rules_give_their_threshold():
    assert choose_threshold(Threshold(value=0.7), CHANCE, TRUTH).value == 0.7
    cost = choose_threshold(Threshold(by=ThresholdBy.COST), CHANCE, TRUTH)
    assert (cost.value, "6 labels" in cost.how) == (0.3, True)
    never = choose_threshold(Threshold(by=ThresholdBy.COST, false_reject=0.0), CHANCE, TRUTH)
    assert 1.0 < never.value < 1.001
    assert errors_at(CHANCE, TRUTH, range(6), never.value).accepted.num == 0
    bound = choose_threshold(Threshold(by=ThresholdBy.BOUND), CHANCE, TRUTH)
    assert bound.value is None
    assert "none can be promised" in bound.how
    with pytest.raises(InvalidInput, match=r"threshold is 1\.5"):
        choose_threshold(Threshold(value=1.5), CHANCE, TRUTH)


@pytest.mark.parametrize(("most_wrong", "confidence"), [(0.0, 0.95), (1.0, 0.95), (0.1, 0.0), (0.1, 1.0)])
def test_a_bound_that_cannot_be_is_refused(most_wrong, confidence):
    with pytest.raises(InvalidInput, match="bound"):
        bounded_threshold(CHANCE, TRUTH, most_wrong=most_wrong, confidence=confidence)


@pytest.mark.statistical
def test_the_promise_is_broken_no_more_often_than_said():
    """400 calibrations of 300 labels: the true share of wrong ones above the threshold exceeds .15 in at most 5%."""
    generator = np.random.default_rng(2)
    broken = 0
    for _ in range(400):
        chance = generator.random(300)
        truth = generator.random(300) < chance**0.5
        found = bounded_threshold(chance, truth, most_wrong=0.15)
        if found is not None:
            # The mean of 1 - sqrt(p) for p uniform in [t, 1].
            wrong = 1.0 - (2.0 / 3.0) * (1.0 - found**1.5) / (1.0 - found) if found < 1.0 else 0.0
            broken += wrong > 0.15
    assert broken / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


@pytest.mark.statistical
@pytest.mark.parametrize("kind", [ErrorKind.TYPE_1, ErrorKind.TYPE_2])
@pytest.mark.parametrize("n", [100, 300])
def test_bounds_on_either_error_hold(kind, n):
    """400 calibrations: the true rate at the threshold found exceeds .1 in at most 5%, and not in hardly any."""
    generator = np.random.default_rng(n)
    broken = 0
    for _ in range(400):
        truth = generator.random(n) < 0.5
        # Probabilities of accepted cases have the distribution p^2, of rejected ones 1 - (1 - p)^2.
        chance = np.where(truth, generator.random(n) ** 0.5, 1.0 - generator.random(n) ** 0.5)
        found = bounded_threshold(chance, truth, most_wrong=0.1, kind=kind)
        if found is not None:
            broken += ((1.0 - found) ** 2 if kind is ErrorKind.TYPE_1 else found**2) > 0.1
    assert broken / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
    assert broken > 0


@pytest.mark.statistical
def test_bounds_hold_where_cases_share_sources():
    """Sources of four cases that people accept or reject together; without clusters the promise would be broken."""
    generator = np.random.default_rng(9)
    broken = {True: 0, False: 0}
    for _ in range(200):
        chance = np.repeat(generator.random(60), 4)
        truth = np.repeat(generator.random(60), 4) < chance**0.5
        for known in broken:
            near = np.repeat(np.arange(60), 4) if known else None
            found = bounded_threshold(chance, truth, most_wrong=0.15, clusters=near)
            if found is not None and found < 1.0:
                broken[known] += 1.0 - (2.0 / 3.0) * (1.0 - found**1.5) / (1.0 - found) > 0.15
    assert broken[True] / 200 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 200)
    assert broken[False] / 200 > 0.05 + 2 * math.sqrt(0.05 * 0.95 / 200)
