"""Commands that run things."""

import json
import re
import shutil
import signal
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from core.cli.runs.stopping import stop_on_signal
from core.demo.project import ensure_demo
from core.domain.jobs import Job
from core.domain.results.runs import RunState
from core.jobs import JobState, get
from core.store import jobs, projects
from core.store.database import Store
from core.store.results import runs
from core.store.trail import audit
from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.documents.named_documents import shop_cases, write_named
from tests.support.processes import held
from tests.support.processes.printed import next_line
from tests.support.servers.answer_server import AnswerServer
from tests.support.shared_data import shared

KEYS = {"run", "cases", "scored", "unscored", "accuracy", "seconds", "llm_calls", "llm_calls_from_cache"}


LIMIT_S = 120.0
"""How long a test waits for what has to come; only a test that fails waits so long."""


def said(process):
    out, err = process.communicate(timeout=LIMIT_S)
    return process.returncode, out, err


def opened(folder):
    return Store.open(f"sqlite:///{folder / 'plumbline.sqlite'}")


@pytest.fixture
def sample(sample_store, cli, tmp_path):
    """The sample project, in the data folder of the commands."""
    shutil.copy(sample_store, tmp_path / "data")


@pytest.mark.slow
def test_demo_is_built_once(cli, tmp_path):
    document = cli("demo", "--json").json
    assert {"project", "testset", "run", "cases", "accuracy", "seconds"} == set(document)
    assert document["cases"] == document["accuracy"]["den"] > 500
    again = cli("demo", "--json", "--fail-under", "accuracy=0.1").json
    assert {**again, "seconds": 0} == {**document, "seconds": 0}
    assert again["seconds"] < 3
    lines = cli("demo").out
    assert "Sample bank" in lines
    assert f"python -m core diagnose --run {document['run']}" in lines
    missed = cli("demo", "--fail-under", "accuracy=0.999", "--json")
    assert missed.code == 1
    assert json.loads(missed.out)["run"] == document["run"]
    resumed = cli("resume", document["run"], "--json").json
    assert (resumed["run"], resumed["finished"], resumed["cases"]) == (document["run"], True, document["cases"])


@pytest.mark.slow
def test_two_demos_at_once_build_one(spawn, tmp_path):
    outcomes = [said(process) for process in [spawn("demo", "--json"), spawn("demo", "--json")]]
    assert [code for code, _, _ in outcomes] == [0, 0], outcomes
    documents = [json.loads(out) for _, out, _ in outcomes]
    assert documents[0]["run"] == documents[1]["run"]
    # A slow machine is told how far it is, nothing else.
    assert all(re.match(r"[A-Z][a-z ]+: [\d,]+ of [\d,]+", line) for _, _, err in outcomes for line in err.splitlines())
    with opened(tmp_path / "data") as store, store.read() as connection:
        assert len(projects.all(connection)) == 1
        assert len(runs.all(connection, None)) == 2


def test_evaluate_then_resume_then_evaluate_again(cli, testset, documents, tmp_path):
    command = ("evaluate", "--testset", testset, "--target", "keyword", "--corpus", documents, "--out", "run")
    document = cli(*command, "--json").json
    assert set(document) >= KEYS
    assert (document["cases"], document["scored"], document["unscored"]) == (12, {"verdict": 12}, {"verdict": {}})
    # Five branches have a document, in two forms; the sixth has none.
    assert (document["accuracy"]["num"], document["accuracy"]["den"], document["accuracy"]["clusters"]) == (10, 12, 6)
    results = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert [row["case_id"] for row in results] == [case.case_id for case in bank_cases()]
    assert results[0]["verdict"] == 1.0
    assert results[0]["contexts"][0]["document_id"] == "branch:1"
    (tmp_path / "run" / "results.jsonl").unlink()
    for name in ("run", tmp_path / "run"):
        again = cli("resume", name, "--json").json
        assert (again["run"], again["accuracy"], again["finished"]) == (document["run"], document["accuracy"], True)
    assert len((tmp_path / "run" / "results.jsonl").read_text().splitlines()) == 12
    refused = cli(*command)
    assert refused.code == 2
    assert refused.err.splitlines() == [
        "run already holds a run.",
        "Continue with: python -m core resume run, or choose another --out folder.",
    ]
    lines = cli("resume", "run").out
    assert "12 of 12 cases answered, 0 failed" in lines
    assert "0.833" in lines
    assert sorted(path.name for path in (tmp_path / "run").iterdir() if path.is_file()) == [
        "plumbline.sqlite",
        "results.jsonl",
    ]


@pytest.mark.slow
def test_recorded_answers_and_verdicts_from_any_folder(cli, testset, recording, tmp_path, monkeypatch):
    verdicts = [{"case_id": case.case_id, "verdict": "correct"} for case in bank_cases()[:9]]
    (tmp_path / "verdicts.jsonl").write_text("\n".join(json.dumps(row) for row in verdicts))
    command = ("evaluate", "--testset", testset.name, "--target", f"recorded:{recording.name}", "--out", "run")
    document = cli(*command, "--judge", "recorded:verdicts.jsonl", "--json", "--fail-under", "accuracy=1").json
    assert document["unscored"] == {"verdict": {"not_judged": 3}}
    monkeypatch.chdir("/")
    assert cli("resume", tmp_path / "run", "--json").json["scored"] == {"verdict": 9}
    assert "verdict unscored: not_judged 3" in cli("resume", tmp_path / "run").out


def test_a_test_set_that_somebody_else_wrote(cli, tmp_path, documents):
    rows = [
        {"user_input": "Who is the manager of Arden Branch?", "reference": "Ines Okoro"},
        {"query": "Who is the manager of Dalby Branch?", "answer": "Jon Abara"},
    ]
    (tmp_path / "theirs.json").write_text(json.dumps(rows))
    command = (
        "evaluate",
        "--testset",
        "theirs.json",
        "--target",
        "bm25",
        "--k",
        2,
        "--corpus",
        documents,
        "--out",
        "run",
    )
    document = cli(*command, "--json").json
    assert (document["accuracy"]["num"], document["accuracy"]["den"]) == (2, 2)


@pytest.mark.slow
def test_what_match_accepts_is_an_option(cli, tmp_path):
    cases = [
        {"case_id": "a", "question": "When did it open?", "reference_answers": ["2021-03-15"]},
        {"case_id": "b", "question": "What was revenue?", "reference_answers": ["$1,577 million"]},
    ]
    answers = [{"case_id": "a", "answer": "In March 2021."}, {"case_id": "b", "answer": "$1,590 million"}]
    for name, rows in (("cases.jsonl", cases), ("answers.jsonl", answers)):
        (tmp_path / name).write_text("\n".join(json.dumps(row) for row in rows))
    command = ("evaluate", "--testset", "cases.jsonl", "--target", "recorded:answers.jsonl", "--json")
    assert cli(*command, "--out", "strict").json["accuracy"]["num"] == 0
    accepting = cli(*command, "--out", "open", "--tolerance", "0.01", "--coarse-dates", "yes").json
    assert accepting["accuracy"]["num"] == 2


@pytest.mark.slow
def test_aurp_with_its_documents_file(cli, tmp_path):
    folder = shared("grammar-aurp")
    sql, text = folder / "SQLTemplateGenerator", folder / "TextTemplateGenerator"
    cli(
        *("instantiate", "--db", f"sqlite:///{folder / 'aurp.sqlite'}", "--sql", sql / "sql_templates.json"),
        *("--with-ids", sql / "sql_templates_with_ids.json", "--text", f"short={text / 'short.json'}"),
        *("--balanced", "--out", "aurp.jsonl"),
    )
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "documents.json").write_bytes((folder / "documents.json").read_bytes())
    document = cli(
        *("evaluate", "--testset", "aurp.jsonl", "--target", "keyword", "--corpus", corpus, "--out", "run", "--json")
    ).json
    assert document["cases"] == 468  # 471 without the three questions of the one NULL answer
    found = cli("diagnose", "--run", "run", "--json").json
    assert found["n"] == 468
    assert sum(found["attribution"].values()) == 468
    # 135 of 471 id matches were recorded (reference/grammar.md); same retrieval, same ids.
    assert found["id_match"]["num"] == 135


@pytest.mark.slow
def test_what_evaluate_refuses(refused, testset, documents, recording, tmp_path):
    (tmp_path / "blank.jsonl").write_text("\n")
    (tmp_path / "none.json").write_text("[]")
    (tmp_path / "numbers.jsonl").write_text("5\n")
    (tmp_path / "empty").mkdir()

    def evaluate(*changes, out="run", tests=testset, target="keyword"):
        told = refused("evaluate", "--testset", tests, "--target", target, "--out", out, *changes)
        assert not (tmp_path / "run").exists()
        return told

    with_corpus = ("--corpus", documents)
    assert "no test set" in evaluate(tests="missing.jsonl")
    assert "no test set" in evaluate(tests=tmp_path)
    assert "has no row" in evaluate(*with_corpus, tests="blank.jsonl")
    assert "has no row" in evaluate(*with_corpus, tests="none.json")
    assert "Row 1 of numbers.jsonl is not an object" in evaluate(*with_corpus, tests="numbers.jsonl")
    assert "Add --corpus FOLDER." in evaluate()
    assert "no folder" in evaluate("--corpus", "nowhere")
    assert "No document could be read" in evaluate("--corpus", "empty")
    assert "no tolerance for figures" in evaluate("--tolerance", "0.9", *with_corpus)
    assert "no choice for coarser dates" in evaluate("--coarse-dates", "perhaps", *with_corpus)
    assert "no target 'oracle'" in evaluate(target="oracle")
    assert "Write recorded:FILE." in evaluate(target="recorded:")
    assert "cannot be read" in evaluate(target="recorded:missing.jsonl")
    assert "'m@u' does not say where it is" in evaluate("--judge", "llm:m@u", *with_corpus)
    assert "no metric 'bleu'" in evaluate("--metrics", "verdict,bleu", *with_corpus)
    assert "dask engine is not available yet" in evaluate("--engine", "dask", *with_corpus)
    assert "dask engine is not available yet" in evaluate("--scheduler", "tcp://host:8786", *with_corpus)
    assert "--engine cannot be 'spark'" in evaluate("--engine", "spark", *with_corpus)
    assert "--k" in evaluate("--k", 0, *with_corpus)
    assert "from 1 to 100" in evaluate("--k", 101, *with_corpus)
    assert "it is a file" in evaluate(*with_corpus, out=recording)
    assert "Not a directory" in evaluate(*with_corpus, out=recording / "run")
    assert "File name too long" in evaluate(*with_corpus, out="r" * 300)


@pytest.mark.slow
def test_a_folder_that_was_there_stays_and_long_names_do_not_matter(cli, refused, testset, recording, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    refused("evaluate", "--testset", testset, "--target", "keyword", "--out", "mine")
    refused("evaluate", "--testset", testset, "--target", "recorded:none", "--out", "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    for out in ("mine", "n" * 230, "a/b/c"):
        command = ("evaluate", "--testset", testset, "--target", f"recorded:{recording}", "--out", out)
        assert cli(*command, "--json").json["cases"] == 12


def test_what_resume_refuses(refused, cli, testset, recording, tmp_path):
    (tmp_path / "empty").mkdir()
    for name, said in {
        "run_none": "There is no run run_none.",
        "empty": "is not the folder of a run",
        "cases.jsonl": "There is no run cases.jsonl.",
        "": "No run is given.",
    }.items():
        assert said in refused("resume", name)
    with opened(tmp_path / "empty"):
        pass
    assert "empty holds no run." in refused("resume", "empty")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "plumbline.sqlite").write_text("nonsense " * 100)
    refused("resume", "broken")


def test_a_data_folder_with_several_runs_needs_an_id(refused, sample, tmp_path):
    with opened(tmp_path / "data") as store:
        made = ensure_demo(store, "local")
        with store.write("local", "test.second") as connection:
            runs.put(connection, replace(made.run, id="run_second"))
    assert "data holds 3 runs." in refused("resume", "data")


def slow_cases(tmp_path, number):
    base = bank_cases()
    return write_case_file(
        tmp_path / "many.jsonl",
        [
            replace(base[place % 12], case_id=f"c{place}", question=f"{base[place % 12].question} ({place})")
            for place in range(number)
        ],
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.slow
def test_stopped_in_the_middle_then_resumed(spawn, cli, tmp_path, number, code):
    total, answered, asked_for_stop = 200, 5, threading.Event()
    tests = slow_cases(tmp_path, total)
    out = tmp_path / "run"

    def script(request):
        with lock:
            seen.append(request.body["case"])
            held_back = len(seen) > answered
        if held_back:
            asked_for_stop.wait(LIMIT_S)  # most of the work is left until then
        return {"answer": "Ines Okoro"}

    lock, seen = threading.Lock(), []
    with AnswerServer(script) as server:
        target = tmp_path / "target.yaml"
        target.write_text(json.dumps(server.config(timeout_s=LIMIT_S)))
        process = spawn("evaluate", "--testset", tests, "--target", f"http:{target}", "--out", out, "--force", "--json")
        wait_for_answers(out)
        process.send_signal(number)
        asked_for_stop.set()
        ended, stdout, stderr = said(process)
        document = json.loads(stdout)
        assert (ended, document["finished"]) == (code, False)
        assert f"Continue with: python -m core resume {out}" in stderr
        assert "Traceback" not in stderr
        assert answered <= len(seen) < total
        told = cli("diagnose", "--run", out)
        assert (told.code, "is not finished" in told.err) == (0, True)
        resumed = cli("resume", out, "--json").json
    assert (resumed["finished"], resumed["scored"]) == (True, {"verdict": total})
    assert sorted(seen) == sorted({f"c{place}" for place in range(total)}), "a case was asked twice"
    with opened(out) as store, store.read() as connection:
        entries = audit.entries(connection, limit=None)
    given = [json.loads(entry.detail)["responses"] for entry in entries if entry.action == "run.answer"]
    assert sum(given) == total


def wait_for_answers(out, seconds=LIMIT_S):
    """Waits until the run of a folder has committed its first answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            with closing(sqlite3.connect(f"file:{out / 'plumbline.sqlite'}?mode=ro", uri=True)) as connection:
                if connection.execute("SELECT count(*) FROM responses").fetchone()[0]:
                    return
        except sqlite3.Error:
            pass
        time.sleep(0.02)
    raise AssertionError("no answer was committed")


@pytest.mark.slow
def test_killed_while_it_prepares_or_runs_it_is_whole_in_the_end(spawn, cli, documents, tmp_path):
    tests = slow_cases(tmp_path, 300)
    out = tmp_path / "run"
    command = ("evaluate", "--testset", tests, "--target", "keyword", "--corpus", documents, "--out", out, "--json")
    killed(spawn(*command, moment="1:within:cases"))
    assert list(out.glob(".preparing-*"))
    assert not (out / "plumbline.sqlite").exists()
    killed(spawn(*command, moment="1:after:responses"))
    assert cli(*command).code == 2
    assert cli("resume", out, "--json").json["scored"] == {"verdict": 300}


def killed(process):
    """Kills a process at the moment where it is held."""
    assert next_line(process) == held.SAID
    process.kill()
    said(process)


def test_a_second_wish_to_stop_ends_it_at_once():
    before = signal.getsignal(signal.SIGINT)
    with stop_on_signal() as stopped_by:
        assert stopped_by() is None
        signal.raise_signal(signal.SIGTERM)
        assert stopped_by() == signal.SIGTERM
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_signals_belong_to_the_main_thread():
    seen = []

    def elsewhere():
        with stop_on_signal() as stopped_by:
            seen.append(stopped_by())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [None]


@pytest.mark.slow
def test_ctrl_c_before_anything_is_planned(spawn, testset, documents, tmp_path):
    out = tmp_path / "run"
    command = ("evaluate", "--testset", testset, "--target", "keyword", "--corpus", documents, "--out", out)
    process = spawn(*command, moment="1:within:cases")
    assert next_line(process) == held.SAID
    process.send_signal(signal.SIGINT)
    code, printed, told = said(process)
    assert (code, printed, told.splitlines()[-1]) == (130, "", "Stopped.")
    assert "Traceback" not in told
    assert not out.exists()


def test_a_disk_that_is_full_is_told(cli, monkeypatch, testset, recording, tmp_path):
    command = ("evaluate", "--testset", testset, "--target", f"recorded:{recording}", "--out", "run")
    assert cli(*command).code == 0
    (tmp_path / "run" / "results.jsonl").unlink()
    (tmp_path / "run" / "results.jsonl").mkdir()
    outcome = cli("resume", "run")
    assert (outcome.code, outcome.out) == (2, "")
    assert "results.jsonl" in outcome.err


@pytest.mark.slow
def test_the_worker_does_its_job_and_refuses_an_unknown_one(cli, refused, sample, tmp_path):
    assert "There is no job job_none." in refused("worker", "job_none")
    with opened(tmp_path / "data") as store:
        made = ensure_demo(store, "local")
        run = replace(made.run, id="run_worker", state=RunState.PLANNED)
        job = Job(
            id="job_1",
            project_id=made.project.id,
            kind="evaluate",
            actor="local",
            params={"run_id": run.id},
            log=str(tmp_path / "job.log"),
        )
        with store.write("local", "test.job") as connection:
            runs.put(connection, run)
            jobs.add(connection, job)
        assert cli("worker", "job_1").code == 0
        assert get(store, "job_1").state is JobState.FINISHED
        with store.read() as connection:
            assert runs.get(connection, run.id).state is RunState.FINISHED


@pytest.mark.slow
def test_evaluate_warns_where_gold_ids_name_no_document(cli, tmp_path):
    folder = write_named(tmp_path / "own", "number")
    cases = write_case_file(tmp_path / "shop.jsonl", shop_cases())
    command = ("evaluate", "--testset", cases, "--target", "bm25", "--corpus", folder, "--out")
    outcome = cli(*command, "unfit", "--metrics", "recall", "--json")
    assert outcome.json["unscored"]["recall"] == {"missing_input": 12}
    assert "Warning: No gold id of the test set names a document (12 ids, such as products:1" in outcome.err
    assert "documents.csv" in outcome.err
    index = "\n".join(f"product-{number:02}.md,products:{number}" for number in range(1, 12))
    (folder / "documents.csv").write_text(f"path,id\n{index}\n", encoding="utf-8")
    fit = cli(*command, "fit", "--metrics", "recall", "--json")
    assert fit.json["unscored"]["recall"] == {"not_applicable": 1}
    assert "Warning: 1 of 12 gold ids names no document, such as products:12." in fit.err


def test_evaluate_names_the_columns_that_no_file_of_it_reads(cli, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"case_id": "1", "question": "Who?", "reference": "Ann Lee", "answer": "Ann Lee.", "colour": "red"}\n',
        encoding="utf-8",
    )
    told = cli("evaluate", "--testset", rows, "--target", f"recorded:{rows}", "--out", tmp_path / "run", "--json").json
    assert told["ignored"] == ["colour"]
    assert told["ignored_because"] == {"colour": "Unknown name."}
