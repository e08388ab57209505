"""Conditions on judgements: what holds, what does not, and what is neither."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.judge_tests import Judged
from core.domain.status import MODEL_FAILURES, Status
from core.judges.unit_tests.conditions import VALUES, checked, parse

FAILURES = sorted(set(Status) - {Status.SCORED, Status.NULL_JUDGEMENT})


def judged(value, status=None):
    return Judged(
        metric="completeness",
        value=value,
        status=status or (Status.NULL_JUDGEMENT if value is None else Status.SCORED),
    )


@pytest.mark.parametrize(
    ("text", "fulfilling"),
    [
        ("==5", {5}),
        ("==None", {None}),
        ("==null", {None}),
        ("!=None", {1, 2, 3, 4, 5}),
        ("!=5", {None, 1, 2, 3, 4}),
        (">=3", {3, 4, 5}),
        ("<=2", {1, 2}),
        (">4", {5}),
        ("<2", {1}),
        (" >= 4 ", {4, 5}),
        ("<=2.5", {1, 2}),
    ],
)
def test_every_judgement_fulfils_or_breaks_a_condition(text, fulfilling):
    condition = parse(text)
    assert {value for value in (None, 1, 2, 3, 4, 5) if condition.holds(judged(value))} == fulfilling


@pytest.mark.parametrize("text", ["==None", "!=None", "==5", "!=5", ">=1", "<=5"])
@pytest.mark.parametrize("status", FAILURES)
def test_a_failure_neither_fulfils_nor_breaks_any_condition(text, status):
    assert set(FAILURES) > MODEL_FAILURES
    assert parse(text).holds(judged(None, status)) is None
    assert parse(text).holds(judged(5.0, status)) is None, "a value beside a failure does not count"


def test_a_scored_judgement_without_a_value_is_no_judgement():
    assert parse("==None").holds(judged(None, Status.SCORED)) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("5", "'5' is no condition"),
        ("=5", "'=5' is no condition"),
        ("==", "'==' is no condition"),
        ("==high", "'==high' is no condition"),
        (">=3 or ==None", "'>=3 or ==None' is no condition"),
        ("", "'' is no condition"),
        (">=None", "'>=None' orders null"),
        ("==nan", "'==nan' is no condition"),
    ],
)
def test_what_is_no_condition_is_refused(text, says):
    with pytest.raises(InvalidInput, match=says) as refused:
        parse(text)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("metric", "text", "says"),
    [
        ("completeness", "==7", "never holds"),
        ("faithfulness", ">=2", "never holds"),
        ("faithfulness", "==5", "never holds"),
        ("faithfulness", "!=7", "always holds"),
        ("clarity", "==1", "no judge gives"),
    ],
)
def test_a_condition_that_nothing_can_fulfil_or_break_is_refused(metric, text, says):
    with pytest.raises(InvalidInput, match=says):
        checked(metric, text)


def test_a_condition_is_written_as_it_is_read():
    for text in ("==5", ">=3", "<=2", "==None", "!=1"):
        assert str(parse(text)) == text
    assert set(VALUES) >= {"answer_relevancy", "completeness", "faithfulness", "usefulness"}
