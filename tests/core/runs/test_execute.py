"""Asking and judging, and going on where a run was left."""

import json
import threading
import time
from dataclasses import dataclass, field, replace

import pytest

from core.domain.errors import Conflict, InvalidInput, NotFound, TargetFailed, UnreadableFile
from core.domain.results.responses import Judgement, Response, Verdict
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.runs import execute
from core.runs.execute import execute_run
from core.runs.scores.verdict import verdict_score
from core.runs.service import create_run
from core.runs.stages import ask_and_judge as stages
from core.runs.stages.ask_and_judge import ask
from core.store.results import failures, runs, scores
from core.store.trail import audit
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR


@dataclass
class Scripted:
    """A target with given delays, by case id, that remembers how many questions it had at once."""

    delays: dict[str, float]
    name: str = "scripted"
    concurrency: int = 1
    words_to_encode: int = 0
    most: int = 0
    now: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, case_id: str, question: str) -> Response:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.delays[case_id])
        with self.lock:
            self.now -= 1
        return Response(case_id=case_id, answer=question)


def cases(*delays):
    named = {f"c{place}": delay for place, delay in enumerate(delays)}
    return named, [TestCase(case_id=case_id, question="?") for case_id in named]


def never():
    return False


def state_of(store, run):
    with store.read() as connection:
        return runs.get(connection, run.id)


def details(store, action):
    """What the audit trail says about each step of a kind."""
    with store.read() as connection:
        found = [entry for entry in audit.entries(connection, limit=None) if entry.action == action]
    return [json.loads(entry.detail) for entry in found]


def test_a_run_asks_and_judges_every_case(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 1})
    said = []
    assert execute_run(store, run.id, actor=ACTOR, progress=lambda *report: said.append(report))
    with store.read() as connection:
        tally = runs.tally(connection, run.id)
        verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC)
    assert (tally.cases, tally.answered, tally.failed, tally.correct + tally.incorrect) == (12, 12, 0, 12)
    # Five branches have a document each, in both forms: 5 x 2 = 10; the sixth is in no document: 2 wrong.
    assert (tally.correct, tally.incorrect) == (10, 2)
    assert verdicts["farley-short"].detail["verdict"] == "incorrect"
    assert verdicts["arden-long"].detail["rule"]
    assert (said[0], said[-1]) == (("Asking", 0, 12), ("Judging", 12, 12))
    assert [stage for stage, _, _ in said] == sorted(stage for stage, _, _ in said)
    finished = state_of(store, run)
    assert finished.state is RunState.FINISHED
    assert finished.finished_at


def test_a_finished_run_is_left_as_it_is(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    before = state_of(store, run), len(details(store, "run.running"))
    assert execute_run(store, run.id, actor=ACTOR)
    assert (state_of(store, run), len(details(store, "run.running"))) == before


def test_stopped_at_once_nothing_is_asked(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: True)
    with store.read() as connection:
        assert runs.answered_ids(connection, run.id) == set()
    assert state_of(store, run).state is RunState.RUNNING


@pytest.mark.slow
def test_a_dense_target_encodes_its_documents_before_it_is_asked_and_stops_meanwhile(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="dense", options={"k": 1})
    said = []
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: True)
    assert execute_run(store, run.id, actor=ACTOR, progress=lambda *report: said.append(report))
    assert list(dict.fromkeys(stage for stage, _, _ in said)) == ["Embedding documents", "Asking", "Judging"]
    assert said[0][1] == 0 < said[0][2]


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 5, 11, 12, 13])
def test_stopped_after_some_cases_a_second_pass_does_the_rest(store, bank, after):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    looks = iter(range(100))
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: next(looks) >= after)
    with store.read() as connection:
        first = runs.responses(connection, run.id)
    assert len(first) == min(after, 12)
    assert execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        final = runs.responses(connection, run.id)
    assert len(final) == 12
    assert {case_id: final[case_id] for case_id in first} == first
    assert sum(detail["responses"] for detail in details(store, "run.answer")) == 12
    assert sum(detail["scores"] for detail in details(store, "run.judge")) == 12


def test_stopped_between_asking_and_judging(store, bank, monkeypatch):
    monkeypatch.setattr(stages, "JUDGE_BATCH", 5)
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    looks = iter(range(100))
    # 12 looks while asking, one that finds no case left, one before the first batch of verdicts; the next says stop.
    assert not execute_run(store, run.id, actor=ACTOR, should_stop=lambda: next(looks) >= 14)
    with store.read() as connection:
        assert len(scores.of_metric(connection, run.id, VERDICT_METRIC)) == 5
    said = []
    assert execute_run(store, run.id, actor=ACTOR, progress=lambda *report: said.append(report))
    assert said[:2] == [("Asking", 12, 12), ("Judging", 5, 12)]
    assert sum(detail["scores"] for detail in details(store, "run.judge")) == 12


def test_failures_keep_their_reason_and_are_not_judged(store, bank, tmp_path):
    recording = tmp_path / "answers.jsonl"
    rows = [{"case_id": case.case_id, "answer": case.reference_answers[0]} for case in bank_cases()]
    rows[0] = {"case_id": "arden-short", "error": "HTTP 500"}
    recording.write_text("\n".join(json.dumps(row) for row in rows[:-1]))
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{recording}")
    assert execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        responses = runs.responses(connection, run.id)
        verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC)
        assert failures.failed_ids(connection, run.id) == {"arden-short", "farley-long"}
    assert responses["arden-short"].error == "HTTP 500"
    assert "has no row for case 'farley-long'" in responses["farley-long"].error
    assert (verdicts["arden-short"].value, verdicts["arden-short"].status) == (None, Status.NOT_JUDGED)
    assert verdicts["arden-long"].value == 1.0


def test_a_run_whose_recording_is_gone_is_refused_and_keeps_its_state(store, bank, tmp_path):
    recording = tmp_path / "answers.jsonl"
    recording.write_text('{"case_id": "arden-short", "answer": "Ines Okoro"}')
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{recording}")
    recording.unlink()
    with pytest.raises(UnreadableFile, match="cannot be read: No such file"):
        execute_run(store, run.id, actor=ACTOR)
    assert state_of(store, run).state is RunState.PLANNED


def test_an_unknown_run(store):
    with pytest.raises(NotFound, match="run_none"):
        execute_run(store, "run_none", actor=ACTOR)


def test_one_process_at_a_time(store, bank, monkeypatch):
    monkeypatch.setattr(execute, "LOCK_SECONDS", 0.0)
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")

    def stop():
        with pytest.raises(Conflict, match="being worked on by another process"):
            execute_run(store, run.id, actor=ACTOR)
        return True

    assert not execute_run(store, run.id, actor=ACTOR, should_stop=stop)
    assert execute_run(store, run.id, actor=ACTOR)


def test_k_out_of_range(store, bank):
    with pytest.raises(InvalidInput, match="k is 0"):
        create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 0})


def test_ask_keeps_the_reason_and_the_time():
    class Failing:
        name = "failing"
        concurrency = 1
        words_to_encode = 0

        def answer(self, case_id, question):
            raise TargetFailed("It is down.", "Start it.")

    response = ask(Failing().answer, TestCase(case_id="c", question="?"))
    assert (response.answer, response.error) == (None, "It is down. Start it.")
    assert response.latency_s >= 0


@pytest.mark.parametrize(
    ("verdict", "value", "status"),
    [
        (Verdict.CORRECT, 1.0, Status.SCORED),
        (Verdict.INCORRECT, 0.0, Status.SCORED),
        (Verdict.NOT_JUDGED, None, Status.NOT_JUDGED),
    ],
)
def test_verdict_as_a_score(verdict, value, status):
    judgement = Judgement(verdict=verdict, rule="number", reason="Because.", detail={"seen": "7"})
    score = verdict_score("c", judgement)
    assert (score.value, score.status, score.metric) == (value, status, VERDICT_METRIC)
    assert score.detail == {"verdict": verdict.value, "rule": "number", "reason": "Because.", "seen": "7"}
    assert verdict_score("c", replace(judgement, detail={})).detail["rule"] == "number"
