"""New labels against the promise: random ones count, targeted ones do not."""

from __future__ import annotations

import pytest

from core.calibration.service.cases import results
from core.calibration.service.cases.decisions import members
from core.calibration.service.pass_rate import pass_rate
from core.calibration.service.promise import promise
from core.domain.errors import NotFound
from core.domain.results.labels import Part, RoundOrigin
from core.labelling.labelled_scores import labelled_scores
from tests.support.labels.labelled_store import N, calibrated, column, more, unlabelled


@pytest.mark.slow
def test_new_random_labels_audit_the_promise_and_targeted_ones_do_not(labelled, made):
    calibration = calibrated(labelled, made)
    nothing = promise(labelled, calibration.id)
    assert (nothing.audit, nothing.new) == (None, 0)
    left = unlabelled(labelled, made)
    more(labelled, made, left[:20], probability=0.4)
    more(labelled, made, left[20:30], part=Part.TARGETED, probability=1.0, origin=RoundOrigin.PEOPLE)
    found = promise(labelled, calibration.id)
    scored = [case_id for case_id in left[:30] if case_id != f"case-{N - 2}"]
    assert found.new + found.unscored == 30
    assert found.random + found.targeted == found.new == len(scored)
    assert found.audit is not None
    assert sum(period.coverage.den for period in found.audit.periods) == found.random == 20
    kept = members(column(labelled, calibration).sets, 2)
    given = labelled_scores(labelled, made.run.id, made.binary, ("groundedness",)).labels
    hits = sum(bool(kept[int(case_id.split("-")[1]), int(given[case_id].value)]) for case_id in left[:20])
    assert found.audit.periods[-1].so_far.num == hits
    assert sum(one.accepted.den for one in found.by_decision) == found.new
    assert found.simulated == 20


def test_a_calibration_that_does_not_exist_is_not_found(labelled):
    for read in (results.calibrated_cases, results.queue, pass_rate, promise):
        with pytest.raises(NotFound, match="no calibration cal_none"):
            read(labelled, "cal_none")
