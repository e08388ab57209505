"""A bank small enough to know by heart: its database, its documents; and what a page says, as one text."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from streamlit.testing.v1 import AppTest

ACTOR = "local"


CITIES = ("Arden", "Belmont", "Corwen", "Dalby", "Elstow", "Farley")
MANAGERS = ("Ines Okoro", "Tom Birch", "Mara Lindt", "Jon Abara", "Lea Quist", "Omar Reyes")


def bank_statements() -> list[str]:
    """The bank as statements that every kind of database takes: six branches and twelve accounts.

    It is the smallest database that makes templates of every kind.
    """
    branches = [
        f"INSERT INTO branch VALUES ({number}, '{city} Branch', '{city}', '{manager}')"
        for number, (city, manager) in enumerate(zip(CITIES, MANAGERS, strict=True), start=1)
    ]
    accounts = [
        f"INSERT INTO account VALUES ({number}, 'Plan {number}', '{number}.50', {(number - 1) % 6 + 1})"
        for number in range(1, 13)
    ]
    return [
        "CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, manager TEXT)",
        "CREATE TABLE account (account_id INTEGER PRIMARY KEY, name TEXT NOT NULL, monthly_fee TEXT,"
        " branch_id INTEGER REFERENCES branch(branch_id))",
        *branches,
        *accounts,
    ]


def write_bank(path: Path) -> Path:
    """The bank as an SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in bank_statements():
            connection.execute(statement)
        connection.commit()
    return path


def write_documents(folder: Path) -> Path:
    """One document a branch, without the last branch's manager, and one file that cannot be read."""
    folder.mkdir()
    for number, (city, manager) in enumerate(zip(CITIES[:5], MANAGERS[:5], strict=True), start=1):
        head = f"---\nid: branch:{number}\ntitle: {city} Branch\n---\n"
        text = f"{head}{city} Branch is in {city}. Its manager is {manager}.\n"
        (folder / f"{city.lower()}.md").write_text(text, encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"")
    return folder


def said(app: AppTest) -> str:
    """Every message and paragraph of a page, as a person reads it."""
    shown = [*app.error, *app.warning, *app.success, *app.info, *app.markdown]
    return " ".join(item.value for item in shown).replace("\\", "")
