"""Questions of a shipping line: keys with roles, rows that tie two others, numbers within a row, limits of figures."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from core.sources.database import DatabaseSource
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.wording.generator import generate_text_templates

FLEET = """
CREATE TABLE ports (port_id INTEGER PRIMARY KEY, port_name TEXT NOT NULL UNIQUE, country TEXT);
CREATE TABLE harbours (harb_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, draught_max_m REAL,
    main_harb_id INTEGER REFERENCES harbours);
CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name TEXT NOT NULL UNIQUE, budget_eur INTEGER,
    parent_dept_id INTEGER REFERENCES departments);
CREATE TABLE ships (ship_id INTEGER PRIMARY KEY, ship_name TEXT NOT NULL UNIQUE,
    home_port_id INTEGER REFERENCES ports, winter_harb_id INTEGER REFERENCES harbours, wind_max_kt INTEGER);
CREATE TABLE cabins (ship_id INTEGER NOT NULL REFERENCES ships, cabin_no INTEGER NOT NULL, deck TEXT, beds INTEGER,
    refitted_on DATE, PRIMARY KEY (ship_id, cabin_no));
CREATE TABLE sailors (sailor_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL UNIQUE, home_town TEXT);
CREATE TABLE races (race_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
CREATE TABLE race_sailors (race_id INTEGER NOT NULL REFERENCES races, sailor_id INTEGER NOT NULL REFERENCES sailors,
    post TEXT, days_sailed INTEGER, prize_eur REAL, PRIMARY KEY (race_id, sailor_id));
CREATE TABLE ship_ports (ship_id INTEGER NOT NULL REFERENCES ships, port_id INTEGER NOT NULL REFERENCES ports,
    calls INTEGER, berth TEXT, pilot TEXT, PRIMARY KEY (ship_id, port_id));
"""
ROWS = 9
NAMES = ("Aurora", "Boreas", "Castor", "Delphin", "Elektra", "Freya", "Gerda", "Helios", "Iris")


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """The first wordings of every template that makes a question, by form."""
    path = tmp_path_factory.mktemp("fleet") / "fleet.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(FLEET)
        for n, name in enumerate(NAMES, 1):
            rows = {
                "ports": (n, f"Port {name}", f"Land {n % 4}"),
                "harbours": (n, f"{name} Bay", 4.5 + n, n % ROWS + 1),
                "departments": (n, f"{name} Office", 1000 * n, n // 2 or None),
                "ships": (n, name, n, n, 30 + n),
                "sailors": (n, f"{name} Berg", f"Town {n}"),
                "races": (n, f"{name} Cup"),
            }
            for table, row in rows.items():
                database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            for other in (n, n % ROWS + 1):
                post, berth, pilot = f"post {n % 5}", f"berth {n % 7}", f"{NAMES[-n]} Lund"
                database.execute("INSERT INTO race_sailors VALUES (?, ?, ?, ?, ?)", (n, other, post, n, 10.5 * n))
                database.execute("INSERT INTO ship_ports VALUES (?, ?, ?, ?, ?)", (n, other, n, berth, pilot))
            for cabin in range(1, 5):
                day = f"2019-0{cabin}-1{n}"
                database.execute("INSERT INTO cabins VALUES (?, ?, ?, ?, ?)", (n, cabin, f"deck {cabin}", n, day))
    with DatabaseSource.connect(f"sqlite:///{path}") as source:
        reviews = [check_sql_template(item, source) for item in propose_templates(source.schema, each=200)]
        return {
            form: {
                wording.text
                for review in reviews
                if review.questions
                for wording in generate_text_templates(review.template, source.schema, form=form, n=2)
            }
            for form in ("interrogative", "casual", "short")
        }


@pytest.mark.parametrize(
    "question",
    [
        "What is the home port of the ship '[ships.ship_name]'?",
        "What is the winter harbour of the ship '[ships.ship_name]'?",
        "What is the main harbour of the harbour '[harbours.name]'?",
        "What is the maximum draught in metres of the main harbour of the harbour '[harbours.name]'?",
        "What is the parent department of the department '[departments.dept_name]'?",
        "What is the maximum wind in knots of the ship '[ships.ship_name]'?",
        "How many days sailed are recorded for the sailor '[sailors.full_name]' and the race '[races.title]'?",
        "What post does the sailor '[sailors.full_name]' have in the race '[races.title]'?",
        "What is the prize in euros for the sailor '[sailors.full_name]' and the race '[races.title]'?",
        "How many calls are recorded for the ship '[ships.ship_name]' and the port '[ports.port_name]'?",
        "What berth is recorded for the ship '[ships.ship_name]' and the port '[ports.port_name]'?",
        "What is the deck of cabin '[cabins.cabin_no]' of the ship '[ships.ship_name]'?",
        "How many beds does cabin '[cabins.cabin_no]' of the ship '[ships.ship_name]' have?",
        "When was cabin '[cabins.cabin_no]' of the ship '[ships.ship_name]' refitted?",
    ],
)
def test_roles_pairs_and_numbers_are_said_as_people_say_them(questions, question):
    assert question in questions["interrogative"]


def test_the_number_of_a_row_names_it_and_is_not_asked(questions):
    said = questions["interrogative"]
    assert not [text for text in said if "cabin number" in text or "[cabins.refitted_on]" in text]


def test_a_casual_question_has_its_articles_and_a_fragment_has_none(questions):
    assert "Hey, what is the country of the port '[ports.port_name]'?" in questions["casual"]
    assert "Country of port '[ports.port_name]'" in questions["short"]
    assert "Deck of cabin '[cabins.cabin_no]' of ship '[ships.ship_name]'" in questions["short"]
