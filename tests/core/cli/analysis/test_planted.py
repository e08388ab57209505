"""The command that plants faults: its keys, its files, what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.faults.kinds import USUAL, Combination, FaultKind
from core.io.cases import write_cases
from core.project.service import create_project
from core.sources.corpus import load_corpus
from core.store.database import Store
from tests.support.bank_cases import MANAGERS, bank_cases, write_case_file
from tests.support.documents.orders import order_cases, orders
from tests.support.processes.killed_job import until
from tests.support.servers.llm_server import LlmServer

CAUSES = {"knowledge_gap", "contradiction", "retrieval", "reader", "undecided", "unresolved"}
BLAMED = {"knowledge_gap", "contradiction", "retrieval", "reader"}
ROOT = Path(__file__).resolve().parents[4]
PROPORTION = {"num", "den", "value", "low", "high", "method", "clusters"}


@pytest.fixture
def command(testset, documents):
    return ("planted", "--testset", testset, "--corpus", documents, "--target", "bm25", "--k", 1)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
def test_the_document_has_every_figure_with_its_counts(cli, command):
    document = cli(*command, "--share", 0.4, "--out", "out", "--json").json
    assert set(document["confusion"]) == {str(kind) for kind in USUAL}
    assert all(set(row) == CAUSES for row in document["confusion"].values())
    assert set(document["precision"]) == set(document["recall"]) == BLAMED
    assert all(set(share) == PROPORTION for share in document["precision"].values())
    assert set(document["undecided"]) == PROPORTION
    assert (document["cases"], document["facts"], document["sound"]) == (12, 6, 5)
    # Two of five facts for each kind, each with two wordings.
    assert document["planted"] == {str(kind): 5 if kind is Combination.MIXED else 2 for kind in USUAL}
    assert document["mixed"].keys() == document["mixed_named"].keys() == {str(kind) for kind in FaultKind}
    assert document["named_by_kind"]["mixed"]["num"] == document["named_by_kind"]["mixed"]["den"] == 10
    assert (document["wordings"], document["unused_wordings"]) == (10, 0)
    assert document["confusion"]["page_deleted"]["knowledge_gap"] == 4
    assert document["confusion"]["reader"]["reader"] == 4
    assert document["named"]["value"] == 1.0
    assert document["undecided"]["num"] == 0
    assert set(document["skipped"]) == set(document["still_right"]) == set(document["planted"])
    assert document["seconds"] > 0


@pytest.mark.slow
def test_the_folder_has_answers_figures_and_the_changed_pages_only(cli, command, tmp_path):
    document = cli(*command, "--share", 0.4, "--out", "out", "--json").json
    out = tmp_path / "out"
    answers = lines(out / "answers.jsonl")
    wrong = sum(sum(row.values()) for row in document["confusion"].values())
    assert len(answers) == wrong
    keys = {"question", "answer", "planted", "expected", "diagnosed", "reason", "before", "after"}
    assert all(keys <= set(answer) for answer in answers)
    figures = json.loads((out / "confusion.json").read_text())
    assert figures["confusion"] == document["confusion"]
    assert figures["made_from"]["target"] == "bm25"
    changed = load_corpus(out / "documents" / "value_changed").documents
    told = {known for answer in answers if answer["planted"] == "value_changed" for known in answer["document_ids"]}
    assert {page.id for page in changed} == told
    assert len((out / "documents" / "page_deleted-removed.txt").read_text().split()) == 2
    assert not (out / "documents" / "reader").exists()


@pytest.mark.slow
def test_changed_pages_are_loaded_again_with_their_ids_whatever_names_are_in_them(cli, tmp_path):
    write_cases(tmp_path / "orders.jsonl", order_cases())
    (tmp_path / "pages").mkdir()
    for page in orders().documents:
        head = f"---\nid: {page.id}\ntitle: {page.title}\n---\n"
        (tmp_path / "pages" / f"{page.id.replace(':', '-')}.md").write_text(head + page.text)
    command = ("planted", "--testset", "orders.jsonl", "--corpus", "pages", "--target", "bm25", "--out", "out")
    document = cli(*command, "--kinds", "value_moved, value_changed", "--share", "0.5", "--json").json
    assert set(document["planted"]) == {"value_moved", "value_changed"}
    changed = load_corpus(tmp_path / "out" / "documents" / "value_changed").documents
    assert {page.id for page in changed} <= {page.id for page in orders().documents}
    moved = load_corpus(tmp_path / "out" / "documents" / "value_moved").documents
    assert len(moved) >= 2


@pytest.mark.slow
def test_lines_for_a_person_and_the_same_figures_for_the_same_seed(cli, command):
    first = cli(*command, "--share", 0.4, "--seed", 7, "--out", "one")
    assert first.code == 0, first.err
    assert "5 facts can take a fault" in first.out
    assert "Reader wrong" in first.out
    two, three = (cli(*command, "--share", 0.4, "--seed", 7, "--out", name, "--json").json for name in ("two", "three"))
    assert {**two, "seconds": 0} == {**three, "seconds": 0}


@pytest.mark.slow
def test_a_threshold_that_is_missed_ends_with_one(cli, command):
    passed = cli(*command, "--kinds", "reader", "--out", "one", "--fail-under", "recall.reader=0.9")
    assert passed.code == 0, passed.err
    missed = cli(*command, "--kinds", "reader", "--out", "two", "--fail-under", "precision.retrieval=0.5")
    assert missed.code == 1
    assert "precision.retrieval has no value" in missed.err


def test_a_threshold_on_no_figure_is_refused_before_anything_is_asked(refused, command, tmp_path):
    assert "no figure 'recal.reader'" in refused(*command, "--out", "out", "--fail-under", "recal.reader=0.9")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_system_with_its_own_documents_takes_what_fits_and_says_so(cli, testset, documents, recording):
    command = ("planted", "--testset", testset, "--corpus", documents, "--target", f"recorded:{recording}")
    outcome = cli(*command, "--out", "out", "--json")
    assert set(outcome.json["planted"]) == {"reader", "retrieval", "retrieval+reader"}
    assert "only reader, retrieval, retrieval+reader can be planted" in outcome.err


def test_a_kind_that_does_not_fit_is_refused(refused, testset, documents, recording):
    command = ("planted", "--testset", testset, "--corpus", documents, "--target", f"recorded:{recording}")
    said = refused(*command, "--kinds", "page_deleted,reader", "--out", "out")
    assert "page_deleted cannot be planted" in said


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--kinds", "typo"), "There is no kind of fault 'typo'"),
        (("--share", "0"), "The share of facts is 0"),
        (("--share", "1.01"), "The share of facts is 1.01"),
        (("--testset", "none.jsonl"), "There is no test set none.jsonl"),
        (("--corpus", "none"), "none"),
        (("--target", "none"), "none"),
    ],
)
def test_what_cannot_be_tried_is_refused_and_leaves_no_folder(refused, command, tmp_path, more, says):
    assert says in refused(*command, "--out", "out", *more)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_test_set_without_filled_queries_and_one_that_fails_are_refused(refused, documents, tmp_path):
    plain = tmp_path / "plain.jsonl"
    plain.write_text(json.dumps({"question": "Who?", "reference_answers": ["Ann"]}) + "\n")
    command = ("planted", "--corpus", documents, "--target", "bm25", "--out", "out")
    assert "No case of the test set has a filled query" in refused(*command, "--testset", plain)
    few = write_case_file(tmp_path / "few.jsonl", bank_cases()[2:])
    assert "Only 4 of 5 facts are stated by the documents" in refused(*command, "--testset", few)


@pytest.mark.slow
def test_a_folder_that_holds_something_is_not_written_over(cli, refused, command):
    assert cli(*command, "--kinds", "reader", "--out", "out").code == 0
    assert "out already holds a run" in refused(*command, "--kinds", "reader", "--out", "out")


@pytest.mark.slow
def test_a_command_that_ran_out_of_budget_goes_on_with_what_it_was_answered(cli, refused, testset, documents, tmp_path):
    answers = {case.question: case.reference_answers[0] for case in bank_cases()}

    def reply(body):
        text = body["messages"][-1]["content"]
        return next((answer for question, answer in answers.items() if question in text), "I do not know.")

    with LlmServer(reply) as server:
        target = f"openai:{server.spec('m')}"
        command = ("planted", "--testset", testset, "--corpus", documents, "--target", target, "--out", "out", "--json")
        stopped = cli(*command, "--kinds", "reader", "--budget-calls", 4)
        assert stopped.code == 2
        assert "budget" in stopped.err.lower()
        done = cli(*command, "--kinds", "reader", "--budget-calls", 40)
        assert "Going on with the unfinished work in out" in done.err
        assert done.json["cases"] == 12
        sent = [body["messages"][-1]["content"] for body in server.bodies]
    asked = [text for text in sent if any(question in text for question in answers)]
    assert len(asked) == len(set(asked))
    assert "out already holds a run" in refused(*command[:-1], "--kinds", "reader")


@pytest.mark.slow
def test_a_named_endpoint_and_its_settings_are_those_of_evaluate(
    cli, refused, testset, documents, monkeypatch, tmp_path
):
    """The address comes from the endpoint, and its key and headers go with every call of the trial."""
    monkeypatch.setenv("BANK_KEY", "secret-1")
    answers = {case.question: case.reference_answers[0] for case in bank_cases()}

    def reply(body):
        text = body["messages"][-1]["content"]
        return next((answer for question, answer in answers.items() if question in text), "I do not know.")

    command = ("planted", "--testset", testset, "--corpus", documents, "--kinds", "reader", "--json")
    with LlmServer(reply) as server:
        with Store.open(f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}") as store:
            project = create_project(store, "Bank", "local").id
        kept = ("--key-env", "BANK_KEY", "--header", "X-Team=rag")
        cli("endpoints", "add", "--project", project, "--name", "Bank LLM", "--base-url", server.base_url, *kept)
        named = cli(*command, "--target", "openai:m", "--endpoint", "Bank LLM", "--out", "named").json
        told = len(server.headers)
        described = cli(*command, "--target", f"openai:{server.spec('m')}", *kept, "--out", "described").json
    assert named["cases"] == described["cases"] == 12
    assert named["confusion"] == described["confusion"]
    assert told < len(server.headers)
    assert {(headers["authorization"], headers["x-team"]) for headers in server.headers} == {("Bearer secret-1", "rag")}
    assert "does not say where it is" in refused(*command[:-1], "--target", "openai:m", "--out", "nowhere")
    assert "neither target nor judge is a model" in refused(*command[:-1], "--target", "bm25", *kept, "--out", "none")


@pytest.mark.slow
def test_a_killed_command_goes_on_and_asks_nothing_twice(cli, testset, documents, tmp_path):
    """The process is killed while the target has answered some of the questions."""
    log = tmp_path / "asked.txt"
    (tmp_path / "slow.py").write_text(
        "import time\n"
        f"MANAGERS = {MANAGERS!r}\n"
        "def answer(question):\n"
        f"    with open({str(log)!r}, 'a') as file:\n"
        "        file.write(question + '\\n')\n"
        "    time.sleep(0.5)\n"
        "    return {'answer': next(MANAGERS[city] for city in MANAGERS if city in question), 'contexts': ['text']}\n"
    )
    command = ("planted", "--testset", testset, "--corpus", documents, "--target", "python:slow:answer", "--out", "out")
    more = ("--kinds", "reader", "--json")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    process = subprocess.Popen(
        [sys.executable, "-m", "core", *map(str, command), *more],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: log.exists() and len(log.read_text().splitlines()) >= 5, "the command did not get so far")
    process.kill()
    process.wait()
    before = len(log.read_text().splitlines())
    again = subprocess.run(
        [sys.executable, "-m", "core", *map(str, command), *more],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["cases"] == 12
    asked = log.read_text().splitlines()
    assert set(asked) == {case.question for case in bank_cases()}
    assert len(asked) <= 12 + 2  # what was in flight at the kill
    assert before < 12


@pytest.mark.slow
def test_unfinished_work_on_other_things_is_not_gone_on_with(cli, refused, testset, documents, tmp_path):
    with LlmServer(lambda body: "I do not know.") as server:
        target = f"openai:{server.spec('m')}"
        command = ("planted", "--corpus", documents, "--target", target, "--out", "out", "--budget-calls", 2)
        assert cli(*command, "--testset", testset).code == 2
    few = write_case_file(tmp_path / "few.jsonl", bank_cases()[2:])
    bm25 = ("planted", "--target", "bm25", "--out", "out", "--kinds", "reader")
    assert "another test set" in refused(*bm25, "--corpus", documents, "--testset", few)
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "one.md").write_text("One page.")
    assert "other documents" in refused(*bm25, "--corpus", "others", "--testset", testset)
    assert cli(*bm25, "--corpus", documents, "--testset", testset, "--k", 1).code == 0


@pytest.fixture
def numbered(tmp_path, testset):
    """The command with pages that are called by numbers, which no gold id is."""
    pages = tmp_path / "numbered"
    pages.mkdir()
    for number, city in enumerate(MANAGERS, start=1):
        text = f"{city} Branch is a branch. The manager of {city} Branch is {MANAGERS[city]}.\n"
        (pages / f"branch_{number:02}.md").write_text(text)
    return ("planted", "--testset", testset, "--corpus", pages, "--target", "bm25", "--k", 1, "--share", 0.4)


@pytest.mark.slow
def test_gold_ids_are_matched_to_pages_whose_ids_differ(cli, numbered, tmp_path):
    said = cli(*numbered, "--out", "out").err
    assert "No gold id of the test set names a document" in said
    assert "add --match pattern, front_matter or content" in said
    matched = cli(*numbered, "--match", "pattern", "--out", "matched", "--json")
    assert "6 of 6 gold ids have a document by pattern." in matched.err
    assert (matched.json["sound"], matched.json["named"]["value"]) == (6, 1.0)
    removed = (tmp_path / "matched" / "documents" / "page_deleted-removed.txt").read_text().split()
    assert removed
    assert all(name.startswith("branch_0") for name in removed)


@pytest.mark.slow
def test_a_rule_of_ones_own_matches_gold_ids(cli, numbered):
    rule = ("--match", "pattern", "--rule", "branch={table}_{key:02}")
    assert "6 of 6 gold ids have a document" in cli(*numbered, *rule, "--out", "out").err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--match", "by-ear"), "by-ear"),
        (("--rule", "branch={table}_{key}"), "A rule is given and no way."),
        (("--match", "exact", "--rule", "branch={table}_{key}"), "The way exact compares ids and has no rule."),
        (("--match", "pattern", "--rule", "branch={table}+{key}"), "No record gets a document in this way."),
    ],
)
def test_a_way_that_cannot_be_is_refused(cli, numbered, tmp_path, options, said):
    refused = cli(*numbered, *options, "--out", "out")
    assert refused.code == 2
    assert said in refused.err
    assert not (tmp_path / "out").exists()
