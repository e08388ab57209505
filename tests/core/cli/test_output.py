"""What a command prints and how it ends."""

import io
import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
import typer

from core.cli.output import emit, one_of, progress_line, shown
from core.domain.errors import InvalidInput, NotFound
from core.domain.estimates import Proportion
from tests.core.cli.conftest import ROOT

DOCUMENT = {
    "n": 4,
    "finished": True,
    "name": "run",
    "accuracy": {"num": 3, "den": 4, "value": 0.75, "low": 0.3, "high": 0.95},
    "refined": {"accuracy": {"num": 0, "den": 0, "value": None, "low": None, "high": None}},
}


def test_json_is_one_document_and_lines_are_lines(capsys):
    emit(DOCUMENT, as_json=True, lines=["not shown"])
    assert json.loads(capsys.readouterr().out) == DOCUMENT
    emit(DOCUMENT, as_json=False, lines=["one", "two"])
    assert capsys.readouterr().out == "one\ntwo\n"


@pytest.mark.parametrize("threshold", ["accuracy=0.75", "n=4", "accuracy=-inf"])
def test_a_figure_that_reaches_its_threshold(threshold):
    emit(DOCUMENT, as_json=False, fail_under=[threshold])


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        ("accuracy=0.8", "accuracy is 0.75, below 0.8."),
        ("refined.accuracy=0.1", "refined.accuracy has no value, so it cannot reach 0.1."),
        ("n=4.5", "n is 4, below 4.5."),
    ],
)
def test_a_missed_threshold_ends_with_1_after_the_result(capsys, threshold, said):
    with pytest.raises(typer.Exit) as ended:
        emit(DOCUMENT, as_json=True, fail_under=[threshold, "n=1"])
    assert ended.value.exit_code == 1
    printed = capsys.readouterr()
    assert (json.loads(printed.out), printed.err) == (DOCUMENT, f"{said}\n")


SHARE = {"value": 0.6, "low": 0.4, "high": 0.8, "n": 20, "method": "t"}


def test_a_number_that_is_not_there_misses_its_threshold(capsys):
    with pytest.raises(typer.Exit) as ended:
        emit({"criteria": {"of": 0, "share_met": None}}, as_json=True, fail_under=["criteria.share_met=1"])
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == "criteria.share_met has no value, so it cannot reach 1.\n"


@pytest.mark.parametrize("name", ["nothing", "refined", "finished", "name", "accuracy.value"])
def test_a_threshold_on_what_is_no_figure(capsys, name):
    with pytest.raises(NotFound, match="has no figure") as refused:
        emit(DOCUMENT, as_json=True, fail_under=[f"{name}=0"])
    assert refused.value.hint == "Its figures are: n, accuracy, refined.accuracy."
    assert json.loads(capsys.readouterr().out) == DOCUMENT


def test_of_many_figures_those_most_like_the_wanted_one_are_named(capsys):
    many = {"delta": {f"metric_{number}": {"b": number} for number in range(30)} | {"verdict": {"b": 0.5}}}
    with pytest.raises(NotFound, match="has no figure 'verdict'") as refused:
        emit(many, as_json=True, fail_under=["verdict=0.9"])
    assert refused.value.hint.startswith("The nearest of its 31 figures are: delta.verdict.b, ")
    assert refused.value.hint.endswith("--json shows all.")
    assert refused.value.hint.count("metric_") == 11
    capsys.readouterr()


@pytest.mark.parametrize("document", [{"metrics": {"token_f1": SHARE}}, {"metrics": {"token_f1": {"mean": SHARE}}}])
def test_the_bare_name_of_a_metric_is_its_mean_wherever_it_stands(capsys, document):
    emit(document, as_json=True, fail_under=["token_f1=0.5", "token_f1.low=0.4"])
    with pytest.raises(typer.Exit):
        emit(document, as_json=True, fail_under=["token_f1.low=0.5"])
    assert capsys.readouterr().err == "token_f1.low is 0.4, below 0.5.\n"


@pytest.mark.parametrize("threshold", ["accuracy", "accuracy=", "=0.5", "accuracy=nan", "accuracy=high", ""])
def test_a_malformed_threshold_is_refused_before_anything_is_done(cli, threshold):
    outcome = cli("demo", "--fail-under", threshold)
    assert (outcome.code, outcome.out) == (2, "")
    assert "is not NAME=VALUE" in outcome.err


def test_proportions_for_people():
    assert shown(DOCUMENT["accuracy"]) == "0.750 [0.300, 0.950] (3/4)"
    assert shown(DOCUMENT["refined"]["accuracy"]) == "- (0/0)"
    assert shown({"num": 1, "den": 1, "value": 1.0, "low": None, "high": None}) == "1.000 (1/1)"
    assert shown(Proportion(num=1, den=2, low=0.1, high=0.9)) == "0.500 [0.100, 0.900] (1/2)"


def test_one_of():
    assert one_of("--engine", "local", ("local",)) == "local"
    with pytest.raises(InvalidInput, match="--engine cannot be 'far'"):
        one_of("--engine", "far", ("local", "near"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal_rewrites_one_line(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    clock = iter([0.0, 1.0, 4.0, 5.0])
    report = progress_line(clock=lambda: next(clock))
    for stage, done in (("Asking", 10), ("Asking", 20), ("Asking", 100), ("Judging", 0)):
        report(stage, done, 100)
    said = [line.strip() for line in terminal.getvalue().replace("\n", "").split("\r")]
    # 10 were done before; 10 more in one second leave 80 to do at 10 a second.
    assert said[1:] == [
        "Asking: 10 of 100",
        "Asking: 20 of 100, 10.0 a second, 8 s left",
        "Asking: 100 of 100",
        "Judging: 0 of 100",
    ]
    assert terminal.getvalue().count("\n") == 1


def test_progress_elsewhere_is_a_line_every_ten_seconds(capsys):
    clock = iter([0.0, 5.0, 12.0, 13.0])
    report = progress_line(clock=lambda: next(clock))
    for done in (0, 5, 12, 13):
        report("Asking", done, 60)
    assert capsys.readouterr().err == "Asking: 12 of 60, 1.0 a second, 48 s left\n"


def test_help_comes_without_the_heavy_parts():
    heavy = "torch sentence_transformers transformers umap hdbscan plotly pandas sklearn scipy numpy sqlalchemy sqlglot"
    code = f"import sys, core.cli; print([name for name in {heavy.split()} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


@pytest.mark.slow
def test_no_command_loads_a_model_or_a_chart_library():
    code = (
        "import sys, core.runs.service, core.demo.project, core.cli.workspace, core.diagnosis\n"
        "print([name for name in ('torch', 'sentence_transformers', 'umap', 'plotly', 'pandas', 'sklearn') "
        "if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_bare_call_and_help(cli):
    bare = cli()
    assert (bare.code, bare.err) == (2, "")
    assert "diagnose" in bare.out
    assert cli("--help").code == 0
    assert cli("version").out.strip()


def test_a_wrong_word(refused):
    assert "No such command 'evaluat'" in refused("evaluat")
    assert "No such option" in refused("demo", "--jsn")
    assert "Missing option '--db'" in refused("schema")
    assert "Invalid value for '--seed'" in refused("hypothesis", "--grammar-a", "a", "--grammar-b", "b", "--seed", "-1")


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_failure(spawn, bank_url):
    process = spawn("schema", "--db", bank_url, "--json")
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=120), said) == (141, "")


def test_a_data_folder_that_cannot_be_made(cli, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "data", tmp_path / "file"):
        monkeypatch.setenv("PLUMBLINE_DATA", str(folder))
        outcome = cli("demo")
        assert (outcome.code, outcome.out) == (2, "")
        assert len(outcome.err.strip().splitlines()) == 2


def test_a_store_that_is_damaged(cli, tmp_path):
    store = tmp_path / "data" / "plumbline.sqlite"
    store.write_bytes(b"this is no database" * 100)
    outcome = cli("demo", "--json")
    assert (outcome.code, outcome.out) == (2, "")
    store.unlink()
    assert cli("resume", "run_1").code == 2
    whole = bytearray(store.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    store.write_bytes(whole)
    outcome = cli("resume", "run_1")
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err.strip().splitlines()) == 2


def test_a_store_that_lost_a_table(cli, tmp_path):
    cli("resume", "run_1")
    with closing(sqlite3.connect(tmp_path / "data" / "plumbline.sqlite")) as connection:
        connection.execute("DROP TABLE runs")
        connection.commit()
    outcome = cli("resume", "run_1")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines() == [
        "The store cannot be used: no such table: runs.",
        "Check its file or server, then try again.",
    ]
