import pytest

from core.store.database import Store
from tests.support.stores import postgres_url, sqlite_url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """A blank store on each database; PostgreSQL only where a server answers."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with postgres_url() as found:
        yield found


@pytest.fixture
def store(url):
    with Store.open(url) as opened:
        yield opened
