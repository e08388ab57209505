"""Scoring runs: once, again, resumed, with a person's changes kept, at the end of a run."""

import json
import signal
import time
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest
from sqlalchemy import delete

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet
from core.jobs import JobState, list_jobs, resume, start, wait
from core.jobs import get as get_job
from core.metrics import find_metric, find_metrics
from core.metrics.scoring import BATCH
from core.runs.execute import execute_run
from core.runs.scores import choice, measuring
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.edits import edit_score, edits, restore_score
from core.runs.scores.scoring import score_run, start_scoring
from core.runs.scores.summary import metric_summaries
from core.runs.service import create_run, retry_failed
from core.runs.summary import summarise
from core.store import projects
from core.store.results import runs, scores
from core.store.tables import scores as score_rows
from core.store.testset import testsets
from core.store.trail import audit
from tests.support.bank_cases import bank_cases
from tests.support.processes import held
from tests.support.small_bank import ACTOR

LIMIT_S = 120.0
"""How long a test waits for what has to come; only a test that fails waits so long."""

NAMES = ["recall", "precision", "hit@1"]


@pytest.fixture
def run(store, bank):
    """A finished run of the small bank, without scores."""
    made = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    execute_run(store, made.id, actor=ACTOR)
    return made


def read(store, run, metric):
    with store.read() as connection:
        return scores.of_metric(connection, run.id, metric)


def made(store, run):
    with store.read() as connection:
        return scores.of_run(connection, run.id)


def details(store, action):
    with store.read() as connection:
        found = [entry for entry in audit.entries(connection, limit=None) if entry.action == action]
    return [json.loads(entry.detail) for entry in reversed(found)]


def write_answers(path, cases, *, without=0, contexts=True):
    rows = [
        {
            "case_id": case.case_id,
            "answer": case.reference_answers[0],
            "contexts": [{"document_id": case.gold_document_ids[0], "text": "A passage."}] if contexts else [],
        }
        for case in cases[without:]
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return f"recorded:{path}"


def test_every_answered_case_gets_a_score_or_a_reason(store, run):
    said = []
    assert score_run(store, run.id, NAMES, actor=ACTOR, progress=lambda *report: said.append(report))
    recall = read(store, run, "recall")
    assert len(recall) == 12
    # Five branches have one document each, found among the first two: 1 of 1. Farley's document is not in the corpus.
    assert {score.value for case_id, score in recall.items() if not case_id.startswith("farley")} == {1.0}
    assert recall["farley-short"].status is Status.NOT_APPLICABLE
    # One of the two retrieved documents is the branch's own: 1 / 2.
    assert read(store, run, "precision")["arden-long"].value == 0.5
    assert said[0] == ("Scoring", 0, 12)
    assert said[-1] == ("Scoring", 12, 12)
    how = made(store, run)
    assert set(how) == {"recall", "precision", "hit@1"}
    assert all(item.finished and item.version == find_metric(name).spec.version for name, item in how.items())
    assert (how["recall"].options, how["recall"].scored_by) == ({}, ACTOR)
    assert how["recall"].scored_at
    assert details(store, "run.score") == [{"metrics": NAMES, "scores": 36}]
    with store.read() as connection:
        assert audit.verify(connection).ok


def test_what_is_finished_is_not_measured_again(store, run):
    score_run(store, run.id, NAMES, actor=ACTOR)
    assert score_run(store, run.id, NAMES, actor=ACTOR)
    assert score_run(store, run.id, [*NAMES, "mrr"], actor=ACTOR)
    assert details(store, "run.score") == [{"metrics": NAMES, "scores": 36}, {"metrics": ["mrr"], "scores": 12}]


def test_another_version_or_other_options_are_measured_anew(store, run):
    score_run(store, run.id, NAMES, actor=ACTOR)
    with store.write(ACTOR, "test.older") as connection:
        older = scores.run_metric(connection, run.id, "recall")
        scores.put_run_metrics(
            connection,
            run.id,
            [scores.RunMetric(metric="recall", version=older.version - 1, finished=True, generation=1)],
        )
        scores.put_run_metrics(
            connection,
            run.id,
            [scores.RunMetric(metric="hit@1", version=1, options={"encoder": "x"}, finished=True, generation=1)],
        )
    assert score_run(store, run.id, NAMES, actor=ACTOR)
    assert details(store, "run.score")[1] == {"metrics": ["recall", "hit@1"], "scores": 24}
    assert made(store, run)["recall"].version == older.version


@pytest.mark.slow
def test_stopped_after_some_batches_a_second_pass_does_the_rest(store, bank):
    run = long_run(store, bank[0].id, 600)
    looks = iter(range(100))
    assert not score_run(store, run.id, NAMES, actor=ACTOR, should_stop=lambda: next(looks) >= 2)
    first = read(store, run, "recall")
    assert len(first) == 128  # two batches of 64
    assert not made(store, run)["recall"].finished
    said = []
    assert score_run(store, run.id, NAMES, actor=ACTOR, progress=lambda *report: said.append(report))
    assert (said[0], said[-1]) == (("Scoring", 128, 600), ("Scoring", 600, 600))
    final = read(store, run, "recall")
    assert {case_id: final[case_id] for case_id in first} == first
    assert [detail["scores"] for detail in details(store, "run.score")] == [192] * 9 + [72]
    assert made(store, run)["recall"].finished


def long_run(store, project_id, cases):
    """A finished run of so many cases; every third one retrieved nothing that is relevant."""
    listed = [
        TestCase(
            case_id=f"c{place}", question=f"Question {place}?", group_id=f"g{place // 2}", gold_document_ids=("d",)
        )
        for place in range(cases)
    ]
    run = Run(id="run_long", project_id=project_id, test_set_id="ts_long", target="elsewhere", state=RunState.FINISHED)
    with store.write(ACTOR, "test.prepare", project_id=project_id) as connection:
        testsets.put(connection, TestSet(id="ts_long", project_id=project_id, name="Long"))
        testsets.put_cases(connection, "ts_long", listed)
        runs.put(connection, run)
        runs.save_responses(
            connection,
            run.id,
            [
                Response(
                    case_id=case.case_id,
                    answer="Yes.",
                    contexts=(Context(document_id="d" if place % 3 else "other", text="Yes, it is."),),
                )
                for place, case in enumerate(listed)
            ],
        )
    return run


def killed(store, run, names, drawn, look):
    """Scores a run in workers that are killed at these moments; `look` is called after each with what was committed."""
    commands = [held.command(moment, "core", "worker") for _, moment in drawn]
    params = {"run_id": run.id, "metrics": names, **asdict(ScoringOptions())}
    job = start(
        store, project_id=run.project_id, kind="score", params=params, actor=ACTOR, subject=run.id, command=commands[0]
    )
    committed = 0
    for kills, (done, _) in enumerate(drawn, start=1):
        held.wait_until_held(Path(job.log), kills)
        psutil.Process(get_job(store, job.id).worker.pid).send_signal(signal.SIGKILL)
        until(lambda: get_job(store, job.id).state is JobState.INTERRUPTED)
        committed += done * BATCH
        look(committed)
        resume(store, job.id, ACTOR, **({"command": commands[kills]} if kills < len(drawn) else {}))
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.FINISHED
    assert committed > 0


@pytest.mark.slow
def test_the_worker_killed_at_random_moments(store, bank):
    """Eight times kill -9 of the real worker: no case twice, none lost, nothing measured again that was committed.

    Each commit names in the audit trail how many scores were measured, stored or not: their sum is cases times metrics
    only if no committed one was measured again.
    """
    drawn = held.moments(8, 8, "scores")
    total = BATCH * (sum(done for done, _ in drawn) + 5)
    run = long_run(store, bank[0].id, total)
    before = {}

    def look(committed):
        now = read(store, run, "recall")
        assert before.items() <= now.items()  # nothing lost, nothing replaced
        assert len(now) == committed < total
        before.update(now)

    killed(store, run, NAMES, drawn, look)
    assert {len(read(store, run, name)) for name in NAMES} == {total}
    assert sum(detail["scores"] for detail in details(store, "run.score")) == total * len(NAMES)
    assert all(item.finished for item in made(store, run).values())
    with store.read() as connection:
        assert audit.verify(connection).ok


@pytest.mark.slow
def test_the_worker_killed_while_it_measures_anew(store, bank):
    """Four times kill -9: every case has a score all the time, and none is measured anew twice."""
    drawn = held.moments(3, 4, "scores")
    total = BATCH * (sum(done for done, _ in drawn) + 5)
    run = long_run(store, bank[0].id, total)
    with store.write(ACTOR, "test.older") as connection:
        scores.put(
            connection, run.id, [Score(case_id=f"c{place}", metric="recall", value=0.5) for place in range(total)]
        )
        scores.put_run_metrics(connection, run.id, [scores.RunMetric(metric="recall", version=0, finished=True)])

    def look(committed):
        found = every(store, run)
        assert sum(item.value != 0.5 for item in found) == committed < total
        assert len(found) == total

    killed(store, run, ["recall"], drawn, look)
    assert {item.value for item in every(store, run)} == {0.0, 1.0}
    assert sum(detail["scores"] for detail in details(store, "run.score")) == total


def until(condition, seconds=LIMIT_S):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def test_cases_that_lack_different_metrics_get_what_they_lack(store, run):
    score_run(store, run.id, NAMES, actor=ACTOR)
    with store.write(ACTOR, "test.holes") as connection:
        of_run = score_rows.c.run_id == run.id
        connection.execute(delete(score_rows).where(of_run, score_rows.c.metric == "recall"))
        connection.execute(
            delete(score_rows).where(of_run, score_rows.c.metric == "hit@1", ~score_rows.c.case_id.contains("arden"))
        )
        scores.reopen(connection, run.id)
    assert score_run(store, run.id, NAMES, actor=ACTOR)
    assert details(store, "run.score")[1:] == [
        {"metrics": ["recall"], "scores": 2},
        {"metrics": ["recall", "hit@1"], "scores": 20},
    ]
    assert {len(read(store, run, name)) for name in NAMES} == {12}


def test_what_a_person_changed_stays_when_it_is_measured_anew(store, run):
    score_run(store, run.id, ["precision"], actor=ACTOR)
    edit_score(store, run.id, "arden-long", "precision", value=1.0, reason="Both belong to it.", actor=ACTOR)
    with store.write(ACTOR, "test.older") as connection:
        scores.put_run_metrics(
            connection, run.id, [scores.RunMetric(metric="precision", version=0, finished=True, generation=1)]
        )
    assert score_run(store, run.id, ["precision"], actor=ACTOR)
    found = read(store, run, "precision")
    assert (found["arden-long"].value, found["arden-long"].edited) == (1.0, True)
    assert len(found) == 12
    assert details(store, "run.score")[1] == {
        "metrics": ["precision"],
        "scores": 12,
        "kept": ["precision of arden-long"],
    }


def test_a_restored_score_is_that_of_the_options_it_was_scored_with_last(store, bank, tmp_path):
    """Every answer is the reference after "the", which is no word in English and one in French."""
    cases = list(bank_cases())
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "\n".join(json.dumps({"case_id": c.case_id, "answer": f"the {c.reference_answers[0]}"}) for c in cases)
    )
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}", options={})
    execute_run(store, run.id, actor=ACTOR)
    case = cases[0].case_id

    def score(language):
        assert score_run(store, run.id, ["token_f1"], actor=ACTOR, options=ScoringOptions(language=language))
        return read(store, run, "token_f1")

    english = score("en")[case].value
    edit_score(store, run.id, case, "token_f1", value=0.875, reason="Seen.", actor=ACTOR)
    others = score("fr")
    assert (others[case].value, others[case].edited) == (0.875, True)
    restored = restore_score(store, run.id, case, "token_f1", reason="Not mine to say.", actor=ACTOR)
    assert not restored.edited
    fresh = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}", options={})
    execute_run(store, fresh.id, actor=ACTOR)
    score_run(store, fresh.id, ["token_f1"], actor=ACTOR, options=ScoringOptions(language="fr"))
    expected = read(store, fresh, "token_f1")[case]
    assert (restored.value, restored.detail) == (expected.value, expected.detail)
    assert restored.value != english
    said = [(edit.before_value, edit.value, edit.reason) for edit in edits(store, run.id, case)]
    assert said == [
        (0.875, expected.value, "Not mine to say."),
        (expected.value, 0.875, "Measured anew (language fr); the changed value stays."),
        (english, 0.875, "Seen."),
    ]
    with store.read() as connection:
        assert audit.verify(connection).ok


@pytest.mark.slow
def test_old_values_stay_until_each_is_measured_anew(store, bank):
    run = long_run(store, bank[0].id, 300)
    assert score_run(store, run.id, ["recall"], actor=ACTOR)
    with store.write(ACTOR, "test.older") as connection:
        scores.put_run_metrics(
            connection, run.id, [scores.RunMetric(metric="recall", version=0, finished=True, generation=1)]
        )
        scores.put(connection, run.id, [replace(item, value=0.5) for item in every(store, run)])
    looks = iter(range(100))
    assert not score_run(store, run.id, ["recall"], actor=ACTOR, should_stop=lambda: next(looks) >= 2)
    found = read(store, run, "recall")
    assert len(found) == 300
    assert sum(item.value == 0.5 for item in found.values()) == 300 - 128  # two batches of 64 are new
    assert not made(store, run)["recall"].finished
    assert {item.name: item.outdated for item in metric_summaries(store, run.id)} == {"recall": 172}
    assert score_run(store, run.id, ["recall"], actor=ACTOR)
    assert {item.value for item in every(store, run)} == {0.0, 1.0}
    assert [detail["scores"] for detail in details(store, "run.score")] == [64, 64, 64, 64, 44] * 2
    assert {item.name: item.outdated for item in metric_summaries(store, run.id)} == {"recall": 0}


def every(store, run):
    return list(read(store, run, "recall").values())


@pytest.mark.slow
@pytest.mark.parametrize("names", [["verdict"], ["recall", " verdict "], ["nope"], [], ["recall@0"]])
def test_metrics_that_cannot_be_asked_for(store, run, names):
    for call in (score_run, start_scoring):
        with pytest.raises(InvalidInput):
            call(store, run.id, names, actor=ACTOR)
    with pytest.raises(NotFound, match="run_none"):
        score_run(store, "run_none", ["recall"], actor=ACTOR)


def test_a_run_that_goes_on_is_not_scored(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    for call in (score_run, start_scoring):
        with pytest.raises(Conflict, match=rf"{run.id} is not finished"):
            call(store, run.id, NAMES, actor=ACTOR)


def test_a_viewer_scores_nothing(store, bank, run):
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, bank[0].id, "vera", Role.VIEWER)
    with pytest.raises(Forbidden, match="vera is viewer"):
        start_scoring(store, run.id, NAMES, actor="vera")
    assert list_jobs(store) == []


@pytest.mark.slow
def test_in_a_worker_process(store, run):
    job = start_scoring(store, run.id, NAMES, actor=ACTOR, options=ScoringOptions(language="de"))
    with pytest.raises(Conflict, match=f"being scored by job {job.id}"):
        start_scoring(store, run.id, NAMES, actor=ACTOR)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert (ended.state, ended.error) == (JobState.FINISHED, "")
    assert (ended.progress.stage, ended.progress.done, ended.progress.total) == ("Scoring", 12, 12)
    assert len(read(store, run, "recall")) == 12
    assert made(store, run)["recall"].options == {}  # no text is read
    again = start_scoring(store, run.id, NAMES, actor=ACTOR)
    assert wait(store, again.id, seconds=LIMIT_S).state is JobState.FINISHED
    assert len(details(store, "run.score")) == 1


@pytest.mark.slow
def test_a_run_scores_with_the_metrics_it_names(store, bank):
    run = create_run(
        store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2, "metrics": ["recall", "hit@01"]}
    )
    assert run.options == {"k": 2, "metrics": ["recall", "hit@1"]}
    said = []
    assert execute_run(store, run.id, actor=ACTOR, progress=lambda *report: said.append(report))
    assert list(dict.fromkeys(stage for stage, _, _ in said)) == ["Asking", "Judging", "Scoring"]
    summary = summarise(store, run.id)
    assert summary.scored == {VERDICT_METRIC: 12, "recall": 10, "hit@1": 10}
    assert summary.unscored["recall"] == {"not_applicable": 2}
    with pytest.raises(InvalidInput, match="no metric 'nope'"):
        create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"metrics": ["nope"]})
    with pytest.raises(InvalidInput, match="a list of names"):
        create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"metrics": "recall"})


@pytest.mark.slow
def test_stopped_between_judging_and_scoring_a_run_goes_on(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"metrics": ["recall"]})
    looks = iter(range(100))
    # 12 looks while asking, one that finds no case left, one before the only batch of verdicts; then one of scoring.
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: next(looks) >= 14)
    with store.read() as connection:
        assert runs.get(connection, run.id).state is RunState.RUNNING
    assert len(read(store, run, VERDICT_METRIC)) == 12
    assert read(store, run, "recall") == {}
    assert execute_run(store, run.id, actor=ACTOR)
    assert len(read(store, run, "recall")) == 12


def test_a_failed_target_gets_a_reason_not_a_zero(store, bank, tmp_path):
    target = write_answers(tmp_path / "answers.jsonl", bank_cases(), without=3)
    run = create_run(store, bank[1].id, actor=ACTOR, target=target, options={"metrics": ["recall"]})
    execute_run(store, run.id, actor=ACTOR)
    assert read(store, run, "recall")["arden-short"].status is Status.MISSING_INPUT
    summary = summarise(store, run.id)
    # Twelve cases: three failed, the two of Farley name a document that the corpus does not have.
    assert (summary.scored["recall"], summary.unscored["recall"]) == (7, {"not_applicable": 2, "target_failed": 3})


@pytest.mark.slow
def test_retried_cases_are_scored_again_and_the_others_are_not(store, bank, tmp_path):
    path = tmp_path / "answers.jsonl"
    target = write_answers(path, bank_cases(), without=3)
    run = create_run(store, bank[1].id, actor=ACTOR, target=target, options={"metrics": ["recall"]})
    execute_run(store, run.id, actor=ACTOR)
    score_run(store, run.id, ["precision"], actor=ACTOR)
    write_answers(path, bank_cases())
    job = retry_failed(store, run.id, actor=ACTOR)
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.FINISHED
    assert {name: item.finished for name, item in made(store, run).items()} == {"precision": False, "recall": True}
    assert read(store, run, "recall")["arden-short"].value == 1.0
    assert summarise(store, run.id).unscored["precision"] == {"not_applicable": 2, "not_reached": 3}
    assert [detail["scores"] for detail in details(store, "run.score")] == [12, 12, 3]
    assert score_run(store, run.id, ["precision"], actor=ACTOR)
    assert made(store, run)["precision"].finished
    assert [detail["scores"] for detail in details(store, "run.score")] == [12, 12, 3, 3]


@pytest.mark.slow
def test_while_it_is_scored_nothing_is_retried(store, bank, tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "LOCK_SECONDS", 0.0)
    target = write_answers(tmp_path / "answers.jsonl", bank_cases(), without=3)
    run = create_run(store, bank[1].id, actor=ACTOR, target=target)
    execute_run(store, run.id, actor=ACTOR)

    def retry():
        with pytest.raises(Conflict, match="being worked on"):
            retry_failed(store, run.id, actor=ACTOR)
        with pytest.raises(Conflict, match="being worked on"):
            score_run(store, run.id, NAMES, actor=ACTOR)
        return True

    assert not score_run(store, run.id, NAMES, actor=ACTOR, should_stop=retry)
    with store.read() as connection:
        assert runs.tally(connection, run.id).failed == 3


def test_options_name_only_what_the_values_depend_on():
    recall, groundedness = find_metrics(["recall", "groundedness"])
    models = choice.Models(language="de")
    assert choice.made_with(recall, models) == {}
    assert choice.made_with(groundedness, models) == {"encoder": "", "language": "de"}


def test_sentences_are_encoded_with_the_model_of_the_settings(store, run):
    assert score_run(store, run.id, ["groundedness", "recall"], actor=ACTOR)
    how = made(store, run)
    assert how["groundedness"].options["encoder"].startswith("minilm")
    assert how["groundedness"].options["language"] == "en"
    found = read(store, run, "groundedness")["arden-short"]
    # The reader answers with words of a retrieved page, so a sentence of it is close.
    assert found.value > 0.5
    assert found.detail["sentences"]
    assert score_run(store, run.id, ["groundedness"], actor=ACTOR)
    assert len(details(store, "run.score")) == 1
    assert score_run(store, run.id, ["groundedness"], actor=ACTOR, options=ScoringOptions(language="de"))
    assert [detail["metrics"] for detail in details(store, "run.score")] == [
        ["groundedness", "recall"],
        ["groundedness"],
    ]
