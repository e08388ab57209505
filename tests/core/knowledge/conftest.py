"""A project with the small bank, and a database whose rows tie others together."""

import sqlite3
from contextlib import closing

import pytest

from core.project.service import create_project
from core.sources.database import DatabaseSource
from core.sources.service import connect_database
from core.store.database import Store
from tests.support.small_bank import ACTOR, write_bank
from tests.support.stores import blank_url

SHOP = """
    CREATE TABLE person (first_name TEXT, last_name TEXT, person_id INTEGER PRIMARY KEY, manager_id INTEGER
        REFERENCES person(person_id));
    CREATE TABLE product (code TEXT PRIMARY KEY, price REAL, launched_on DATE);
    CREATE TABLE offer (person_id INTEGER REFERENCES person(person_id), code TEXT REFERENCES product(code),
        since DATE, PRIMARY KEY (person_id, code));
    CREATE TABLE remark (remark_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person(person_id), topic TEXT);
    CREATE TABLE line (order_no INTEGER, line_no INTEGER, quantity INTEGER, PRIMARY KEY (order_no, line_no));
    CREATE TABLE keyless (city TEXT);
    INSERT INTO person VALUES ('Ann', 'Lee', 1, NULL), ('Bo', 'O''Dell', 2, 1), (NULL, NULL, 3, 9);
    INSERT INTO product VALUES ('Home Saver', 12.0, '2014-05-03'), ('Loan "X"', 0.5, NULL);
    INSERT INTO offer VALUES (1, 'Home Saver', '2020-01-02'), (1, 'Loan "X"', NULL), (2, 'Home Saver', '2021-03-04');
    INSERT INTO remark VALUES (7, 2, 'fees'), (8, 3, 'tax  and
 law'), (9, NULL, 'nothing');
    INSERT INTO line VALUES (4, 1, 20), (4, 2, 30);
    INSERT INTO keyless VALUES ('Arden');
"""


@pytest.fixture
def shop(tmp_path):
    """The database, connected."""
    file = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SHOP)
    with DatabaseSource.connect(f"sqlite:///{file}") as database:
        yield database


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def bank(store, tmp_path):
    """The id of a project whose database is the small bank; it has no documents."""
    project = create_project(store, "Bank", ACTOR)
    connect_database(store, project.id, f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}", actor=ACTOR)
    return project.id
