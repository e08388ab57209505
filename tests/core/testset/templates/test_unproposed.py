"""Kinds of templates that rules did not propose, each with the reason."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from core.project.service import create_project
from core.sources.service import connect_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.beyond.plan import Kind
from core.testset.templates.review import propose_sql_templates
from core.testset.templates.unproposed import LACKS, NO_QUESTION, NO_ROOM, unproposed
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

SHOPS = """
    CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL);
    CREATE TABLE seller (
        seller_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shop_id INTEGER NOT NULL REFERENCES shop (shop_id)
    );
    CREATE TABLE visit (
        visit_id INTEGER PRIMARY KEY, seller_id INTEGER NOT NULL REFERENCES seller (seller_id), remark TEXT
    );
"""
SHOP_NAMES = ("North Row", "South Row", "West Row", "East Row")
SELLERS = ("Ann Berg", "Bob Caro", "Cid Dahl", "Dea Eske", "Eli Falk", "Fay Gray", "Gus Hahn", "Hal Iske")


@pytest.fixture
def shops(tmp_path):
    """Every seller of every shop has a visit."""
    path = tmp_path / "shops.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SHOPS)
        database.executemany(
            "INSERT INTO shop VALUES (?, ?, ?)", [(n, name, f"Town {n}") for n, name in enumerate(SHOP_NAMES, 1)]
        )
        database.executemany(
            "INSERT INTO seller VALUES (?, ?, ?)", [(n, name, 1 + n % 4) for n, name in enumerate(SELLERS, 1)]
        )
        database.executemany("INSERT INTO visit VALUES (?, ?, NULL)", [(n, n) for n in range(1, len(SELLERS) + 1)])
    with Store.open(blank_url(tmp_path / "data")) as store:
        project = create_project(store, "Shops", ACTOR)
        connect_database(store, project.id, f"sqlite:///{path}", actor=ACTOR)
        yield store, project.id


def test_what_finds_no_row_is_not_proposed_and_the_reason_is_told(shops):
    store, project_id = shops
    proposed = propose_sql_templates(store, project_id, actor=ACTOR, kinds=tuple(Kind))
    assert proposed
    questions = [check.value for template in proposed for check in template.checks if check.name == "questions"]
    assert all(questions), "which sellers have no visit, where every seller has one"
    reasons = unproposed(store, project_id, tuple(Kind))
    assert reasons[Kind.NEGATION] == NO_QUESTION
    assert reasons[Kind.TOTAL] == LACKS[Kind.TOTAL]
    assert Kind.LOOK_UP not in reasons
    assert set(LACKS) == set(Kind)


def test_a_kind_without_room_is_told_apart(shops):
    store, project_id = shops
    propose_sql_templates(store, project_id, actor=ACTOR, limit=1)
    assert unproposed(store, project_id, (Kind.LOOK_UP, Kind.COUNT)) == {Kind.COUNT: NO_ROOM}
    with store.read() as connection:
        assert len(templates.sql(connection, project_id)) == 1
