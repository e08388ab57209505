"""Two yes-no properties of independent units: do they go together?"""

from __future__ import annotations

import math

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.stats.intervals import Z95

ODDS = "odds ratio with 0.5 added to each cell, 95% interval on the log scale"
CLOSE = 10_000_000
"""Tables whose chances differ by less than one part in this many count as equally likely."""


def fisher_exact(both: int, first: int, second: int, neither: int) -> float:
    r"""Two-sided exact p-value that two properties are unrelated, given how often each occurs.

    The sum of the chances of all tables with the same margins that are at most as likely as the one seen, each

    .. math:: \binom{a+b}{a} \binom{c+d}{c} / \binom{n}{a+c}

    Args:
        both: Units with both properties (a).
        first: With the first alone (b).
        second: With the second alone (c).
        neither: With neither (d).

    Returns:
        The p-value in (0, 1]; 1 where a property occurs never or always.

    Raises:
        InvalidInput: A count is negative.

    Reference:
        R. A. Fisher (1935), The logic of inductive inference.

    >>> round(fisher_exact(3, 1, 1, 3), 4)
    0.4857
    """
    _check(both, first, second, neither)
    rows, columns, total = both + first, both + second, both + first + second + neither
    least, most = max(0, columns - (total - rows)), min(rows, columns)
    ways = [math.comb(rows, least) * math.comb(total - rows, columns - least)]
    for a in range(least, most):
        # The next product of binomials from the last one; it divides without remainder.
        ways.append(ways[-1] * (rows - a) * (columns - a) // ((a + 1) * (total - rows - columns + a + 1)))
    seen = ways[both - least]
    # Whole numbers throughout: their ratio may be beyond any float.
    unlikely = sum(way for way in ways if (way - seen) * CLOSE <= seen)
    return min(1.0, unlikely / sum(ways))


def odds_ratio(both: int, first: int, second: int, neither: int) -> Estimate:
    r"""How many times the odds of the second property are larger where the first holds.

    With 0.5 added to each cell, so that an empty one still gives a figure, and an interval on the log scale,

    .. math:: \ln \frac{(a+.5)(d+.5)}{(b+.5)(c+.5)} \pm z \sqrt{\sum 1/(n_i + .5)}.

    Args:
        both: Units with both properties (a).
        first: With the first alone (b).
        second: With the second alone (c).
        neither: With neither (d).

    Returns:
        The ratio; no value where a property occurs never or always, because then there is nothing to compare.

    Raises:
        InvalidInput: A count is negative.

    Reference:
        J. J. Gart and J. R. Zweifel (1967), On the bias of various estimators of the logit and its variance.

    >>> round(odds_ratio(3, 1, 1, 3).value, 3)
    5.444
    """
    _check(both, first, second, neither)
    total = both + first + second + neither
    if both + first in (0, total) or both + second in (0, total):
        return Estimate(value=None, low=None, high=None, n=total, method=ODDS)
    cells = [count + 0.5 for count in (both, first, second, neither)]
    middle = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half = Z95 * math.sqrt(sum(1.0 / cell for cell in cells))
    return Estimate(
        value=math.exp(middle), low=math.exp(middle - half), high=math.exp(middle + half), n=total, method=ODDS
    )


def _check(*counts: int) -> None:
    if min(counts) < 0:
        raise InvalidInput(f"A table of counts holds {min(counts)}.", "Counts are 0 or more.")
