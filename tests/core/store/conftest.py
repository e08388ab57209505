import pytest

from core.store.database import Store
from tests.support.stores import blank_url, store_url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """A blank store on each database; PostgreSQL only where a server answers."""
    with store_url(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def store(url, tmp_path):
    if url.startswith("sqlite"):
        blank_url(tmp_path)
    with Store.open(url) as opened:
        yield opened
