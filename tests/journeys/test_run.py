"""A run goes on while its tab is closed, reloaded or opened twice; the system answers when the test lets it."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core import jobs
from core.domain.jobs import JobState
from core.runs.service import create_run
from core.store.database import Store
from core.store.results import runs
from tests.support.application import server
from tests.support.application.screen import click, settle
from tests.support.processes.stopped_job import wait_until_told
from tests.support.servers.answer_server import AnswerServer, Request
from tests.support.small_bank import ACTOR

pytestmark = [pytest.mark.journey, pytest.mark.slow]

WAIT_S = 180
"""How long a test waits for a worker or a screen; only a test that fails waits so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """A run of the small bank whose system under test says nothing before `released` is set."""

    address: str
    store: Store
    run_id: str
    system: AnswerServer
    released: threading.Event

    def job_id(self) -> str:
        with self.store.read() as connection:
            return runs.get(connection, self.run_id).job_id

    def wait_for(self, state: JobState) -> None:
        """Waits until the run's job has come to a state."""
        until = time.monotonic() + WAIT_S
        while not (job_id := self.job_id()) or jobs.get(self.store, job_id).state is not state:
            assert time.monotonic() < until, f"the job is not {state}: {job_id and jobs.get(self.store, job_id)}"
            time.sleep(0.1)

    def answered(self) -> tuple[int, int, int]:
        """Answers, different cases among them, and cases there are."""
        with self.store.read() as connection:
            test_set_id = runs.get(connection, self.run_id).test_set_id
        with closing(sqlite3.connect(str(self.store.folder / "plumbline.sqlite"))) as rows:  # type: ignore[operator]
            of_set = "SELECT count(*) FROM cases WHERE excluded = '' AND test_set_id = ?"
            counts = "SELECT count(*), count(DISTINCT case_id) FROM responses WHERE run_id = ?"
            (answers, different), (cases,) = (
                rows.execute(counts, (self.run_id,)).fetchone(),
                rows.execute(of_set, (test_set_id,)).fetchone(),
            )
        return answers, different, cases


@contextmanager
def planned(data: Path, folder: Path) -> Iterator[Going]:
    """A run that nobody has started, in a data folder that nobody serves."""
    released = threading.Event()

    def script(request: Request) -> object:
        released.wait(WAIT_S)
        return {"answer": "I do not know."}

    with AnswerServer(script) as system, Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        target = folder / "target.yaml"
        target.write_text(json.dumps(system.config(concurrency=4, timeout_s=WAIT_S)), encoding="utf-8")
        with store.read() as connection:
            first = runs.all(connection, None)[-1]
        run = create_run(store, first.test_set_id, actor=ACTOR, target=f"http:{target}")
        yield Going(address="", store=store, run_id=run.id, system=system, released=released)
        released.set()


@pytest.fixture
def going(own_bank: Path, tmp_path: Path) -> Iterator[Going]:
    with planned(own_bank, tmp_path) as run, server.running(own_bank, sample=False) as address:
        yield replace(run, address=address)
        run.released.set()


def test_a_reload_in_the_middle_of_a_run_loses_nothing(going: Going, visit: Callable[[str], Page]) -> None:
    page = visit(f"{going.address}/evaluate?run={going.run_id}")
    click(page.get_by_role("button", name="Start it"))
    going.wait_for(JobState.RUNNING)
    expect(page.locator(".st-key-run_job_panel")).to_be_visible()
    page.reload()
    expect(page).to_have_url(re.compile(f"run={going.run_id}"))
    expect(page.locator(".st-key-run_job_panel")).to_be_visible()
    link = page.url
    page.close()
    going.released.set()

    again = visit(link)
    expect(again.get_by_role("button", name="Read the results")).to_be_visible(timeout=WAIT_S * 1_000)
    expect(again.get_by_text("Interrupted")).to_have_count(0)
    answers, different, cases = going.answered()
    assert answers == different == cases == len(going.system.requests)


def test_a_run_is_stopped_and_resumed(going: Going, visit: Callable[[str], Page]) -> None:
    page = visit(f"{going.address}/evaluate?run={going.run_id}")
    click(page.get_by_role("button", name="Start it"))
    going.wait_for(JobState.RUNNING)
    click(page.get_by_role("button", name="Stop"))
    going.wait_for(JobState.STOPPING)
    wait_until_told(going.store, going.job_id())
    going.released.set()
    click(page.get_by_role("button", name="Resume"))
    expect(page.get_by_role("button", name="Read the results")).to_be_visible(timeout=WAIT_S * 1_000)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    answers, different, cases = going.answered()
    assert answers == different == cases == len(going.system.requests)


def test_a_server_that_is_killed_in_the_middle_of_a_run_comes_back_and_loses_nothing(
    own_bank: Path, tmp_path: Path, visit: Callable[[str], Page]
) -> None:
    port = server.free_port()
    with planned(own_bank, tmp_path) as going:
        with server.process_running(own_bank, port=port, sample=False) as (address, process):
            page = visit(f"{address}/evaluate?run={going.run_id}")
            click(page.get_by_role("button", name="Start it"))
            going.wait_for(JobState.RUNNING)
            # The user sees it going: a page whose server goes while it is drawn may keep what it showed before.
            expect(page.locator(".st-key-run_job_panel")).to_be_visible()
            process.kill()
            process.wait()
            app = page.get_by_test_id("stApp")
            expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
        going.released.set()
        with server.process_running(own_bank, port=port, sample=False):
            # Nobody reloads the page: it finds the new server by itself.
            expect(page.get_by_role("button", name="Read the results")).to_be_visible(timeout=WAIT_S * 1_000)
            expect(page.get_by_test_id("stException")).to_have_count(0)
            expect(page.get_by_text("Interrupted")).to_have_count(0)
        answers, different, cases = going.answered()
        assert answers == different == cases == len(going.system.requests)


def test_a_run_of_one_browser_shows_in_others_without_a_reload(going: Going, visit: Callable[[str], Page]) -> None:
    with going.store.read() as connection:
        project_id = runs.get(connection, going.run_id).project_id
    overview = visit(f"{going.address}/?project={project_id}")
    history = visit(f"{going.address}/evaluate?project={project_id}")
    results = visit(f"{going.address}/results?project={project_id}")
    expect(overview.get_by_text("Latest finished run")).to_be_visible()
    expect(history.get_by_text("Runs of this project")).to_be_visible()
    expect(results.get_by_text("Showing the newest finished run")).to_be_visible()
    settle(results)
    evidence = results.url
    # Another person starts a run elsewhere.
    owner = visit(f"{going.address}/evaluate?run={going.run_id}")
    click(owner.get_by_role("button", name="Start it"))
    going.wait_for(JobState.RUNNING)
    expect(overview.get_by_text("Not finished yet")).to_be_visible(timeout=WAIT_S * 1_000)
    expect(results.get_by_text("a later run is still going")).to_be_visible(timeout=WAIT_S * 1_000)
    going.released.set()
    expect(owner.get_by_role("button", name="Read the results")).to_be_visible(timeout=WAIT_S * 1_000)
    # It ends: the overview counts it, and what somebody reads stays what it was and says that there is a later run.
    expect(overview.get_by_text("Not finished yet")).to_have_count(0, timeout=WAIT_S * 1_000)
    expect(overview.get_by_text(re.compile(r"Latest finished run: .*\bhttp"))).to_be_visible()
    expect(results.get_by_text("a later run is finished")).to_be_visible(timeout=WAIT_S * 1_000)
    assert results.url == evidence
