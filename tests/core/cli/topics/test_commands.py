"""Topics on the command line: from a folder, from a project, changed and planned by."""

import pytest

from tests.core.testset.grounded.llm.script import part
from tests.support.documents.subjects import write_subjects
from tests.support.servers.llm_server import LlmServer

WAY = ("--reduction", "pca", "--clustering", "kmeans", "--topics", "4", "--stability-runs", "1")


@pytest.fixture
def folder(tmp_path):
    return write_subjects(tmp_path / "subjects")


@pytest.fixture
def project(cli, folder):
    cli("projects", "new", "Subjects", "--documents", folder)
    assert cli("topics", "build", "--project", "Subjects", *WAY).code == 0
    return ("--project", "Subjects")


@pytest.mark.slow
def test_topics_of_a_folder_are_compared_with_its_folders(cli, folder):
    found = cli("topics", "build", "--corpus", folder, *WAY, "--json").json

    assert (found["chunks"], len(found["topics"])) == (32, 4)
    assert found["folders"]["all_chunks"] == {"value": 1.0, "n": 32}
    assert found["settings"]["encoder"] == "minilm"
    said = cli("topics", "build", "--corpus", folder, *WAY).out
    assert "adjusted Rand index with the 4 folders of the documents: 1.000 (n = 32)" in said
    assert "stability   1.000 (n = 1" in said


@pytest.mark.slow
def test_topics_are_changed_and_taken_back(cli, project):
    before = cli("topics", "show", *project, "--json").json
    assert cli("topics", "rename", 0, "Saving", *project, "--json").json["topics"][0]["label"] == "Saving"
    merged = cli("topics", "merge", 0, 1, *project, "--json").json
    assert [topic["size"] for topic in merged["topics"]] == [16, 8, 8]
    halves = cli("topics", "split", 0, *project, "--into", 2, "--json").json
    assert sorted(topic["size"] for topic in halves["topics"]) == [8, 8, 8, 8]
    assert "(dropped)" in cli("topics", "drop", 2, *project).out
    assert "(dropped)" not in cli("topics", "restore", 2, *project).out
    for _ in range(5):
        cli("topics", "undo", *project)

    assert cli("topics", "show", *project, "--json").json == before


def test_outliers_are_shown_and_assigned(cli, project):
    first = cli("topics", "show", *project, "--topic", 0, "--json").json["chunks_of_topic"][0]["id"]
    out = cli("topics", "assign", *project, "--chunk", first, "--to", -1, "--json").json
    assert out["outliers"]["num"] == 1
    assert first in cli("topics", "show", *project, "--topic", -1).out
    assert cli("topics", "assign", *project, "--outliers", 1.0, "--json").json["outliers"]["num"] == 0


def test_a_model_names_topics_after_it_is_told_what_that_takes(cli, project):
    def name(body):
        return {"name": "About " + part(body, "words").split(",")[0]}

    with LlmServer(name) as server:
        told = cli("topics", "name", *project, "--model", server.spec(), "--estimate", "--json").json
        assert (server.bodies, server.probes) == ([], [])
        (asked,) = told["parts"]
        assert (asked["purpose"], asked["calls"]) == ("topic_names", {"low": 5, "high": 6})  # four, and how to ask
        named = cli("topics", "name", *project, "--model", server.spec(), "--json").json
        assert {topic["label"][:6] for topic in named["topics"]} == {"About "}
        again = cli("topics", "name", *project, "--model", server.spec(), "--estimate").out
        assert again == "No model would be called.\n"


def test_a_budget_is_divided(cli, project):
    cli("topics", "drop", 3, *project)
    plan = cli("topics", "plan", *project, "--budget", 10, "--allocation", "equal", "--json").json
    assert (plan["requested"], [row["requested"] for row in plan["strata"]]) == (10, [4, 3, 3])
    said = cli(
        "topics",
        "plan",
        *project,
        "--budget",
        8,
        "--allocation",
        "weighted",
        "--weight",
        "0=3",
        "--weight",
        "1=1",
        "--by",
        "format",
    )
    assert [line.split()[3] for line in said.out.splitlines()] == ["3", "3", "1", "1", "0", "0"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("build",), "in a project or in a folder"),
        (("build", "--project", "Subjects", "--reduction", "tsne"), "--reduction cannot be"),
        (("drop", 9, "--project", "Subjects"), "There is no topic 9"),
        (("assign", "--project", "Subjects"), "Nothing to assign is given"),
        (("plan", "--project", "Subjects", "--budget", 5, "--weight", "x"), "is not TOPIC=N"),
        (("plan", "--project", "Subjects", "--budget", 5, "--weight", "9=1"), "no stratum of topic 9"),
    ],
)
def test_what_makes_no_sense_is_refused(cli, refused, project, command, said):
    assert said in refused("topics", *command)
