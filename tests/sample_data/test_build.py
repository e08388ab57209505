"""The committed sample bank is what its script writes, and it is a sound bank."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.sources.corpus import load_corpus
from sample_data.build import HERE, build
from sample_data.defects import PERSONAL
from sample_data.pages import day, percent, pounds

MADE = ("bank.sqlite", "planted.json", "templates.json", "templates_with_ids.json")


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank")
    build(folder)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    paths = [folder / name for name in MADE] + sorted(
        path for path in (folder / "documents").rglob("*") if path.is_file()
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_a_rebuild_gives_the_committed_bytes(rebuilt):
    committed, again = files(HERE), files(rebuilt)
    assert sorted(committed) == sorted(again)
    assert [name for name in committed if committed[name] != again[name]] == []


def test_the_sizes_are_what_the_readme_says(rebuilt):
    with closing(sqlite3.connect(rebuilt / "bank.sqlite")) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = sum(connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in names)
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    connection.close()
    assert (len(names), rows, broken) == (12, 1341, [])
    made = files(rebuilt)
    documents = [name for name in made if name.startswith("documents/") and not name.endswith("documents.csv")]
    assert len(documents) == 103
    assert {Path(name).suffix for name in documents} == {".md", ".html", ".pdf", ".docx", ".csv"}
    assert len(made["bank.sqlite"]) < 400_000
    assert sum(len(made[name]) for name in documents) < 1_500_000


def test_names_are_their_own():
    """A name that is part of another one, or shares its first word, would make a question ambiguous."""
    with closing(sqlite3.connect(HERE / "bank.sqlite")) as connection:
        names = [
            name
            for table, column in (
                ("region", "name"),
                ("branch", "name"),
                ("adviser", "full_name"),
                ("account_product", "name"),
                ("loan_product", "name"),
                ("card_product", "name"),
                ("service_fee", "name"),
                ("atm", "name"),
            )
            for (name,) in connection.execute(f"SELECT {column} FROM {table}")
        ]
    connection.close()
    first = [name.split()[0] for name in names]
    assert len(set(first)) == len(first)


def test_an_asked_value_that_is_in_no_document_is_really_in_none(rebuilt):
    """Omitted facts: no page states the number, the date or the name in the form the bank writes it."""
    texts = [document.text for document in load_corpus(rebuilt / "documents").documents]
    for fact in json.loads((rebuilt / "planted.json").read_text(encoding="utf-8"))["knowledge_gaps"]:
        value = fact["database_value"]
        if isinstance(value, str):
            written = day(value) if value[:2] in {"19", "20", "18"} else value
        else:
            written = percent(value) if fact["column"] == "interest_rate" else pounds(value)
        assert not [text for text in texts if written in text], fact


def test_the_iban_in_the_page_is_valid():
    """ISO 13616: the country and check digits go to the end, letters become numbers, the rest modulo 97 is 1."""
    iban = PERSONAL["iban"]
    assert int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 == 1
