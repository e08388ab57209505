"""Migrations on a blank database and on an original one."""

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from core.domain.errors import InvalidInput
from core.store import projects
from core.store.database import Store
from core.store.digests import checking
from core.store.digests.checking import Kind
from core.store.digests.recording import UNATTENDED
from core.store.engines import IMMEDIATE, parse, writer
from core.store.migrate import COVER, HEAD, MIGRATIONS, cover
from core.store.tables import metadata
from core.store.trail import audit
from core.store.writing.upsert import put as upsert
from tests.support.evidence import behind, fill

FIRST = "0001"


def config(connection=None):
    made = Config(attributes={"connection": connection})
    made.set_main_option("script_location", str(MIGRATIONS))
    return made


def test_head_is_the_newest_revision():
    assert ScriptDirectory.from_config(config()).get_current_head() == HEAD


def test_a_blank_database_gets_the_tables_of_today(store):
    with store.pulse() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, metadata) == []


@pytest.mark.slow
def test_an_original_database_keeps_its_rows(url):
    """The first revision as its own migration builds it, filled by plain SQL, then opened by this version."""
    engine = writer(parse(url))
    with engine.connect() as connection, connection.begin():
        command.upgrade(config(connection), FIRST)
        connection.execute(sa.text("INSERT INTO projects (id, name, sample) VALUES ('p', 'Old bank', false)"))
    engine.dispose()
    with Store.open(url) as store:
        with store.read() as connection:
            assert [project.name for project in projects.all(connection)] == ["Old bank"]
            context = MigrationContext.configure(connection)
            assert compare_metadata(context, metadata) == []
        with store.write("anna", "x"):
            pass
        with store.read() as connection:
            assert audit.verify(connection) == (True, 2, None)
            newest, covering = audit.entries(connection)
            assert (newest.action, covering.action, covering.actor) == ("x", COVER, UNATTENDED)
            assert '"from":"0001"' in covering.detail
            assert checking.check(connection).broken == []
    behind(url, "UPDATE projects SET name = 'New bank'")
    with Store.open(url) as store, store.read() as connection:
        (row,) = checking.check(connection).broken
        assert (row.kind, row.table, row.entry, row.expected["name"]) == (Kind.CHANGED, "projects", 1, "Old bank")


@pytest.mark.slow
def test_tables_that_a_migration_changes_are_digested_anew(url):
    """A migration that names tables in REWRITES may change their rows; those of others stand as they were written."""
    with Store.open(url) as store:
        fill(store)
    engine = writer(parse(url))
    with engine.connect().execution_options(**{IMMEDIATE: True}) as connection, connection.begin():
        connection.execute(sa.text("UPDATE labels SET comment = 'moved'"))
        connection.execute(sa.text("UPDATE scores SET status = 'moved'"))
        cover(connection, {"labels"}, "0001")
    engine.dispose()
    with Store.open(url) as store, store.read() as connection:
        assert [row.table for row in checking.check(connection).broken] == ["scores"]
        assert audit.verify(connection).ok


@pytest.mark.slow
def test_a_store_of_a_newer_version_is_refused(url):
    Store.open(url).dispose()
    engine = writer(parse(url))
    with engine.connect() as connection, connection.begin():
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(InvalidInput, match=r"made by a newer version of Plumbline \(schema 9999"):
        Store.open(url)


def test_putting_nothing_changes_nothing(store):
    with store.write("anna", "x") as connection:
        upsert(connection, metadata.tables["projects"], [], key=["id"])
