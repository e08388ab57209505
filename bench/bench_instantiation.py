"""Filling a template: one set-based query beside the Cartesian product that the paper specifies."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from bench.measure import Line, median_seconds
from core.sources.database import DatabaseSource
from core.sources.database.sandbox.workers import workers
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.combinations import combinations

PEOPLE, COMPANIES = 60, 60
ONE = "SELECT name FROM person WHERE person_id = 1"
SQL = (
    "SELECT job.since FROM job JOIN person ON job.person_id = person.person_id JOIN company "
    "ON job.company_id = company.company_id WHERE person.name = '[person.name]' AND company.name = '[company.name]'"
)


def lines() -> Iterator[Line]:
    """60 x 60 combinations of which 120 hold an answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.sqlite"
        _write(path)
        with DatabaseSource.connect(f"sqlite:///{path}") as source:
            bound = bind(SQL, source.schema)
            ours = len(list(combinations(source, bound)))
            theirs = len(_product(path))
            if ours != theirs:
                raise AssertionError(f"set-based {ours} and product {theirs} combinations differ")
            yield Line(
                what=f"fill a template with two placeholders ({ours} answers)",
                seconds=median_seconds(lambda: list(combinations(source, bound))),
                against=f"one query per combination ({PEOPLE * COMPANIES:,})",
                other=median_seconds(lambda: _product(path)),
            )
            yield Line(
                what="a query whose worker process has to be started",
                seconds=median_seconds(lambda: _first(source)),
                against="a query of a worker that runs",
                other=median_seconds(lambda: source.query(ONE)),
            )


def _first(source: DatabaseSource) -> None:
    workers().stop()
    source.query(ONE)


def _write(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
        "CREATE TABLE company (company_id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
        "CREATE TABLE job (person_id INTEGER REFERENCES person (person_id), company_id INTEGER REFERENCES company "
        "(company_id), since TEXT, PRIMARY KEY (person_id, company_id));"
    )
    connection.executemany("INSERT INTO person VALUES (?, ?)", [(n, f"Person {n}") for n in range(PEOPLE)])
    connection.executemany("INSERT INTO company VALUES (?, ?)", [(n, f"Company {n}") for n in range(COMPANIES)])
    jobs = [(n, (n * step) % COMPANIES, f"20{n:02d}-01-01") for n in range(PEOPLE) for step in (1, 7)]
    connection.executemany("INSERT OR IGNORE INTO job VALUES (?, ?, ?)", jobs)
    connection.commit()
    connection.close()


def _product(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    people = [row[0] for row in connection.execute("SELECT DISTINCT name FROM person")]
    companies = [row[0] for row in connection.execute("SELECT DISTINCT name FROM company")]
    query = (
        "SELECT job.since FROM job JOIN person ON job.person_id = person.person_id JOIN company "
        "ON job.company_id = company.company_id WHERE person.name = ? AND company.name = ?"
    )
    pairs = [pair for pair in product(people, companies) if connection.execute(query, pair).fetchall()]
    connection.close()
    return pairs
