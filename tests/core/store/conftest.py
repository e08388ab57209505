from collections.abc import Iterator

import pytest

from core.store.database import Store
from tests.support.stores import empty_place, schemas, store_url  # noqa: F401


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path) -> Iterator[str]:
    """A place for a store on each database; PostgreSQL only where a server answers.

    It is blank where the test wants a store and nothing where it wants to make one itself.
    """
    place = store_url if "store" in request.fixturenames else empty_place
    with place(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened
