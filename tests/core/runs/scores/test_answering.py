"""What answers do is taken from what `answered` measured, and is the same as if they were read."""

from dataclasses import replace

import pytest

from core.domain.results.responses import Response
from core.metrics.samples import answerability
from core.runs.execute import execute_run
from core.runs.scores import answering
from core.runs.scores.edits import edit_score
from core.runs.scores.samples import RunSamples, behaviour_of
from core.runs.scores.scoring import score_run
from core.runs.service import create_run
from core.store.results import runs, scores
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR


@pytest.fixture
def run(store, bank):
    made = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    execute_run(store, made.id, actor=ACTOR)
    with store.read() as connection:
        return runs.get(connection, made.id)


@pytest.fixture
def scored(store, run):
    score_run(store, run.id, ["answered"], actor=ACTOR)
    return run


def known(store, run):
    with store.read() as connection:
        return answering.known(connection, run.id)


def test_nothing_is_known_before_it_is_measured(store, run):
    assert known(store, run) == {}


def test_it_is_what_reading_the_answers_says(store, scored):
    samples = RunSamples(store, scored).read([case.case_id for case in bank_cases()], contexts=False)
    read = {sample.case_id: answerability.answering(sample) for sample in samples}
    found = known(store, scored)
    assert len(found) > len(read) / 2
    assert found == {case_id: read[case_id] for case_id in found}


def unread(store, run):
    with store.read() as connection:
        return answering.unread(connection, run)


def test_what_is_left_to_read(store, run):
    assert unread(store, run) == len(bank_cases())
    score_run(store, run.id, ["answered"], actor=ACTOR)
    assert unread(store, run) == 0


def test_a_target_that_failed_leaves_nothing_to_read(store, bank):
    planned = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    told, failed = (case.case_id for case in bank_cases()[:2])
    responses = [Response(case_id=told, answer="Ines Okoro."), Response(case_id=failed, answer=None, error="timed out")]
    with store.write(ACTOR, "test.prepare") as connection:
        runs.save_responses(connection, planned.id, responses)
    assert unread(store, planned) == 1


def test_a_scored_run_is_not_read_again(store, scored, monkeypatch):
    table = behaviour_of(store, scored.id)
    left = set(known(store, scored))
    read = []
    monkeypatch.setattr(answerability, "read_answer", lambda question, answer: read.append(question))
    assert behaviour_of(store, scored.id) == table
    assert left
    assert not read
    assert table.total == len(bank_cases())


def test_neither_what_a_person_changed_nor_what_another_version_measured(store, scored):
    case_id = next(iter(known(store, scored)))
    edit_score(store, scored.id, case_id, "answered", value=0.0, reason="It declines.", actor=ACTOR)
    assert case_id not in known(store, scored)
    with store.write(ACTOR, "test.prepare") as connection:
        measured = scores.run_metric(connection, scored.id, "answered")
        scores.put_run_metrics(connection, scored.id, [replace(measured, version=measured.version - 1)])
    assert known(store, scored) == {}
