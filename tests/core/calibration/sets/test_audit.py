"""Labels made later, against the promise."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from core.calibration.sets.audit import Standing, audit_coverage, confidence_sequence
from core.domain.errors import InsufficientData, InvalidInput
from core.stats import wilson
from core.store.codec import to_row


def audit(hits, **options):
    """Twenty labels a period."""
    periods = [f"{place // 20:03d}" for place in range(len(hits))]
    return audit_coverage(hits, periods, alpha=0.1, **options)


def test_periods_add_up():
    hits = [True] * 18 + [False] * 2 + [True] * 15 + [False] * 5
    found = audit(hits)
    assert [(one.coverage.num, one.coverage.den) for one in found.periods] == [(18, 20), (15, 20)]
    assert [(one.so_far.num, one.so_far.den) for one in found.periods] == [(18, 20), (33, 40)]
    assert [one.period for one in found.periods] == ["000", "001"]
    assert found.standing is Standing.OPEN
    json.dumps(to_row(found), allow_nan=False)


def test_the_order_of_the_labels_does_not_matter():
    hits, periods = np.arange(60) % 7 > 0, np.array([f"2026-{1 + place % 3:02d}" for place in range(60)])
    order = np.random.default_rng(0).permutation(60)
    assert audit_coverage(hits, periods, alpha=0.1) == audit_coverage(hits[order], periods[order], alpha=0.1)


def test_a_hand_computed_sequence():
    # Five hits: B(5.5, .5) / B(.5, .5) = (.5 * 1.5 * 2.5 * 3.5 * 4.5) / 5! = .24609; p^5 = .24609 / 20.
    low, high = confidence_sequence(5, 0)
    assert low == pytest.approx((0.24609375 / 20) ** 0.2)
    assert high == 1.0
    assert confidence_sequence(0, 0) == (0.0, 1.0)


def test_what_the_labels_say():
    assert audit([True] * 200).standing is Standing.KEPT
    assert audit(([True] * 9 + [False]) * 20).standing is Standing.OPEN
    assert audit([True, False] * 100).standing is Standing.BROKEN
    # 78% of 400 is below 90%; a calibration on 19 labels may have that coverage by luck, one on 900 may not.
    some = ([True] * 39 + [False] * 11) * 8
    assert audit(some, calibrated_on=19).standing is Standing.BELOW
    assert audit(some, calibrated_on=900).standing is Standing.BROKEN
    assert "calibrate again" in audit(some, calibrated_on=900).sentence.lower()


def test_once_broken_stays_broken():
    found = audit([False] * 40 + [True] * 2_000)
    assert found.standing is Standing.BROKEN
    assert found.periods[-1].so_far.value > 0.9


def test_cases_of_one_source_count_once():
    hits = np.repeat([True] * 16 + [False] * 4, 5)
    alone = audit(hits)
    together = audit(hits, clusters=np.repeat(np.arange(20), 5))
    assert together.periods[-1].so_far.high > alone.periods[-1].so_far.high
    assert (together.periods[-1].so_far.low, together.periods[-1].so_far.high) == pytest.approx(
        confidence_sequence(16, 4)
    )


def test_what_cannot_be_audited_is_refused():
    with pytest.raises(InsufficientData):
        audit([])
    with pytest.raises(InvalidInput, match="differ in number"):
        audit_coverage([True], ["a", "b"], alpha=0.1)
    with pytest.raises(InvalidInput, match="alpha"):
        audit_coverage([True], ["a"], alpha=1.0)


@pytest.mark.statistical
@pytest.mark.parametrize("coverage", [0.9, 0.5])
def test_the_sequence_is_hardly_ever_wrong_at_any_reading(coverage):
    """1,000 audits read after every one of 120 labels: in at most 5% does any reading miss the true coverage."""
    runs, labels = 1_000, 120
    hits = np.cumsum(np.random.default_rng(1).random((runs, labels)) < coverage, axis=1)
    n = np.arange(1, labels + 1)
    # The border of each count once, not for each run.
    wrong = np.zeros(runs, dtype=bool)
    for place in range(labels):
        lowest = stats.binom.ppf(1e-9, n[place], coverage)
        highest = stats.binom.ppf(1 - 1e-9, n[place], coverage)
        for count in np.arange(lowest, highest + 1):
            here = hits[:, place] == count
            if here.any():
                low, high = confidence_sequence(float(count), float(n[place] - count))
                wrong |= here & ((low > coverage) | (high < coverage))
    assert wrong.mean() <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.statistical
def test_ordinary_intervals_would_be_wrong_far_more_often():
    """The same readings with Wilson's interval, which is why the sequence is needed; and clusters keep the level."""
    generator = np.random.default_rng(2)
    wrong = kept = 0
    for _ in range(300):
        share = generator.beta(9, 1, 60)  # a coverage of its own for each source, .9 on average
        hits = np.repeat(share, 4) > generator.random(240)
        totals = np.cumsum(hits)
        wrong += any(
            wilson(int(totals[n]), n + 1).high < 0.9 or wilson(int(totals[n]), n + 1).low > 0.9
            for n in range(9, 240, 4)
        )
        means = np.cumsum(hits.reshape(60, 4).mean(axis=1))
        ends = [confidence_sequence(float(means[n]), float(n + 1 - means[n])) for n in range(3, 60, 3)]
        kept += all(low <= 0.9 <= high for low, high in ends)
    assert wrong / 300 > 0.15
    assert kept / 300 >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / 300)


@pytest.mark.statistical
def test_a_good_calibration_is_hardly_ever_called_broken():
    """300 calibrations on 40 labels, audited after each of ten periods: level plus the luck that is allowed for."""
    generator = np.random.default_rng(3)
    broken = 0
    for _ in range(300):
        coverage = generator.beta(37, 4)  # k = ceil(41 * .9) = 37
        broken += audit(generator.random(200) < coverage, calibrated_on=40).standing is Standing.BROKEN
    assert broken / 300 <= 0.06


def test_a_promise_close_to_one_is_told_as_it_is():
    found = audit_coverage([True] * 20, ["a"] * 20, alpha=0.001)
    assert found.sentence == "No evidence against the promise of 99.9% so far: 20 of 20 sets hold the label."
