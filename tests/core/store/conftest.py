from collections.abc import Iterator

import pytest

from core.store.database import Store
from tests.support.stores import blank_url, schemas, store_url  # noqa: F401


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path) -> Iterator[str]:
    """A place for a store on each database; PostgreSQL only where a server answers.

    It is blank where the test wants a store and nothing where it wants to make one itself.
    """
    if "store" not in request.fixturenames:
        with store_url(request.param, tmp_path) as found:
            yield found
    elif request.param == "sqlite":
        yield blank_url(tmp_path)
    else:
        with request.getfixturevalue("schemas").blank() as found:
            yield found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened
