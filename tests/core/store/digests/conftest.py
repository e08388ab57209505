from tests.core.store.conftest import store, url  # noqa: F401
from tests.support.stores import schemas  # noqa: F401
