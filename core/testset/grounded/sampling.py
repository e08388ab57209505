"""How many of a limited number of questions each template gets."""

from __future__ import annotations

from collections.abc import Sequence


def allocate(limit: int, sizes: Sequence[int]) -> list[int]:
    """Shares out `limit` in proportion to `sizes`, by largest remainders, never more than a size.

    Args:
        limit: What is shared out, 0 or more.
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
