"""A figure of a run as a criterion sees it: the estimate, who is missing, and how far that could move it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.domain.estimates import Estimate, Proportion

NO_VALUE: Final = Estimate(value=None, low=None, high=None, n=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One figure of one run.

    Attributes:
        estimate: With its interval and n; without a value where there is none.
        of: Cases that it is about.
        missing: Of these, cases without an outcome.
        unresolved: Cases that have an outcome which may yet count for the figure.
        unresolved_what: What they are, for a sentence.
        least: The figure if every missing case were at the low end; None where there is no such end.
        most: The figure if every missing or unresolved case were at the high end; None where there is no such end.
        why: Why there is no value, one sentence; empty where there is one.
        note: What else must be known to read it, one sentence; may be empty.
        what: What cases with an outcome are, for a sentence ("judged").
    """

    estimate: Estimate
    of: int = 0
    missing: int = 0
    unresolved: int = 0
    unresolved_what: str = ""
    least: float | None = None
    most: float | None = None
    why: str = ""
    note: str = ""
    what: str = "scored"


def from_share(
    share: Proportion, *, of: int, missing: int, what: str, unresolved: int = 0, unresolved_what: str = ""
) -> Reading:
    """A share of cases as a reading.

    Args:
        share: Of the cases with an outcome.
        of: Cases that it is about.
        missing: Of these, cases without an outcome.
        what: What cases with an outcome are, for a sentence.
        unresolved: Cases with an outcome that may yet count.
        unresolved_what: What they are.
    """
    if not share.den:
        return nothing(f"None of the {of:,} cases is {what}." if of else f"There is no case to be {what}.", of=of)
    return Reading(
        estimate=Estimate(value=share.value, low=share.low, high=share.high, n=share.den, method=share.method),
        of=of,
        missing=missing,
        unresolved=unresolved,
        unresolved_what=unresolved_what,
        least=share.num / (share.den + missing),
        most=(share.num + unresolved + missing) / (share.den + missing),
        what=what,
    )


def nothing(why: str, *, of: int = 0) -> Reading:
    """A figure that the run does not have, with the reason."""
    return Reading(estimate=NO_VALUE, of=of, why=why)
