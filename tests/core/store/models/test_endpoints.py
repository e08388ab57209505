"""Endpoints of a project on each database."""

from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.llm import Endpoint, Structured
from core.store.models import calls, endpoints
from tests.support.models.ledger_calls import plain_call
from tests.support.stores import with_run

BANK = Endpoint(
    id="end_1",
    project_id="prj_1",
    name="Bank",
    base_url="https://llm.bank.example/v1",
    key_env="BANK_KEY",
    headers={"api-key": "${BANK_KEY}", "X-Team": "Grün"},
    api_version="2024-10-21",
    ca_bundle="/etc/ca.pem",
    proxy="http://u:${PW}@proxy.bank.example:3128",
    timeout_s=12.5,
    deadline_s=99.0,
    concurrency=31,
    structured=Structured.JSON,
    created_at="2026-01-01T00:00:00+00:00",
    created_by="anna",
)


@pytest.fixture
def project(store):
    with_run(store)
    return store


def put(store, *rows):
    with store.pulse() as connection:
        for endpoint in rows:
            endpoints.put(connection, endpoint)


def test_an_endpoint_comes_back_as_it_was_and_is_replaced_by_its_id(project):
    put(project, BANK)
    with project.read() as connection:
        assert endpoints.get(connection, "end_1") == BANK
    put(project, replace(BANK, name="Other", headers={}))
    with project.read() as connection:
        assert endpoints.all(connection, "prj_1") == [replace(BANK, name="Other", headers={})]


def test_the_newest_of_an_address_is_found_and_only_in_its_project(project):
    put(
        project, BANK, replace(BANK, id="end_2", name="Newer"), replace(BANK, id="end_3", name="c", base_url="http://c")
    )
    with project.read() as connection:
        assert endpoints.at(connection, "prj_1", BANK.base_url).id == "end_2"
        assert endpoints.at(connection, "prj_1", "http://c").id == "end_3"
        assert endpoints.at(connection, "prj_2", BANK.base_url) is None
        assert endpoints.at(connection, "prj_1", "http://d") is None
        assert [endpoint.id for endpoint in endpoints.all(connection, "prj_1")] == ["end_1", "end_2", "end_3"]
        assert endpoints.all(connection, "prj_2") == []


def test_two_of_one_name_or_one_of_no_project_are_refused(project):
    put(project, BANK)
    with pytest.raises(Conflict):
        put(project, replace(BANK, id="end_2"))
    with pytest.raises(Conflict):
        put(project, replace(BANK, id="end_3", project_id="nosuch"))


def test_an_endpoint_that_is_forgotten_leaves_its_calls(project):
    put(project, BANK)
    with project.pulse() as connection:
        calls.add(connection, [plain_call(1, project="prj_1", endpoint=BANK.base_url)], [])
        endpoints.remove(connection, "end_1")
    with project.read() as connection:
        assert calls.get(connection, "call_1").endpoint == BANK.base_url
        with pytest.raises(NotFound, match="end_1"):
            endpoints.get(connection, "end_1")
    with project.pulse() as connection, pytest.raises(NotFound):
        endpoints.remove(connection, "end_1")
