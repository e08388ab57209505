"""Which metrics fit a run, and what the others lack."""

import json

import pytest

from core.domain.errors import NotFound
from core.metrics import Family, list_metrics
from core.runs.execute import execute_run
from core.runs.scores.applicable import applicable, expected
from core.runs.scores.choice import ScoringOptions
from core.runs.service import create_run
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR


def by_name(store, run, options=None):
    return {item.name: item for item in applicable(store, run.id, options)}


def recorded(store, bank, tmp_path, **fields):
    path = tmp_path / "answers.jsonl"
    rows = [{"case_id": case.case_id, "answer": "Nobody.", **fields} for case in bank_cases()]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}")
    execute_run(store, run.id, actor=ACTOR)
    return run


def test_a_run_of_a_target_of_ours(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    found = by_name(store, run)
    assert list(found) == [spec.name for spec in list_metrics()]
    assert found["recall"].ready
    assert found["groundedness"].ready
    assert found["groundedness"].why_not == ""
    assert found["chunk_recall"].why_not == "The run does not record the ids of the retrieved chunks."
    assert not found["chunk_recall"].default


def test_the_first_choice_has_every_family_and_no_variants(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    chosen = [item for item in applicable(store, run.id) if item.default]
    there = {item.spec.family for item in applicable(store, run.id) if item.ready}
    assert {item.spec.family for item in chosen} == there
    assert there <= set(Family)
    assert len(chosen) <= 12
    assert all(item.ready for item in chosen)
    assert not [item.name for item in chosen if item.name.endswith(("_weighted", "_min", "_average"))]


@pytest.mark.slow
def test_a_recording_without_passages(store, bank, tmp_path):
    found = by_name(store, recorded(store, bank, tmp_path))
    assert found["groundedness"].why_not == "The run does not record what was retrieved."
    assert found["recall"].why_not == "The run does not record the ids of the retrieved documents."
    assert found["answer_relevancy"].ready


def test_passages_without_text(store, bank, tmp_path):
    found = by_name(store, recorded(store, bank, tmp_path, contexts=[{"document_id": "branch:1"}]))
    assert found["recall"].ready
    assert found["groundedness"].why_not == "The retrieved passages are known by their ids only, not by their texts."


def test_passages_without_text_and_id(store, bank, tmp_path):
    found = by_name(store, recorded(store, bank, tmp_path, contexts=[""]))
    assert found["groundedness"].why_not == "The retrieved passages hold no text."
    assert found["recall"].why_not == "The run does not record the ids of the retrieved documents."


def test_passages_with_the_id_of_a_chunk_only(store, bank, tmp_path):
    found = by_name(store, recorded(store, bank, tmp_path, contexts=[{"chunk_id": "branch:1#0"}]))
    assert found["groundedness"].why_not == "The retrieved passages are known by their ids only, not by their texts."


def test_nothing_answered_yet(store, bank):
    found = by_name(store, create_run(store, bank[1].id, actor=ACTOR, target="keyword"))
    assert found["answer_relevancy"].why_not == "No case of the run has an answer."
    assert not any(item.default for item in found.values() if "answer" in item.spec.needs)


def test_a_model_for_inference(store, bank, monkeypatch):
    monkeypatch.delenv("PLUMBLINE_NLI", raising=False)
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    needing = [name for name, item in by_name(store, run).items() if "nli" in item.spec.needs]
    assert needing
    assert all("No NLI model is set" in by_name(store, run)[name].why_not for name in needing)
    assert all(by_name(store, run, ScoringOptions(nli="x"))[name].ready for name in needing)


def test_an_unknown_run(store):
    with pytest.raises(NotFound, match="run_none"):
        applicable(store, "run_none")


def test_what_a_run_will_have_is_known_before_it_starts(store, bank):
    planned = {item.name: item for item in expected(store, bank[1].id)}
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    there = by_name(store, run)
    assert {name for name, item in planned.items() if item.default} == {
        name for name, item in there.items() if item.default
    }
    assert {name for name, item in planned.items() if not item.ready} == {
        name for name, item in there.items() if not item.ready
    }
