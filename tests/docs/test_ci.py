"""The workflow in docs/ci.md is YAML, and every command, option and threshold in it exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from typer.main import get_group

from core.cli import app

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
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
