"""An experiment and a comparison of judges on PostgreSQL say what they say on SQLite."""

from contextlib import ExitStack

import pytest

from core.diagnosis.service.three_way import EXPERIMENT, compare, find_experiment
from core.diagnosis.three_way import Mode
from core.domain.identity import new_id
from core.judges.comparing import judge_again
from core.judges.comparison import compare_judges, judge_disagreements
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.sources.service import connect_corpus
from core.store.database import Store
from tests.support.runs.compared_run import add_run, model
from tests.support.runs.three_runs import frozen_set
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, write_documents
from tests.support.stores import store_url

DATABASES = ("sqlite", "postgresql")


@pytest.fixture
def stores(tmp_path, monkeypatch):
    """A blank store of each kind; skips where no server answers."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with ExitStack() as opened:
        urls = [opened.enter_context(store_url(name, tmp_path)) for name in DATABASES]
        yield [opened.enter_context(Store.open(url)) for url in urls]


def read_aloud(body):
    """Knows branch 1 by heart, and else says which page it was given."""
    asked = " ".join(message["content"] for message in body["messages"])
    if "branch 1?" in asked:
        return "City 1"
    return next((f"City {number}" for number in range(6) if f"Branch is in City {number}" in asked), "I do not know.")


def experiment(store, documents, spec):
    project = create_project(store, "Bank", ACTOR).id
    connect_corpus(store, project, documents, actor=ACTOR)
    test_set = frozen_set(store, project, 6)
    shared = {EXPERIMENT: new_id("exp"), "k": 1}
    for mode in Mode:
        run = create_run(
            store, test_set.id, actor=ACTOR, target=f"openai:{spec}", options={**shared, "mode": str(mode)}
        )
        assert execute_run(store, run.id, actor=ACTOR)
    return compare(store, find_experiment(store, project, shared[EXPERIMENT])).three.as_json()


@pytest.mark.slow
def test_an_experiment_says_the_same(stores, tmp_path):
    documents = write_documents(tmp_path / "documents")
    with LlmServer(read_aloud) as server:
        on_sqlite, on_postgresql = (experiment(store, documents, server.spec()) for store in stores)
    assert on_sqlite["judged"] > 0
    assert on_postgresql == on_sqlite


def judged(store, spec):
    run = add_run(store, create_project(store, "Judges", ACTOR).id)
    specs = ["match", f"llm:{spec}", f"ragas_fact:{spec}", f"self_check_qa:{spec}"]
    assert judge_again(store, run.id, specs, actor=ACTOR)
    found = compare_judges(store, run.id)
    return found, [judge_disagreements(store, run.id, item.key) for item in found.judges]


@pytest.mark.slow
def test_judges_compare_the_same(stores):
    with LlmServer(model) as server:
        on_sqlite, on_postgresql = (judged(store, server.spec()) for store in stores)
        asked = len(server.bodies)
    assert len(on_sqlite[0].judges) == 4
    assert on_postgresql == on_sqlite
    assert asked % 2 == 0, "each store has a ledger of its own"
