"""The one reason why document recall has no value."""

from core.diagnosis import DiagnosisRow, diagnose
from core.diagnosis.no_recall import no_recall


def row(number, **how):
    return DiagnosisRow(case_id=f"c{number}", group_id=f"g{number}", **how)


def reason(*rows):
    found = no_recall(rows)
    assert (found is None) == bool(diagnose(rows).figures.recall.den)
    return found


def test_a_run_with_gold_ids_and_documents_has_a_recall():
    assert reason(row(1, true_ids=("a",), retrieved_ids=("b",)), row(2)) is None


def test_no_gold_ids():
    found = reason(row(1, retrieved_ids=("a",)), row(2))
    assert "the test set has no gold ids" in found.sentence
    assert not found.unmatched


def test_no_gold_id_names_a_document():
    several = [
        row(number, true_ids=(f"t:{number % 3}",), retrieved_ids=("a",), comparable=False) for number in range(6)
    ]
    found = reason(*several)
    assert found.sentence == "None of the 3 gold ids names a document of the corpus, such as t:0, t:1, t:2."
    assert found.unmatched
    assert "The one gold id, t:0, names no document" in reason(several[0]).sentence


def test_the_target_reports_nothing():
    assert "reports no retrieved documents" in reason(row(1, true_ids=("a",)), row(2, true_ids=("b",))).sentence
    assert "reports no retrieved documents" in reason(row(1, true_ids=("a",), retrieved_ids=None)).sentence


def test_only_questions_without_gold_ids_report_documents():
    found = reason(row(1, true_ids=("a",), retrieved_ids=None), row(2, retrieved_ids=("b",)))
    assert found.sentence == "No question with a gold id reports which documents were retrieved for it."
