"""The one reason why document recall has no value."""

from core.diagnosis import DiagnosisRow, diagnose
from core.diagnosis.no_recall import left_out_of_recall, no_recall


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


def test_a_table_without_documents_is_left_out_and_named():
    fits = row(1, true_ids=("a",), retrieved_ids=("a",))
    left_out = [
        row(number, true_ids=(f"Orders:{number}",), retrieved_ids=("a",), comparable=False) for number in range(2, 5)
    ]
    rows = [fits, *left_out]
    assert (diagnose(rows).figures.recall.num, diagnose(rows).figures.recall.den) == (1, 1)
    found = left_out_of_recall(rows)
    assert found.sentence == "Document recall leaves out 3 questions: no record of orders has a document by its id."
    assert left_out_of_recall([fits]) is None
    assert left_out_of_recall(left_out) is None
