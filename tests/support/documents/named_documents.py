"""A shop of twelve products and five suppliers, with a document a product, named in one of several ways."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.domain.sources.projects import Project
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.sources.service import connect_corpus, connect_database
from core.store.database import Store
from core.store.testset import testsets
from tests.support.small_bank import ACTOR

PRODUCTS = (
    "Chai",
    "Aniseed Syrup",
    "Queso Cabrales",
    "Gumbär Gummibärchen",
    "Uncle Bob's Pears",
    "Tofu",
    "Konbu",
    "Pavlova",
    "Alice Mutton",
    "Ikura",
    "Geitost",
    "Tunnbröd",
)
SUPPLIERS = ("Exotic Liquids", "Tokyo Traders", "Mayumi", "Nord-Ost-Fisch", "Leka Trading")


def write_shop(path: Path) -> Path:
    """The shop as an SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE suppliers (supplier_id INTEGER PRIMARY KEY, company_name TEXT NOT NULL);"
            "CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name TEXT NOT NULL, price INTEGER,"
            " supplier_id INTEGER REFERENCES suppliers(supplier_id));"
        )
        connection.executemany("INSERT INTO suppliers VALUES (?, ?)", list(enumerate(SUPPLIERS, start=1)))
        rows = [(number, name, 10 + number, number % 5 + 1) for number, name in enumerate(PRODUCTS, start=1)]
        connection.executemany("INSERT INTO products VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    return path


def text_of(number: int) -> str:
    """What a product's document says."""
    return f"{PRODUCTS[number - 1]} costs {10 + number} pounds.\n"


def write_named(folder: Path, style: str, numbers: Sequence[int] = range(1, 13)) -> Path:
    """The documents: "number" (product-01.md), "field" (sku: 1 in the front matter) or "name" (chai.md)."""
    folder.mkdir(parents=True)
    for number in numbers:
        name, head = f"product-{number:02}.md", ""
        if style == "field":
            name, head = f"page-{90 - number}.md", f"---\nsku: {number}\n---\n"
        elif style == "name":
            name = f"{PRODUCTS[number - 1]}.md"
        (folder / name).write_text(head + text_of(number), encoding="utf-8")
    return folder


def shop_cases() -> list[TestCase]:
    """One case a product."""
    return [
        TestCase(
            case_id=f"p{number}",
            question=f"What does {name} cost?",
            reference_answers=(str(10 + number),),
            group_id=f"p{number}",
            form="short",
            gold_document_ids=(f"products:{number}",),
        )
        for number, name in enumerate(PRODUCTS, start=1)
    ]


def shop_project(
    store: Store, folder: Path, style: str, numbers: Sequence[int] = range(1, 13)
) -> tuple[Project, TestSet]:
    """A project with the shop, its documents and a draft of twelve cases."""
    project = create_project(store, "Shop", ACTOR)
    connect_database(store, project.id, f"sqlite:///{write_shop(folder / 'shop.sqlite')}", actor=ACTOR)
    connect_corpus(store, project.id, write_named(folder / "documents", style, numbers), actor=ACTOR)
    test_set = TestSet(id="ts_shop", project_id=project.id, name="Prices")
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, shop_cases())
    return project, test_set
