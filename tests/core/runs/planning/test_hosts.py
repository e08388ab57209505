"""Which hosts a project may call."""

from dataclasses import replace

from core.domain.llm import Endpoint
from core.domain.sources.projects import Source, SourceKind
from core.llm import endpoint_settings
from core.runs.planning.hosts import hosts_of
from core.store import sources
from core.store.results import runs
from tests.support.small_bank import ACTOR

SETTINGS = """\
url: http://rag.bank.example:8080/ask
request: {question: "{{question}}"}
response: {answer: $.answer}
"""


def test_systems_and_models_are_named_once(store, bank, tmp_path):
    project, test_set = bank
    (tmp_path / "rag.yaml").write_text(SETTINGS)
    given = Endpoint(id="", project_id=project.id, name="Bank LLM", base_url="https://llm.bank.example/v1")
    endpoint_settings.save(store, given, actor=ACTOR)
    first = runs.Run(id="run_1", project_id=project.id, test_set_id=test_set.id, target=f"http:{tmp_path}/rag.yaml")
    more = {
        "run_2": {"judge": "llm:m@https://other.example/v1"},
        "run_3": {"target": f"http:{tmp_path}/gone.yaml"},
        "run_4": {"target": "openai:m@https://llm.bank.example/v1", "judge": "match"},
    }
    with store.write(ACTOR, "test.prepare") as connection:
        for run in (first, *(replace(first, id=name, **change) for name, change in more.items())):
            runs.put(connection, run)
    assert {host.name: host.why for host in hosts_of(store, project.id)} == {
        "llm.bank.example": "endpoint Bank LLM",
        "other.example": "judge of a run",
        "rag.bank.example:8080": "system under test of a run",
    }


def test_the_server_of_the_database_is_named_as_long_as_it_may_be_called(store, bank, monkeypatch):
    project, _ = bank
    address = "postgresql+psycopg://u:${BANK_PASSWORD}@db.bank.example:6432/bank"
    source = Source(id="src_pg", project_id=project.id, kind=SourceKind.DATABASE, name="bank", location=address)
    with store.write(ACTOR, "test.prepare") as connection:
        sources.put(connection, source)
    assert {host.name: host.why for host in hosts_of(store, project.id)} == {"db.bank.example:6432": "database bank"}
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "other.example")
    assert hosts_of(store, project.id) == []
