"""The reading check: accuracy with the gold document, what fails there, and whether that is what fails live."""

import pytest

from core.diagnosis import DiagnosisRow
from core.diagnosis.reading_check import reading_check
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence
from core.stats.comparisons.two_by_two import fisher_exact
from core.stats.intervals import clustered_proportion

MARKS = {"1": Verdict.CORRECT, "0": Verdict.INCORRECT, "-": Verdict.NOT_JUDGED}


def rows(groups: list[str], evidence: dict[int, FactEvidence] | None = None) -> list[DiagnosisRow]:
    """One group a text, one case a mark; odd cases are long."""
    return [
        DiagnosisRow(
            case_id=f"g{group}c{place}",
            group_id=f"g{group}",
            form="long" if place % 2 else "short",
            verdict=MARKS[mark],
            evidence=(evidence or {}).get(group),
        )
        for group, marks in enumerate(groups)
        for place, mark in enumerate(marks)
    ]


def test_the_accuracy_is_clustered_on_the_fact():
    found = reading_check(rows(["11", "11", "01", "00", "1-"]))
    assert (found.accuracy.num, found.accuracy.den) == (6, 9)
    same = clustered_proportion([1, 1, 1, 1, 0, 1, 0, 0, 1], [0, 0, 1, 1, 2, 2, 3, 3, 4])
    assert (found.accuracy.low, found.accuracy.high, found.accuracy.clusters) == (same.low, same.high, 5)
    assert found.not_judged == 1
    assert found.n == 10
    assert (found.by_form["short"].num, found.by_form["long"].num) == (3, 3)
    assert found.cross is None


def test_each_failing_case_is_listed_with_what_to_look_at():
    evidence = {0: FactEvidence.ABSENT, 1: FactEvidence.CONTRADICTED, 2: FactEvidence.PRESENT}
    found = reading_check(rows(["00", "0", "0", "01", "0"], evidence))
    said = {failure.case_id: failure.reason for failure in found.failures}
    assert list(said) == ["g0c0", "g0c1", "g1c0", "g2c0", "g3c0", "g4c0"]
    assert "No document states the fact" in said["g0c0"]
    assert "another value" in said["g1c0"]
    assert "how the answer uses it" in said["g2c0"]
    assert "Another wording" in said["g3c0"]
    assert "whether the gold document" in said["g4c0"]
    assert all(failure.live_gap is None for failure in found.failures)


def test_the_cross_table_counts_facts_and_every_fact_once():
    oracle = rows(["00", "01", "11", "11", "0", "1", "-"])
    live = rows(["00", "10", "00", "11", "-", "0", "1"])
    found = reading_check(oracle, live).cross
    # fails: g0 (gap), g1 (not); reads: g2 (gap), g5 (gap), g3 (not); g4 and g6 lack a verdict.
    assert (found.both, found.reading_only, found.gap_only, found.neither) == (1, 1, 2, 1)
    assert found.left_out == 2
    assert found.n == 5
    assert found.p_value == fisher_exact(1, 1, 2, 1)
    # Three wrong cases with a live verdict: two of g0 and one of g1.
    assert (found.failing_in_gaps.num, found.failing_in_gaps.den) == (2, 3)
    assert found.odds.n == 5


def test_where_all_failures_are_gaps_it_says_so():
    oracle = rows(["0"] * 5 + ["1"] * 10)
    live = rows(["0"] * 5 + ["1"] * 10)
    found = reading_check(oracle, live).cross
    # One table of C(15, 5) = 3,003 is as extreme.
    assert found.p_value == pytest.approx(1 / 3003)
    assert found.odds.value == pytest.approx(5.5 * 10.5 / 0.25)
    assert "All reading failures are gaps, as the paper claims" in found.conclusion
    assert "The association is significant (p < 0.001)" in found.conclusion
    assert found.failing_in_gaps.value == 1


def test_where_they_are_unrelated_it_says_so():
    found = reading_check(rows(["0", "0", "1", "1"]), rows(["0", "1", "0", "1"])).cross
    assert found.p_value == 1
    assert "do not coincide" in found.conclusion
    assert "no association is shown (p = 1.000)" in found.conclusion


def test_where_they_are_related_and_not_the_same_it_says_so():
    oracle = rows(["0"] * 10 + ["1"] * 20)
    live = rows(["0"] * 9 + ["1"] + ["1"] * 20)
    assert "They are associated (p < 0.001) but do not coincide" in reading_check(oracle, live).cross.conclusion


def test_where_one_excludes_the_other_it_says_so():
    oracle = rows(["0"] * 10 + ["1"] * 20)
    live = rows(["0"] + ["1"] * 9 + ["0"] * 19 + ["1"])
    found = reading_check(oracle, live).cross
    assert found.p_value < 0.001
    assert "They exclude each other rather than coincide" in found.conclusion


@pytest.mark.parametrize(
    ("oracle", "live", "says"),
    [
        (["1", "1"], ["0", "1"], "no reading failure can be a gap; 1 of 2 facts is a gap live"),
        (["0", "0"], ["0", "1"], "so their association cannot be tested"),
        (["0", "1"], ["0", "0"], "so their association cannot be tested"),
        (["-"], ["1"], "cannot be compared"),
        (["0", "1"], ["0", "1"], "Chance may explain this"),
    ],
)
def test_where_there_is_nothing_to_compare_it_says_so(oracle, live, says):
    assert says in reading_check(rows(oracle), rows(live)).cross.conclusion


def test_no_case_is_no_figure():
    found = reading_check([], [])
    assert found.accuracy.value is None
    assert found.as_json()["cross_table"]["odds_ratio"]["value"] is None
