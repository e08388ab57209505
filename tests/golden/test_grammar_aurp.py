"""The recorded Aurp run of the GRAMMAR paper, number by number (reference/grammar.md, beside this checkout)."""

import json
from pathlib import Path

import pytest

from core import diagnosis
from core.diagnosis import Attribution, Tag, diagnose
from core.io.grammar.runs import RecordedRun, read_eval_results
from tests.support.shared_data import shared

# name: correct, id match, context comparison, n, gap / robust / non-robust groups
WHOLE = {
    "results_short": (84, 90, 88, 314, 113, 40, 4),
    "results_long": (130, 132, 132, 257, 112, 40, 5),
    "results_short_balanced": (129, 135, 135, 471, 112, 40, 5),
    "results_long_balanced": (130, 132, 132, 471, 112, 40, 5),
}
# name: correct, id match, context comparison, rows, all of competent groups
REFINED = {
    "results_short": (84, 88, 88, 88),
    "results_long": (130, 132, 132, 135),
    "results_short_balanced": (129, 135, 135, 135),
    "results_long_balanced": (130, 132, 132, 135),
}
# name: rows with a true id that names no document. 336 of 471 in the balanced files (reference/grammar.md)
DANGLING = {"results_short": 224, "results_long": 122, "results_short_balanced": 336, "results_long_balanced": 336}


def recorded(name: str) -> RecordedRun:
    return read_eval_results(shared("grammar-aurp/eval_results") / f"{name}.json")


def replay(name: str) -> diagnosis.Diagnosis:
    run = recorded(name)
    return diagnose(run.diagnosis_rows(), unjudged="incorrect", known_ids=run.known_ids)


@pytest.mark.parametrize("name", WHOLE)
def test_figures_over_all_rows(name: str) -> None:
    correct, matched, compared, n, *_ = WHOLE[name]
    found = replay(name).figures
    assert (found.accuracy.num, found.accuracy.den) == (correct, n)
    assert (found.id_match.num, found.id_match.den) == (matched, n)
    assert (found.context_comparison.num, found.context_comparison.den) == (compared, n)
    assert found.context_comparison_ordered == found.context_comparison, "at k = 1 the strict version is the same"
    assert found.recall == found.id_match, "at k = 1 with one gold id recall is id match"


@pytest.mark.parametrize("name", WHOLE)
def test_groups_and_their_database(name: str) -> None:
    gap, robust, non_robust = WHOLE[name][4:]
    found = replay(name).figures
    assert [found.tags[tag].groups for tag in (Tag.GAP, Tag.ROBUST, Tag.NON_ROBUST)] == [gap, robust, non_robust]
    assert (found.retrieval_db.num, found.retrieval_db.den) == (robust + non_robust, 157)
    assert sum(found.tags[tag].rows for tag in Tag) == WHOLE[name][3]


@pytest.mark.parametrize("name", REFINED)
def test_figures_of_competent_groups(name: str) -> None:
    correct, matched, compared, rows = REFINED[name]
    found = replay(name).figures.refined
    assert (found.accuracy.num, found.accuracy.den) == (correct, rows)
    assert (found.id_match.num, found.id_match.den) == (matched, rows)
    assert (found.context_comparison.num, found.context_comparison.den) == (compared, rows)


@pytest.mark.parametrize("name", WHOLE)
def test_equation_three_holds_exactly(name: str) -> None:
    found = replay(name).figures
    assert found.identity.holds
    assert found.identity.right == pytest.approx(found.accuracy.value)


@pytest.mark.parametrize("name", DANGLING)
def test_dangling_ids_are_a_defect_of_the_data(name: str) -> None:
    found = replay(name)
    assert found.dangling is not None
    # 10 clients, 29 employees and the one project without a document.
    assert (found.dangling.rows, len(found.dangling.ids)) == (DANGLING[name], 40)
    assert found.figures.attribution[Attribution.UNRESOLVED_GAP] == DANGLING[name], "not blamed on retrieval"


@pytest.mark.parametrize("name", WHOLE)
def test_attribution_is_a_partition(name: str) -> None:
    found = replay(name).figures
    assert sum(found.attribution.values()) == sum(found.attribution_paper.values()) == WHOLE[name][3]
    assert found.attribution_paper[Attribution.KNOWLEDGE_GAP] == found.tags[Tag.GAP].rows
    assert found.attribution[Attribution.CORRECT] == found.accuracy.num


def test_107_groups_can_never_match_an_id() -> None:
    found = replay("results_short_balanced")
    never = [g for g in found.groups if all(row.documents.dangling for row in g.rows)]
    # 336 rows, 3 per group: 112 groups, of which 107 ask about clients and employees and 5 about one project.
    assert len(never) == 112
    known = set(json.loads((shared("grammar-aurp/documents.json")).read_text(encoding="utf-8")))
    assert all(not known & set(group.true_ids) for group in never)


def test_verdicts_are_joined_and_the_files_are_named() -> None:
    run = recorded("results_short")
    assert [Path(str(run.files[part])).name for part in ("results", "verdicts", "documents")] == [
        "results_short.json",
        "short.json",
        "documents.json",
    ]
    judged = [row for row in run.rows if row.verdict_text]
    assert len(judged) == 90, "84 correct and 6 incorrect are recorded, 224 have no verdict"
    assert all((set(row.true_ids) == set(row.retrieved_ids or ())) == row.retrieval_judgement for row in run.rows), (
        "our id match is the recorded one"
    )


def test_without_the_replay_unjudged_rows_are_left_out() -> None:
    run = recorded("results_short")
    found = diagnose(run.diagnosis_rows(), known_ids=run.known_ids)
    assert (found.figures.accuracy.num, found.figures.accuracy.den, found.not_judged) == (84, 90, 224)
    assert found.figures.attribution[Attribution.NOT_JUDGED] == 224


def test_override_needs_no_join_where_the_ids_differ() -> None:
    run = recorded("results_long")
    found = diagnose(run.diagnosis_rows(), policy="override", known_ids=run.known_ids)
    # 257 - 132 rows have other ids and are incorrect without a verdict; the 132 with the right ids are all judged.
    assert (found.figures.accuracy.num, found.figures.accuracy.den, found.not_judged) == (130, 257, 0)


def test_forms_together() -> None:
    short, long = recorded("results_short_balanced"), recorded("results_long_balanced")
    found = diagnose([*short.diagnosis_rows(), *long.diagnosis_rows()], known_ids=short.known_ids)
    assert {form: one.n for form, one in found.by_form.items()} == {"short": 471, "long": 471}
    assert found.figures.accuracy.clusters == 157, "both forms of one query are one cluster"
    assert found.mutual is not None
    assert found.mutual.counts[Tag.GAP].groups == 112
    assert found.mutual.comparable


def test_aurp_does_not_show_the_toy_case() -> None:
    # Balanced, keyword retrieval differs in 3 of 471 rows on Aurp: no test should call that a difference.
    short, long = recorded("results_short_balanced"), recorded("results_long_balanced")
    report = diagnosis.test_hypothesis(
        [*short.diagnosis_rows(), *long.diagnosis_rows()],
        attribute="form",
        a="short",
        b="long",
        known_ids=short.known_ids,
    )
    assert not any(test.shown for test in report.tests)
    retrieval = report.tests[1]
    assert (retrieval.groups, retrieval.a) == (45, 1.0), "groups whose documents do not exist are left out"
