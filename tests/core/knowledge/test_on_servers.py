"""Documents from databases on servers, and in a store on one: the same, byte for byte, as from a file in a file."""

import pytest

from core.domain.sources.projects import SourceKind
from core.domain.testset.templates import TemplateStatus
from core.knowledge.building import Build, build_documents, build_result
from core.knowledge.coverage import project_coverage
from core.project.service import create_project
from core.sources.service import connect_database
from core.store import sources
from core.store.database import Store
from core.store.testset import templates
from core.testset.templates.review import propose_sql_templates, set_sql_status
from tests.support.databases.source_servers import database
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, bank_statements
from tests.support.stores import store_url

FURTHER = [
    "CREATE TABLE product (code VARCHAR(20) PRIMARY KEY, price DECIMAL(10, 2), launched_on DATE)",
    "CREATE TABLE offer (branch_id INTEGER REFERENCES branch(branch_id), code VARCHAR(20) REFERENCES product(code),"
    " since DATE, PRIMARY KEY (branch_id, code))",
    "INSERT INTO product VALUES ('Home Saver', 12.75, '2014-05-03'), ('Loan X', 0.75, NULL)",
    "INSERT INTO offer VALUES (1, 'Home Saver', '2020-01-02'), (1, 'Loan X', NULL), (2, 'Home Saver', '2021-03-04')",
]
"""Keys of several columns, dates, sums and rows that tie others together."""


def project_of(store, address, name="Bank"):
    project_id = create_project(store, name, ACTOR).id
    connect_database(store, project_id, address, actor=ACTOR)
    return project_id


def built(store, project_id, build):
    source, result = build_documents(store, project_id, build, actor=ACTOR)
    assert build_result(store, source) == result
    with store.read() as connection:
        assert sources.latest(connection, project_id, SourceKind.CORPUS).id == source.id
        return source, {item.id: item.text for item in sources.documents(connection, source.id)}


@pytest.fixture
def from_file(store, tmp_path):
    """The documents of the same rows in a file."""
    with database("sqlite", [*bank_statements(), *FURTHER], tmp_path) as address:
        return built(store, project_of(store, address), Build())[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_rules_write_of_a_server_what_they_write_of_a_file(store, from_file, tmp_path, kind):
    with database(kind, [*bank_statements(), *FURTHER], tmp_path) as address:
        _, documents = built(store, project_of(store, address, "On a server"), Build())
    assert documents == from_file
    assert len(documents) == 6 + 12 + 2
    assert "the since of" not in documents["branch:1"]
    assert "2014-05-03" in documents["product:Home Saver"]
    assert "12.75" in documents["product:Home Saver"]


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_model_is_sent_the_same_rows_and_each_fact_is_found(store, tmp_path, kind):
    with (
        LlmServer(lambda body: body["messages"][-1]["content"]) as server,
        database(kind, [*bank_statements(), *FURTHER], tmp_path) as address,
    ):
        build = Build(method="llm", model=server.spec(), send_rows=True)
        _, result = build_documents(store, project_of(store, address), build, actor=ACTOR)
        assert result.writers == {"model": 20}
        assert len(server.bodies) == 20


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_what_the_templates_ask_of_a_server_is_covered(store, tmp_path, kind):
    with database(kind, bank_statements(), tmp_path) as address:
        project_id = project_of(store, address)
        propose_sql_templates(store, project_id, actor=ACTOR)
        with store.read() as connection:
            every = templates.sql(connection, project_id)
        # Every branch has its city in its name, so that asking for the city would give the answer away.
        told = [template.id for template in every if template.sql.startswith("SELECT city FROM branch")]
        ids = [template.id for template in every]
        assert set_sql_status(store, project_id, ids, TemplateStatus.APPROVED, actor=ACTOR) == told
        build_documents(store, project_id, Build(), actor=ACTOR)
        result = project_coverage(store, project_id)
    assert result.facts.num == result.facts.den > 20
    assert result.ids.num == result.ids.den > 10


def test_a_store_on_a_server_keeps_the_same_documents(from_file, tmp_path):
    with (
        database("sqlite", [*bank_statements(), *FURTHER], tmp_path / "again") as address,
        store_url("postgresql", tmp_path) as url,
        Store.open(url) as store,
        LlmServer(lambda body: body["messages"][-1]["content"]) as server,
    ):
        project_id = project_of(store, address)
        assert built(store, project_id, Build())[1] == from_file
        by_model = Build(method="llm", model=server.spec(), send_rows=True, tables=("branch",))
        first = built(store, project_id, by_model)[1]
        assert built(store, project_id, by_model)[1] == first
        assert len(server.bodies) == 6
