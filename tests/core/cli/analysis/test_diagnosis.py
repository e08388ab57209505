"""Commands that say which module is broken."""

import json
import re

import pytest

from core.project.service import create_project
from core.runs.service import create_run
from core.store.database import Store
from tests.support.bank_cases import bank_cases, bank_project
from tests.support.runs.mixed_run import mixed_run, mixed_set
from tests.support.shared_data import shared
from tests.support.small_bank import ACTOR

KEYS = {
    "n",
    "not_judged",
    "accuracy",
    "id_match",
    "context_comparison",
    "refined",
    "retrieval_db",
    "groups",
    "attribution",
    "dangling_ids",
}
PARTS = {"correct", "knowledge_gap", "retrieval", "language_model", "undecided", "unresolved_gap", "not_judged"}


@pytest.fixture
def finished(cli, testset, documents):
    """A folder with a finished run of the small bank."""
    command = ("evaluate", "--testset", testset, "--target", "keyword", "--corpus", documents, "--out", "run")
    assert cli(*command).code == 0
    return "run"


def write_recording(path, verdicts):
    """A recorded run: one row for each (group, verdict)."""
    rows = [
        {
            "query": f"Question {place}?",
            "answer": "yes",
            "gpt_response": ["yes"],
            "query_tag": tag,
            "true_document_ids": [tag],
            "retrieved_document_ids": [tag],
            "retrieval_judgement": 1,
            **({"judgement": verdict} if verdict else {}),
        }
        for place, (tag, verdict) in enumerate(verdicts)
    ]
    path.write_text(json.dumps(rows))
    return path


def counts(figure):
    return figure["num"], figure["den"]


# reference/grammar.md, "What the recorded Aurp run must give".
AURP = {
    "short": {
        "n": 314,
        "accuracy": (84, 314),
        "id_match": (90, 314),
        "context_comparison": (88, 314),
        "refined": ((84, 88), (88, 88), (88, 88)),
        "retrieval_db": (44, 157),
        "groups": (113, 40, 4),
    },
    "long": {
        "n": 257,
        "accuracy": (130, 257),
        "id_match": (132, 257),
        "context_comparison": (132, 257),
        "refined": ((130, 135), (132, 135), (132, 135)),
        "retrieval_db": (45, 157),
        "groups": (112, 40, 5),
    },
}


@pytest.mark.parametrize("form", AURP)
def test_the_recorded_aurp_run(cli, form):
    path = shared(f"grammar-aurp/eval_results/results_{form}.json")
    found = cli("diagnose", "--grammar", path, "--unjudged", "incorrect", "--json").json
    expected = AURP[form]
    assert set(found) >= KEYS
    assert found["n"] == expected["n"]
    for name in ("accuracy", "id_match", "context_comparison", "retrieval_db"):
        assert counts(found[name]) == expected[name], name
    refined = found["refined"]
    assert set(refined) == {"accuracy", "id_match", "context_comparison"}
    names = ("accuracy", "id_match", "context_comparison")
    assert tuple(counts(refined[name]) for name in names) == expected["refined"]
    assert tuple(found["groups"][tag]["groups"] for tag in ("gap", "robust", "non_robust")) == expected["groups"]
    assert set(found["attribution"]) == PARTS
    assert sum(found["attribution"].values()) == expected["n"]
    assert found["dangling_ids"]["rows"] > 0


def test_the_two_recorded_forms_compared(cli):
    folder = shared("grammar-aurp/eval_results")
    found = cli(
        *("hypothesis", "--grammar-a", folder / "results_short.json", "--grammar-b", folder / "results_long.json"),
        *("--unjudged", "incorrect", "--json"),
    ).json
    assert counts(found["a"]["accuracy"]) == (84, 314)
    assert counts(found["b"]["accuracy"]) == (130, 257)
    assert {test["module"] for test in found["tests"]} == {"overall", "retrieval", "language_model", "retrieval_db"}
    for test in found["tests"]:
        assert {"module", "difference", "p_value", "p_adjusted", "method", "groups"} <= set(test)
        assert {"value", "low", "high"} <= set(test["difference"])
    assert found["conclusion"].endswith(".")
    turned = cli(
        *("hypothesis", "--grammar-a", folder / "results_long.json", "--grammar-b", folder / "results_short.json"),
        *("--unjudged", "incorrect", "--json"),
    ).json
    assert turned["values"] == ["long", "short"]
    for one, other in zip(found["tests"], turned["tests"], strict=True):
        assert one["difference"]["value"] == pytest.approx(-other["difference"]["value"])


def write_form(path, words, *, correct, form=None):
    """Eight groups asked about in so many words each, so many of them answered rightly."""
    path.parent.mkdir(exist_ok=True)
    write_recording(path, [(tag, "Correct" if tag < correct else "Incorrect") for tag in range(8)])
    rows = json.loads(path.read_text())
    for row in rows:
        row["query"] = " ".join(["word"] * words) + "?"
        if form:
            row["form"] = form
    path.write_text(json.dumps(rows))
    return path


def hypothesis(cli, a, b, *options):
    return cli("hypothesis", "--grammar-a", a, "--grammar-b", b, *options, "--json")


def test_the_files_say_which_form_each_side_is(cli, tmp_path):
    short = write_form(tmp_path / "results_short_balanced.json", 4, correct=8)
    long = write_form(tmp_path / "results_long_balanced.json", 9, correct=0)
    found = hypothesis(cli, short, long).json
    turned = hypothesis(cli, long, short).json
    assert (found["values"], turned["values"]) == (["short", "long"], ["long", "short"])
    assert found["tests"][0]["difference"]["value"] == 1.0
    assert turned["tests"][0]["difference"]["value"] == -1.0
    assert "long" in turned["conclusion"]
    assert hypothesis(cli, long, short, "--a", "long", "--b", "Short").json["values"] == ["long", "short"]
    # The rows go before the name: a file of ours may be called anything.
    ours = write_form(tmp_path / "export.json", 9, correct=0, form="long")
    assert hypothesis(cli, ours, short).json["values"] == ["long", "short"]
    # Where neither rows nor name say anything, the options do, else the names of the files.
    mine = write_form(tmp_path / "mine.json", 9, correct=0)
    assert hypothesis(cli, mine, short).json["values"] == ["mine", "short"]
    assert hypothesis(cli, mine, short, "--a", "long").json["values"] == ["long", "short"]


def test_a_file_of_several_forms_gives_the_one_that_is_named(cli, tmp_path):
    both = write_form(tmp_path / "both.json", 4, correct=8, form="short")
    long = write_form(tmp_path / "long_rows.json", 9, correct=0, form="long")
    both.write_text(json.dumps(json.loads(both.read_text()) + json.loads(long.read_text())))
    found = hypothesis(cli, both, both, "--a", "short", "--b", "long").json
    assert (found["a"]["n"], found["b"]["n"], found["tests"][0]["difference"]["value"]) == (8, 8, 1.0)
    outcome = hypothesis(cli, both, long)
    assert (outcome.code, outcome.out) == (2, "")
    assert "both.json holds the forms short, long." in outcome.err
    assert "--a" in outcome.err
    # A diagnosis of such a file keeps the forms apart.
    assert set(cli("diagnose", "--grammar", both, "--json").json["by_form"]) == {"short", "long"}


def test_names_that_contradict_the_files_are_refused(cli, tmp_path):
    short = write_form(tmp_path / "results_short.json", 4, correct=8)
    long = write_form(tmp_path / "results_long.json", 9, correct=0)
    contradictions = [
        # The options and the names of the files.
        ((long, short, "--a", "short", "--b", "long"), ["--a is short", "results_long.json holds the form long"]),
        # The options and a name that is no name of GRAMMAR's.
        (
            (
                write_form(tmp_path / "run1-directive.json", 5, correct=0),
                write_form(tmp_path / "run1-interrogative.json", 5, correct=8),
                *("--a", "interrogative", "--b", "directive"),
            ),
            ["run1-directive.json is taken for the form interrogative", "its name says directive"],
        ),
        # The options and the rows.
        (
            (write_form(tmp_path / "export.json", 9, correct=0, form="long"), short, "--a", "directive"),
            ["--a is directive", "export.json holds the form long"],
        ),
        # The names and the questions.
        (
            (
                write_form(tmp_path / "renamed" / "results_short.json", 9, correct=0),
                write_form(tmp_path / "renamed" / "results_long.json", 4, correct=8),
            ),
            ["results_short.json", "9.0 words", "results_long.json", "4.0"],
        ),
        # Both say the same.
        ((short, write_form(tmp_path / "again" / "results_short.json", 4, correct=0)), ["are both of the form short"]),
    ]
    for (a, b, *options), told in contradictions:
        outcome = hypothesis(cli, a, b, *options)
        assert (outcome.code, outcome.out) == (2, "")
        assert all(text in outcome.err for text in told), outcome.err
        remedy = outcome.err.strip().splitlines()[-1]
        assert "name" in remedy.casefold()


def test_what_is_passed_over_in_a_recording_is_named(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(tag, "Correct") for tag in range(8)])
    rows = [{**row, "closed_domain": True} for row in json.loads(path.read_text())]
    path.write_text(json.dumps(rows))
    assert cli("diagnose", "--grammar", path, "--json").json["ignored"] == ["closed_domain"]
    other = write_recording(tmp_path / "results_long.json", [(tag, "Correct") for tag in range(8)])
    assert hypothesis(cli, path, other).json["ignored_because"] == {"closed_domain": "Unknown name."}
    path.write_text(json.dumps([{**row, "retrieved_documents": "The whole text."} for row in rows]))
    told = hypothesis(cli, path, other).json["ignored_because"]
    assert told["retrieved_documents"] == "The ids decide, not the texts.", "its own name is not unknown"


@pytest.mark.slow
def test_a_run_of_the_small_bank(cli, finished):
    found = cli("diagnose", "--run", finished, "--json").json
    assert set(found) >= KEYS
    # 12 questions; the two on Farley's branch ask for what no document says, and their gold id names none.
    assert (found["n"], counts(found["accuracy"])) == (12, (10, 12))
    assert {part: count for part, count in found["attribution"].items() if count} == {
        "correct": 10,
        "knowledge_gap": 2,
    }
    assert found["dangling_ids"] == {"rows": 2, "ids": 1}
    lines = cli("diagnose", "--run", finished).out
    assert "accuracy                     0.833" in lines
    assert "knowledge_gap      2" in lines
    assert cli("diagnose", "--run", finished, "--fail-under", "refined.accuracy=1").code == 0
    missed = cli("diagnose", "--run", finished, "--fail-under", "accuracy=0.9", "--json")
    assert (missed.code, missed.err) == (1, "accuracy is 0.8333, below 0.9.\n")
    assert json.loads(missed.out) == found


@pytest.mark.slow
def test_the_forms_of_a_run_compared(cli, finished):
    found = cli("hypothesis", "--run", finished, "--seed", 1, "--json").json
    assert (found["a"]["n"], found["b"]["n"]) == (6, 6)
    assert found["tests"][0]["difference"]["value"] == 0.0
    assert found == cli("hypothesis", "--run", finished, "--seed", 1, "--json").json
    lines = cli("hypothesis", "--run", finished).out
    assert lines.splitlines()[0] == found["conclusion"]
    assert "adjusted p" in lines


def test_what_is_not_judged_is_told(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct"), (1, ""), (2, "Incorrect"), (2, "")])
    outcome = cli("diagnose", "--grammar", path, "--json")
    assert (outcome.json["n"], outcome.json["not_judged"], counts(outcome.json["accuracy"])) == (4, 2, (1, 2))
    assert "Some rows have no verdict" in outcome.err
    replayed = cli("diagnose", "--grammar", path, "--unjudged", "incorrect", "--json").json
    assert counts(replayed["accuracy"]) == (1, 4)
    (tmp_path / "verdicts.json").write_text("{}")
    nothing = write_recording(tmp_path / "results_long.json", [(1, ""), (2, "")])
    outcome = cli("diagnose", "--grammar", nothing, "--verdicts", "verdicts.json")
    assert "has a verdict. Give the SemanticsMatch file" in outcome.err
    assert "- (0/0)" in outcome.out


def test_wrong_ids_make_the_answer_wrong_under_the_other_policy(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct"), (2, "Correct")])
    rows = json.loads(path.read_text())
    rows[1]["retrieved_document_ids"] = [7]
    path.write_text(json.dumps(rows))
    assert counts(cli("diagnose", "--grammar", path, "--json").json["accuracy"]) == (2, 2)
    assert counts(cli("diagnose", "--grammar", path, "--policy", "override", "--json").json["accuracy"]) == (1, 2)


def test_documents_say_which_ids_dangle(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct"), (2, "Incorrect")])
    (tmp_path / "papers.json").write_text(json.dumps({"1": "One."}))
    found = cli("diagnose", "--grammar", path, "--documents", "papers.json", "--json").json
    assert found["dangling_ids"] == {"rows": 1, "ids": 1}


def test_recordings_without_documents_or_with_few_groups(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(tag, "Correct") for tag in range(8)])
    other = write_recording(tmp_path / "results_long.json", [(tag, "Correct") for tag in range(8)])
    plain = cli("hypothesis", "--grammar-a", path, "--grammar-b", other, "--json").json
    assert plain["a"]["n"] == plain["b"]["n"] == 8
    assert plain["a"]["dangling_ids"] == {"rows": None, "ids": None}
    few = write_recording(tmp_path / "few.json", [(1, "Correct")])
    fewer = write_recording(tmp_path / "fewer.json", [(1, "Correct")])
    outcome = cli("hypothesis", "--grammar-a", few, "--grammar-b", fewer)
    assert (outcome.code, outcome.out) == (2, "")
    assert "needs at least" in outcome.err


def test_a_run_of_the_store_by_its_id_before_it_is_finished(cli, tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}") as store:
        (tmp_path / "files").mkdir()
        _, test_set = bank_project(store, tmp_path / "files")
        run = create_run(store, test_set.id, actor=ACTOR, target="keyword")
    outcome = cli("diagnose", "--run", run.id, "--json")
    assert (outcome.json["n"], outcome.json["not_judged"]) == (12, 12)
    assert outcome.err.splitlines() == [
        "The run is not finished: 0 of 12 cases are answered.",
        f"Continue with: python -m core resume {run.id}",
    ]


def test_questions_from_documents_have_a_name_among_the_forms(cli, tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}") as store:
        project = create_project(store, "Two origins", ACTOR)
        mixed_set(store, project.id)
        run = mixed_run(store, project.id)
    by_form = cli("diagnose", "--run", run.id, "--json").json["by_form"]
    assert {form: one["n"] for form, one in by_form.items()} == {"short": 2, "long": 2, "from documents": 2}


def test_what_diagnose_refuses(refused, cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct")])
    (tmp_path / "numbers.json").write_text("[1]")
    (tmp_path / "cut.json").write_text("[{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "no_tag.json").write_text('[{"query": "?"}]')
    (tmp_path / "folder").mkdir()
    assert "exactly one of a run and a GRAMMAR recording" in refused("diagnose")
    assert "exactly one of" in refused("diagnose", "--run", "r", "--grammar", path)
    for name in ("missing.json", "numbers.json", "cut.json", "deep.json", "no_tag.json", "folder"):
        assert name in refused("diagnose", "--grammar", name)
    for name in ("missing.json", "numbers.json", "cut.json", "deep.json", "folder"):
        assert name in refused("diagnose", "--grammar", path, "--verdicts", name)
        assert name in refused("diagnose", "--grammar", path, "--documents", name)
    assert "--policy cannot be 'x'" in refused("diagnose", "--grammar", path, "--policy", "x")
    assert "--unjudged cannot be 'x'" in refused("diagnose", "--grammar", path, "--unjudged", "x")
    assert "There is no run run_none" in refused("diagnose", "--run", "run_none")
    assert "is not the folder of a run" in refused("diagnose", "--run", "folder")


@pytest.mark.slow
def test_what_hypothesis_refuses(refused, tmp_path, finished):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct")])
    assert "exactly one of" in refused("hypothesis")
    assert "Only one recording" in refused("hypothesis", "--grammar-a", path)
    assert "Only one recording" in refused("hypothesis", "--grammar-b", path)
    assert "Both a run and recordings" in refused("hypothesis", "--run", "r", "--grammar-a", path, "--grammar-b", path)
    assert "'short'" in refused("hypothesis", "--run", finished, "--a", "short", "--b", "short")
    refused("hypothesis", "--run", finished, "--attribute", "colour", "--a", "red", "--b", "blue")
    refused("hypothesis", "--run", finished, "--b", "verse")


@pytest.mark.slow
def test_an_attribute_of_our_own(cli, tmp_path, documents):
    tones = {"short": "plain", "long": "kind"}
    cases = [
        {
            "question": case.question,
            "reference_answers": list(case.reference_answers),
            "group_id": case.group_id,
            "form": case.form,
            "attributes": {"tone": tones[case.form]},
        }
        for case in bank_cases()
    ]
    (tmp_path / "own.jsonl").write_text("\n".join(json.dumps(case) for case in cases))
    cli("evaluate", "--testset", "own.jsonl", "--target", "bm25", "--corpus", documents, "--out", "run")
    found = cli("hypothesis", "--run", "run", "--attribute", "tone", "--a", "plain", "--b", "kind", "--json").json
    assert (found["a"]["n"], found["b"]["n"]) == (6, 6)


def test_the_module_of_each_case_is_written(cli, finished, tmp_path):
    path = tmp_path / "cases.jsonl"
    done = cli("diagnose", "--run", finished, "--cases", str(path), "--json")
    assert done.code == 0
    document = json.loads(done.out)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len({row["case_id"] for row in rows}) == document["n"]
    told = [row["module"] for row in rows]
    assert {name: told.count(name) for name in document["attribution"] if told.count(name)} == {
        name: part for name, part in document["attribution"].items() if part
    }
    assert all(row["reason"] for row in rows if row["module"] not in {"correct", "not_judged"})
    cases = {case.case_id: case for case in bank_cases()}
    for row in rows:
        case = cases[row["case_id"]]
        assert (row["question"], row["reference_answers"]) == (case.question, list(case.reference_answers))
        assert (row["reference_answers"][0] in row["answer"]) == (row["verdict"] == "correct")
        assert row["gold_document_ids"] == list(case.gold_document_ids)
        assert len(row["document_ids"]) > 0


def test_the_cases_of_a_recording_have_their_texts_too(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct"), (2, "Incorrect")])
    assert cli("diagnose", "--grammar", path, "--cases", tmp_path / "cases.jsonl").code == 0
    rows = [json.loads(line) for line in (tmp_path / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    recorded = json.loads(path.read_text())
    assert [row["question"] for row in rows] == [row["query"] for row in recorded]
    assert all(row["reference_answers"] and row["answer"] for row in rows)


def test_each_figure_is_shown_with_what_it_counts(cli, tmp_path):
    path = write_recording(tmp_path / "results_short.json", [(1, "Correct"), (1, "Incorrect"), (2, "Incorrect")])
    lines = [line.strip() for line in cli("diagnose", "--grammar", path).out.splitlines()]
    gap, knowledge = (next(line for line in lines if line.startswith(name)) for name in ("gap ", "knowledge_gap "))
    assert "1 groups, 1 rows" in gap
    assert gap.endswith("no correct answer in the group, whatever the cause")
    assert knowledge.endswith("no document states the fact, or it states another value")
    figures = ("accuracy", "id_match", "context_comparison", "retrieval_db", "refined accuracy")
    for name in (*figures, "robust", "undecided"):
        line = next(line for line in lines if line.startswith(f"{name} "))
        assert re.search(r"[a-z]{3,} [a-z]{2,}", line.removeprefix(name)), line


def test_a_file_of_cases_that_cannot_be_written_is_named(cli, finished, tmp_path):
    path = tmp_path / "no folder" / "cases.jsonl"
    done = cli("diagnose", "--run", finished, "--cases", str(path))
    assert done.code != 0
    assert f"{path} cannot be written" in done.err
