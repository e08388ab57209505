"""A small bank taken through a run, and a run whose texts are hostile."""

from __future__ import annotations

import pytest

from core.store.database import Store
from core.weakness.findings.service import record_findings
from tests.support.finished_bank import finished_bank
from tests.support.reported_run import reported_run
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def hostile(store):
    """The run with hostile texts and private data."""
    return reported_run(store)


@pytest.fixture
def bank_run(store, tmp_path):
    """A finished run of the keyword target on a small bank, with recorded findings."""
    run = finished_bank(store, tmp_path)
    record_findings(store, run.id, "verdict", None, ACTOR)
    return run
