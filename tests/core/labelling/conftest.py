import pytest

from core.domain.results.labels import Level
from core.labelling.criteria import create_criterion
from core.store.database import Store
from tests.support.runs.answered_run import answered_run
from tests.support.stores import store_url

FOUR = tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3, 4))


@pytest.fixture
def url(request, tmp_path):
    """A blank store, on PostgreSQL where a test asks for it: `parametrize("url", ["postgresql"], indirect=True)`."""
    with store_url(getattr(request, "param", "sqlite"), tmp_path) as found:
        yield found


@pytest.fixture
def store(url):
    with Store.open(url) as opened:
        yield opened


@pytest.fixture
def run(store):
    """Twelve cases c0 to c11, two a group, all but the last answered."""
    return answered_run(store)


@pytest.fixture
def correct(store, run):
    """The id of a criterion with the levels 0 and 1."""
    return create_criterion(store, run.project_id, name="Correct", question="Is it?", kind="binary", actor="val").id


@pytest.fixture
def useful(store, run):
    """The id of a criterion with the levels 1 to 4, accepted from 3."""
    return create_criterion(
        store, run.project_id, name="Useful", question="Is it?", kind="likert", levels=FOUR, accept_from=3, actor="val"
    ).id
