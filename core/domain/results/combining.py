"""Several raters' labels of one case become one: by median, by vote after the cut-off, by mean, or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.domain.results.labels import LabelRule

TIE = "tie"
DIFFER = "raters differ"
ONE_RATER = "one rater"


def combined(values: Sequence[float], rule: LabelRule, accept_from: float) -> tuple[float | None, str]:
    """One label from those of several raters, and how it was derived.

    Median and majority accept the same cases: those that more than half of the raters accept. Neither has a tie where
    an odd number of raters gave a label; with an even number there is no label where one half accepts and the other
    does not. They differ in the level. The median of an even number is the lower of the two in the middle. The majority
    is the most frequent level on the side of the cut-off that won, the median where several are equally frequent.

    Args:
        values: One number a rater, at least one, on a scale where more is better.
        rule: How they are combined.
        accept_from: The cut-off: the lowest value that counts as accepted.

    >>> combined([2, 3, 4], LabelRule.MAJORITY, 3), combined([1, 1, 3, 4, 4], LabelRule.MAJORITY, 3)
    ((3.0, 'majority of 3'), (4.0, 'majority of 5'))
    >>> combined([1, 1, 3, 4, 4], LabelRule.MEDIAN, 3), combined([2, 3], LabelRule.MEDIAN, 3)
    ((3.0, 'median of 5'), (None, 'tie'))
    """
    n = len(values)
    if rule is LabelRule.MEAN:
        return float(sum(values) / n), ONE_RATER if n == 1 else f"mean of {n}"
    ordered = sorted(float(value) for value in values)
    if ordered[0] == ordered[-1]:
        return ordered[0], ONE_RATER if n == 1 else f"all {n} agree"
    if rule is LabelRule.ADJUDICATED:
        return None, DIFFER
    accepting = sum(value >= accept_from for value in ordered)
    if 2 * accepting == n:
        return None, TIE
    median = ordered[(n - 1) // 2]
    if rule is LabelRule.MEDIAN:
        return median, f"median of {n}"
    winners = ordered[n - accepting :] if 2 * accepting > n else ordered[: n - accepting]
    counts = Counter(winners).most_common()
    most = [value for value, count in counts if count == counts[0][1]]
    return most[0] if len(most) == 1 else median, f"majority of {n}"
