"""Comparing two values of an attribute."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core import diagnosis
from core.diagnosis import DiagnosisRow, HypothesisReport, TestedModule
from core.diagnosis.hypothesis.comparison import Cell
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence


def rows_of(
    group: str,
    form: str,
    outcomes: str,
    *,
    hit: str = "",
    attributes: dict[str, str] | None = None,
    gold: str = "d1",
    evidence: FactEvidence | None = None,
) -> list[DiagnosisRow]:
    verdicts = {"+": Verdict.CORRECT, "-": Verdict.INCORRECT, "?": Verdict.NOT_JUDGED}
    return [
        DiagnosisRow(
            case_id=f"{group}-{form}-{index}",
            group_id=group,
            form=form,
            verdict=verdicts[mark],
            true_ids=(gold,) if gold else (),
            retrieved_ids=("d1",) if (hit or outcomes)[index] == "+" else ("d2",),
            attributes=attributes or {},
            evidence=evidence,
        )
        for index, mark in enumerate(outcomes)
    ]


def weak_on_long(groups: int = 12) -> list[DiagnosisRow]:
    found: list[DiagnosisRow] = []
    for index in range(groups):
        found += rows_of(f"g{index}", "short", "+++")
        found += rows_of(f"g{index}", "long", "+--" if index % 3 else "---")
    return found


def by_module(report: HypothesisReport) -> dict[str, diagnosis.ModuleTest]:
    return {str(test.module): test for test in report.tests}


def compare(rows: Sequence[DiagnosisRow], **options: object) -> HypothesisReport:
    asked = {"attribute": "form", "a": "short", "b": "long", **options}
    return diagnosis.test_hypothesis(rows, **asked)  # type: ignore[arg-type]


def test_keyword_retrieval_on_long_questions() -> None:
    report = compare(weak_on_long(), known_ids=["d1", "d2"])
    found = by_module(report)
    # 8 groups lose 2/3 and 4 groups lose all: (8 * 2/3 + 4) / 12 = 7/9; 2 of 2**12 patterns are as extreme.
    assert found["overall"].difference.value == pytest.approx(7 / 9)
    assert found["overall"].p_value == pytest.approx(2 / 2**12)
    assert found["overall"].p_adjusted == pytest.approx(4 * 2 / 2**12), "four modules are tested"
    assert found["retrieval"].shown
    assert found["retrieval"].groups == 12
    # long questions reached the document in 8 groups only, and were right there
    assert found["language_model"].groups == 8
    assert found["language_model"].p_value == 1.0
    assert found["retrieval_db"].difference.value == pytest.approx(4 / 12)
    assert report.paired
    assert report.conclusion.startswith(
        "Questions with form long are answered worse than those with short (22% against 100%"
    )
    assert "lies in retrieval, where long is worse" in report.conclusion
    assert "the language model" in report.conclusion
    document = report.as_json()
    assert [test["module"] for test in document["tests"]] == [str(module) for module in TestedModule]  # type: ignore[attr-defined]
    assert set(document["tests"][0]["difference"]) == {"value", "low", "high"}  # type: ignore[index]


def test_the_sides_swap_signs() -> None:
    ahead, back = compare(weak_on_long()), compare(weak_on_long(), a="long", b="short")
    for one, two in zip(ahead.tests, back.tests, strict=True):
        assert one.difference.value == pytest.approx(-(two.difference.value or 0.0))
        assert one.p_value == two.p_value
    assert back.conclusion.startswith("Questions with form long are answered worse")


def test_the_same_seed_gives_the_same_report() -> None:
    assert compare(weak_on_long(), seed=7) == compare(weak_on_long(), seed=7)


def test_no_weakness_is_not_called_one() -> None:
    rows = [one for index in range(20) for form in ("short", "long") for one in rows_of(f"g{index}", form, "++-")]
    report = compare(rows)
    assert {test.p_value for test in report.tests} == {1.0}
    assert "No difference is shown between questions" in report.conclusion
    assert any("may still exist" in line for line in report.cannot_conclude)
    low, high = report.tests[0].difference.low, report.tests[0].difference.high
    assert low is not None
    assert high is not None
    assert low < 0 < high, "twenty equal groups are no proof of equality"


def test_too_few_groups_give_no_p_value() -> None:
    with pytest.raises(InsufficientData, match="at least 6 semantic groups with both values of form and there are 5"):
        compare(weak_on_long(5))
    assert compare(weak_on_long(6)).tests[0].p_value is not None


def test_a_module_with_too_few_groups_is_left_out_of_holm() -> None:
    rows = [one for index in range(8) for one in rows_of(f"g{index}", "short", "++", gold="d1" if index < 3 else "")]
    rows += [one for index in range(8) for one in rows_of(f"g{index}", "long", "--", gold="d1" if index < 3 else "")]
    report = compare(rows)
    found = by_module(report)
    assert found["retrieval"].p_value is None
    assert found["retrieval"].difference.value is None
    assert found["retrieval"].groups == 3
    assert found["overall"].p_adjusted == pytest.approx(2 * (found["overall"].p_value or 0))
    assert "Retrieval and the language model could not be tested." in report.conclusion
    assert any("3 groups have both values; 6 are needed" in line for line in report.cannot_conclude)


def test_retrieval_can_be_tested_without_a_verdict() -> None:
    rows: list[DiagnosisRow] = []
    for index in range(8):
        rows += rows_of(f"g{index}", "short", "??", hit="++") + rows_of(f"g{index}", "long", "??", hit="--")
    report = compare(rows)
    assert report.tests[0].p_value is None
    assert by_module(report)["retrieval"].shown
    assert report.conclusion.startswith("Overall accuracy of form short and long could not be compared.")
    assert "There is a difference in retrieval" in report.conclusion
    replayed = by_module(compare(rows, unjudged="incorrect"))
    assert replayed["overall"].a == 0.0


def test_dangling_ids_are_no_retrieval_misses() -> None:
    rows = weak_on_long(8)
    for index in range(8, 20):
        for form in ("short", "long"):
            rows += rows_of(f"g{index}", form, "---", gold="nowhere")
    report = compare(rows, known_ids=["d1", "d2"])
    assert by_module(report)["retrieval"].groups == 8
    assert any("not compared on 12 groups" in line for line in report.cannot_conclude)
    unknown = compare(rows)
    assert by_module(unknown)["retrieval"].groups == 20
    assert any("Without the ids of the corpus" in line for line in unknown.cannot_conclude)


def test_the_language_model_is_not_blamed_for_documents_that_are_wrong() -> None:
    rows: list[DiagnosisRow] = []
    for index in range(8):
        rows += rows_of(f"g{index}", "short", "++", hit="++")
        rows += rows_of(f"g{index}", "long", "--", hit="++", evidence=FactEvidence.CONTRADICTED)
    found = by_module(compare(rows))
    assert found["language_model"].p_value is None
    assert found["overall"].shown


def test_unequal_sizes_do_not_make_the_larger_side_competent() -> None:
    # One of two and one of one: with one try each, the chance to answer the group is 1/2 and 1.
    assert Cell(num=1, den=2).competence(1) == 0.5
    rows: list[DiagnosisRow] = []
    for index in range(30):
        rows += rows_of(f"g{index}", "short", "+" if index % 2 else "-")
        rows += rows_of(f"g{index}", "long", "+-")
    report = compare(rows)
    found = by_module(report)
    assert found["retrieval_db"].difference.value == pytest.approx(0.0)
    assert found["retrieval_db"].p_value == pytest.approx(1.0)
    assert any("unequal numbers" in line for line in report.cannot_conclude)


def test_groups_with_one_value_are_left_out_of_a_paired_test() -> None:
    rows = weak_on_long(8) + rows_of("alone", "long", "---")
    report = compare(rows)
    assert report.tests[0].groups == 8
    assert any(line.startswith("1 groups have only one") for line in report.cannot_conclude)


def test_an_attribute_of_the_group_is_compared_between_groups() -> None:
    rows: list[DiagnosisRow] = []
    for index in range(20):
        value = {"table": "client" if index % 2 else "project"}
        rows += rows_of(f"g{index}", "short", "+++" if index % 2 else "---", attributes=value)
    report = compare(rows, attribute="table", a="client", b="project")
    assert not report.paired
    found = by_module(report)
    assert found["overall"].difference.value == 1.0
    assert found["overall"].shown
    assert found["overall"].groups == 20
    assert any("observed, not assigned" in line for line in report.cannot_conclude)
    with pytest.raises(InsufficientData, match="each value of table"):
        compare(rows[:15], attribute="table", a="client", b="project")


def test_few_shared_groups_among_many_others_are_compared_between_groups() -> None:
    rows = weak_on_long(2)
    for index in range(10, 30):
        rows += rows_of(f"g{index}", "short" if index % 2 else "long", "++" if index % 2 else "--")
    report = compare(rows)
    assert not report.paired
    assert report.tests[0].groups == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"b": "short"}, "Both values of form are 'short'"),
        ({"b": "formal"}, "No row has form 'formal'. Values that occur: long, short"),
        ({"attribute": "topic"}, "No row has topic 'short'. Values that occur: none"),
        ({"policy": "x"}, "policy"),
        ({"unjudged": "x"}, "unjudged"),
    ],
)
def test_questions_that_make_no_sense(options: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        compare(weak_on_long(), **options)
    assert message in str(caught.value)


def test_rows_with_neither_value_are_passed_over() -> None:
    rows = weak_on_long() + rows_of("g0", "formal", "---")
    assert compare(rows).tests == compare(weak_on_long()).tests
