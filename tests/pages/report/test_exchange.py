"""The page that imports other tools' files and exports a run to them."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from core.runs.exchange.exporting import run_data
from core.runs.exchange.importing import import_exchange
from core.runs.exchange.reading import read_exchange
from core.store.results import runs
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics
from tests.support.files import exchange_files as files
from tests.support.small_bank import ACTOR, said


def upload(app, path, key="exchange_file_0"):
    app.file_uploader(key=key).set_value((path.name, path.read_bytes(), "text/plain")).run()
    assert not app.exception
    return app


def editor(path, form="auto"):
    """The key of the mapping's editor for a file."""
    return f"exchange_map_{sha256(path.read_bytes()).hexdigest()[:12]}_{form}_auto_"


def becomes(app):
    """Meaning of each column, as it stands now."""
    gives = holding(app, "Kept as")
    return dict(zip(gives["Column"], gives["Kept as"], strict=True))


def edit(app, key, titles):
    """Changes what columns become, by their places."""
    rows = {place: {"Becomes": title} for place, title in titles.items()}
    app.session_state[key] = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    return app.run()


def runs_of(store, project):
    with store.read() as connection:
        return runs.all(connection, project.id)


def test_without_a_file_the_page_says_what_it_takes(open_page, project):
    app = open_page("exchange", project=project.id)
    assert app.title[0].value == "What did other tools measure, and who needs ours?"
    assert list(holding(app, "Format")["Format"]) == [
        "DeepEval",
        "GRAMMAR",
        "GroUSE",
        "Inspect",
        "InspectorRAGet",
        "MLflow",
        "promptfoo",
        "Ragas",
        "RAGChecker",
        "Any table",
        "TruLens",
    ]
    assert "exchange_import" not in keys(app)


@pytest.mark.slow
def test_a_file_is_recognised_shown_and_imported(open_page, store, project, tmp_path):
    app = upload(open_page("exchange", project=project.id), files.ragas_old_csv(tmp_path / "ferry.csv"))
    assert "**Ragas**, recognised by its columns" in said(app)
    assert "names of Ragas 0.1" in said(app)
    assert becomes(app)["contexts"] == "Retrieved passages"
    gives = holding(app, "Kept as").set_index("Column")
    assert gives.loc["contexts", "Note"] == "Read as Python list."
    assert gives.loc["contexts", "Enables"]
    assert metrics(app)["Answers"] == "3"
    assert holding(app, "Question")["Question"][0] == files.QUESTIONS[0]
    app.button(key="exchange_import").click().run()
    assert not app.exception
    (run,) = runs_of(store, project)
    assert app.title[0].value == "Which answers are wrong?"
    assert (run.target, run.judge) == ("recorded:ferry", "match")


@pytest.mark.slow
def test_a_person_overrules_the_mapping(open_page, store, project, tmp_path):
    rows = [{"user_input": "Q?", "response": "A.", "evidence_text": "One.", "grade": 3}]
    path = files.write_lines(tmp_path / "r.jsonl", rows)
    app = upload(open_page("exchange", project=project.id), path)
    assert becomes(app)["evidence_text"] == "Attribute evidence_text"
    edit(app, editor(path), {2: "Retrieved passages"})
    assert becomes(app) == {
        "user_input": "Question",
        "response": "Answer",
        "evidence_text": "Retrieved passages",
        "grade": "Attribute grade",
    }
    app.button(key="exchange_import").click().run()
    (run,) = runs_of(store, project)
    data, _ = run_data(store, run.id, actor=ACTOR)
    assert data.answered[0].response.contexts[0].text == "One."


def test_a_column_that_would_be_lost_is_refused_until_a_person_lets_it_go(open_page, project, tmp_path):
    row = {"question": "Dogs?", "answer": "Yes.", "response": "Dogs travel free.", "contexts": ["Dogs travel free."]}
    app = upload(open_page("exchange", project=project.id), files.write_lines(tmp_path / "two.jsonl", [row]))
    assert "two.jsonl has a column that would be lost: answer (response is taken for answer)" in said(app)
    assert "exchange_import" not in keys(app)
    (leave,) = [box for box in app.checkbox if box.label == "Leave out answer"]
    leave.check().run()
    assert not app.exception
    assert becomes(app)["response"] == "Answer"
    assert "exchange_import" in keys(app)


def test_an_overrule_that_cannot_be_is_told_and_nothing_is_imported(open_page, project, tmp_path):
    rows = [{"user_input": "Q?", "response": "A."}]
    path = files.write_lines(tmp_path / "r.jsonl", rows)
    app = upload(open_page("exchange", project=project.id), path)
    edit(app, editor(path), {0: "Ignored"})
    assert "no column holds the question" in app.error[0].value.replace("\\", "")
    assert "exchange_import" not in keys(app)


def test_a_file_of_no_known_format_is_mapped_by_hand(open_page, project, tmp_path):
    path = files.write_lines(tmp_path / "x.jsonl", [{"frage": "Wann?", "antwort": "Um acht."}])
    app = upload(open_page("exchange", project=project.id), path)
    assert "columns of no known format: frage, antwort" in app.error[0].value.replace("\\", "")
    app.selectbox(key="exchange_format").select("ragas").run()
    edit(app, editor(path, "ragas"), {0: "Question", 1: "Answer"})
    assert not app.error
    assert becomes(app) == {"frage": "Question", "antwort": "Answer"}


def test_a_bad_row_is_told_by_its_number_and_column(open_page, project, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("record_id,input,output\n1,Q1?,A.\n1,Q2?,A.\n", encoding="utf-8")
    app = upload(open_page("exchange", project=project.id), path)
    assert "Rows 1 and 2 of bad.csv have the same record_id, '1'" in app.error[0].value.replace("\\", "")
    assert "exchange_import" not in keys(app)


@pytest.mark.slow
def test_one_of_several_models_is_chosen(open_page, store, project, tmp_path):
    app = upload(open_page("exchange", project=project.id), files.inspectorraget(tmp_path / "i.json"))
    (choice,) = [box for box in app.selectbox if box.key and box.key.startswith("exchange_model_")]
    assert choice.options == ["alpha", "beta"]
    choice.select("beta").run()
    assert "Label page" in captions(app)
    app.button(key="exchange_import").click().run()
    (run,) = runs_of(store, project)
    assert "inspectorraget.rouge" in run.options["mapped"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "link",
    [
        {"view": "metrics"},
        {"view": "agreement", "a": "ragas.faithfulness", "b": "ragas.my_rubric"},
        {"columns": "ragas.faithfulness,ragas.my_rubric", "sort": "ragas.faithfulness"},
        {"metric": "ragas.faithfulness", "case": ""},
    ],
)
def test_results_show_imported_scores(open_page, store, project, tmp_path, link):
    found = read_exchange(files.write_lines(tmp_path / "r.jsonl", files.ragas_rows()))
    run = import_exchange(store, project.id, found, actor=ACTOR).run
    link = {**link, **({"case": found.records[0].case.case_id} if "case" in link else {})}
    app = open_page("results", project=project.id, run=run.id, **link)
    assert not app.exception
    assert not app.error
    tables = " ".join(item.value.to_string() for item in app.dataframe)
    shown = f"{said(app)} {tables} {app.get('plotly_chart')}"
    assert "ragas.faithfulness" in shown.replace("\\", "")


def test_one_imported_case_is_told_in_the_singular_and_alone(open_page, store, project, tmp_path):
    """It has no SQL query, so nothing is said of one."""
    rows = [{"user_input": "Q?", "response": "A.", "reference": "A.", "case_id": "c1"}]
    found = read_exchange(files.write_lines(tmp_path / "r.jsonl", rows))
    run = import_exchange(store, project.id, found, actor=ACTOR, judge="match").run
    app = open_page("results", project=project.id, run=run.id, case="c1")
    assert not app.exception
    assert "No other question is in its semantic group." in captions(app)
    hovers = " ".join(item.proto.help for item in app.markdown)
    assert "of 1 case." in hovers
    assert "of 1 cases" not in hovers


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ragas", "mlflow"])
def test_a_run_is_exported(open_page, finished, bank, name):
    app = open_page("exchange", project=bank.id, view="export")
    assert app.title[0].value == "Who needs our measurements?"
    app.selectbox(key="export_format").select(name).run()
    app.button(key="export_prepare").click().run()
    assert not app.exception
    assert "would run there as a formula" not in captions(app)
    ours = holding(app, "Ours").set_index("Ours")
    assert ours.loc["question", "In the file"] == {"ragas": "user_input", "mlflow": "inputs.question"}[name]


def test_a_table_for_a_tool_is_no_table_for_a_spreadsheet(open_page, finished, bank):
    app = open_page("exchange", project=bank.id, view="export")
    app.selectbox(key="export_format").select("deepeval").run()
    app.selectbox(key="export_ending_deepeval").select(".csv").run()
    assert "Lists stand as JSON in their cell" in captions(app)
    assert "would run there as a formula" in captions(app)


def test_without_a_run_the_export_leads_to_one(open_page, project):
    app = open_page("exchange", project=project.id, view="export")
    assert "No run yet" in said(app)
    assert "go_run" in keys(app)


def test_a_viewer_exports_and_does_not_import(open_page, finished, bank, monkeypatch):
    app = as_viewer(open_page("exchange", project=bank.id), finished, bank, monkeypatch)
    assert "Your role may read this project but not import runs" in said(app)
    assert not app.file_uploader
    assert json.dumps(sorted(keys(app))).count("exchange_import") == 0
