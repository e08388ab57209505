"""Shares of a limit."""

from hypothesis import given
from hypothesis import strategies as st

from core.testset.grounded.sampling import allocate, allocate_groups

TEMPLATES = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 8)), max_size=8)


def test_nothing_is_shared_out_among_none():
    assert allocate(5, []) == []
    assert allocate_groups(5, [], []) == []


@given(st.integers(0, 200), st.lists(st.integers(0, 60), max_size=10))
def test_shares_are_whole_and_within_one_of_their_proportion(limit, sizes):
    shares = allocate(limit, sizes)
    total = sum(sizes)
    assert sum(shares) == min(limit, total)
    for share, size in zip(shares, sizes, strict=True):
        assert 0 <= share <= size
        if limit < total:
            assert abs(share - limit * size / total) < 1


@given(st.integers(0, 300), TEMPLATES)
def test_groups_stay_whole_and_none_more_would_fit(limit, templates):
    groups, sizes = [count for count, _ in templates], [size for _, size in templates]
    kept = allocate_groups(limit, groups, sizes)
    used = sum(count * size for count, size in zip(kept, sizes, strict=True))
    assert used <= limit
    for have, count, size in zip(kept, groups, sizes, strict=True):
        assert 0 <= have <= count
        assert have == count or size > limit - used


@given(st.integers(0, 300), st.lists(st.integers(0, 50), max_size=8), st.integers(1, 8))
def test_groups_of_one_size_are_in_proportion_beyond_the_first_of_each(limit, groups, size):
    kept = allocate_groups(limit, groups, [size] * len(groups))
    wanted = sum(count > 0 for count in groups)
    left, rest = limit / size - wanted, sum(groups) - wanted
    if left < 0:
        assert set(kept) <= {0, 1}
    else:
        assert all(have > 0 for have, count in zip(kept, groups, strict=True) if count)
    if 0 <= left < rest:
        # Less than one group for the rounding of questions and one for that of groups.
        shares = [1 + left * (count - 1) / rest if count else 0 for count in groups]
        assert all(abs(have - share) < 2 for have, share in zip(kept, shares, strict=True))


def test_a_share_below_one_group_still_gives_groups():
    # 10 questions among ten templates are one each, and no group of six fits into one; the first gets its group.
    assert allocate_groups(10, [5] * 10, [6] * 10) == [1] + [0] * 9
