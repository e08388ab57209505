"""What an agreement means in plain words, and whether scores may be calibrated against such labels."""

from __future__ import annotations

from typing import Literal

from core.domain.estimates import Estimate

Usable = Literal["refused", "warned", "fine"]

TENTATIVE = 0.667
"""Krippendorff: below it not even tentative conclusions."""
RELIABLE = 0.8
"""Krippendorff: from here on labels can be relied on."""


def usable(alpha: Estimate) -> Usable:
    """Whether scores may be calibrated against labels that agree so.

    Refused where the lower end of the interval is 0 or below, and where the value itself is: then nobody can tell the
    labels from chance. Warned of where the value is below .667 or the agreement is not known, as with one rater.

    >>> usable(Estimate(value=0.7, low=-0.1, high=0.9, n=8)), usable(Estimate(value=0.7, low=0.5, high=0.9, n=80))
    ('refused', 'fine')
    """
    if alpha.value is None:
        return "warned"
    if alpha.value <= 0.0 or (alpha.low is not None and alpha.low <= 0.0):
        return "refused"
    return "warned" if alpha.value < TENTATIVE or alpha.low is None else "fine"


def reading(alpha: Estimate) -> str:
    """An agreement in a sentence or two, with what follows for calibration.

    Args:
        alpha: Krippendorff's alpha; its method tells why there is no value.

    Reference:
        K. Krippendorff (2004), Reliability in content analysis: some common misconceptions and recommendations.
    """
    if alpha.value is None:
        return f"Agreement cannot be told: {alpha.method}. Whether the labels can be repeated is not known."
    shown = _shown(alpha)
    if alpha.value < 0.0:
        return (
            f"Worse than chance ({shown}): raters systematically differ. Look at their guidelines before anything "
            "else; calibration is refused."
        )
    if alpha.value == 0.0 or (alpha.low is not None and alpha.low <= 0.0):
        return f"Not to be told from chance ({shown}): the interval reaches 0. Calibration is refused."
    if alpha.low is None:
        return (
            f"Too few cases to judge ({shown}): {alpha.n} {'case has' if alpha.n == 1 else 'cases have'} labels of two "
            "raters and an interval needs 6. Label more cases by two raters."
        )
    if alpha.value < TENTATIVE:
        return (
            f"Better than chance but low ({shown}): below .667 labels support not even tentative conclusions. "
            "Calibration warns of it; sharpen the guidelines and adjudicate."
        )
    if alpha.value < RELIABLE:
        return f"Tentative ({shown}): from .667 to .8 labels support tentative conclusions."
    return f"Reliable ({shown}): .8 and above."


def _shown(alpha: Estimate) -> str:
    interval = "" if alpha.low is None or alpha.high is None else f" [{alpha.low:.3f}, {alpha.high:.3f}]"
    return f"alpha {alpha.value:.3f}{interval}, {alpha.n:,} {'case' if alpha.n == 1 else 'cases'}"
