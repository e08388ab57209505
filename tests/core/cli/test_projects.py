"""Projects on the command line: people get roles, a project is deleted."""

import pytest

from core.project.service import create_project
from core.settings import settings
from core.store import projects
from core.store.database import Store


@pytest.fixture
def bank(cli):
    """A project of anna's, in the store of the command line."""
    with Store.open(settings().database_url) as store:
        return create_project(store, "Bank", "anna")


def test_a_person_gets_a_role_and_then_another(cli, bank):
    first = cli("projects", "member", "Bank", "ada@example.com", "labeller", "--json").json
    assert first == {"project": bank.id, "members": {"ada@example.com": "labeller", "anna": "owner"}}
    assert cli("projects", "member", bank.id, "ada@example.com", "viewer").out == "ada@example.com viewer\nanna owner\n"


def test_with_sign_in_only_an_owner_gives_roles(cli, refused, bank, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    monkeypatch.setenv("PLUMBLINE_ACTOR", "eve")
    assert "eve has no role" in refused("projects", "member", "Bank", "eve", "owner")
    assert "eve has no role" in refused("projects", "delete", "Bank", "--yes")
    monkeypatch.setenv("PLUMBLINE_ACTOR", "anna")
    assert cli("projects", "member", "Bank", "eve", "viewer").code == 0


def test_the_only_owner_and_an_unknown_role_are_refused(refused, bank):
    assert "only owner" in refused("projects", "member", "Bank", "anna", "viewer")
    assert "'king'" in refused("projects", "member", "Bank", "anna", "king")


def test_a_project_is_deleted_only_when_that_is_said(cli, refused, bank):
    assert "Add --yes" in refused("projects", "delete", "Bank")
    assert cli("projects", "delete", "Bank", "--yes", "--json").json == {"deleted": bank.id}
    assert "There is no project 'Bank'" in refused("projects", "delete", "Bank", "--yes")
    with Store.open(settings().database_url) as store, store.read() as connection:
        assert projects.all(connection) == []


def test_a_project_is_renamed_and_lists_its_members_under_both_names_of_the_command(cli, refused, bank):
    assert cli("project", "rename", "Bank", "Loans desk", "--json").json == {"id": bank.id, "name": "Loans desk"}
    assert cli("projects", "list").out == f"{bank.id} Loans desk\n"
    assert cli("project", "members", "Loans desk", "--json").json == {"project": bank.id, "members": {"anna": "owner"}}
    assert "There is no project 'Bank'" in refused("project", "rename", "Bank", "Other")
    assert "The project has no name" in refused("project", "rename", bank.id, " ")
