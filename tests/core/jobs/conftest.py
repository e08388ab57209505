from pathlib import Path

import pytest

from core.store.database import Store
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    monkeypatch.delenv("PLUMBLINE_DATABASE_URL", raising=False)
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened
