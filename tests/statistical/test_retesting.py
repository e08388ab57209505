"""A finding that nobody fixed is hardly ever called fixed, though it was chosen for being weak; a fixed one often is.

The weakest of eight levels is taken from one run, as a search would, and measured again: on the same questions, where
the system answers a part of them otherwise by chance, and on other questions of the same levels.
"""

import numpy as np
import pytest

from core.domain.estimates import Estimate
from core.domain.results.findings import Outcome
from core.stats import clustered_mean
from core.stats.comparisons.differences import difference_of
from core.weakness.findings.over_runs.retesting import decide

pytestmark = pytest.mark.statistical

DRAWS, LEVELS, GROUPS, SIZE = 400, 8, 15, 2
EACH = GROUPS * SIZE


def drawn(generator, shares):
    """Verdicts of levels x groups x cases; the cases of a group share its own chance."""
    of_group = generator.beta(shares[:, None] * 2 + 1e-9, (1 - shares[:, None]) * 2 + 1e-9, (shares.size, GROUPS))
    return (generator.random((shares.size, GROUPS, SIZE)) < of_group[..., None]).astype(float), of_group


def mean(values):
    clusters = np.arange(values.size) // SIZE
    return clustered_mean(values.ravel(), clusters, low=0.0, high=1.0)


def retested(generator, before_shares, after_shares, *, paired):
    """What a retest of the weakest level says."""
    before, of_group = drawn(generator, before_shares)
    level = int(before.mean(axis=(1, 2)).argmin())
    if paired:
        # The same questions: each keeps its verdict in four of five, else it is drawn anew with the change of share.
        moved = np.clip(of_group + (after_shares - before_shares)[:, None], 0.0, 1.0)
        fresh = (generator.random(before.shape) < moved[..., None]).astype(float)
        changed = (generator.random(before.shape) < 0.2) | (after_shares != before_shares)[:, None, None]
        after = np.where(changed, fresh, before)
        moves = (after[level] - before[level]).ravel()
        change = clustered_mean(moves, np.arange(EACH) // SIZE, low=-1.0, high=1.0)
    else:
        after, _ = drawn(generator, after_shares)
        change = difference_of(mean(before[level]), mean(after[level]))
    rest = mean(np.delete(after, level, axis=0))
    return decide(change, difference_of(mean(after[level]), rest))[0]


def shares(weak, rest=0.85):
    return np.array([weak] + [rest] * (LEVELS - 1))


@pytest.mark.parametrize("paired", [True, False], ids=["same questions", "other questions"])
@pytest.mark.parametrize("weak", [0.55, 0.85], ids=["weak", "only chosen"])
def test_what_nobody_changed_is_seldom_called_fixed(paired, weak):
    generator = np.random.default_rng(17)
    outcomes = [retested(generator, shares(weak), shares(weak), paired=paired) for _ in range(DRAWS)]
    assert outcomes.count(Outcome.FIXED) / DRAWS <= (0.05 if weak < 0.85 else 0.12)


@pytest.mark.parametrize("paired", [True, False], ids=["same questions", "other questions"])
def test_what_was_mended_is_mostly_called_fixed(paired):
    generator = np.random.default_rng(19)
    outcomes = [retested(generator, shares(0.45), shares(0.85), paired=paired) for _ in range(DRAWS)]
    assert outcomes.count(Outcome.FIXED) / DRAWS >= 0.5
    assert outcomes.count(Outcome.WORSE) / DRAWS <= 0.01


def test_the_interval_of_a_difference_covers():
    generator, covered = np.random.default_rng(23), 0
    for _ in range(DRAWS):
        (first, second), _ = drawn(generator, np.array([0.6, 0.85]))
        change: Estimate = difference_of(mean(first), mean(second))
        covered += change.low <= 0.25 <= change.high
    assert covered / DRAWS >= 0.93
