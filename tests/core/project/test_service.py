import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.sources.projects import Role
from core.project.service import (
    allows,
    create_project,
    delete_project,
    ensure_member,
    rename_project,
    require,
    role_of,
)
from core.store import jobs, projects
from core.store.database import Store
from core.store.results import runs
from core.store.trail import audit
from tests.support.stores import blank_url, with_run


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def test_the_maker_is_the_owner(store):
    project = create_project(store, "  Bank ", "anna", description=" for the audit ")
    assert (project.name, project.description, project.created_by) == ("Bank", "for the audit", "anna")
    assert role_of(store, project.id, "anna") is Role.OWNER
    assert role_of(store, project.id, "bob") is None
    with store.read() as connection:
        assert projects.get(connection, project.id) == project
        assert projects.find(connection, "BANK") == project
        assert projects.sample(connection) is None
        (entry,) = audit.entries(connection, project.id)
    assert (entry.actor, entry.action, entry.subject) == ("anna", "project.create", project.id)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "The project has no name"),
        ("   ", "The project has no name"),
        ("x" * 201, "too long: 201 characters, where a project's name has 200 at most"),
    ],
)
def test_a_name_is_needed(store, name, says):
    with pytest.raises(InvalidInput, match=says):
        create_project(store, name, "anna")


def test_a_long_description_is_refused_and_one_that_is_there_stays(store):
    with pytest.raises(InvalidInput, match="301 characters, where 300 are the most"):
        create_project(store, "Bank", "anna", description="x" * 301)
    project = create_project(store, "Bank", "anna", description="x" * 300)
    with pytest.raises(InvalidInput, match="301 characters"):
        rename_project(store, project.id, "Bank", description="y" * 301, actor="anna")
    renamed = rename_project(store, project.id, "Loans", description="x" * 300, actor="anna")
    assert (renamed.name, renamed.description) == ("Loans", "x" * 300)


def test_a_name_and_the_sample_are_there_once(store):
    create_project(store, "Überbank", "anna", sample=True)
    with pytest.raises(Conflict, match="called überbank already"):
        create_project(store, "überbank", "anna")
    with pytest.raises(Conflict, match="sample project already exists"):
        create_project(store, "Other", "anna", sample=True)
    with store.read() as connection:
        assert len(projects.all(connection)) == 1
        assert audit.count(connection) == 1  # the refused ones left nothing


def test_roles_are_ordered():
    order = [Role.VIEWER, Role.LABELLER, Role.VALIDATOR, Role.OWNER]
    assert [[allows(held, needed) for needed in order] for held in order] == [
        [True, False, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]


def test_the_local_actor_owns_everything_until_a_login_is_required(store, monkeypatch):
    project = create_project(store, "Bank", "anna")
    require(store, project.id, "local", Role.OWNER)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    with pytest.raises(Forbidden, match="local has no role"):
        require(store, project.id, "local", Role.VIEWER)
    require(store, project.id, "anna", Role.OWNER)
    with pytest.raises(NotFound, match="prj_none"):
        require(store, "prj_none", "anna", Role.VIEWER)


def test_members(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    project = create_project(store, "Bank", "anna")
    ensure_member(store, project.id, "bob", Role.LABELLER, actor="anna")
    ensure_member(store, project.id, "bob", Role.LABELLER, actor="anna")  # nothing to write
    with store.read() as connection:
        assert projects.roles(connection, project.id) == {"anna": Role.OWNER, "bob": Role.LABELLER}
        assert audit.count(connection, project.id) == 2
    with pytest.raises(Forbidden, match="bob is labeller"):
        ensure_member(store, project.id, "eve", Role.OWNER, actor="bob")
    with pytest.raises(InvalidInput, match="no name"):
        ensure_member(store, project.id, " ", Role.VIEWER, actor="anna")
    with pytest.raises(Conflict, match="only owner"):
        ensure_member(store, project.id, "anna", Role.VIEWER, actor="anna")
    ensure_member(store, project.id, "bob", Role.OWNER, actor="anna")
    ensure_member(store, project.id, "anna", Role.VIEWER, actor="anna")
    assert role_of(store, project.id, "anna") is Role.VIEWER


def test_a_deleted_project_leaves_only_its_audit_trail(store):
    run = with_run(store)
    with pytest.raises(Forbidden):
        delete_project(store, run.project_id, actor="eve")
    delete_project(store, run.project_id, actor="local")
    with store.read() as connection:
        assert projects.all(connection) == []
        assert runs.all(connection, None) == []
        assert jobs.all(connection) == []
        assert audit.verify(connection) == (True, 2, None)
    with pytest.raises(NotFound):
        delete_project(store, run.project_id, actor="local")
