"""The figures of a comparison: pairs, modules, slices, and what is said where there is too little."""

from __future__ import annotations

import pytest

from core.comparison.pairs import CasePair
from core.comparison.result import compared
from core.diagnosis import Attribution
from core.domain.testset.cases import TestCase
from core.robustness.pairs import Answered

RIGHT, LANGUAGE, RETRIEVAL = Attribution.CORRECT, Attribution.LANGUAGE_MODEL, Attribution.RETRIEVAL


def pair(number, before, after, modules=(None, None), scores=({}, {}), **fields):
    case = TestCase(case_id=f"c{number}", question=f"{number}?", group_id=f"g{number}", **fields)
    return CasePair(
        before=Answered(case=case, verdict=before, scores=scores[0]),
        after=Answered(case=case, verdict=after, scores=scores[1]),
        module_before=modules[0],
        module_after=modules[1],
    )


def test_the_accuracy_counts_cases_judged_in_both_runs():
    pairs = [
        *(pair(number, 0.0, 1.0) for number in range(8)),
        *(pair(number, 1.0, 1.0) for number in range(8, 18)),
        pair(18, 1.0, 0.0),
        pair(19, None, 1.0),
    ]
    result = compared(pairs)
    assert result.accuracy.before == pytest.approx(11 / 19)
    assert result.accuracy.after == pytest.approx(18 / 19)
    assert result.accuracy.difference.value == pytest.approx(7 / 19)
    # Nine groups changed, eight of them for the better: 2 * (1 + 9) / 2**9 of the sign patterns are as extreme.
    assert result.accuracy.p_value == pytest.approx(20 / 512)
    assert result.accuracy.one_sided == 1
    assert (result.fixed_share.num, result.fixed_share.den) == (8, 8)
    assert (result.broken_share.num, result.broken_share.den) == (1, 11)
    assert [one.case.case_id for one in result.broken] == ["c18"]
    assert result.conclusion == "B answers more cases correctly than A (+0.368)."


def test_wordings_of_one_fact_count_once():
    cases = [TestCase(case_id=f"c{number}", question="?", group_id="one") for number in range(40)]
    pairs = [
        CasePair(before=Answered(case=case, verdict=0.0), after=Answered(case=case, verdict=1.0)) for case in cases
    ]
    result = compared(pairs)
    assert result.accuracy.p_value is None
    assert result.accuracy.detectable is None
    assert result.conclusion == "Too few cases to tell: 1 independent sources, and 6 are needed."


def test_nothing_that_is_judged_is_no_difference():
    result = compared([pair(number, None, None) for number in range(10)])
    assert result.accuracy.difference.value is None
    assert result.conclusion.startswith("Too few cases to tell")
    assert result.fixed_share.den == result.broken_share.den == 0


def test_no_difference_says_what_could_have_been_shown():
    pairs = [pair(number, float(number % 2), float(number % 2)) for number in range(40)]
    result = compared(pairs)
    assert result.accuracy.p_value == 1.0
    assert result.accuracy.detectable is not None
    assert f"a change below {result.accuracy.detectable:.3f} would rarely be found" in result.conclusion


def test_modules_are_compared_where_both_runs_have_one():
    pairs = [
        *(pair(number, 0.0, 1.0, (RETRIEVAL, RIGHT)) for number in range(10)),
        *(pair(number, 0.0, 0.0, (LANGUAGE, LANGUAGE)) for number in range(10, 30)),
        pair(30, 0.0, 0.0, (None, LANGUAGE)),
    ]
    changes = {change.name: change for change in compared(pairs, without_module=1).modules}
    assert set(changes) == {"retrieval", "language_model"}
    assert changes["retrieval"].difference.value == pytest.approx(-10 / 30)
    assert changes["retrieval"].p_adjusted == pytest.approx(2 * 2 / 2**10)
    assert changes["language_model"].difference.value == 0.0
    assert changes["language_model"].p_adjusted == 1.0


def test_slices_and_metrics_are_adjusted_over_their_family():
    pairs = [
        pair(
            number,
            0.0 if number % 2 else 1.0,
            1.0,
            scores=({"recall": 0.5}, {"recall": 0.5}),
            form="long" if number % 2 else "short",
            attributes={"same": "x"},
        )
        for number in range(40)
    ]
    result = compared(pairs)
    slices = {(one.attribute, one.level): one.change for one in result.slices}
    assert set(slices) == {("form", "short"), ("form", "long")}
    assert slices["form", "long"].difference.value == 1.0
    assert slices["form", "short"].p_adjusted == 1.0
    assert slices["form", "long"].p_adjusted == pytest.approx(2 * slices["form", "long"].p_value)
    assert [(change.name, change.difference.value) for change in result.metrics] == [("recall", 0.0)]


def test_the_document_has_the_keys_of_the_contract():
    document = compared([pair(number, 0.0, 1.0) for number in range(8)]).as_json()
    assert {"delta", "flips", "smallest_detectable_change", "modules", "differs", "noise", "conclusion"} <= set(
        document
    )
    assert document["flips"]["fixed"]["num"] == 8
    assert document["delta"]["verdict"]["difference"]["value"] == 1.0
