"""How far raters are, in words: cases are counted once, those that come back are told beside them."""

from __future__ import annotations

from collections.abc import Sequence

from core.labelling.rating.progress import RaterProgress
from pages.kit.look import numbers


def twice(rater: RaterProgress) -> str:
    """How many cases there are and how many come twice, never which: "20 cases, 2 of them shown twice"."""
    return f"{numbers.count(rater.cases, 'case')}, {rater.again:,} of them shown twice"


def far(raters: Sequence[RaterProgress]) -> str:
    """How far raters are together: "20 of 20", and "1 of 2 again" where cases are repeated."""
    again = sum(rater.again for rater in raters)
    cases = f"{sum(rater.cases_done for rater in raters):,} of {sum(rater.cases for rater in raters):,}"
    return f"{cases}, {sum(rater.again_done for rater in raters):,} of {again:,} again" if again else cases
