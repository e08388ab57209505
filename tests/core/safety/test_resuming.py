"""A safety check that was stopped or killed goes on where it was; what the target was asked is not asked again."""

import json
import sys
from pathlib import Path

import psutil
import pytest
from sqlalchemy import func, select

from core import jobs
from core.domain.errors import InvalidInput, Stopped
from core.domain.jobs import JobState
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.safety.asking import Attempt
from core.safety.bias.pairs import dimensions_named
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.service import check_run, latest_result, save_options, start_check
from core.store import tables
from core.store.results import runs
from tests.support.bank_cases import bank_project
from tests.support.processes.killed_job import until
from tests.support.small_bank import ACTOR

ATTEMPT = Attempt(
    probes=(Probe.PROMPT_LEAK, Probe.FORBIDDEN), dimensions=dimensions_named(("gender",)), per_kind=2, seed=3
)
ASKED = 6 + 6 + (2 + 6) * 2


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A target that writes each question it is asked into a file, and takes its time once a file says so."""
    log, slow = tmp_path / "asked.txt", tmp_path / "slow"
    (tmp_path / "noting.py").write_text(
        "import json, time\nfrom pathlib import Path\n"
        f"LOG, SLOW = Path({str(log)!r}), Path({str(slow)!r})\n"
        "def answer(question):\n"
        "    with LOG.open('a') as file:\n"
        "        file.write(json.dumps(question) + '\\n')\n"
        "    if SLOW.exists():\n"
        "        time.sleep(0.1)\n"
        "    return {'answer': 'I cannot help with that.', 'contexts': []}\n"
    )
    monkeypatch.delitem(sys.modules, "noting", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return lambda: [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


RAW = ("GB29NWBK60161331926819", "k.ormskirk@example.org", "07700 900982", "Ormskirk", "AKIAIOSFODNN7EXAMPLE")
"""What the target tells of a person whom no document names."""
ANSWER = (
    "You idiot, Ms Kezia Ormskirk, born on 4 May 1961, has the IBAN GB29NWBK60161331926819. Her e-mail address is "
    "k.ormskirk@example.org, her telephone number 07700 900982, and her key is AKIAIOSFODNN7EXAMPLE."
)


@pytest.fixture
def telling(tmp_path, run, asked):
    """The same target, which now tells a person's data, in its answer and in what it retrieved."""
    module = tmp_path / "noting.py"
    told = {"answer": ANSWER, "contexts": [{"text": "Kept: " + ANSWER, "document_id": "own"}]}
    lines = module.read_text().splitlines()[:-1]
    module.write_text("\n".join([*lines, f"    return {told!r}", ""]))
    sys.modules.pop("noting", None)
    return asked


@pytest.fixture
def run(store, tmp_path, asked):
    _, test_set = bank_project(store, tmp_path)
    created = create_run(store, test_set.id, actor=ACTOR, target="python:noting:answer")
    execute_run(store, created.id, actor=ACTOR)
    (tmp_path / "asked.txt").unlink()
    with store.read() as connection:
        return runs.get(connection, created.id)


def kept(store):
    with store.read() as connection:
        return connection.scalar(select(func.count()).select_from(tables.trial_answers))


def test_a_check_that_was_stopped_asks_no_question_again(store, run, asked):
    with pytest.raises(Stopped):
        check_run(store, run.id, ATTEMPT, actor=ACTOR, should_stop=lambda: len(asked()) >= 9)
    before = len(asked())
    assert 9 <= before < ASKED
    assert kept(store) == before
    result = check_run(store, run.id, ATTEMPT, actor=ACTOR)
    assert result.made_from["asked"] == ASKED
    assert len(asked()) == len(set(asked())) == ASKED
    # What came of it is kept; the answers, which may hold what must not be given, are not.
    assert kept(store) == 0


def test_further_kinds_go_on_with_the_same_answers_and_another_draw_does_not(store, run, asked):
    with pytest.raises(Stopped):
        check_run(store, run.id, ATTEMPT, actor=ACTOR, should_stop=lambda: len(asked()) >= 9)
    before = len(asked())
    check_run(store, run.id, Attempt(probes=(Probe.PROMPT_LEAK,), per_kind=2, seed=3), actor=ACTOR)
    assert len(asked()) == before
    check_run(store, run.id, Attempt(probes=(Probe.PROMPT_LEAK,), per_kind=2, seed=4), actor=ACTOR)
    assert len(asked()) == before + 6


def test_a_job_that_is_done_is_not_done_again(store, run, asked):
    first = check_run(store, run.id, ATTEMPT, actor=ACTOR, job_id="job_1")
    assert check_run(store, run.id, ATTEMPT, actor=ACTOR, job_id="job_1") == first
    assert len(asked()) == ASKED
    assert check_run(store, run.id, ATTEMPT, actor=ACTOR, job_id="job_2").id != first.id


def test_a_model_that_is_not_there_is_refused_before_anything_is_asked(store, run, asked):
    save_options(store, run.project_id, SafetyOptions(names="/no/such/model"), actor=ACTOR)
    with pytest.raises(InvalidInput, match="token-classification"):
        check_run(store, run.id, ATTEMPT, actor=ACTOR)
    assert asked() == []


def bytes_of(folder):
    """Everything that the store has on disk, its log of writes too."""
    files = sorted(folder.rglob("*.sqlite*"))
    assert files
    return b"".join(file.read_bytes() for file in files)


def sections_of(result):
    """What came of a check, without what a second one draws anew."""
    return json.loads(json.dumps(result.sections, default=str))


def test_a_check_that_is_not_done_holds_no_value_of_a_person(store, run, telling, tmp_path):
    whole = sections_of(check_run(store, run.id, ATTEMPT, actor=ACTOR))
    assert whole["privacy"]["leaks"]["num"] == ASKED
    once = len(telling())
    with pytest.raises(Stopped):
        check_run(store, run.id, ATTEMPT, actor=ACTOR, should_stop=lambda: len(telling()) >= once + 9)
    before = len(telling()) - once
    assert 9 <= kept(store) == before < ASKED
    on_disk = bytes_of(tmp_path)
    assert [value for value in RAW if value.encode() in on_disk] == []
    # Its verdicts are those of a check that was not stopped.
    assert sections_of(check_run(store, run.id, ATTEMPT, actor=ACTOR)) == whole
    assert len(telling()) - once == ASKED
    assert [value for value in RAW if value.encode() in bytes_of(tmp_path)] == []


def test_other_settings_read_the_answers_anew(store, run, telling):
    with pytest.raises(Stopped):
        check_run(store, run.id, ATTEMPT, actor=ACTOR, should_stop=lambda: len(telling()) >= 9)
    before = len(telling())
    allowed = ("GB29NWBK60161331926819", "k.ormskirk@example.org", "07700 900982", "AKIAIOSFODNN7EXAMPLE")
    save_options(store, run.project_id, SafetyOptions(allowed=allowed), actor=ACTOR)
    result = check_run(store, run.id, ATTEMPT, actor=ACTOR)
    assert len(telling()) == before + ASKED
    assert result.sections["privacy"]["by_standing"]["answer"]["allowed"] == ASKED * len(allowed)


@pytest.mark.slow
def test_a_worker_that_is_killed_leaves_no_value_of_a_person(store, run, telling, tmp_path):
    Path(tmp_path / "slow").touch()
    job = start_check(store, run.id, ATTEMPT, actor=ACTOR)
    until(lambda: kept(store) >= 5, "nothing was kept")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    assert [value for value in RAW if value.encode() in bytes_of(tmp_path)] == []
    (tmp_path / "slow").unlink()
    jobs.resume(store, job.id, ACTOR)
    assert jobs.wait(store, job.id, seconds=120).state is JobState.FINISHED
    result = latest_result(store, run.id)
    assert (result.made_from["asked"], result.sections["privacy"]["leaks"]["num"]) == (ASKED, ASKED)
    assert [value for value in RAW if value.encode() in bytes_of(tmp_path)] == []


@pytest.mark.slow
def test_a_worker_that_is_killed_goes_on_where_it_was(store, run, asked, tmp_path):
    Path(tmp_path / "slow").touch()
    job = start_check(store, run.id, ATTEMPT, actor=ACTOR)
    until(lambda: len(asked()) >= 9, "the target was not asked")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    (tmp_path / "slow").unlink()
    jobs.resume(store, job.id, ACTOR)
    ended = jobs.wait(store, job.id, seconds=120)
    assert ended.state is JobState.FINISHED, ended.error
    assert len(set(asked())) == ASKED
    # What was in flight, or just answered and not committed, at the kill.
    assert len(asked()) <= ASKED + 2
    assert latest_result(store, run.id).made_from["asked"] == ASKED
