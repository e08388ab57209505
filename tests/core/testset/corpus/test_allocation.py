from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.testset.corpus.allocation import Allocation, allocate
from core.testset.topics.strata import Stratum


def sizes_of(*sizes):
    return {Stratum(topic=number): size for number, size in enumerate(sizes)}


def requested(shares):
    return [share.requested for share in shares]


SIZES = st.lists(st.integers(0, 60), min_size=1, max_size=8).map(lambda found: sizes_of(*found))
WEIGHTS = st.lists(st.floats(0, 1e6), min_size=8, max_size=8)


def test_shares_follow_the_sizes():
    # of 10, as 50 to 30 to 20
    assert requested(allocate(sizes_of(50, 30, 20), 10)) == [5, 3, 2]


def test_the_largest_remainders_get_what_rounding_leaves():
    # 10 * (47, 33, 20) / 100 = 4.7, 3.3, 2.0: the floors make 9, the last goes to .7
    assert requested(allocate(sizes_of(47, 33, 20), 10)) == [5, 3, 2]


def test_equal_remainders_go_to_the_larger_weight_then_to_the_earlier_stratum():
    # 3 * (2, 2, 2) / 6 = 1 each; 2 questions: .67 each
    assert requested(allocate(sizes_of(2, 2, 2), 2)) == [1, 1, 0]


def test_equal_shares_do_not_look_at_sizes_until_a_stratum_is_empty():
    shares = allocate(sizes_of(100, 100, 2), 30, allocation=Allocation.EQUAL)

    # 10 each; the third has 2, and the 8 it cannot give go to the others
    assert requested(shares) == [14, 14, 2]
    assert [share.reason for share in shares] == [
        "shares what other strata cannot give",
        "shares what other strata cannot give",
        "only 2 available",
    ]


def test_weights_are_importance_or_usage():
    weights = {Stratum(topic=0): 900, Stratum(topic=2): 100}
    shares = allocate(sizes_of(50, 50, 50), 20, allocation=Allocation.WEIGHTED, weights=weights)

    assert requested(shares) == [18, 0, 2]


def test_the_minimum_reaches_small_strata():
    shares = allocate(sizes_of(980, 10, 10), 20, minimum=3)

    assert requested(shares) == [14, 3, 3]
    assert shares[1].reason == "raised to the minimum of 3"
    assert shares[0].reason == "gives to the minimum of other strata"


def test_a_stratum_without_weight_gets_the_minimum_and_no_more():
    weights = {Stratum(topic=0): 1.0}
    shares = allocate(sizes_of(5, 50), 20, allocation=Allocation.WEIGHTED, weights=weights, minimum=1)

    assert requested(shares) == [5, 1]


def test_a_chunk_may_give_several_questions():
    assert requested(allocate(sizes_of(2, 8), 30, per_chunk=3)) == [6, 24]


def test_no_strata_get_nothing():
    assert allocate({}, 10) == ()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"budget": -1}, "budget cannot be -1"),
        ({"budget": 5, "minimum": 4}, "make 8, and the budget is 5"),
        ({"budget": 5, "allocation": Allocation.WEIGHTED}, "No stratum has a weight"),
        ({"budget": 5, "allocation": Allocation.WEIGHTED, "weights": {Stratum(topic=7): 1}}, "There is no stratum 7"),
        ({"budget": 5, "allocation": Allocation.WEIGHTED, "weights": {Stratum(topic=0): -1}}, "cannot be -1"),
        ({"budget": 5, "per_chunk": 0}, "questions of a chunk cannot be 0"),
    ],
)
def test_what_cannot_be_divided_is_refused(options, said):
    with pytest.raises(InvalidInput, match=said):
        allocate(sizes_of(10, 10), **options)


@given(SIZES, st.integers(0, 300), st.sampled_from([Allocation.PROPORTIONAL, Allocation.EQUAL]), st.integers(1, 3))
def test_the_sum_is_the_budget_or_all_there_is(sizes, budget, allocation, per_chunk):
    shares = allocate(sizes, budget, allocation=allocation, per_chunk=per_chunk)

    assert sum(requested(shares)) == min(budget, per_chunk * sum(sizes.values()))
    assert all(0 <= share.requested <= share.available for share in shares)


@given(SIZES, st.integers(0, 300), WEIGHTS, st.integers(0, 4))
def test_weighted_shares_stay_within_their_bounds(sizes, budget, values, minimum):
    weights = dict(zip(sizes, values, strict=False))
    least = {stratum: min(minimum, size) for stratum, size in sizes.items()}
    if not any(weights.values()) or sum(least.values()) > budget:
        return
    shares = allocate(sizes, budget, allocation=Allocation.WEIGHTED, weights=weights, minimum=minimum)

    able = sum(size if weights[stratum] else least[stratum] for stratum, size in sizes.items())
    assert sum(requested(shares)) == min(budget, able)
    assert all(least[share.stratum] <= share.requested <= share.available for share in shares)


@given(SIZES, st.integers(0, 300))
def test_without_a_bound_no_share_is_a_whole_question_off(sizes, budget):
    if budget > sum(sizes.values()):
        return
    for share in allocate(sizes, budget):
        exact = Fraction(budget * share.chunks, max(1, sum(sizes.values())))
        assert abs(share.requested - exact) < 1
        assert share.reason == ""


@given(SIZES, st.integers(0, 300), st.randoms(use_true_random=False))
def test_the_order_of_the_strata_does_not_matter(sizes, budget, random):
    shuffled = list(sizes.items())
    random.shuffle(shuffled)

    assert allocate(dict(shuffled), budget) == allocate(sizes, budget)


@given(SIZES, st.integers(0, 300), st.integers(1, 1_000))
def test_the_unit_of_the_weights_does_not_matter(sizes, budget, unit):
    weights = {stratum: number + 1 for number, stratum in enumerate(sizes)}
    larger = {stratum: value * unit for stratum, value in weights.items()}
    shares, others = (
        allocate(sizes, budget, allocation=Allocation.WEIGHTED, weights=some) for some in (weights, larger)
    )

    assert requested(shares) == requested(others)
