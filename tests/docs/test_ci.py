"""The workflow in docs/ci.md is YAML, every command, option and threshold in it exists, and its steps run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.main import get_group

from core.cli import app
from tests.support.application.server import environment
from tests.support.servers.answer_server import AnswerServer, Reply

ROOT = Path(__file__).resolve().parents[2]
FACTS = {f"What is the yearly fee of card {number}?": f"{10 + 3 * number} EUR" for number in range(30)}
"""So many that a system which is always right has a lower bound of .886."""
KEY = "a-key-of-the-tests-4711"
TEXT = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
[WORKFLOW] = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


def commands() -> list[list[str]]:
    steps = yaml.safe_load(WORKFLOW)["jobs"]["validate"]["steps"]
    lines = [shlex.split(step["run"]) for step in steps if "run" in step]
    return [line[1:] for line in lines if line[0] == "plumbline"]


def test_the_workflow_is_one_that_actions_reads():
    workflow = yaml.safe_load(WORKFLOW)
    assert set(workflow[True]) == {"pull_request", "schedule"}  # "on" is a truth value in YAML 1.1
    for step in workflow["jobs"]["validate"]["steps"]:
        assert {"uses", "run"} & set(step)
    assert [line[0] for line in commands()] == ["evaluate", "diagnose", "compare", "report"]


@pytest.mark.parametrize("line", commands(), ids=lambda line: line[0])
def test_every_command_and_option_exists(line):
    known = get_group(app).commands[line[0]]
    options = {name for parameter in known.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in line if word.startswith("--")} <= options


def test_thresholds_in_the_text_are_written_as_the_commands_read_them():
    for threshold in re.findall(r"`([a-z_.]+=-?[0-9.]+)`", TEXT):
        name, _, value = threshold.partition("=")
        assert float(value) <= 1
        assert name.split(".")[0] in {"accuracy", "faithfulness", "criteria", "delta", "refined"}


@pytest.fixture
def repository(tmp_path):
    """A checkout with what the workflow expects, and ``plumbline`` on its path."""
    validation = tmp_path / "validation"
    (validation / "documents").mkdir(parents=True)
    for number, (_, answer) in enumerate(FACTS.items()):
        text = f"---\nid: card:{number}\n---\nThe yearly fee of card {number} is {answer}."
        (validation / "documents" / f"{number}.md").write_text(text)
    cases = [
        {"question": question, "reference_answers": [answer], "gold_document_ids": [f"card:{number}"], "form": "short"}
        for number, (question, answer) in enumerate(FACTS.items())
    ]
    (validation / "cases.jsonl").write_text("\n".join(json.dumps(case) for case in cases))
    program = tmp_path / "bin" / "plumbline"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m core "$@"\n')
    program.chmod(0o755)
    return tmp_path


def settings_of(repository, server):
    config = server.config(
        headers={"Authorization": "Bearer ${RAG_KEY}"},
        response={"answer": "$.answer", "contexts": "$.sources[*].text", "document_ids": "$.sources[*].id"},
    )
    (repository / "validation" / "system.yaml").write_text(yaml.safe_dump(config))


def ended(repository):
    """The steps of the workflow as Actions runs them, each with how it ended; None for one that was passed over."""
    path = f"{repository / 'bin'}:{os.environ['PATH']}"
    codes, failed = {}, False
    for step in yaml.safe_load(WORKFLOW)["jobs"]["validate"]["steps"]:
        if "uses" in step or step["run"].startswith("pip install"):
            continue
        if failed and step.get("if") != "always()":
            codes[step["name"]] = None
            continue
        secret = dict.fromkeys(step.get("env", {}), KEY)
        codes[step["name"]] = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=repository,
            env=environment(repository / "data", PATH=path, **secret),
            stdout=subprocess.DEVNULL,
            check=False,
        ).returncode
        failed = failed or codes[step["name"]] != 0
    return codes


def answering(request):
    """A system that has every right answer and names the document it stands in."""
    if request.headers["authorization"] != f"Bearer {KEY}":
        return Reply("no key", status=401)
    question = request.body["question"]
    text = f"The yearly fee of card {list(FACTS).index(question)} is {FACTS[question]}."
    return {"answer": text, "sources": [{"id": f"card:{list(FACTS).index(question)}", "text": text}]}


def declining(request):
    return {"answer": "I do not know.", "sources": [{"id": "card:0", "text": "Nothing of that."}]}


@pytest.mark.slow
def test_the_workflow_passes_a_good_system_and_fails_one_that_became_worse_with_all_files_written(repository):
    release = ("evaluate", "--testset", "validation/cases.jsonl", "--corpus", "validation/documents")
    subprocess.run(
        [repository / "bin" / "plumbline", *release, "--target", "bm25", "--out", "validation/release"],
        cwd=repository,
        env=environment(repository / "data"),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    files = yaml.safe_load(WORKFLOW)["jobs"]["validate"]["steps"][-1]["with"]["path"].split()
    names = [step["name"] for step in yaml.safe_load(WORKFLOW)["jobs"]["validate"]["steps"] if "name" in step][1:]
    with AnswerServer(answering) as server:
        settings_of(repository, server)
        assert ended(repository) == dict.fromkeys(names, 0)
    for name in files:
        assert (repository / name).stat().st_size
        assert KEY not in (repository / name).read_text()
        (repository / name).unlink()
    shutil.rmtree(repository / "run")
    with AnswerServer(declining) as server:
        settings_of(repository, server)
        assert list(ended(repository).values()) == [1, 0, 1, 0]
    assert [name for name in files if not (repository / name).is_file()] == []
