"""A blank store whose ledger the models of these tests write."""

import pytest

from core.llm import open_chat
from core.store.database import Store
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def ask(store):
    """Opens the model of a ``MODEL@BASE_URL``, as a run does."""
    return lambda spec: open_chat(store, "", spec)
