"""Databases that nobody here wrote, with test sets and documents made from them: set-ups to plant faults in."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.diagnosis.computed.rows import DatabaseRows
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.projects import Source, SourceKind
from core.domain.testset.cases import TestCase
from core.knowledge.records import read_records
from core.knowledge.sentences import rule_text
from core.sources.database import DatabaseSource
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.generator import generate_text_templates
from tests.support.databases.source_servers import database
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.shared_data import shared

ROWS = 300
"""Rows of each table that get a page."""


@contextmanager
def shared_database(name: str, folder: Path) -> Iterator[str]:
    """The address of one of the shared databases: ``northwind``, ``sakila``, ``chinook`` or ``broker``."""
    if name == "broker":
        # A driver takes a per cent sign alone for a parameter.
        script = shared("defog/broker.sql").read_text(encoding="utf-8").replace("%", "%%")
        with database("postgresql", [script], folder) as address:
            yield address
    elif name == "northwind":
        script = shared("northwind/create.sql").read_text(encoding="utf-8-sig", errors="replace")
        yield sqlite_file(folder / "northwind.sqlite", script)
    else:
        file = {"sakila": "sakila/sakila.db", "chinook": "chinook/Chinook_Sqlite.sqlite"}[name]
        copy = folder / f"{name}.sqlite"
        shutil.copyfile(shared(file), copy)
        yield f"sqlite:///{copy}"


def rows_behind(address: str) -> DatabaseRows:
    """What a diagnosis reads from a database."""
    with DatabaseSource.connect(address) as opened:
        schema = opened.schema
    kind = SourceKind.DATABASE
    return DatabaseRows(Source(id="db", project_id="p", kind=kind, name="db", location=address, schema=schema))


def questions_and_pages(address: str, *, templates: int, facts: int, seed: int) -> tuple[list[TestCase], Corpus]:
    """A test set by the rules, both forms in three wordings, and a page for each of the first rows of each table.

    Args:
        address: Of the database.
        templates: The SQL templates that are asked with, drawn.
        facts: Of all templates together, each with a page for its record where it has one.
        seed: Of the draw.
    """
    with DatabaseSource.connect(address) as source:
        every = generate_sql_templates(source.schema)
        chosen = random.Random(seed).sample(every, min(templates, len(every)))
        wordings = [
            wording
            for template in chosen
            for form in ("short", "long")
            for wording in generate_text_templates(template, source.schema, form=form, n=3)
        ]
        pages = {
            record.document_id: Document(id=record.document_id, title=record.label, text=rule_text(record))
            for record in read_records(source, per_table=ROWS)
        }
        cases = instantiate(source, chosen, wordings).cases
    return _drawn(cases, pages.keys(), facts, seed), Corpus(documents=tuple(pages.values()))


def _drawn(cases: Iterable[TestCase], pages: Iterable[str], facts: int, seed: int) -> list[TestCase]:
    """Some facts whose records have pages, as many of each SQL template as there are."""
    known = set(pages)
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        if known.issuperset(case.gold_document_ids):
            groups[case.group_id].append(case)
    by_template: defaultdict[str, list[Sequence[TestCase]]] = defaultdict(list)
    for members in groups.values():
        by_template[members[0].sql_template_id].append(members)
    chosen: list[Sequence[TestCase]] = []
    each = -(-facts // max(1, len(by_template)))
    for template_id, of_template in sorted(by_template.items()):
        random.Random(f"{seed} {template_id}").shuffle(of_template)
        chosen.extend(of_template[:each])
    return [case for members in chosen for case in members]
