"""Other tools' files in, a run out, on the command line."""

import json

import pytest
import typer
from typer.testing import CliRunner

from core.cli.documents import exchange
from core.domain.errors import PlumblineError
from tests.support.files import exchange_files as files
from tests.support.files.exchange_files import ANSWERS, QUESTIONS


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs one of the two commands with a data folder of the test; returns its JSON."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    app = typer.Typer()
    exchange.register(app)

    def ran(*arguments, text=False):
        given = [*map(str, arguments), *([] if text else ["--json"])]
        outcome = CliRunner().invoke(app, given)
        if outcome.exception is not None and not isinstance(outcome.exception, SystemExit):
            raise outcome.exception
        assert outcome.exit_code == 0, outcome.output
        return outcome.stdout if text else json.loads(outcome.stdout)

    return ran


@pytest.mark.slow
def test_import_then_export_then_import(run, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    made = run("import", "--format", "ragas", path)
    assert (made["rows"], made["format"]) == (3, "ragas")
    assert made["mapped"]["contexts"] == "retrieved_contexts"
    assert made["mapped"]["ragas.faithfulness"] == "faithfulness"
    assert made["ignored"] == []
    assert made["scored"] == {"ragas.faithfulness": 2, "ragas.my_rubric": 3}
    out = tmp_path / "out.json"
    written = run("export", "--format", "deepeval", "--run", made["run"], out)
    assert (written["rows"], written["ignored"]) == (3, [])
    assert written["mapped"]["contexts"] == "retrieval_context"
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert [(row["input"], row["actual_output"]) for row in rows] == list(zip(QUESTIONS, ANSWERS, strict=True))
    again = run("import", out, "--project", "Another", "--judge", "match")
    # "Yes; dogs travel free of charge." for "Dogs are allowed and travel free." is left to a judge.
    assert (again["format"], again["judged"]) == ("deepeval", 2)
    assert again["project"] != made["project"]


def test_who_could_judge_is_told_where_the_file_has_no_verdict(run, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    assert "--judge match judges its answers" in run("import", path, text=True)
    assert "--judge match judges" not in run("import", path, "--judge", "match", text=True)


def test_a_project_is_found_by_name_or_id(run, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    first = run("import", path, "--project", "Ferry")
    assert run("import", path, "--project", "Ferry")["project"] == first["project"]
    assert run("import", path, "--project", first["project"])["project"] == first["project"]


def test_a_dry_run_stores_nothing_and_tells_what_each_column_becomes(run, tmp_path):
    path = files.write_csv(tmp_path / "f.csv", [{"q": "Q?", "response": "A.", "passages": "One.|Two."}])
    told = run("import", "--format", "ragas", "--map", "q=question", "--map", "passages=contexts", "--dry-run", path)
    assert told["mapped"] == {"question": "q", "answer": "response", "contexts": "passages"}
    assert told["lists"] == {"passages": "parted by |"}
    assert "groundedness" in told["enables"]["passages"]
    assert "run" not in told
    said = run("import", "--format", "ragas", "--map", "q=question", "--dry-run", path, text=True)
    assert "Nothing was stored." in said
    assert "question" in said


def test_one_model_of_several(run, tmp_path):
    path = files.inspectorraget(tmp_path / "i.json")
    made = run("import", path, "--model", "beta")
    assert made["rows"] == 3
    assert made["ignored"] == ["model_id", "task_type", "taste"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--map", "contexts"), "is not COLUMN=FIELD"),
        (("--map", "response=answer", "--map", "response=ignored"), "'response' twice"),
        (("--map", "nowhere=answer"), "no column 'nowhere'"),
        (("--format", "excel"), "no format 'excel'"),
        (("--lists", ""), "cannot be read by ''"),
        (("--judge", "oracle"), "oracle"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(run, tmp_path, arguments, says):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    with pytest.raises(PlumblineError, match=says) as caught:
        run("import", path, *arguments)
    assert caught.value.hint


def test_a_run_that_is_not_there(run, tmp_path):
    with pytest.raises(PlumblineError, match="no run run_none"):
        run("export", "--format", "ragas", "--run", "run_none", tmp_path / "x.jsonl")
