"""The picture of a calibration: the axis as it is stored, the sets as stretches of it, a curve for each group."""

from __future__ import annotations

import pytest

from core.calibration.service.stored import report_of
from core.domain.errors import InvalidInput
from core.labelling.labelled_scores import group_attributes, labelled_scores
from tests.support.labels.labelled_store import calibrated


def test_where_lower_is_better_the_curve_falls_in_the_score_as_it_is_stored(labelled, made):
    report = report_of(calibrated(labelled, made, "wasserstein"))
    (curve,) = report.curves
    assert list(curve.x) == sorted(curve.x)
    assert all(right <= left for left, right in zip(curve.chance, curve.chance[1:], strict=False))
    assert [stretch.decision for stretch in curve.stretches] == ["accept", "human", "reject"]
    assert [curve.stretches[place].levels for place in (0, 2)] == [(1,), (0,)]
    # Where the quantile is below a half no level fits in the middle, else both do (HCAT 5.2).
    quantile = report.result.quantiles[0].value
    assert curve.stretches[1].levels == ((0, 1) if quantile >= 0.5 else ())
    assert curve.stretches[0].high == curve.stretches[1].low


def test_several_scores_have_the_probability_as_their_axis(labelled, made):
    report = report_of(calibrated(labelled, made, "groundedness", "completeness"))
    (curve,) = report.curves
    assert curve.x == curve.chance
    assert (curve.x[0], curve.x[-1]) == (0.0, 1.0)
    assert [stretch.levels for stretch in curve.stretches] == [(0,), (0, 1), (1,)]
    assert report.labels[0].scores == pytest.approx(
        labelled_scores(labelled, made.run.id, made.binary, ("groundedness", "completeness")).raw[
            int(report.labels[0].case_id.split("-")[1])
        ]
    )


def test_a_group_has_a_curve_of_its_own(labelled, made):
    report = report_of(calibrated(labelled, made, group_attribute="topic"))
    own = {quantile.group for quantile in report.result.quantiles if quantile.own}
    assert {curve.group for curve in report.curves} == own
    assert "(all)" in own
    assert set(group_attributes(labelled, made.run.id)) == {"topic", "form"}
    with pytest.raises(InvalidInput, match="attribute colour"):
        calibrated(labelled, made, group_attribute="colour")
