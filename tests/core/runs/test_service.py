"""Runs as jobs: created, started, resumed, retried, killed."""

import json
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestCase
from core.jobs import JobState, get, list_jobs, resume, start, wait
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run, retry_failed, start_run
from core.store import projects, sources
from core.store.results import failures, runs, scores
from core.store.testset import testsets
from core.store.trail import audit
from tests.support.bank_cases import MANAGERS, bank_cases, put_test_set
from tests.support.processes import held
from tests.support.small_bank import ACTOR

LIMIT_S = 120.0
"""How long a test waits for what has to come; only a test that fails waits so long."""


def run_of(store, run_id):
    with store.read() as connection:
        return runs.get(connection, run_id)


def recording(path, cases, *, without=0):
    rows = [{"case_id": case.case_id, "answer": case.reference_answers[0]} for case in cases]
    path.write_text("\n".join(json.dumps(row) for row in rows[without:]))
    return f"recorded:{path}"


def test_a_run_remembers_what_it_was_made_with(store, bank):
    project, test_set = bank
    run = create_run(store, test_set.id, actor=ACTOR, target="bm25", seed=7, options={"k": 2})
    with store.read() as connection:
        corpus = sources.all(connection, project.id)[-1]
        assert runs.get(connection, run.id) == run
    assert (run.target, run.judge, run.seed, run.options, run.state) == ("bm25", "match", 7, {"k": 2}, RunState.PLANNED)
    assert run.corpus_id == corpus.id
    assert run.created_by == ACTOR


def test_a_draft_is_not_run(store, tmp_path):
    project = create_project(store, "Bank", ACTOR)
    put_test_set(store, project.id, bank_cases(), frozen=False)
    with pytest.raises(Conflict, match="Branches is not frozen"):
        create_run(store, "ts_bank", actor=ACTOR, target="keyword")


@pytest.mark.parametrize(
    ("target", "judge", "message"),
    [("nope", "match", "no target 'nope'"), ("keyword", "nope", "no judge 'nope'")],
)
def test_what_cannot_be_opened_makes_no_run(store, bank, target, judge, message):
    with pytest.raises(InvalidInput, match=message):
        create_run(store, bank[1].id, actor=ACTOR, target=target, judge=judge)
    with store.read() as connection:
        assert runs.all(connection, None) == []


def test_a_viewer_starts_nothing(store, bank):
    project, test_set = bank
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, project.id, "vera", Role.VIEWER)
    with pytest.raises(Forbidden, match="vera is viewer"):
        create_run(store, test_set.id, actor="vera", target="keyword")
    run = create_run(store, test_set.id, actor=ACTOR, target="keyword")
    for action in (start_run, retry_failed):
        with pytest.raises(Forbidden, match="vera is viewer"):
            action(store, run.id, actor="vera")
    with pytest.raises(NotFound, match="run_none"):
        start_run(store, "run_none", actor=ACTOR)
    assert list_jobs(store) == []


@pytest.mark.slow
def test_a_run_in_a_worker_process_then_its_failed_cases_again(store, bank, tmp_path):
    cases = bank_cases()
    target = recording(tmp_path / "answers.jsonl", cases, without=3)
    run = create_run(store, bank[1].id, actor=ACTOR, target=target)
    job = start_run(store, run.id, actor=ACTOR)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert (ended.state, ended.error, ended.subject) == (JobState.FINISHED, "", run.id)
    assert (ended.progress.stage, ended.progress.done, ended.progress.total) == ("Judging", 12, 12)
    assert (run_of(store, run.id).state, run_of(store, run.id).job_id) == (RunState.FINISHED, job.id)
    with pytest.raises(Conflict, match="is finished"):
        start_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        before = runs.responses(connection, run.id)
        assert runs.tally(connection, run.id).failed == 3

    recording(tmp_path / "answers.jsonl", cases)
    again = retry_failed(store, run.id, actor=ACTOR)
    assert wait(store, again.id, seconds=LIMIT_S).state is JobState.FINISHED
    with store.read() as connection:
        tally = runs.tally(connection, run.id)
        after = runs.responses(connection, run.id)
    assert (tally.failed, tally.correct) == (0, 12)
    kept = {case_id: response for case_id, response in before.items() if not response.error}
    assert kept.items() <= after.items()
    with pytest.raises(InvalidInput, match=r"No case of run .* failed"):
        retry_failed(store, run.id, actor=ACTOR)


@pytest.mark.slow
def test_a_retry_that_died_before_its_job_began_is_started_as_any_run(store, bank, tmp_path):
    run = create_run(store, bank[1].id, actor=ACTOR, target=recording(tmp_path / "a.jsonl", bank_cases(), without=1))
    first = start_run(store, run.id, actor=ACTOR)
    wait(store, first.id, seconds=LIMIT_S)
    # What retry_failed commits before it starts the job.
    with store.write(ACTOR, "run.retry") as connection:
        failures.forget_failed(connection, run.id)
        runs.set_state(connection, run.id, RunState.PLANNED)
    with pytest.raises(Conflict, match="is not finished"):
        retry_failed(store, run.id, actor=ACTOR)
    second = start_run(store, run.id, actor=ACTOR)
    assert second.id != first.id
    assert wait(store, second.id, seconds=LIMIT_S).state is JobState.FINISHED
    assert run_of(store, run.id).state is RunState.FINISHED


@pytest.mark.slow
def test_two_clicks_start_one_worker(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    outcomes = []

    def click():
        try:
            outcomes.append(start_run(store, run.id, actor=ACTOR).id)
        except Conflict:
            outcomes.append("refused")

    threads = [threading.Thread(target=click) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [job] = list_jobs(store)
    assert sorted(outcomes) == sorted([job.id, "refused", "refused"])
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.FINISHED


@pytest.mark.slow
def test_a_failed_job_tells_why_and_is_resumed(store, bank, tmp_path):
    target = recording(tmp_path / "answers.jsonl", bank_cases())
    run = create_run(store, bank[1].id, actor=ACTOR, target=target)
    (tmp_path / "answers.jsonl").rename(tmp_path / "away.jsonl")
    job = wait(store, start_run(store, run.id, actor=ACTOR).id, seconds=LIMIT_S)
    assert job.state is JobState.FAILED
    assert "cannot be read: No such file" in job.error
    (tmp_path / "away.jsonl").rename(tmp_path / "answers.jsonl")
    assert start_run(store, run.id, actor=ACTOR).id == job.id
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.FINISHED


def many_cases(number):
    cities = list(MANAGERS)
    return [
        TestCase(
            case_id=f"c{place}",
            question=f"Who is the manager of {cities[place % 6]} Branch, question {place}?",
            reference_answers=(MANAGERS[cities[place % 6]],),
            form="short",
            group_id=f"g{place}",
        )
        for place in range(number)
    ]


def committed(store, action, key):
    with store.read() as connection:
        found = [entry for entry in audit.entries(connection, limit=None) if entry.action == action]
    return sum(json.loads(entry.detail)[key] for entry in found)


@pytest.mark.slow
def test_the_worker_killed_at_twenty_moments(store):
    """20 times kill -9 of the real worker: each case once, and nothing asked or judged again that was committed.

    Each commit of answers names in the audit trail how many the target gave, stored or not: their sum is the number of
    cases only if no committed case was asked again. The same holds for verdicts. It is killed before, within and after
    commits, ten times while it asks and ten times while it judges.
    """
    # Commits come every 0.2 seconds, so none holds more than 100 answers of 2 milliseconds; one of verdicts holds 200.
    total = 1_200
    asking, judging = held.moments(20, 10, "responses", most=2), held.moments(21, 10, "scores", most=1)
    assert sum(done for done, _ in asking) * 105 < total
    assert sum(done for done, _ in judging) * 200 < total
    commands = [held.command(moment, "core", "worker") for _, moment in (*asking, *judging)]
    project = create_project(store, "Bank", ACTOR)
    put_test_set(store, project.id, many_cases(total))
    run = create_run(store, "ts_bank", actor=ACTOR, target="python:tests.support.processes.slow_answers:manager")
    job = start(
        store,
        project_id=project.id,
        kind="evaluate",
        params={"run_id": run.id},
        actor=ACTOR,
        subject=run.id,
        command=commands[0],
    )
    answered, judged = {}, {}
    for kills in range(1, 21):
        held.wait_until_held(Path(job.log), kills)
        psutil.Process(get(store, job.id).worker.pid).send_signal(signal.SIGKILL)
        until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
        with store.read() as connection:
            responses = runs.responses(connection, run.id)
            verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC)
        assert answered.items() <= responses.items()  # nothing lost, nothing replaced
        assert judged.items() <= verdicts.items()
        assert (len(responses) < total) == (kills <= 10)
        assert len(verdicts) < total
        answered, judged = responses, verdicts
        resume(store, job.id, ACTOR, **({"command": commands[kills]} if kills < 20 else {}))
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.FINISHED
    assert len(judged) == 200 * sum(done for done, _ in judging) > 0
    with store.read() as connection:
        final = runs.responses(connection, run.id)
        tally = runs.tally(connection, run.id)
        assert audit.verify(connection).ok
    assert answered.items() <= final.items()
    assert set(final) == {f"c{place}" for place in range(total)}
    assert (tally.answered, tally.failed, tally.correct + tally.incorrect) == (total, 0, total)
    assert committed(store, "run.answer", "responses") == total
    assert committed(store, "run.judge", "scores") == total
    assert run_of(store, run.id).state is RunState.FINISHED
    assert get(store, job.id).attempts == 21


def until(condition, seconds=LIMIT_S):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


@pytest.mark.slow
def test_replaced_runs_keep_their_job(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    job = start_run(store, run.id, actor=ACTOR)
    wait(store, job.id, seconds=LIMIT_S)
    assert replace(run_of(store, run.id), state=RunState.PLANNED, finished_at="") == replace(run, job_id=job.id)
    assert execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        assert testsets.count(connection, "ts_bank") == 12
