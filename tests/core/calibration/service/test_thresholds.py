"""One threshold instead of sets: errors on the test part, a choice on the conformal part."""

from __future__ import annotations

from core.calibration.decisions import ErrorKind, Threshold, ThresholdBy
from core.calibration.service.stored import report_of
from core.calibration.service.thresholds import chosen_threshold, error_curve, errors_of
from tests.support.labels.labelled_store import calibrated


def test_errors_at_a_threshold_are_of_the_test_part(labelled, made):
    report = report_of(calibrated(labelled, made))
    tested = [row for row in report.labels if row.part == "test"]
    rejected = sum(not row.accepted for row in tested)
    everything = errors_of(report, 0.0)
    # Accepting all of them is wrong for each that people reject, and for none that they accept.
    assert (everything.type_1.num, everything.type_1.den) == (rejected, rejected)
    assert (everything.type_2.num, everything.type_2.den) == (0, len(tested) - rejected)
    curve = error_curve(report)
    kinds = [step.type_1.num for step in curve.steps]
    assert kinds == sorted(kinds, reverse=True)
    assert (curve.steps[0].threshold, curve.steps[-1].threshold) == (0.0, 1.0)


def test_a_threshold_is_chosen_on_the_conformal_part(labelled, made):
    report = report_of(calibrated(labelled, made))
    held = sum(row.part == "conformal" for row in report.labels)
    cheap = chosen_threshold(report, Threshold(by=ThresholdBy.COST, false_accept=10.0, false_reject=1.0))
    dear = chosen_threshold(report, Threshold(by=ThresholdBy.COST, false_accept=1.0, false_reject=10.0))
    assert cheap.value > dear.value
    assert f"on {held} labels" in cheap.how
    bound = Threshold(by=ThresholdBy.BOUND, kind=ErrorKind.TYPE_1, most_wrong=0.001)
    assert chosen_threshold(report, bound).value is None
