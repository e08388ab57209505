"""A blank store whose ledger the judges of these tests write."""

import pytest

from core.llm import open_chat
from core.store.database import Store
from tests.support.stores import blank_url


@pytest.fixture
def ask(tmp_path):
    """Opens the model of a ``MODEL@BASE_URL``, as a run does."""
    with Store.open(blank_url(tmp_path)) as store:
        yield lambda spec: open_chat(store, "", spec)
