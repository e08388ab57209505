"""Questions from documents on the command line, from a folder to a frozen test set."""

from __future__ import annotations

import pytest

from core.settings import settings
from core.store.database import Store
from tests.core.testset.corpus.questions.test_cost import reader
from tests.core.testset.corpus.test_drafting import model
from tests.support.documents.library import Library, write_documents
from tests.support.servers.llm_server import LlmServer


@pytest.fixture
def project(cli, tmp_path):
    """A project with documents and their topics; its name is Library."""
    made = cli("projects", "new", "Library", "--documents", write_documents(tmp_path / "documents"), "--json").json
    with Store.open(settings().database_url) as store:
        Library(store, made["id"]).put_topics(lambda chunk: int("branch" in chunk.section[0]))
    return made["id"]


@pytest.mark.slow
def test_from_a_folder_to_a_frozen_test_set(cli, project):
    assert cli("projects", "list").out.strip() == f"{project} Library"
    wanted = ("--kind", "simple=1", "--kind", "yes_no=1", "-n", 8, "--allocation", "equal")
    written = cli("questions", "write", "--project", "Library", *wanted, "--json").json
    assert (written["requested"], written["delivered"]) == (8, 8)
    assert {row["stratum"] for row in written["strata"]} == {"Topic A", "Topic B"}
    assert written["plan"]["kinds"] == {"simple": 1, "yes_no": 1}

    listed = cli("questions", "list", "--project", project, "--status", "draft", "--json").json
    assert listed["counts"] == {"draft": 8}
    first, *others = [question["id"] for question in listed["questions"]]
    assert cli("questions", "reject", first, "--project", "Library", "--note", "odd").out == (
        "1 question is rejected now.\n"
    )
    assert cli("questions", "approve", "--all-drafts", "--project", "Library", "--json").json["changed"] == len(others)
    assert f"{first} rejected" in cli("questions", "list", "--project", "Library").out

    built = cli("questions", "build", "--project", "Library", "--freeze", "--json").json
    assert (built["cases"], built["frozen"], len(built["content_hash"])) == (7, True, 64)


@pytest.mark.slow
def test_a_model_writes_only_what_it_may_read(cli, project):
    with LlmServer(model) as server:
        command = ("questions", "write", "--project", "Library", "--kind", "simple=1", "--model", server.spec())
        refused = cli(*command)
        assert refused.code == 2
        assert "nobody agreed to send them" in refused.err
        assert server.bodies == []
        told = cli(*command, "--send-documents", "-n", 4)
    assert told.code == 0, told.err
    assert "of 4 questions are ready for review" in told.out


def test_what_a_model_will_take_is_told_before_it_is_asked(cli, project):
    with LlmServer(model) as server:
        command = ("questions", "write", "--project", "Library", "--kind", "simple=1", "-n", 4, "--estimate")
        assert cli(*command).out == "No model would be called.\n"
        found = cli(*command, "--model", server.spec(), "--json").json
        assert [part["purpose"] for part in found["parts"]] == [
            "key_facts",
            "document_questions",
            "question_probe",
            "question_alone",
        ]
        assert 0 < found["calls"]["low"] < found["calls"]["high"]
        assert (found["money"], found["priced"]) == (None, 0)
        alone = cli(*command, "--model", server.spec(), "--no-check").out
        assert "question_probe" not in alone
        assert "cost unknown" in alone
        assert "question_probe: 4 to 12 calls of m" in cli(*command, "--check-by", server.spec()).out
        assert (server.bodies, server.probes) == ([], [])
    assert "There is no question." in cli("questions", "list", "--project", "Library").out


def test_a_model_answers_questions_by_rules(cli, project):
    with LlmServer(reader) as server:
        command = ("questions", "write", "--project", "Library", "--kind", "simple=1", "-n", 2)
        assert "nobody agreed to send them" in cli(*command, "--check-by", server.spec()).err
        written = cli(*command, "--check-by", server.spec(), "--send-documents", "--json").json
        assert server.bodies
    assert written["plan"]["checker"] == server.spec()
    listed = cli("questions", "list", "--project", "Library", "--status", "draft", "--json").json
    assert {question["answered"] for question in listed["questions"]} == {True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("write", "--project", "Nobody"), "There is no project 'Nobody'"),
        (("write", "--project", "Library", "--kind", "simple"), "--kind simple is not NAME=NUMBER"),
        (("write", "--project", "Library", "--kind", "odd=1"), "odd"),
        (("write", "--project", "Library", "--weight", "A=1"), "topic A, which is not a number"),
        (("approve", "--project", "Library"), "No questions are given"),
        (("approve", "q_9", "--project", "Library"), "no question q_9"),
        (("build", "--project", "Library"), "No question from documents is approved"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(cli, project, arguments, message):
    ended = cli("questions", *arguments)
    assert ended.code == 2
    assert message in ended.err
    assert "There is no question." in cli("questions", "list", "--project", "Library").out


def test_what_a_topic_gives_in_place_of_another_reads_as_such(cli, tmp_path):
    folder = write_documents(tmp_path / "documents")
    kinds = "simple,multi_hop,inference,yes_no,multiple_choice"
    done = cli("questions", "--corpus", folder, "--n", 12, "--types", kinds, "--out", tmp_path / "questions.jsonl")
    assert done.code == 0, done.err
    more = [line for line in done.out.splitlines() if " more, in place of questions that other " in line]
    assert more, done.out
    assert " of 0" not in done.out
    assert not any(line.strip().partition(": ")[2].startswith("0 more") for line in more)
