"""One case of a run with its evidence."""

import json
from dataclasses import replace

import pytest

from core.domain.errors import NotFound
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.results import case_view, run_reference
from core.runs.service import create_run
from tests.support.bank_cases import bank_cases, bank_project, put_test_set
from tests.support.small_bank import ACTOR


def test_a_case_with_its_gold_document_and_other_wordings(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    execute_run(store, run.id, actor=ACTOR)
    view = case_view(store, run.id, "arden-short")
    assert (view.gold, view.dangling) == (("branch:1",), ())
    assert view.titles["branch:1"] == "Arden Branch"
    assert set(view.titles) == {"branch:1", *view.response.document_ids}
    assert [row.case.case_id for row in view.wordings] == ["arden-long"]
    assert view.verdict.value == 1.0
    assert view.run.id == run.id


def test_a_gold_id_without_a_document_dangles(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    view = case_view(store, run.id, "farley-short")
    assert (view.gold, view.dangling) == ((), ("branch:6",))
    assert (view.response, view.verdict) == (None, None)


def test_without_a_corpus_no_gold_id_is_called_dangling(store, tmp_path):
    _, test_set = bank_project(store, tmp_path, corpus=False)
    path = tmp_path / "a.jsonl"
    row = {"case_id": "arden-short", "answer": "Ines Okoro", "document_ids": ["1", "5"]}
    path.write_text(json.dumps(row))
    run = create_run(store, test_set.id, actor=ACTOR, target=f"recorded:{path}")
    view = case_view(store, run.id, "arden-short")
    assert (view.gold, view.dangling) == (("branch:1",), ())
    execute_run(store, run.id, actor=ACTOR)
    # The recorded "1" is the gold branch:1: keyed bare, as GRAMMAR's documents are.
    assert case_view(store, run.id, "arden-short").gold == ("1",)
    assert case_view(store, run.id, "belmont-short").gold == ("branch:2",)


def test_the_ground_truth_runs_again(store, bank):
    found = run_reference(store, bank[1].id, "farley-long")
    assert (found.columns, found.rows) == (("manager",), (("Omar Reyes",),))


def test_what_cannot_run_again(store, tmp_path):
    project = create_project(store, "Imported", ACTOR)
    cases = [replace(case, sql="") if case.form == "long" else case for case in bank_cases()]
    put_test_set(store, project.id, cases)
    with pytest.raises(NotFound, match="none-such"):
        run_reference(store, "ts_bank", "none-such")
    with pytest.raises(NotFound, match="Case arden-long has no SQL"):
        run_reference(store, "ts_bank", "arden-long")
    with pytest.raises(NotFound, match="database that case arden-short was made from is not connected"):
        run_reference(store, "ts_bank", "arden-short")


def test_unknown_run_and_case(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    with pytest.raises(NotFound, match="run_none"):
        case_view(store, "run_none", "arden-short")
    with pytest.raises(NotFound, match="none-such"):
        case_view(store, run.id, "none-such")
