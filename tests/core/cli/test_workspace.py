"""A folder as the home of one run."""

import errno
import json
import os

import pytest

from core.cli import workspace
from core.cli.runs.results_file import write_results
from core.domain.errors import Conflict, InvalidInput
from core.domain.results.responses import Score
from core.domain.status import Status
from core.store.results import scores
from core.targets.over_http.config import check_config
from core.targets.over_http.file import dump_config
from tests.support.bank_cases import bank_cases


@pytest.fixture(autouse=True)
def here(cli):
    """The data folder and the working folder of the test."""


def prepare(out, testset, recording):
    workspace.prepare(
        out, cases_file=testset, target=f"recorded:{recording}", judge="match", corpus=None, seed=4, options={}
    )


def test_the_folder_holds_a_whole_planned_run(testset, recording, tmp_path):
    prepare(tmp_path / "run", testset, recording)
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["plumbline.sqlite"]
    with workspace.opened(str(tmp_path / "run")) as (store, run):
        assert (run.target, run.seed, run.options) == (f"recorded:{recording}", 4, {})
        write_results(store, run, tmp_path / "run")
    lines = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    assert len(lines) == len(bank_cases())
    assert '"verdict": null, "verdict_status": "not_judged"' in lines[0]


def test_the_results_hold_what_a_judge_said_of_each_claim(testset, recording, tmp_path):
    said = {"claims": [{"claim": "It is 12 EUR.", "verdict": "Yes", "reason": "Stated.", "passage": 1}]}
    workspace.prepare(
        tmp_path / "run",
        cases_file=testset,
        target=f"recorded:{recording}",
        judge="match",
        corpus=None,
        seed=4,
        options={"metrics": ["claim_faithfulness"]},
    )
    with workspace.opened(str(tmp_path / "run")) as (store, run):
        case_id = bank_cases()[0].case_id
        score = Score(case_id=case_id, metric="claim_faithfulness", value=1.0, status=Status.SCORED, detail=said)
        with store.write("local", "score") as connection:
            scores.put(connection, run.id, [score])
        write_results(store, run, tmp_path / "run")
    lines = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    by_case = {line["case_id"]: line["claim_faithfulness_detail"] for line in lines}
    assert by_case[case_id] == said
    assert sum(detail == {} for detail in by_case.values()) == len(lines) - 1


def test_a_file_of_any_target_is_kept_with_its_folder(testset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = {
        "url": "http://127.0.0.1:9/ask",
        "request": {"question": "{{question}}"},
        "response": {"answer": "$.answer"},
    }
    (tmp_path / "system.yaml").write_text(dump_config(check_config(config)))
    out = tmp_path / "run"
    workspace.prepare(
        out, cases_file=testset, target="http:system.yaml", judge="match", corpus=None, seed=4, options={}
    )
    with workspace.opened(str(out)) as (_, run):
        assert run.target == f"http:{tmp_path / 'system.yaml'}"


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP])
def test_a_file_system_without_links(testset, recording, tmp_path, monkeypatch, number):
    def refuse(*paths):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refuse)
    prepare(tmp_path / "run", testset, recording)
    assert (tmp_path / "run" / "plumbline.sqlite").is_file()
    built = tmp_path / "other"
    built.write_text("another store")
    with pytest.raises(Conflict, match="already holds a run"):
        workspace._publish(built, tmp_path / "run")


@pytest.mark.slow
def test_a_run_that_another_process_published_first_stays(testset, recording, tmp_path):
    prepare(tmp_path / "run", testset, recording)
    before = (tmp_path / "run" / "plumbline.sqlite").read_bytes()
    built = tmp_path / "other"
    built.write_text("another store")
    with pytest.raises(Conflict, match="already holds a run"):
        workspace._publish(built, tmp_path / "run")
    assert (tmp_path / "run" / "plumbline.sqlite").read_bytes() == before


def test_another_failure_of_the_disk_is_not_hidden(tmp_path, monkeypatch):
    def refuse(*paths):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(OSError, match="No space left"):
        workspace._publish(tmp_path / "built", tmp_path)


def test_a_folder_that_somebody_used_meanwhile_is_left(testset, tmp_path, monkeypatch):
    out = tmp_path / "run"

    def disturb(*arguments, **options):
        (out / "notes.txt").write_text("mine")
        raise InvalidInput("No.", "Do not.")

    monkeypatch.setattr(workspace, "create_run", disturb)
    with pytest.raises(InvalidInput, match="No"):
        workspace.prepare(out, cases_file=testset, target="recorded:x", judge="match", corpus=None, seed=0, options={})
    assert [path.name for path in out.iterdir()] == ["notes.txt"]
