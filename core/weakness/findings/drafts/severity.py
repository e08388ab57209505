"""How much a weakness matters, by rule."""

from __future__ import annotations

import numpy as np

from core.domain.results.findings import Severity
from core.weakness.table import ScoreColumn

LARGE = 0.20
"""Effect from which a weakness can be high, as a share of the score's range."""
MUCH = 0.10
"""The smallest share of the total loss that a high weakness explains."""
LITTLE = 0.03
"""Share of the total loss below which a weakness is low."""
FEW = 3.0
"""Failing cases below which a weakness is low."""


def severity_of(effect: float, scored: int, lost: float) -> Severity:
    """The severity of a part that is weak.

    It explains as many failing cases as would be avoided if it were as good as the rest: its effect times its scored
    cases. High: an effect of 0.20 of the range or more that explains a tenth or more of the total loss. Low: it
    explains fewer than 3 cases, or less than 3% of the total loss. Medium: everything between.

    Args:
        effect: How much worse than the rest, as a share of the score's range (of four standard deviations for a score
            without bounds).
        scored: Cases of the part with a score.
        lost: Failing cases of the whole run; for a mean, the sum of what each case lacks to the best value, as a share
            of the range.

    >>> severity_of(0.35, 40, 60.0).value, severity_of(0.12, 40, 60.0).value, severity_of(0.35, 6, 60.0).value
    ('high', 'medium', 'low')
    """
    explained = effect * scored
    if explained < FEW or explained < LITTLE * lost:
        return Severity.LOW
    return Severity.HIGH if effect >= LARGE and explained >= MUCH * lost else Severity.MEDIUM


def spread_of(score: ScoreColumn) -> float:
    """The unit of relative effects: the range of the score, or four standard deviations where it has no bounds."""
    if score.low is not None and score.high is not None:
        return score.high - score.low
    values = score.values[~np.isnan(score.values)]
    return 4.0 * float(values.std()) if values.size else 0.0


def lost_of(score: ScoreColumn) -> float:
    """The total loss: distances to the best value, as a share of the range; to the mean without a best value.

    Of a verdict it is the number of failing cases.
    """
    values, spread = score.sign * score.values[~np.isnan(score.values)], spread_of(score)
    if not values.size or not spread:
        return 0.0
    best = float(values.mean())
    if score.low is not None and score.high is not None:
        best = score.high if score.higher_is_better else -score.low
    return float(np.maximum(best - values, 0.0).sum() / spread)
