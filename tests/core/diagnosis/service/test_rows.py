"""A run as the diagnosis reads it."""

import json
from dataclasses import replace

import pytest

from core.diagnosis import diagnose
from core.diagnosis.service.rows import diagnosis_rows, verdict_of
from core.domain.errors import NotFound
from core.domain.results.responses import Score, Verdict
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.evidence import FactEvidence
from core.domain.status import Status
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.results import runs
from tests.support.bank_cases import bank_cases, bank_project
from tests.support.small_bank import ACTOR


def executed(store, test_set_id, target="keyword", **how):
    run = create_run(store, test_set_id, actor=ACTOR, target=target, **how)
    assert execute_run(store, run.id, actor=ACTOR)
    return run


def recorded(path, **answers):
    """A recording that gives the reference answer, or what is said here (dashes written as underscores)."""
    said = {name.replace("_", "-"): answer for name, answer in answers.items()}
    rows = [
        {"case_id": case.case_id, "answer": said.get(case.case_id, case.reference_answers[0])} for case in bank_cases()
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return f"recorded:{path}"


def test_a_fact_in_no_document_is_a_knowledge_gap(store, bank):
    run = executed(store, bank[1].id)
    found = diagnosis_rows(store, run.id)
    by_case = {row.case_id: row for row in found.rows}
    assert len(by_case) == 12
    assert list(found.findings) == ["farley"]
    assert found.findings["farley"].evidence is FactEvidence.ABSENT
    assert by_case["farley-short"].evidence is FactEvidence.ABSENT
    assert by_case["arden-short"].evidence is None  # nobody looks a right answer up
    assert by_case["arden-short"].true_ids == ("branch:1",)
    assert by_case["arden-short"].retrieved_ids == ("branch:1",)
    assert by_case["arden-short"].attributes == {"table": "branch"}
    assert found.known_ids == {f"branch:{number}" for number in range(1, 6)}
    assert by_case["arden-long"].form == "long"
    assert found.answered == 12
    attribution = diagnose(found.rows, known_ids=found.known_ids).as_json()["attribution"]
    # 5 branches x 2 forms are right; the sixth branch's two questions ask for what no document says.
    assert (attribution["correct"], attribution["knowledge_gap"]) == (10, 2)


def test_a_wrong_answer_beside_a_document_that_holds_the_fact(store, bank, tmp_path):
    target = recorded(tmp_path / "a.jsonl", arden_short="Tom Birch", arden_long="I do not know.")
    run = executed(store, bank[1].id, target)
    found = diagnosis_rows(store, run.id)
    rows = {row.case_id: row for row in found.rows}
    assert rows["arden-short"].evidence is FactEvidence.PRESENT
    assert rows["arden-short"].fact_document_ids == ("branch:1",)
    assert rows["arden-long"].verdict is Verdict.INCORRECT
    assert rows["farley-long"].verdict is Verdict.CORRECT


def test_facts_right_in_one_form_only_are_looked_up_for_the_other(store, bank, tmp_path):
    run = executed(store, bank[1].id, recorded(tmp_path / "a.jsonl", dalby_long="Lea Quist"))
    found = diagnosis_rows(store, run.id)
    assert list(found.findings) == ["dalby"]
    run = executed(store, bank[1].id, recorded(tmp_path / "b.jsonl"))
    assert diagnosis_rows(store, run.id).findings == {}


def test_failed_cases_are_not_judged_and_tell_no_ids(store, bank, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"case_id": "arden-short", "answer": "Ines Okoro"}')
    run = executed(store, bank[1].id, f"recorded:{path}")
    found = diagnosis_rows(store, run.id)
    assert sum(row.verdict is Verdict.NOT_JUDGED for row in found.rows) == 11
    assert found.findings == {}


def test_a_run_that_was_not_executed(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    found = diagnosis_rows(store, run.id)
    assert {row.verdict for row in found.rows} == {Verdict.NOT_JUDGED}
    assert found.answered == 0


def test_without_a_corpus_nothing_is_known_about_documents(store, tmp_path):
    _, test_set = bank_project(store, tmp_path, corpus=False)
    run = executed(store, test_set.id, recorded(tmp_path / "a.jsonl", arden_short="Nobody"))
    found = diagnosis_rows(store, run.id)
    assert (found.known_ids, found.findings) == (None, {})
    imported = replace(run, options={"known_ids": ["branch:1", 2]})
    with store.write(ACTOR, "test.options") as connection:
        runs.put(connection, imported)
    assert diagnosis_rows(store, run.id).known_ids == {"branch:1", "2"}


def test_an_unknown_run(store):
    with pytest.raises(NotFound, match="run_none"):
        diagnosis_rows(store, "run_none")


def test_the_verdict_of_a_score():
    scored = Score(case_id="c", metric=VERDICT_METRIC, value=1.0)
    assert verdict_of(scored) is Verdict.CORRECT
    assert verdict_of(replace(scored, value=0.0)) is Verdict.INCORRECT
    assert verdict_of(replace(scored, value=None, status=Status.NOT_JUDGED)) is Verdict.NOT_JUDGED
    assert verdict_of(None) is Verdict.NOT_JUDGED
