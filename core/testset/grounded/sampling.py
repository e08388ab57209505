"""How many facts each template gets when the number of questions is limited."""

from __future__ import annotations

from collections.abc import Sequence


def allocate(limit: int, sizes: Sequence[int]) -> list[int]:
    """Divides `limit` in proportion to `sizes`, by largest remainders, never more than a size.

    Args:
        limit: The number to divide, 0 or more.
        sizes: The most each can take.

    Returns:
        One number for each size; they sum to ``min(limit, sum(sizes))``. Ties go to the earlier one.

    >>> allocate(10, [30, 60, 10]), allocate(5, [1, 1])
    ([3, 6, 1], [1, 1])
    """
    total = sum(sizes)
    if limit >= total:
        return list(sizes)
    exact = [limit * size / total for size in sizes]
    shares = [int(part) for part in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda place: (shares[place] - exact[place], place))
    for place in by_remainder[: limit - sum(shares)]:
        shares[place] += 1
    return shares


def allocate_groups(limit: int, groups: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """How many whole groups each template gets, in proportion to its questions.

    Each template with any group first gets one, in the order given, as long as it fits: a set that is cut short still
    asks every kind of question. What is left of the limit is divided in proportion to the questions that are left; its
    remainder is given, one group at a time, to the template that is furthest below its share and whose group still
    fits.

    Args:
        limit: The most questions, 0 or more.
        groups: How many groups each template has.
        sizes: Questions in one group of each template, 1 or more.

    Returns:
        Groups per template. No further group of any template would fit into what is left of the limit.

    >>> allocate_groups(12, [157, 20, 3], [6, 6, 6]), allocate_groups(9, [10, 10], [2, 3]), allocate_groups(5, [9], [6])
    ([1, 1, 0], [3, 1], [0])
    >>> allocate_groups(30, [157, 20, 3], [1, 1, 1])
    [25, 4, 1]
    """
    remaining = limit
    first = []
    for count, size in zip(groups, sizes, strict=True):
        first.append(int(count > 0 and size <= remaining))
        remaining -= first[-1] * size
    shares = allocate(remaining, [(count - own) * size for count, own, size in zip(groups, first, sizes, strict=True)])
    group_counts = [own + share // size for own, share, size in zip(first, shares, sizes, strict=True)]
    shares = [share + own * size for share, own, size in zip(shares, first, sizes, strict=True)]
    remaining = limit - sum(count * size for count, size in zip(group_counts, sizes, strict=True))
    while fitting := [
        place for place in range(len(sizes)) if group_counts[place] < groups[place] and sizes[place] <= remaining
    ]:
        place = max(fitting, key=lambda place: (shares[place] / sizes[place] - group_counts[place], -place))
        group_counts[place] += 1
        remaining -= sizes[place]
    return group_counts
