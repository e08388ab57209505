"""An experiment with a model behind a scripted server: asked without documents, with the gold ones, and live."""

import pytest

from core import jobs
from core.diagnosis.service.three_way import compare, find_experiment, start_experiment, targets_with_modes
from core.diagnosis.three_way import Mode
from core.domain.errors import Forbidden, InvalidInput
from core.domain.sources.projects import Role
from core.project.service import create_project, ensure_member
from core.sources.service import connect_corpus
from core.store.database import Store
from core.store.results import runs
from tests.support.runs.three_runs import frozen_set
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, write_documents
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR).id


def test_what_cannot_be_started_leaves_nothing(store, project, tmp_path):
    connect_corpus(store, project, write_documents(tmp_path / "documents"), actor=ACTOR)
    test_set = frozen_set(store, project, 2)
    with pytest.raises(InvalidInput):
        start_experiment(store, test_set.id, actor=ACTOR, target="openai:no-address")
    ensure_member(store, project, "vic", Role.VIEWER, actor=ACTOR)
    with LlmServer() as server, pytest.raises(Forbidden):
        start_experiment(store, test_set.id, actor="vic", target=f"openai:{server.spec('m')}")
    with store.read() as connection:
        assert runs.all(connection, project) == []


@pytest.mark.slow
def test_a_model_is_asked_in_three_ways(store, project, tmp_path):
    """The model knows branch 1 by heart and reads what it is given; live retrieval gives it one page."""
    assert "openai" in targets_with_modes()
    connect_corpus(store, project, write_documents(tmp_path / "documents"), actor=ACTOR)
    test_set = frozen_set(store, project, 6)

    def script(body):
        asked = " ".join(message["content"] for message in body["messages"])
        return "City 1" if "branch 1?" in asked else "I do not know."

    with LlmServer(script) as server:
        found = start_experiment(store, test_set.id, actor=ACTOR, target=f"openai:{server.spec('m')}")
        assert set(found.runs) == set(Mode)
        for run in found.runs.values():
            ended = jobs.wait(store, run.job_id, seconds=60)
            assert not ended.error
        found = find_experiment(store, project, found.id)
        assert found.finished
        told = {run.id: run.options["mode"] for run in found.runs.values()}
        assert set(told.values()) == {"closed_book", "oracle", "retrieval"}
        three = compare(store, found).three
    assert three.accuracy[Mode.CLOSED_BOOK].num == 1
    assert sum(share.num for share in three.parts.values()) == 6
    # Branch 0 has no document, so the oracle run has no gold document to give.
    assert three.missing[Mode.ORACLE] >= 1
