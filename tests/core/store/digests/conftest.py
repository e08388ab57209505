from collections.abc import Iterator

import pytest

from tests.core.store.conftest import store  # noqa: F401
from tests.support.stores import schemas, store_url  # noqa: F401


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path) -> Iterator[str]:
    """A blank store on each database. What is done to every table goes through PostgreSQL with what takes long."""
    with store_url(request.param, tmp_path) as found:
        yield found
