r"""How many questions a share needs: for an interval of some width, to pass a threshold, to show a difference.

Questions come in groups that share a source (the wordings of one filled query), and a further wording of a question says
less than a further question. With groups of `m` cases whose outcomes are as alike as :math:`\rho`, `n` cases are worth
:math:`n / (1 + (m - 1) \rho)` independent ones (Kish's design effect). A plan counts groups, and therefore facts.

The intervals planned for are those that runs get (:func:`core.stats.intervals.clustered_proportion`): Wilson's at the
effective number of cases, made smaller by :math:`(z / t_{K-1})^2` for few groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from core.domain.errors import InvalidInput
from core.stats.intervals import Z95, score_interval

MOST_GROUPS = 1_000_000
"""Beyond this no plan is made."""

LATER = 40
"""Sizes above a planned one that must hold as well: power rises in a saw-tooth with the number of cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """How the cases of a test set hang together.

    Attributes:
        size: Cases of a group, on average, at least 1.
        likeness: How alike the outcomes of a group are: 0 as if drawn from anywhere, 1 all the same.
    """

    size: float = 1.0
    likeness: float = 0.0

    @property
    def design_effect(self) -> float:
        """How many cases are worth one independent case; at least 1.

        >>> Grouping(size=6, likeness=0.5).design_effect
        3.5
        """
        return 1.0 + (self.size - 1.0) * self.likeness


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A test set that is large enough.

    Attributes:
        groups: Groups of cases, such as facts with their wordings.
        cases: Cases in all.
        effective: Independent cases that they are worth.
        reached: Expected half-width of the interval, or the power.
    """

    groups: int
    cases: int
    effective: float
    reached: float


def grouping_of(outcomes: ArrayLike, groups: ArrayLike) -> Grouping:
    r"""How the cases of a run hang together.

    The size is that of a case's group on average, :math:`\sum_k m_k^2 / n`; the likeness is
    :math:`1 - \frac{\sum_k y_k (m_k - y_k) / \sum_k m_k (m_k - 1)}{p (1 - p)}` with totals `y` and sizes `m`, cut to
    [0, 1]: two cases of one group differ that much less often than two of any.

    Args:
        outcomes: True or False per case, shape (n,), n >= 1.
        groups: The group of each case, shape (n,).

    Edge cases: where every outcome is the same, or every case is its own group, nothing can be estimated; likeness is
    1 with groups and 0 without.

    >>> round(grouping_of([1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 2, 2]).likeness, 3)
    0.333
    """
    values = np.asarray(outcomes, dtype=bool)
    _, index = np.unique(np.asarray(groups), return_inverse=True)
    sizes = np.bincount(index).astype(np.float64)
    totals = np.bincount(index, weights=values).astype(np.float64)
    size = float(sizes @ sizes / values.size)
    share = float(values.mean())
    pairs = float(sizes @ (sizes - 1.0))
    if not pairs:
        return Grouping(size=1.0, likeness=0.0)
    if share in (0.0, 1.0):
        return Grouping(size=size, likeness=1.0)
    differing = float(totals @ (sizes - totals)) / pairs
    return Grouping(size=size, likeness=min(max(1.0 - differing / (share * (1.0 - share)), 0.0), 1.0))


def effective_cases(groups: int, grouping: Grouping) -> float:
    """Independent cases that so many groups are worth, as an interval of a run counts them."""
    cases = groups * grouping.size
    if grouping.size <= 1.0:
        return float(groups)
    few = (Z95 / float(special.stdtrit(max(groups - 1, 1), 0.975))) ** 2
    return float(max(cases / grouping.design_effect * few, 1.0))


def half_width(share: float, groups: int, grouping: Grouping) -> float:
    """Half the width of the 95% interval of a share over so many groups."""
    low, high = score_interval(share, effective_cases(groups, grouping))
    return (high - low) / 2.0


def groups_for_width(share: float, wanted: float, grouping: Grouping | None = None) -> Plan:
    """The fewest groups whose 95% interval is expected to reach `wanted` to either side at most.

    The width of a sample varies round the expected one; at a share of 0.5 it is widest, so that 0.5 plans for the worst.

    Args:
        share: The share that is expected, in [0, 1].
        wanted: Half-width of the interval, in (0, 0.5).
        grouping: How the cases hang together; independent by default.

    Raises:
        InvalidInput: An argument is out of its range, or no test set of a million groups would do.

    >>> groups_for_width(0.5, 0.05).groups  # 1.96^2 x 0.25 / 0.05^2 = 384, less what Wilson's centre gives
    381
    """
    grouping = grouping or Grouping()
    _check("expected share", share, 0.0, 1.0)
    _check("half-width", wanted, 0.0, 0.5, open_ends=True)
    groups = _fewest(lambda count: half_width(share, count, grouping) <= wanted, least=2)
    return _plan(groups, grouping, half_width(share, groups, grouping))


def power_to_pass(share: float, threshold: float, groups: int, grouping: Grouping) -> float:
    """The chance that the lower 95% bound reaches a threshold, if the true share is `share`.

    The number of successes is taken to be binomial over the effective cases.
    """
    size = effective_cases(groups, grouping)
    whole = max(math.floor(size), 1)
    # The fewest successes whose lower bound reaches the threshold; the bound rises with them.
    low, high = 0, whole + 1
    while low < high:
        middle = (low + high) // 2
        if score_interval(middle / whole, size)[0] >= threshold:
            high = middle
        else:
            low = middle + 1
    return 0.0 if low > whole else float(stats.binom.sf(low - 1, whole, share))


def groups_to_pass(share: float, threshold: float, power: float = 0.8, grouping: Grouping | None = None) -> Plan:
    """The fewest groups with which a system of a true share passes a threshold on the lower 95% bound.

    For an upper bound that must stay below a threshold, give both as their complement to 1.

    Args:
        share: The true share, above the threshold.
        threshold: What the lower bound must reach.
        power: The chance to pass that is wanted, in (0, 1).
        grouping: How the cases hang together; independent by default.

    Raises:
        InvalidInput: An argument is out of its range, the share is not above the threshold, or no test set of a million
            groups would do.
    """
    grouping = grouping or Grouping()
    _check("true share", share, 0.0, 1.0)
    _check("threshold", threshold, 0.0, 1.0)
    _check("power", power, 0.0, 1.0, open_ends=True)
    if share <= threshold:
        raise InvalidInput(
            f"A system that is right in {share:g} cannot be shown to be above {threshold:g}.",
            "Give a share above the threshold, or a lower threshold.",
        )

    def enough(groups: int) -> bool:
        return all(power_to_pass(share, threshold, groups + more, grouping) >= power for more in range(LATER))

    groups = _fewest(enough, least=2)
    return _plan(groups, grouping, power_to_pass(share, threshold, groups, grouping))


def groups_for_change(
    difference: float, changing: float, power: float = 0.8, level: float = 0.05, grouping: Grouping | None = None
) -> Plan:
    r"""The fewest groups that show a difference between two runs of the same questions.

    With a share `c` of cases whose verdict changes and a difference `d` of the accuracies, McNemar's test needs

    .. math:: n = \left( z_{1-\alpha/2} \sqrt c + z_{power} \sqrt{c - d^2} \right)^2 / d^2.

    Args:
        difference: Of the accuracies, in (0, 1].
        changing: Share of cases that change, either way; at least the difference. Two systems that err on other cases
            change many.
        power: The chance to show it.
        level: Of the two-sided test.
        grouping: How the changes of the cases of a group hang together; independent by default.

    Raises:
        InvalidInput: An argument is out of its range, or fewer cases change than the difference needs.

    Reference:
        R. J. Connor (1987), Sample size for testing differences in proportions for the paired-sample design, eq. 3.

    >>> groups_for_change(0.1, 0.2).groups  # (1.96 x 0.4472 + 0.8416 x 0.4359)^2 / 0.01 = 154.1
    155
    """
    grouping = grouping or Grouping()
    _check("difference", difference, 0.0, 1.0, open_low=True)
    _check("share of cases that change", changing, 0.0, 1.0)
    _check("power", power, 0.0, 1.0, open_ends=True)
    if changing < difference:
        raise InvalidInput(
            f"A difference of {difference:g} needs as many cases that change, and {changing:g} are given.",
            "Give a larger share of cases that change.",
        )
    z, reach = float(stats.norm.ppf(1.0 - level / 2.0)), float(stats.norm.ppf(power))
    spread = math.sqrt(max(changing - difference**2, 0.0))
    independent = ((z * math.sqrt(changing) + reach * spread) / difference) ** 2
    groups = _fewest(lambda count: effective_cases(count, grouping) >= independent, least=2)
    size = effective_cases(groups, grouping)
    beyond = math.sqrt(size) * difference - z * math.sqrt(changing)
    return _plan(groups, grouping, float(stats.norm.cdf(beyond / spread)) if spread else 1.0)


def _plan(groups: int, grouping: Grouping, reached: float) -> Plan:
    return Plan(
        groups=groups,
        cases=math.ceil(groups * grouping.size),
        effective=effective_cases(groups, grouping),
        reached=reached,
    )


def _fewest(enough: Callable[[int], bool], *, least: int) -> int:
    """The smallest count that is enough, where every larger one is."""
    high = least
    while not enough(high):
        high *= 2
        if high > MOST_GROUPS:
            raise InvalidInput(
                f"More than {MOST_GROUPS:,} groups would be needed.", "Ask for less: a wider interval, or less power."
            )
    low = max(high // 2, least)
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _check(
    what: str, value: float, low: float, high: float, *, open_ends: bool = False, open_low: bool = False
) -> None:
    inside = low < value < high if open_ends else low < value <= high if open_low else low <= value <= high
    if not inside:
        raise InvalidInput(f"{value:g} is no {what}.", f"Give a number between {low:g} and {high:g}.")
