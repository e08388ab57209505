"""Several judges as one: values, nulls and failures put together."""

import pytest

from core.domain.status import Status
from core.metrics.judges import Ensemble
from core.metrics.panel import together
from core.metrics.spec import Measured, Unscored

NULL = Unscored(status=Status.NULL_JUDGEMENT, reason="It declines.")
FAILED = Unscored(status=Status.PARSE_FAILED, reason="It was no JSON.")
TIMEOUT = Unscored(status=Status.TIMEOUT, reason="It took too long.")


def said(*outcomes, by=Ensemble.MEAN):
    outcomes = [item if isinstance(item, Unscored) else Measured(value=float(item)) for item in outcomes]
    return together({f"m{place}@u": item for place, item in enumerate(outcomes)}, by)


@pytest.mark.parametrize(
    ("outcomes", "mean", "majority"),
    [
        ((4, 4), 4.0, 4.0),
        ((5, 3), 4.0, Status.NOT_JUDGED),
        ((5, 5, 2), 4.0, 5.0),
        ((5, 4, 3), 4.0, Status.NOT_JUDGED),
        ((1, 0, 1), pytest.approx(2 / 3), 1.0),
        ((5, 3, NULL), 4.0, Status.NOT_JUDGED),
        ((5, 5, NULL), 5.0, 5.0),
        ((5, 5, FAILED), 5.0, 5.0),
        ((5, NULL), Status.NOT_JUDGED, Status.NOT_JUDGED),
        ((5, FAILED), Status.NOT_JUDGED, Status.NOT_JUDGED),
        ((5, NULL, NULL), Status.NULL_JUDGEMENT, Status.NULL_JUDGEMENT),
        ((NULL, NULL), Status.NULL_JUDGEMENT, Status.NULL_JUDGEMENT),
        ((NULL, FAILED), Status.NOT_JUDGED, Status.NOT_JUDGED),
        ((NULL, FAILED, FAILED), Status.NOT_JUDGED, Status.NOT_JUDGED),
        ((5, NULL, FAILED), Status.NOT_JUDGED, Status.NOT_JUDGED),
        ((FAILED, FAILED), Status.PARSE_FAILED, Status.PARSE_FAILED),
        ((FAILED, TIMEOUT), Status.NOT_JUDGED, Status.NOT_JUDGED),
    ],
)
def test_a_value_or_a_null_needs_more_than_half_of_the_judges(outcomes, mean, majority):
    for ensemble, wanted in ((Ensemble.MEAN, mean), (Ensemble.MAJORITY, majority)):
        outcome = said(*outcomes, by=ensemble)
        assert wanted == (outcome.value if isinstance(outcome, Measured) else outcome.status), ensemble


def test_each_judges_part_and_how_far_they_are_apart_are_kept():
    outcome = said(5, 2, FAILED)
    assert outcome.detail["spread"] == 3.0
    assert outcome.detail["agree"] is False
    assert [part["value"] for part in outcome.detail["judges"]] == [5.0, 2.0, None]
    assert outcome.detail["judges"][2]["reason"] == "It was no JSON."
    assert said(4, 4).detail["agree"] is True
    assert said(NULL, NULL).detail["agree"] is True
    assert said(4, NULL, 4).detail["agree"] is False
