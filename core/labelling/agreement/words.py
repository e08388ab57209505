"""An agreement in plain words, and whether scores may be calibrated against labels that agree so far."""

from __future__ import annotations

from typing import Literal

from core.domain.estimates import Estimate

Usable = Literal["refused", "warned", "fine"]

TENTATIVE = 0.667
"""Krippendorff: below it not even tentative conclusions."""
RELIABLE = 0.8
"""Krippendorff: from here on labels can be relied on."""


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


def reading(alpha: Estimate) -> str:
    """An agreement in a sentence or two, with the consequence for calibration.

    Args:
        alpha: Krippendorff's alpha; its method states why there is no value.

    Reference:
        K. Krippendorff (2004), Reliability in content analysis: some common misconceptions and recommendations.
    """
    if alpha.value is None:
        return f"Agreement cannot be measured: {alpha.method}. Whether the labels are reproducible is not known."
    figures = _figures(alpha)
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


def _figures(alpha: Estimate) -> str:
    interval = "" if alpha.low is None or alpha.high is None else f" [{alpha.low:.3f}, {alpha.high:.3f}]"
    return f"alpha {alpha.value:.3f}{interval}, {alpha.n:,} {'case' if alpha.n == 1 else 'cases'}"
