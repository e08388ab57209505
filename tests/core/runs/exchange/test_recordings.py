"""Recorded runs inside a project give the same figures as in their files."""

import json

import pytest

from core.diagnosis import Tag, diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.errors import Forbidden, InvalidInput, UnreadableFile
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.project.service import create_project
from core.runs.exchange.recordings import import_recording
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.shared_data import shared
from tests.support.stores import blank_url

ACTOR = "local"
# form: correct, id match, gap / robust / non-robust groups, dangling rows, of 471 rows (reference/grammar.md)
BALANCED = {"short": (129, 135, (112, 40, 5), 336), "long": (130, 132, (112, 40, 5), 336)}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with Store.open(blank_url(tmp_path)) as store:
        yield store, create_project(store, "Replay", ACTOR).id


def recording(tmp_path, form, *rows):
    path = tmp_path / f"results_{form}.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def row(**changes):
    return {
        "query": "Where is Acme?",
        "answer": "Rome",
        "gpt_response": ["In Rome."],
        "query_tag": 0,
        "true_document_ids": [1],
        "retrieved_document_ids": [1],
        "retrieval_judgement": 1,
        "judgement": "Correct",
    } | changes


@pytest.mark.slow
def test_aurp_gives_the_figures_of_the_reference(project):
    store, project_id = project
    folder = shared("grammar-aurp/eval_results")
    files = [folder / f"results_{form}_balanced.json" for form in BALANCED]
    run = import_recording(store, project_id, files, actor=ACTOR, name="Aurp")
    assert (run.state, run.judge, run.target) == (RunState.FINISHED, "recorded", "recorded:Aurp")
    found = diagnosis_rows(store, run.id)
    assert len(found.rows) == 942
    whole = diagnose(found.rows, unjudged="incorrect", known_ids=found.known_ids)
    for form, (correct, matched, tags, dangling) in BALANCED.items():
        rows = [one for one in found.rows if one.form == form]
        replayed = diagnose(rows, unjudged="incorrect", known_ids=found.known_ids)
        figures = replayed.figures
        assert (figures.accuracy.num, figures.accuracy.den) == (correct, 471)
        assert (figures.id_match.num, figures.context_comparison.num) == (matched, matched)
        assert tuple(figures.tags[tag].groups for tag in (Tag.GAP, Tag.ROBUST, Tag.NON_ROBUST)) == tags
        assert (figures.retrieval_db.num, figures.retrieval_db.den) == (45, 157)
        assert replayed.dangling.rows == dangling
        assert whole.by_form[form].figures.accuracy.num == correct
    with store.read() as connection:
        test_set = testsets.get(connection, run.test_set_id)
    assert test_set.frozen
    assert test_set.counts == {"sql_queries": 157, "questions": {"short": 471, "long": 471}}


@pytest.mark.parametrize(("form", "correct", "rows"), [("short", 84, 314), ("long", 130, 257)])
def test_aurp_unbalanced(project, form, correct, rows):
    store, project_id = project
    path = shared("grammar-aurp/eval_results") / f"results_{form}.json"
    run = import_recording(store, project_id, [path], actor=ACTOR, name="Aurp")
    found = diagnosis_rows(store, run.id)
    accuracy = diagnose(found.rows, unjudged="incorrect", known_ids=found.known_ids).figures.accuracy
    assert (accuracy.num, accuracy.den) == (correct, rows)


def test_a_recording_is_a_frozen_set_and_a_finished_run(project, tmp_path):
    store, project_id = project
    rows = [
        row(),
        row(query="Whither Acme?", judgement="Incorrect"),
        row(query="Null?", answer=None, query_tag=1),
        row(query="No word?", gpt_response=None, query_tag=2, judgement=None),
    ]
    run = import_recording(store, project_id, [recording(tmp_path, "short", *rows)], actor=ACTOR, name=" Acme ")
    with store.read() as connection:
        test_set = testsets.get(connection, run.test_set_id)
        cases = testsets.cases(connection, run.test_set_id)
        responses = runs.responses(connection, run.id)
        verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC)
        tally = runs.tally(connection, run.id)
    assert (test_set.name, test_set.version) == ("Acme", 1)
    assert [case.reference_answers for case in cases] == [("Rome",), ("Rome",), (), ("Rome",)]
    assert [case.group_id for case in cases] == ["0", "0", "1", "2"]
    assert [verdicts[case.case_id].value for case in cases] == [1.0, 0.0, 1.0, None]
    assert responses["short-4"].error == "no answer was recorded"
    assert responses["short-1"].document_ids == ("1",)
    assert verdicts["short-1"].detail["reason"] == "The recording says Correct."
    assert verdicts["short-4"].detail["reason"] == "The recording has no verdict."
    assert (tally.correct, tally.incorrect) == (2, 1)
    assert run.options["known_ids"] is None, "no documents came with it"


def test_a_name_again_is_its_next_version(project, tmp_path):
    store, project_id = project
    path = recording(tmp_path, "short", row())
    for _ in range(2):
        run = import_recording(store, project_id, [path], actor=ACTOR, name="Acme")
    with store.read() as connection:
        assert testsets.get(connection, run.test_set_id).version == 2


def test_documents_tell_which_ids_dangle(project, tmp_path):
    store, project_id = project
    documents = tmp_path / "documents.json"
    documents.write_text(json.dumps({"1": "Acme is in Rome."}), encoding="utf-8")
    path = recording(tmp_path, "short", row(), row(query="Other?", query_tag=1, true_document_ids=[9]))
    run = import_recording(store, project_id, [path], actor=ACTOR, name="Acme", documents=documents)
    found = diagnosis_rows(store, run.id)
    assert found.known_ids == frozenset({"1"})
    assert diagnose(found.rows, known_ids=found.known_ids).dangling.rows == 1


@pytest.mark.parametrize(
    ("forms", "name", "message"),
    [
        ([], "Acme", "No recording is given"),
        (["short"], "  ", "has no name"),
        (["short", "short_balanced"], "Acme", "Two files are recordings of the form 'short'"),
    ],
)
def test_imports_that_are_refused(project, tmp_path, forms, name, message):
    store, project_id = project
    with pytest.raises(InvalidInput, match=message):
        import_recording(
            store, project_id, [recording(tmp_path, form, row()) for form in forms], actor=ACTOR, name=name
        )
    with store.read() as connection:
        assert testsets.all(connection, project_id) == []


@pytest.mark.parametrize("content", ["", "[]", "{}", "[1]", '[{"query": "Q"}]', "null"])
def test_files_that_are_no_recording(project, tmp_path, content):
    store, project_id = project
    path = tmp_path / "results_short.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises((InvalidInput, UnreadableFile)):
        import_recording(store, project_id, [path], actor=ACTOR, name="Acme")
    with store.read() as connection:
        assert testsets.all(connection, project_id) == []


def test_only_validators_import(project, tmp_path):
    store, project_id = project
    with pytest.raises(Forbidden):
        import_recording(store, project_id, [recording(tmp_path, "short", row())], actor="eve", name="x")
