"""A bank small enough to know by heart: its database, its documents; and what a page says, as one text."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from streamlit.testing.v1 import AppTest

ACTOR = "local"


def write_bank(path: Path) -> Path:
    """A bank with six branches and twelve accounts; the smallest database that makes templates of every kind."""
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, manager TEXT);
        CREATE TABLE account (
            account_id INTEGER PRIMARY KEY, name TEXT NOT NULL, monthly_fee TEXT,
            branch_id INTEGER REFERENCES branch(branch_id)
        );
        """
    )
    cities = ["Arden", "Belmont", "Corwen", "Dalby", "Elstow", "Farley"]
    managers = ["Ines Okoro", "Tom Birch", "Mara Lindt", "Jon Abara", "Lea Quist", "Omar Reyes"]
    for number, (city, manager) in enumerate(zip(cities, managers, strict=True), start=1):
        connection.execute("INSERT INTO branch VALUES (?, ?, ?, ?)", (number, f"{city} Branch", city, manager))
    for number in range(1, 13):
        branch = (number - 1) % 6 + 1
        connection.execute(
            "INSERT INTO account VALUES (?, ?, ?, ?)", (number, f"Plan {number}", f"{number}.50", branch)
        )
    connection.commit()
    connection.close()
    return path


def write_documents(folder: Path) -> Path:
    """One document a branch, without the last branch's manager, and one file that cannot be read."""
    folder.mkdir()
    cities = ["Arden", "Belmont", "Corwen", "Dalby", "Elstow"]
    managers = ["Ines Okoro", "Tom Birch", "Mara Lindt", "Jon Abara", "Lea Quist"]
    for number, (city, manager) in enumerate(zip(cities, managers, strict=True), start=1):
        head = f"---\nid: branch:{number}\ntitle: {city} Branch\n---\n"
        text = f"{head}{city} Branch is in {city}. Its manager is {manager}.\n"
        (folder / f"{city.lower()}.md").write_text(text, encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"")
    return folder


def said(app: AppTest) -> str:
    """Every message and paragraph of a page, as a person reads it."""
    shown = [*app.error, *app.warning, *app.success, *app.info, *app.markdown]
    return " ".join(item.value for item in shown).replace("\\", "")
