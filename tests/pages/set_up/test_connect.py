"""The Connect page: a database and documents, and every way in which they cannot be read."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from core.domain.sources.projects import SourceKind
from core.sources.database import DatabaseSource
from core.store import sources
from tests.support.small_bank import said, write_bank, write_documents


def database_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.DATABASE)


def corpus_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.CORPUS)


def test_an_empty_project_says_what_a_database_is_for(open_page, project):
    app = open_page("connect", project=project.id)
    assert "No database is connected yet" in said(app)
    assert app.button(key="connect_url").label == "Connect database"


@pytest.mark.slow
def test_views_are_counted_apart_from_tables(open_page, project, tmp_path):
    path = write_bank(tmp_path / "bank.sqlite")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE VIEW branch_names AS SELECT name FROM branch")
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(f"sqlite:///{path}")
    app.button(key="connect_url").click().run()
    assert "2 tables and 1 view read" in app.success[0].value
    # 6 branches and 12 accounts, and not the 6 branches again through the view.
    figures = {metric.label: metric.value for metric in app.metric}
    assert (figures["Tables"], figures["Rows"]) == ("2", "18")
    assert "and 1 view" in said(app)


@pytest.mark.slow
def test_a_url_connects_and_shows_the_schema(open_page, store, project, tmp_path):
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}")
    app.button(key="connect_url").click().run()
    assert not app.exception
    assert not app.error
    assert "2 tables read" in app.success[0].value
    assert {metric.label: metric.value for metric in app.metric} | {
        "Tables": "2",
        "Rows": "18",
        "Foreign keys": "1",
    } == {metric.label: metric.value for metric in app.metric}
    assert database_of(store, project).name == "bank.sqlite"
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite:////nowhere/at/all.sqlite", "all.sqlite"),
        ("not a url", "not a url"),
        ("mysql://me:secret@host/db", "password"),
        ("", "No URL is given"),
    ],
)
def test_a_wrong_url_is_told_with_a_next_step(open_page, store, project, url, says):
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(url)
    app.button(key="connect_url").click().run()
    assert not app.exception
    assert says in app.error[0].value
    assert "secret" not in app.error[0].value
    assert "\n\n" in app.error[0].value
    assert database_of(store, project) is None


@pytest.mark.parametrize(
    "url", ["x" * 3000, "sqlite:///" + "/abc" * 600, "postgresql+psycopg://127.0.0.1:1/" + "x" * 3000]
)
def test_a_long_url_is_not_repeated_whole(open_page, project, url):
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(url)
    app.button(key="connect_url").click().run()
    message, _, hint = app.error[0].value.replace("\\", "").partition("\n\n")
    assert url[:20].removeprefix("sqlite:///") in message
    assert len(message) < 650
    assert hint


def test_an_empty_database_is_told(open_page, store, project, tmp_path):
    path = tmp_path / "empty.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE gone (x)")
    connection.execute("DROP TABLE gone")
    connection.commit()
    connection.close()
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(f"sqlite:///{path}")
    app.button(key="connect_url").click().run()
    assert "table" in app.error[0].value
    assert database_of(store, project) is None


def test_an_uploaded_file_is_kept_and_connected(open_page, store, project, tmp_path, data):
    bank = write_bank(tmp_path / "bank.sqlite")
    app = open_page("connect", project=project.id)
    app.file_uploader[0].upload("bank.sqlite", bank.read_bytes())
    app.button(key="connect_file").click().run()
    assert not app.exception
    assert not app.error
    assert str(data) in database_of(store, project).location


@pytest.mark.parametrize("content", [b"", b"this is no database"])
def test_a_file_that_is_no_database_is_told(open_page, store, project, content):
    app = open_page("connect", project=project.id)
    app.file_uploader[0].upload("bank.sqlite", content)
    app.button(key="connect_file").click().run()
    assert not app.exception
    assert "bank.sqlite" in app.error[0].value.replace("\\", "")
    assert database_of(store, project) is None


def test_no_file_chosen_is_told(open_page, project):
    app = open_page("connect", project=project.id)
    app.button(key="connect_file").click().run()
    assert "No file is chosen" in app.error[0].value


def write_script(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return f"sqlite:///{path}"


def test_a_database_nobody_understands_is_pointed_out_and_can_be_overruled(open_page, store, project, tmp_path):
    url = write_script(
        tmp_path / "void.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, ref_id INTEGER); INSERT INTO t VALUES (1, 2)"
    )
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(url)
    app.button(key="connect_url").click().run()
    assert not app.exception
    assert database_of(store, project) is not None
    assert "No question will be asked about t: no column there is descriptive" in app.info[0].value
    assert "tick a column to ask about" in app.info[0].value


def test_a_table_nobody_understands_is_pointed_out(open_page, project, tmp_path):
    url = write_script(
        tmp_path / "half.sqlite",
        "CREATE TABLE city (name TEXT PRIMARY KEY, country TEXT); INSERT INTO city VALUES ('Arden', 'England');"
        "CREATE TABLE link (link_id INTEGER PRIMARY KEY, ref_id INTEGER); INSERT INTO link VALUES (1, 2)",
    )
    app = open_page("connect", project=project.id)
    app.text_input(key="database_url").set_value(url)
    app.button(key="connect_url").click().run()
    assert not app.error
    assert "No question will be asked about link" in app.info[0].value


@pytest.mark.slow
def test_a_folder_is_loaded_and_what_was_left_out_is_named(open_page, store, project, tmp_path):
    app = open_page("connect", project=project.id, view="documents")
    assert "No documents are loaded yet" in said(app)
    app.text_input(key="corpus_folder").set_value(str(write_documents(tmp_path / "docs")))
    app.button(key="load_folder").click().run()
    assert not app.exception
    assert "Loaded 5 documents, 1 file left out" in app.success[0].value
    assert "broken.pdf" in app.dataframe[0].value["File"].tolist()
    assert app.dataframe[0].value["Reason"][0]
    assert corpus_of(store, project) is not None


@pytest.mark.parametrize(("folder", "says"), [("/nowhere/at/all", "/nowhere/at/all"), ("  ", "No folder is given")])
def test_a_folder_that_cannot_be_read_is_told(open_page, store, project, folder, says):
    app = open_page("connect", project=project.id, view="documents")
    app.text_input(key="corpus_folder").set_value(folder)
    app.button(key="load_folder").click().run()
    assert not app.exception
    assert says in app.error[0].value
    assert corpus_of(store, project) is None


def test_uploaded_documents_are_loaded_and_their_files_deleted(open_page, store, project, data):
    app = open_page("connect", project=project.id, view="documents")
    app.file_uploader[0].upload("../../fees.md", b"# Fees\n\nThe fee is 3.50.")
    app.file_uploader[0].upload("empty.md", b"")
    app.button(key="load_files").click().run()
    assert not app.exception
    assert "Loaded 1 document, 1 file left out" in app.success[0].value
    source = corpus_of(store, project)
    assert (source.name, source.location) == ("2 uploaded files", "uploaded:files")
    assert [path for path in data.rglob("*") if path.suffix == ".md"] == []
    assert "Uploaded files are not kept" in " ".join(caption.value for caption in app.caption)
    assert "load_again" not in {button.key for button in app.button}
    assert not (data.parent / "fees.md").exists()


def test_uploads_of_which_none_can_be_read_are_told(open_page, store, project, data):
    app = open_page("connect", project=project.id, view="documents")
    app.file_uploader[0].upload("empty.md", b"")
    app.button(key="load_files").click().run()
    assert "No document could be read" in app.error[0].value
    assert corpus_of(store, project) is None
    assert [path for path in data.rglob("*") if path.suffix == ".md"] == []


def test_uploaded_csv_files_are_shown_as_tables_and_connected_once_confirmed(open_page, store, project, data):
    app = open_page("connect", project=project.id)
    branches = b"branch_id,branch_name,opened\n1,Central,2001-05-01\n2,Harbour,2008-09-12\n3,Airport,2015-03-03\n"
    advisers = b"adviser_id,full_name,branch_id\n7,Ann Lee,1\n8,Bo Ray,2\n9,Cy Orr,2\n"
    tables = next(uploader for uploader in app.file_uploader if "CSV" in uploader.label)
    tables.set_value([("branches.csv", branches, "text/csv"), ("advisers.csv", advisers, "text/csv")]).run()
    assert "2 tables with 6 rows" in said(app)
    assert database_of(store, project) is None
    app.button(key="make_database").click().run()
    assert not app.exception
    assert not app.error
    connected = database_of(store, project)
    assert str(data) in connected.location
    with DatabaseSource.connect(connected.location) as source:
        assert {table.name: table.rows for table in source.schema.tables} == {"advisers": 3, "branches": 3}
        assert source.schema.table("advisers").foreign_keys[0].referred_table == "branches"
