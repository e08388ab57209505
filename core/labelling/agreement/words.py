"""An agreement in plain words, and whether scores may be calibrated against labels that agree so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.domain.estimates import Estimate

Usable = Literal["refused", "warned", "fine"]

TENTATIVE = 0.667
"""Krippendorff: below it not even tentative conclusions."""
RELIABLE = 0.8
"""Krippendorff: from here on labels can be relied on."""
MOSTLY = 0.8
"""From this share of cases with one label from everybody on, raters agree, and a low alpha lies in one-sided labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCases:
    """The cases with labels of two raters or more, counted.

    Attributes:
        n: How many there are.
        same: Of them those to which every rater gave the same label.
        usual: The most frequent label, in words.
        rarer: Cases to which somebody gave another label than that.
    """

    n: int
    same: int
    usual: str
    rarer: int

    @property
    def one_sided(self) -> bool:
        """Whether raters mostly agree, so that few other labels are why agreement is not told from chance."""
        return self.n > 0 and self.same >= MOSTLY * self.n


def shared_cases(table: npt.NDArray[np.float64], anchors: Mapping[float, str] | None = None) -> SharedCases:
    """Counts the cases that two raters or more labelled.

    Args:
        table: One row a rater, one column a case, NaN for no label; shape (raters, cases).
        anchors: The levels in words, by value.

    >>> shared_cases(np.array([[0.0, 0, 0, 1], [0, 0, 1, 1]]), {0.0: "Incorrect"})
    SharedCases(n=4, same=3, usual='"Incorrect"', rarer=2)
    """
    shared = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    if not shared.size:
        return SharedCases(n=0, same=0, usual="", rarer=0)
    values, counts = np.unique(shared[~np.isnan(shared)], return_counts=True)
    usual = float(values[counts.argmax()])
    anchor = (anchors or {}).get(usual)
    return SharedCases(
        n=shared.shape[1],
        same=int((np.nanmin(shared, axis=0) == np.nanmax(shared, axis=0)).sum()),
        usual=f'"{anchor}"' if anchor else "the most frequent one",
        rarer=int(((shared != usual) & ~np.isnan(shared)).any(axis=0).sum()),
    )


def usable(alpha: Estimate) -> Usable:
    """Whether scores may be calibrated against labels with this agreement.

    Refused where the value or the lower end of its interval is 0 or below: such labels are not distinguishable from
    chance. A warning is given where the value is below .667 or the agreement is not known, as with one rater.

    >>> usable(Estimate(value=0.7, low=-0.1, high=0.9, n=8)), usable(Estimate(value=0.7, low=0.5, high=0.9, n=80))
    ('refused', 'fine')
    """
    if alpha.value is None:
        return "warned"
    if alpha.value <= 0.0 or (alpha.low is not None and alpha.low <= 0.0):
        return "refused"
    return "warned" if alpha.value < TENTATIVE or alpha.low is None else "fine"


def reading(alpha: Estimate, shared: SharedCases | None = None) -> str:
    """An agreement in a sentence or two, with the consequence for calibration.

    Args:
        alpha: Krippendorff's alpha; its method states why there is no value.
        shared: The cases it is of, which tell disagreement from too few labels of the rarer kind.

    Reference:
        K. Krippendorff (2004), Reliability in content analysis: some common misconceptions and recommendations.
    """
    if alpha.value is None:
        return f"Agreement cannot be measured: {alpha.method}. Whether the labels are reproducible is not known."
    figures = _figures(alpha)
    if usable(alpha) == "refused" and shared is not None and shared.one_sided:
        return _one_sided(figures, shared)
    if alpha.value < 0.0:
        return (
            f"Worse than chance ({figures}): raters systematically disagree. Review their guidelines first; "
            "calibration is refused."
        )
    if alpha.value == 0.0 or (alpha.low is not None and alpha.low <= 0.0):
        return f"Not distinguishable from chance ({figures}): the interval includes 0. Calibration is refused."
    if alpha.low is None:
        return (
            f"Too few cases ({figures}): {alpha.n} {'case has' if alpha.n == 1 else 'cases have'} labels of two "
            "raters; an interval needs 6. Have two raters label more cases."
        )
    if alpha.value < TENTATIVE:
        return (
            f"Better than chance but low ({figures}): below .667 labels do not support even tentative conclusions. "
            "Calibration gives a warning; clarify the guidelines and adjudicate disputed cases."
        )
    if alpha.value < RELIABLE:
        return f"Tentative ({figures}): from .667 to .8 labels support tentative conclusions."
    return f"Reliable ({figures}): .8 and above."


def _one_sided(figures: str, shared: SharedCases) -> str:
    have = "one of them has" if shared.rarer == 1 else f"{shared.rarer:,} of them have"
    return (
        f"The raters agree on {shared.same:,} of {shared.n:,} cases that two or more labelled, but only {have} a label "
        f"other than {shared.usual}: too few to tell agreement from chance ({figures}). Calibration is refused until "
        "two raters or more have labelled more cases, above all of the rarer kind."
    )


def _figures(alpha: Estimate) -> str:
    interval = "" if alpha.low is None or alpha.high is None else f" [{alpha.low:.3f}, {alpha.high:.3f}]"
    return f"alpha {alpha.value:.3f}{interval}, {alpha.n:,} {'case' if alpha.n == 1 else 'cases'}"
