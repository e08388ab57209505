"""A small bank taken through a run, and a run whose texts are hostile."""

from __future__ import annotations

import shutil

import pytest

from core.store import projects
from core.store.database import Store
from core.store.results import runs
from core.weakness.findings.service import record_findings
from tests.support.runs.reported_run import reported_run
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, request):
    """An empty store; with the small bank in it for a test that takes `bank_run`."""
    if "bank_run" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("finished_data"), tmp_path / "data")
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def hostile(store):
    """The run with hostile texts and private data."""
    return reported_run(store)


@pytest.fixture
def bank_run(store):
    """A finished run of the keyword target on a small bank, with recorded findings."""
    with store.read() as connection:
        (project,) = projects.all(connection)
        (run,) = runs.all(connection, project.id)
    record_findings(store, run.id, "verdict", None, ACTOR)
    return run
