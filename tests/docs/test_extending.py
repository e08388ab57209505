"""The examples of docs/extending.md, taken out of the page and run in a copy of Plumbline as a reader would."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stores import sqlite_url

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COPIED = ("core", "pages", "prompts", "app.py", "pyproject.toml")
LONGEST_S = 180
"""How long one command may take; only a test that fails waits so long."""

CASES = (
    {"case_id": "c1", "question": "What is a lien?", "reference_answers": ["a claim on property"]},
    {"case_id": "c2", "question": "What is escrow?", "reference_answers": ["money held by a third party"]},
    {"case_id": "c3", "question": "What is a grantor?", "reference_answers": ["the maker of a trust"]},
)
TERMS = "term,definition\nlien,A claim on property.\nescrow,Money that a third party holds.\n"

OPEN = """
import json, sys
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
from core.installation import ROOT
from pages.kit import navigation

def opened(page, **query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params.update(query)
    app._page_hash = calc_hash(navigation.spec(page).url_path)
    app.run()
    assert not app.exception, app.exception
    return app
"""
"""Opens a page as a link would."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of Plumbline with the examples as files."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for name, text in EXAMPLES.items():
        path = folder / name
        assert not path.exists(), f"{name} is a file of Plumbline"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def python(checkout, tmp_path):
    """Runs Python in the copy, with an empty data folder; returns what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PLUMBLINE_", "PYTHONPATH"))}
    data = tmp_path / "data"
    data.mkdir()

    def ran(*arguments):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=checkout,
            env={**kept, "PLUMBLINE_DATA": str(data), "PLUMBLINE_DATABASE_URL": sqlite_url(data)},
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    return ran


@pytest.fixture
def core(python):
    """Runs a command and returns its JSON document."""
    return lambda *arguments: json.loads(python("-m", "core", *arguments, "--json"))


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_kind_of_part_has_its_example():
    assert {name.rpartition("/")[0] for name in EXAMPLES} == {
        "core/metrics/answer",
        "core/targets",
        "core/judging",
        "core/io/formats",
        "pages/evaluate/slowest",
    }
    assert PAGE.count("```python") == len(EXAMPLES)


def test_the_examples_keep_the_rules_of_the_house(python, checkout):
    for command in (("check",), ("format", "--check")):
        python("-m", "ruff", *command, "--no-cache", *EXAMPLES)


@pytest.mark.slow
def test_the_metric_is_listed_and_scores(core, tmp_path):
    (spec,) = [row for row in core("metrics")["metrics"] if row["name"] == "numbers_in_passages"]
    assert spec["family"] == "groundedness"
    passages = ["The fee is 12.50 a month since 2014."]
    data = write_lines(
        tmp_path / "answers.jsonl",
        [
            {"question": "What is the fee?", "answer": "It is 12.50. It rose in 2019.", "contexts": passages},
            {"question": "What is the fee?", "answer": "It depends.", "contexts": passages},
        ],
    )
    out = tmp_path / "scored.jsonl"
    core("score", "--data", data, "--metrics", "numbers_in_passages", "--out", out)
    half, none = read_lines(out)
    assert half["numbers_in_passages"] == 1 / 2  # 12.50 is there and 2019 is not
    assert none["numbers_in_passages"] is None
    assert "no number" in json.dumps(none)


@pytest.mark.slow
def test_the_target_answers_and_the_judge_judges(core, tmp_path):
    terms = tmp_path / "terms.csv"
    terms.write_text(TERMS, encoding="utf-8")
    testset, out = write_lines(tmp_path / "cases.jsonl", CASES), tmp_path / "run"
    summary = core(
        "evaluate", "--testset", testset, "--target", f"glossary:{terms}", "--judge", "whole_words", "--out", out
    )
    assert (summary["accuracy"]["num"], summary["accuracy"]["den"]) == (1, 3)
    rows = {row["case_id"]: row for row in read_lines(out / "results.jsonl")}
    assert [rows[case]["answer"] for case in ("c1", "c2", "c3")] == [
        "A claim on property.",
        "Money that a third party holds.",
        "The glossary does not say.",
    ]
    assert [rows[case]["verdict"] for case in ("c1", "c2", "c3")] == [1.0, 0.0, 0.0]  # c2 says it in other words
    assert {row["verdict_detail"]["rule"] for row in rows.values()} == {"words"}


@pytest.mark.slow
def test_the_format_is_told_imported_and_written(core, python, tmp_path):
    turns = tmp_path / "turns.csv"
    with turns.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["caller_says", "assistant_says", "looked_up", "should_say", "seconds", "channel", "helpful"])
        writer.writerow(["What is a lien?", "A claim.", '["A lien is a claim."]', "A claim", "0.8", "chat", "0.75"])
        writer.writerow(["What is escrow?", "No idea.", '["Escrow is held money."]', "Money", "2.4", "chat", "0.25"])
    assert core("import", turns, "--dry-run")["format"] == "parley"
    imported = core("import", turns, "--format", "parley", "--project", "Ferry")
    written = tmp_path / "written.jsonl"
    python("-m", "core", "export", written, "--format", "parley", "--run", imported["run"])
    first, second = read_lines(written)
    assert (first["caller_says"], first["looked_up"]) == ("What is a lien?", ["A lien is a claim."])
    assert [first["helpful"], second["helpful"]] == [0.75, 0.25]
    assert [first["seconds"], second["seconds"]] == [0.8, 2.4]


@pytest.fixture
def imported(core, tmp_path):
    """A finished run of two answers that took 0.8 and 2.4 seconds."""
    rows = [
        {"user_input": "What is a lien?", "response": "A claim.", "reference": "A claim", "latency_s": 0.8},
        {"user_input": "What is escrow?", "response": "No idea.", "reference": "Money", "latency_s": 2.4},
    ]
    return core("import", write_lines(tmp_path / "rows.jsonl", rows), "--format", "ragas")


@pytest.mark.slow
def test_the_screens_offer_target_judge_and_format(python, imported):
    script = """
app = opened("run")
app.selectbox(key="target").set_value("glossary").run()
assert not app.exception, app.exception
assert app.file_uploader(key="target_file").label == "Glossary"
app.selectbox(key="judge").set_value("whole_words").run()
assert not app.exception, app.exception
assert "Does the answer have a reference, word for word?" in [caption.value for caption in app.caption]
app = opened("exchange")
assert any("Parley" in str(table.value) for table in app.dataframe)
from core.judges.scorers import judge_metric
assert judge_metric("whole_words") == "judge_whole_words"
"""
    python("-c", OPEN + script)


@pytest.mark.slow
def test_the_page_stands_in_its_place_and_draws(python, imported):
    script = """
app = opened("slowest")
keys = [spec.key for spec in navigation.PAGES]
frame = app.dataframe[0].value
print(json.dumps({
    "around": keys[keys.index("slowest") - 1 : keys.index("slowest") + 2],
    "section": navigation.spec("slowest").section,
    "title": app.title[0].value,
    "seconds": list(frame["Seconds"]),
    "questions": list(frame["Question"]),
}))
"""
    assert json.loads(python("-c", OPEN + script)) == {
        "around": ["results", "slowest", "label"],
        "section": "Evaluate",
        "title": "Which answers are slow?",
        "seconds": [2.4, 0.8],
        "questions": ["What is escrow?", "What is a lien?"],
    }
