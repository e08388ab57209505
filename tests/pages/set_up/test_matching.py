"""How records and documents belong together, on the Connect page."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from core.domain.sources.document_mappings import DocumentMapping, Way
from core.knowledge.building import Build, build_documents
from core.knowledge.matching.service import belonging, choose
from core.project.service import create_project
from core.sources.service import connect_corpus, connect_database
from core.testset.gold_fit import gold_fit
from pages.set_up.connect import matching_view
from tests.pages.clicks import as_viewer, captions, holding, keys
from tests.support.documents.named_documents import shop_project, write_shop
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def shop(store, tmp_path):
    """Documents named product-01.md to product-11.md."""
    return shop_project(store, tmp_path, "number", range(1, 12))


def open_documents(open_page, project):
    return open_page("connect", project=project.id, view="documents")


def test_the_ways_are_counted_and_nothing_is_matched_by_itself(open_page, store, shop):
    project, test_set = shop
    app = open_documents(open_page, project)
    assert not app.exception
    assert "0 of 12 records have a document" in said(app)
    assert "A pattern of names would match 11. Nothing is matched until you choose it below." in said(app)
    ways = holding(app, "Way").set_index("Way")
    assert ways.loc["A pattern of names", "With a document"] == "11 of 12"
    assert ways.loc["A pattern of names", "What is compared"] == "products: {table}-{key:02}"
    assert ways.loc["The same id", "With a document"] == "0 of 12"
    assert holding(app, "Its document").to_dict("records")[0] == {
        "Record": "products:1",
        "Its document": "product-01.md",
    }
    assert holding(app, "Why").to_dict("records") == [{"Record": "products:12", "Why": "no document fits it"}]
    assert gold_fit(store, test_set.id).none


def test_tables_that_are_not_counted_are_named_with_the_reason(open_page, store, project, tmp_path):
    path = tmp_path / "bank.sqlite"
    script = """
        CREATE TABLE site (site_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, day TEXT);
        CREATE TABLE note (text TEXT);
        INSERT INTO site VALUES (1, 'Arden'), (2, 'Belmont');
        INSERT INTO visit VALUES (7, '2024-01-01');
        INSERT INTO note VALUES ('none');
    """
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(script)
    connect_database(store, project.id, f"sqlite:///{path}", actor=ACTOR)
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "site-1.md").write_text("# Arden\n\nArden is a site.", encoding="utf-8")
    (folder / "site-2.md").write_text("# Belmont\n\nBelmont is a site.", encoding="utf-8")
    connect_corpus(store, project.id, folder, actor=ACTOR)
    app = open_documents(open_page, project)
    assert not app.exception
    assert "0 of 2 records have a document** (site)" in said(app)
    assert "Not counted: note (it has no primary key); visit (no way finds a document for a record of it)." in captions(
        app
    )


@pytest.mark.slow
def test_a_way_is_chosen_and_withdrawn(open_page, store, shop):
    project, test_set = shop
    app = open_documents(open_page, project)
    app.button(key="match_choose").click().run()
    assert not app.exception
    assert "11 of 12 records have a document now." in said(app)
    assert f"by a pattern of names, chosen by {ACTOR}" in said(app)
    assert gold_fit(store, test_set.id).missing == ("products:12",)
    app.selectbox(key="match_way").set_value(Way.EXACT).run()
    app.button(key="match_choose").click().run()
    assert not app.exception
    assert gold_fit(store, test_set.id).none


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Way.COLUMN, "named by a column, chosen by"),
        (Way.CONTENT, "by title, chosen by"),
        (Way.EXACT, "by the same id,"),
    ],
)
def test_a_chosen_way_reads_as_a_sentence(way, words):
    chosen = DocumentMapping(id="m", project_id="p", way=way, corpus_id="c", created_by="lena", created_at="2026-01-02")
    assert matching_view.how(chosen).startswith(words)


@pytest.mark.slow
def test_a_person_writes_a_template(open_page, store, shop):
    project, _ = shop
    app = open_documents(open_page, project)
    rule = "match_rule_pattern_products"
    assert app.text_input(key=rule).value == "{table}-{key:02}"
    app.text_input(key=rule).set_value("product-1{key}").run()
    assert not app.exception
    assert holding(app, "Its document")["Record"].tolist() == ["products:1"]  # product-10 has key 0, product-11 key 1
    app.text_input(key=rule).set_value("no key").run()
    assert "cannot be used" in said(app)
    assert "match_choose" not in keys(app)


@pytest.mark.slow
def test_what_changed_since_is_told(open_page, store, shop, tmp_path):
    project, _ = shop
    choose(store, project.id, Way.PATTERN, {"products": "{table}-{key:02}"}, actor=ACTOR)
    (tmp_path / "documents" / "product-12.md").write_text("Tunnbröd costs 22 pounds.", encoding="utf-8")
    connect_corpus(store, project.id, tmp_path / "documents", actor=ACTOR)
    app = open_documents(open_page, project)
    assert "changed since this was chosen" in said(app)
    assert "12 of 12 records have a document" in said(app)


@pytest.mark.slow
def test_a_viewer_sees_what_belongs_together_and_chooses_nothing(open_page, store, shop, monkeypatch):
    project, _ = shop
    app = as_viewer(open_documents(open_page, project), store, project, monkeypatch)
    assert not app.exception
    assert len(holding(app, "Way")) == 5
    assert holding(app, "Why")["Record"].tolist()[:2] == ["products:1", "products:2"]
    assert not keys(app) & {"match_choose", "match_way"}


def test_built_documents_get_one_line(open_page, store, project, tmp_path):
    connect_database(store, project.id, f"sqlite:///{write_shop(tmp_path / 'shop.sqlite')}", actor=ACTOR)
    build_documents(store, project.id, Build(method="rules"), actor=ACTOR)
    app = open_documents(open_page, project)
    assert not app.exception
    assert "every document was written from a row and has its id" in captions(app)
    assert "match_choose" not in keys(app)


def test_without_records_there_is_nothing_to_say(open_page, store, tmp_path):
    project = create_project(store, "Pages", ACTOR)
    (tmp_path / "a.md").write_text("A page.")
    connect_corpus(store, project.id, tmp_path / "a.md", actor=ACTOR)
    assert belonging(store, project.id) is None
    app = open_documents(open_page, project)
    assert not app.exception
    assert "How records and documents belong together" not in said(app)


def test_a_database_that_does_not_answer_is_told(open_page, store, shop, tmp_path):
    project, _ = shop
    (tmp_path / "shop.sqlite").unlink()
    app = open_documents(open_page, project)
    assert not app.exception
    assert app.error
