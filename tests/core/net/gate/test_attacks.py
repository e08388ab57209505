"""What an attacker with a validator's role would try, through the doors that a validator has."""

import json
import sys

import pytest

from core.domain.errors import PlumblineError
from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.domain.sources.projects import Role
from core.jobs import get, start
from core.jobs.worker import execute
from core.llm import endpoint_settings
from core.net.gate import resolving_with
from core.project.service import create_project
from core.runs.service import EVALUATE, create_run
from core.sources.service import connect_database
from core.store import projects
from core.store.results import runs
from core.store.trail import audit
from tests.support.bank_cases import bank_project
from tests.support.servers.answer_server import AnswerServer
from tests.support.servers.listening import listening

SECRET = "hunter2-the-servers-own-secret"
EVA = "eva@bank.example"


@pytest.fixture
def team(store, monkeypatch):
    """A server with sign-in and a project in which Eva is a validator."""
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    monkeypatch.setenv("SERVER_SECRET", SECRET)
    for name in ("ALLOWED_HOSTS", "HOST_VARIABLES", "LLM_KEY", "LLM_KEY_HOSTS"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    project = create_project(store, "Bank", actor=EVA)
    with store.write("operator", "test", project_id=project.id) as connection:
        projects.set_role(connection, project.id, EVA, Role.VALIDATOR)
    return project


def refused(act):
    with pytest.raises(PlumblineError) as error:
        act()
    said = f"{error.value.message} {error.value.hint} {error.value.__cause__!r}"
    assert SECRET not in said
    assert error.value.hint
    return error.value


DATABASES = {
    "user": "postgresql+psycopg://${{SERVER_SECRET}}@127.0.0.1:{port}/x",
    "password": "postgresql+psycopg://u:${{SERVER_SECRET}}@127.0.0.1:{port}/x",
    "name": "postgresql+psycopg://u@127.0.0.1:{port}/${{SERVER_SECRET}}",
    "option": "postgresql+psycopg://u@127.0.0.1:{port}/x?application_name=${{SERVER_SECRET}}",
    "host option": "postgresql+psycopg://u:${{SERVER_SECRET}}@db.bank.example/x?host=127.0.0.1&port={port}",
    "address option": "postgresql+psycopg://u:${{SERVER_SECRET}}@db.bank.example:{port}/x?hostaddr=127.0.0.1",
    "several hosts": "postgresql+psycopg://u:${{SERVER_SECRET}}@/x?host=db.bank.example:1&host=127.0.0.1:{port}",
    "no variable at all": "postgresql+psycopg://u@127.0.0.1:{port}/x",
}


@pytest.mark.parametrize("address", DATABASES.values(), ids=DATABASES)
@pytest.mark.parametrize("hosts", ["", "db.bank.example"])
def test_a_validator_cannot_send_the_servers_variables_to_a_postgresql_server(team, store, monkeypatch, address, hosts):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", hosts)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with listening("postgresql") as server:
        refused(lambda: connect_database(store, team.id, address.format(port=server.port), actor=EVA))
        assert server.heard == []


@pytest.mark.parametrize("part", ["u:${{SERVER_SECRET}}@", "${{SERVER_SECRET}}@", "u@"])
def test_nor_to_a_mariadb_server(team, store, part):
    with listening("mariadb") as server:
        address = f"mariadb+pymysql://{part}127.0.0.1:{server.port}/x".replace("{{", "{").replace("}}", "}")
        refused(lambda: connect_database(store, team.id, address, actor=EVA))
        assert server.heard == []


def test_a_host_that_is_allowed_gets_only_the_variables_that_are_named_for_it(team, store, monkeypatch):
    with listening("postgresql") as server:
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
        monkeypatch.setenv("PGPASSWORD", SECRET)
        for part in ("${SERVER_SECRET}", "u:${SERVER_SECRET}"):
            address = f"postgresql+psycopg://{part}@127.0.0.1:{server.port}/x"
            error = refused(lambda address=address: connect_database(store, team.id, address, actor=EVA))
            assert "SERVER_SECRET is not named for 127.0.0.1" in error.message
            assert "PLUMBLINE_HOST_VARIABLES" in error.hint
        assert server.heard == []
        # Without a password of its own the library would send the operator's.
        refused(
            lambda: connect_database(store, team.id, f"postgresql+psycopg://u@127.0.0.1:{server.port}/x", actor=EVA)
        )
        assert server.heard
        assert SECRET.encode() not in server.all
        monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "127.0.0.1=SERVER_SECRET")
        # The server repeats what it got, which must not come out again.
        refused(lambda: connect_database(store, team.id, address, actor=EVA))
        assert SECRET.encode() in server.all


def test_a_hostile_server_gets_no_file_of_this_machine(store, tmp_path):
    project = create_project(store, "Bank", actor="local")
    with listening("mariadb") as server:
        address = f"mariadb+pymysql://u@127.0.0.1:{server.port}/x"
        refused(lambda: connect_database(store, project.id, address, actor="local"))
        refused(lambda: connect_database(store, project.id, f"{address}?local_infile=1", actor="local"))
    with open("/etc/hostname", "rb") as file:
        name = file.read().strip()
    assert name not in server.all


def test_a_secret_is_not_in_the_path_of_a_file_either(team, store):
    error = refused(lambda: connect_database(store, team.id, "sqlite:///${SERVER_SECRET}", actor=EVA))
    assert "SERVER_SECRET" in error.message


def endpoint(project, **settings):
    return Endpoint(id="", project_id=project.id, **{"name": "E", "base_url": "http://127.0.0.1:9/v1", **settings})


@pytest.mark.parametrize(
    "settings",
    [
        {"key_env": "SERVER_SECRET"},
        {"headers": {"X-Key": "${SERVER_SECRET}"}},
        {"headers": {"Authorization": "Bearer ${SERVER_SECRET}"}},
        {"proxy": "http://u:${SERVER_SECRET}@127.0.0.1:9"},
        {"proxy": "http://${SERVER_SECRET}@127.0.0.1:9"},
        {"key_env": "PLUMBLINE_LLM_KEY"},
    ],
    ids=str,
)
def test_an_endpoint_gets_only_the_variables_that_are_named_for_it(team, store, monkeypatch, settings):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
    monkeypatch.setenv("PLUMBLINE_LLM_KEY", SECRET)
    error = refused(lambda: endpoint_settings.save(store, endpoint(team, **settings), actor=EVA))
    assert "is not named for 127.0.0.1:9" in error.message
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "127.0.0.1:9 = SERVER_SECRET, PLUMBLINE_LLM_KEY")
    endpoint_settings.save(store, endpoint(team, **settings), actor=EVA)


def test_nobody_learns_which_variables_the_server_has(team, store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
    foreign = endpoint(team, key_env="SERVER_SECRET")
    assert endpoint_settings.variables(foreign) == {"SERVER_SECRET": False}
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "127.0.0.1=SERVER_SECRET")
    assert endpoint_settings.variables(foreign) == {"SERVER_SECRET": True}
    not_set = refused(
        lambda: connect_database(store, team.id, "postgresql+psycopg://u:${NOT_THERE}@127.0.0.1/x", actor=EVA)
    )
    there = refused(lambda: connect_database(store, team.id, "postgresql+psycopg://u:${PATH}@127.0.0.1/x", actor=EVA))
    assert not_set.message.replace("NOT_THERE", "PATH") == there.message


def test_a_target_gets_only_the_variables_that_are_named_for_it(store, tmp_path, monkeypatch):
    _, test_set = bank_project(store, tmp_path)
    monkeypatch.setenv("SERVER_SECRET", SECRET)
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "rag.bank.example=SERVER_SECRET")
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        path = tmp_path / "target.yaml"
        for part in ({"headers": {"X-Key": "${SERVER_SECRET}"}}, {"url": f"{server.url}?q=${{SERVER_SECRET}}"}):
            path.write_text(json.dumps(server.config(**part)), encoding="utf-8")
            refused(lambda: create_run(store, test_set.id, actor="local", target=f"http:{path}"))
        body = {"q": "{{question}}", "key": "${SERVER_SECRET}"}
        path.write_text(json.dumps(server.config(request=body)), encoding="utf-8")
        refused(lambda: create_run(store, test_set.id, actor="local", target=f"http:{path}"))
        assert server.requests == []


def test_a_refusal_is_in_the_audit_trail_once_and_without_a_secret(team, store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "db.bank.example")
    for act in (
        lambda: connect_database(store, team.id, "postgresql+psycopg://u@evil.example:99/x", actor=EVA),
        lambda: connect_database(
            store, team.id, "postgresql+psycopg://u:${SERVER_SECRET}@db.bank.example/x", actor=EVA
        ),
        lambda: endpoint_settings.save(store, endpoint(team, base_url="http://169.254.169.254/v1"), actor=EVA),
    ):
        refused(act)
    with store.read() as connection:
        entries = [entry for entry in audit.entries(connection, team.id) if entry.action == "destination.refuse"]
        assert audit.verify(connection).ok
    assert [(entry.actor, entry.subject) for entry in reversed(entries)] == [
        (EVA, "evil.example:99"),
        (EVA, "db.bank.example"),
        (EVA, "169.254.169.254"),
    ]
    assert "SERVER_SECRET is not named" in entries[1].detail
    assert SECRET not in str(entries)


@pytest.mark.slow
def test_a_name_that_leads_elsewhere_in_the_middle_of_a_run_is_in_the_audit_trail_once(store, tmp_path):
    project, test_set = bank_project(store, tmp_path)
    path = tmp_path / "target.yaml"
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        settings = server.config(url="http://rag.bank.example/ask", concurrency=1)
    path.write_text(json.dumps(settings), encoding="utf-8")
    run = create_run(store, test_set.id, actor="local", target=f"http:{path}")
    nobody = [sys.executable, "-c", ""]
    job = start(store, project_id=project.id, kind=EVALUATE, params={"run_id": run.id}, actor="local", command=nobody)
    with resolving_with(lambda host, port: ["169.254.169.254"]):
        # One question after another, so that it stops for its first ten failures whatever the machine does.
        assert execute(store, job.id) is JobState.FAILED
    assert "leads to 169.254.169.254" in get(store, job.id).error
    with store.read() as connection:
        entries = [entry for entry in audit.entries(connection, project.id) if entry.action == "destination.refuse"]
        answers = runs.responses(connection, run.id).values()
    assert [(entry.actor, entry.subject) for entry in entries] == [("local", "rag.bank.example")]
    assert "leads to 169.254.169.254" in entries[0].detail
    assert len(answers) > 1
    assert all("leads to 169.254.169.254" in answer.error for answer in answers)
