"""Connecting sources to a project."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.errors import Forbidden, InvalidInput, NotFound, SourceUnavailable
from core.domain.sources.projects import Role, SourceKind
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.project.service import create_project
from core.sources.service import (
    connect_corpus,
    connect_database,
    open_database,
    project_database,
    say_semantics,
)
from core.store import projects, sources
from core.store.database import Store
from core.store.trail import audit
from tests.support.databases.source_servers import database
from tests.support.small_bank import ACTOR, bank_statements, write_bank, write_documents
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    monkeypatch.delenv("PLUMBLINE_DATABASE_URL", raising=False)
    monkeypatch.delenv("PLUMBLINE_REQUIRE_LOGIN", raising=False)
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}"


def actions(store):
    with store.read() as connection:
        return [entry.action for entry in audit.entries(connection, limit=None)]


def test_a_database_becomes_the_projects_database(store, project, url):
    with pytest.raises(NotFound, match="no database yet"):
        project_database(store, project.id)
    source = connect_database(store, project.id, url, actor=ACTOR)
    assert project_database(store, project.id) == source
    assert (source.kind, source.name, source.location) == (SourceKind.DATABASE, "bank.sqlite", url)
    assert [table.name for table in source.schema.tables] == ["account", "branch"]
    assert source.fingerprint == source.schema.fingerprint
    assert "source.connect" in actions(store)
    named = connect_database(store, project.id, url, actor=ACTOR, name="The bank")
    assert named.name == "The bank"
    assert project_database(store, project.id).id == named.id


def test_a_relative_address_is_kept_absolute(store, project, url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = connect_database(store, project.id, "sqlite:///bank.sqlite", actor=ACTOR)
    monkeypatch.chdir(Path("/"))
    with open_database(source) as database:
        assert database.query("SELECT count(*) FROM branch").rows == ((6,),)
    write_documents(tmp_path / "documents")
    monkeypatch.chdir(tmp_path)
    corpus, _ = connect_corpus(store, project.id, Path("documents"), actor=ACTOR)
    assert corpus.location == str(tmp_path / "documents")


def test_a_secret_in_the_address_stays_a_name(store, project, monkeypatch, tmp_path):
    monkeypatch.setenv("BANK_USER", "postgres")
    with database("postgresql", bank_statements(), tmp_path) as address:
        named = address.replace("postgres@", "${BANK_USER}@")
        source = connect_database(store, project.id, named, actor=ACTOR)
        assert source.location == named
        with open_database(source) as opened:
            assert len(opened.schema.tables) == 2


@pytest.mark.parametrize(
    ("address", "kind", "message"),
    [
        ("", InvalidInput, "is empty"),
        ("nonsense", InvalidInput, "is not a database address"),
        ("sqlite:///missing.sqlite", SourceUnavailable, "no database file"),
        ("postgresql://reader:secret@host/bank", InvalidInput, "password in plain text"),
    ],
)
def test_a_wrong_address_stores_nothing(store, project, address, kind, message):
    with pytest.raises((kind, InvalidInput), match=message):
        connect_database(store, project.id, address, actor=ACTOR)
    with store.read() as connection:
        assert sources.all(connection, project.id) == []


def test_a_database_without_tables(store, project, tmp_path):
    with closing(sqlite3.connect(tmp_path / "empty.sqlite")) as connection:
        connection.executescript("CREATE TABLE t (a); DROP TABLE t;")
    with pytest.raises(InvalidInput, match="no tables"):
        connect_database(store, project.id, f"sqlite:///{tmp_path / 'empty.sqlite'}", actor=ACTOR)


def ask(column: str, flag: bool | None) -> SemanticLayer:
    return SemanticLayer(tables=(TableMeaning(name="branch", columns=(ColumnMeaning(name=column, ask=flag),)),))


@pytest.mark.slow
def test_a_persons_decision_on_a_column(store, project, url):
    source = connect_database(store, project.id, url, actor=ACTOR)
    changed = say_semantics(store, source.id, ask("city", False), actor=ACTOR)
    columns = {
        column.name: column for table in changed.schema.tables for column in table.columns if table.name == "branch"
    }
    assert not columns["city"].descriptive
    assert columns["manager"].descriptive
    assert project_database(store, project.id) == changed
    with open_database(changed) as database:
        assert database.schema.fingerprint == changed.fingerprint
    assert actions(store)[0] == "source.say_semantics"
    back = say_semantics(store, source.id, SemanticLayer(), actor=ACTOR)
    assert back.schema == source.schema


def test_a_newer_decision_goes_before_one_made_when_the_database_was_connected(store, project, url):
    source = connect_database(store, project.id, url, actor=ACTOR, overrides={"Branch.City": False})
    assert not source.schema.table("branch").column("city").descriptive
    changed = say_semantics(store, source.id, ask("city", True), actor=ACTOR)
    assert changed.schema.table("branch").column("city").descriptive


def test_words_of_what_is_gone_are_left_out_when_a_schema_is_read_again(store, project, url):
    layer = SemanticLayer(
        tables=(
            TableMeaning(name="vanished", noun="ghost"),
            TableMeaning(name="BRANCH", noun="office", label=("name", "floor"), columns=(ColumnMeaning(name="floor"),)),
        )
    )
    source = connect_database(store, project.id, url, actor=ACTOR, layer=layer)
    assert source.layer == SemanticLayer(tables=(TableMeaning(name="BRANCH", noun="office", label=("name",)),))
    assert source.schema.table("branch").noun == "office"


def test_the_semantic_layer_is_stored_applied_and_audited(store, project, url):
    source = connect_database(store, project.id, url, actor=ACTOR)
    layer = SemanticLayer(
        tables=(TableMeaning(name="branch", noun="office", columns=(ColumnMeaning(name="city", ask=False),)),)
    )
    changed = say_semantics(store, source.id, layer, actor=ACTOR)
    assert project_database(store, project.id) == changed
    with open_database(changed) as database:
        branch = database.schema.table("branch")
    assert (branch.noun, branch.column("city").descriptive) == ("office", False)
    assert changed.fingerprint == source.fingerprint
    assert actions(store)[0] == "source.say_semantics"
    with pytest.raises(InvalidInput, match="names offices"):
        say_semantics(store, source.id, SemanticLayer(tables=(TableMeaning(name="offices"),)), actor=ACTOR)
    assert project_database(store, project.id) == changed


def test_a_folder_becomes_the_projects_corpus(store, project, tmp_path):
    folder = write_documents(tmp_path / "documents")
    source, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    assert (len(corpus.documents), [item.path for item in corpus.skipped]) == (5, ["broken.pdf"])
    assert (source.name, source.kind, source.fingerprint) == ("documents", SourceKind.CORPUS, corpus.fingerprint)
    with store.read() as connection:
        assert sources.corpus(connection, source.id) == corpus
    assert connect_corpus(store, project.id, folder, actor=ACTOR, name="Papers")[0].name == "Papers"


def test_a_folder_with_nothing_to_read_stores_nothing(store, project, tmp_path):
    with pytest.raises(SourceUnavailable, match="no folder"):
        connect_corpus(store, project.id, tmp_path / "none", actor=ACTOR)
    (tmp_path / "blank").mkdir()
    with pytest.raises(InvalidInput, match=r"No document could be read in blank\."):
        connect_corpus(store, project.id, tmp_path / "blank", actor=ACTOR)
    (tmp_path / "blank" / "broken.pdf").write_bytes(b"")
    with pytest.raises(InvalidInput, match=r"blank \(broken\.pdf: it is empty\)"):
        connect_corpus(store, project.id, tmp_path / "blank", actor=ACTOR)
    with store.read() as connection:
        assert sources.all(connection, project.id) == []


def test_a_viewer_connects_nothing(store, project, url, tmp_path):
    source = connect_database(store, project.id, url, actor=ACTOR)
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, project.id, "vera", Role.VIEWER)
    with pytest.raises(Forbidden):
        connect_database(store, project.id, url, actor="vera")
    with pytest.raises(Forbidden):
        connect_corpus(store, project.id, tmp_path, actor="vera")
    with pytest.raises(Forbidden):
        say_semantics(store, source.id, SemanticLayer(), actor="vera")
    with pytest.raises(NotFound, match="prj_none"):
        connect_database(store, "prj_none", url, actor=ACTOR)
