"""What outcomes add up to: shares with their n, failures apart, and two runs side by side."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.judge_tests import Judged, JudgeTestOutcome, UnitTest
from core.domain.status import Status
from core.judges.unit_tests.figures import figures
from core.judges.unit_tests.versions import compare_versions


def unit_test(number, situation, mode="", **conditions):
    return UnitTest(
        id=f"t{number}",
        question="?",
        references=("a",),
        expected="a[1]",
        actual=f"answer {number}",
        conditions=conditions or {"faithfulness": "==1", "usefulness": "==None"},
        failure_mode=mode,
        situation=situation,
    )


def said(test, faithfulness, *, draw=0, usefulness=Status.NULL_JUDGEMENT):
    """A grade or the status in its place."""
    failed = isinstance(faithfulness, Status)
    return JudgeTestOutcome(
        test_id=test.id,
        draw=draw,
        judged=(
            Judged(
                metric="faithfulness",
                value=None if failed else float(faithfulness),
                status=faithfulness if failed else Status.SCORED,
            ),
            Judged(metric="usefulness", value=None, status=usefulness),
        ),
    )


TESTS = tuple(unit_test(number, f"s{number // 2}", "distorted claim" if number % 2 else "") for number in range(6))


def test_failures_stand_apart_from_what_is_passed_and_broken():
    replies = (1, 0, 1, Status.PARSE_FAILED, Status.API_ERROR, 1)
    found = figures(TESTS, [said(test, value) for test, value in zip(TESTS, replies, strict=True)])
    # Faithfulness: t0, t2, t5 hold, t1 is broken, t3 and t4 have no judgement.
    assert (found.by_metric["faithfulness"].num, found.by_metric["faithfulness"].den) == (3, 4)
    assert found.of_metric == {"faithfulness": 6, "usefulness": 6}
    assert (found.by_metric["usefulness"].num, found.by_metric["usefulness"].den) == (6, 6)
    assert found.without == {"faithfulness": {"parse_failed": 1, "api_error": 1}}
    assert (found.passed, found.pass_rate.den) == (3, 6), "a test without a judgement is not passed"
    assert (found.unjudged(), found.unjudged(Status.PARSE_FAILED)) == (2, 1)
    mode = found.by_failure_mode["distorted claim"]
    assert (mode.num, mode.den, found.of_failure_mode["distorted claim"]) == (1, 2, 3)
    assert [item.test.id for item in found.failing] == ["t1", "t3", "t4"], "broken ones first"


def test_intervals_count_situations():
    found = figures(TESTS, [said(test, 1) for test in TESTS])
    assert found.pass_rate.clusters == 3
    assert found.pass_rate.value == 1.0
    # Six of six in three situations are worth three of three: Wilson's lower end 3 / (3 + 1.96^2).
    assert found.pass_rate.low == pytest.approx(3 / (3 + 1.959964**2), abs=1e-6)


def test_a_run_that_is_not_done_says_how_far_it_is():
    found = figures(TESTS, [said(TESTS[0], 1)])
    assert (found.tests, found.reached, found.pass_rate.den) == (6, 1, 1)


def test_a_metric_the_judge_said_nothing_of_is_not_judged():
    outcome = JudgeTestOutcome(test_id="t0", draw=0, judged=said(TESTS[0], 1).judged[:1])
    found = figures(TESTS[:1], [outcome])
    assert found.without == {"usefulness": {"not_judged": 1}}
    assert found.passed == 0


def test_only_what_a_judge_can_be_asked_counts():
    tests = (*TESTS, unit_test(9, "s9", verdict="==1"))
    found = figures(tests, [said(test, 1) for test in TESTS], ["faithfulness"])
    assert (found.tests, found.reached) == (6, 6)
    assert list(found.by_metric) == ["faithfulness"]


def test_noise_is_of_tests_that_were_judged_more_than_once():
    outcomes = [said(TESTS[0], 1), said(TESTS[0], 0, draw=1), said(TESTS[1], 1), said(TESTS[1], 1, draw=1)]
    outcomes += [said(TESTS[2], 1), said(TESTS[2], Status.TIMEOUT, draw=1)]
    noise = figures(TESTS, outcomes).noise
    assert (noise.num, noise.den) == (1, 2), "a repeat that failed shows nothing"
    assert figures(TESTS, [said(TESTS[0], 1)]).noise is None


def test_two_runs_are_compared_test_by_test():
    first = figures(TESTS, [said(test, value) for test, value in zip(TESTS, (1, 0, 0, 0, 1, 1), strict=True)])
    second = figures(
        TESTS, [said(test, value) for test, value in zip(TESTS, (1, 1, 1, 0, 0, Status.TIMEOUT), strict=True)]
    )
    found = compare_versions(first, second)
    # The second passes t1 and t2 anew and loses t4 and, without a judgement, t5: 2 - 2 of 6.
    assert (found.tests, found.overall.first, found.overall.second) == (6, 2, 2)
    assert found.overall.difference.value == 0.0
    (faithfulness, usefulness) = found.by_metric
    assert (faithfulness.name, faithfulness.difference.n) == ("faithfulness", 5)
    assert faithfulness.difference.value == pytest.approx((2 - 1) / 5)
    assert (usefulness.first, usefulness.second) == (0, 0)
    assert {(item.test.id, better) for item, better in found.changed} == {
        ("t1", True),
        ("t2", True),
        ("t4", False),
        ("t5", False),
    }
    assert found.overall.p_value is None, "three situations are too few for a test"


def test_runs_of_different_tests_are_not_compared():
    first = figures(TESTS, [said(test, 1) for test in TESTS])
    other = (unit_test(0, "elsewhere"),)
    with pytest.raises(InvalidInput, match="no test in common"):
        compare_versions(first, figures(other, [said(other[0], 1)]))
