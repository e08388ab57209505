"""Templates by a model over databases on servers, and in a store on one: as from a file in a file, rows kept here."""

import pytest

from core.domain.testset.templates import TemplateStatus
from core.project.service import create_project
from core.sources.service import connect_database
from core.store.database import Store
from core.testset.grounded.wording.checks import ROUND_TRIP
from core.testset.templates.generating import generate, generation_result
from core.testset.templates.llm_requests import Generation
from core.testset.templates.review import set_sql_status
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER, Bank
from tests.core.testset.grounded.llm.script import on_the_wire, part
from tests.core.testset.templates.test_generating import context_of
from tests.support.databases.source_servers import database
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, CITIES, MANAGERS, bank_statements
from tests.support.stores import store_url

OF_PAIR = (
    "SELECT branch.city FROM account JOIN branch ON account.branch_id = branch.branch_id "
    "WHERE account.name = '[account.name]'"
)
MANAGER_SHORT = "Who runs branch '[branch.name]'?"
FLAVOURS = [("sqlite", "postgresql"), ("sqlite", "mariadb"), ("postgresql", "sqlite"), ("postgresql", "postgresql")]
"""Where the store is, and where the database."""


def script(body):
    """Two templates of branches and one of a pair; the second wording is read as a question for the manager."""
    question = part(body, "question")
    if question:
        column = "manager" if question == MANAGER_SHORT else "city"
        return {"sql": f"SELECT {column} FROM branch WHERE branch.name = '[branch.name]'", "reason": ""}
    if part(body, "query"):
        return {"wordings": [CITY_SHORT, MANAGER_SHORT]}
    return {"templates": {"branch": [CITY, MANAGER], "account\nbranch": [OF_PAIR]}.get(part(body, "tables"), [])}


@pytest.mark.slow
@pytest.mark.parametrize(("store_on", "database_on"), FLAVOURS)
def test_templates_wordings_and_round_trips(tmp_path, monkeypatch, store_on, database_on):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with (
        database(database_on, bank_statements(), tmp_path) as address,
        store_url(store_on, tmp_path / "data") as url,
        Store.open(url) as store,
        LlmServer(script) as server,
    ):
        bank = Bank(store, create_project(store, "Bank", ACTOR).id, tmp_path)
        connect_database(store, bank.project_id, address, actor=ACTOR)
        generate(context_of(bank, Generation(what="sql", model=server.spec(), sizes=(1, 2), per_set=2), "job_sql"))
        assert [template.sql for template in bank.sql()] == [CITY, MANAGER, OF_PAIR]
        assert all(template.sql_with_ids for template in bank.sql())
        assert all(check.passed for template in bank.sql() for check in template.checks)
        asked = next(template.id for template in bank.sql() if template.sql == CITY)
        assert set_sql_status(store, bank.project_id, [asked], TemplateStatus.APPROVED, actor=ACTOR) == []
        wanted = Generation(what="text", model=server.spec(), forms={"short": ""}, n=2, round_trip=True)
        generate(context_of(bank, wanted, "job_text"))
        trips = {text.text: check for text in bank.texts() for check in text.checks if check.name == ROUND_TRIP}
        assert trips[CITY_SHORT].passed, trips[CITY_SHORT].message
        assert "equal results for 6 of 6" in trips[CITY_SHORT].message
        assert "Results differ for 6 of 6" in trips[MANAGER_SHORT].message
        assert generation_result(store, "job_text")["round_trips"]["flagged"] == 1
        sent = len(server.bodies)
        generate(context_of(bank, wanted, "job_again"))
        assert len(server.bodies) == sent
        wire = on_the_wire(server)
    assert not [value for value in (*CITIES, *MANAGERS) if value in wire]
