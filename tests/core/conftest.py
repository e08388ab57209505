from pathlib import Path

import pytest

from core.store.database import Store
from tests.support.bank_cases import bank_project
from tests.support.labels.labelled_store import labelled, labelled_base, made  # noqa: F401
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def bank(store, tmp_path):
    """The small bank's project and its test set of twelve cases."""
    return bank_project(store, tmp_path)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any wait between the attempts of a call."""
    monkeypatch.setattr("core.net.retry.FIRST_WAIT", 0.001)
    monkeypatch.setattr("core.net.retry.LONGEST_WAIT", 0.002)
