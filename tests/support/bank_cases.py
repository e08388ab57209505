"""The small bank with hand-written cases: who manages which branch, in two forms; one branch has no document."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from core.domain.sources.projects import Project, Source
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.project.service import create_project
from core.sources.service import connect_corpus, connect_database
from core.store.database import Store
from core.store.testset import testsets
from tests.support.small_bank import ACTOR, write_bank, write_documents

MANAGERS = {
    "Arden": "Ines Okoro",
    "Belmont": "Tom Birch",
    "Corwen": "Mara Lindt",
    "Dalby": "Jon Abara",
    "Elstow": "Lea Quist",
    "Farley": "Omar Reyes",
}
"""Farley's branch has no document."""

FORMS = {
    "short": "Who is the manager of {} Branch?",
    "long": "I would like to write to the person in charge, so who is the manager of {} Branch?",
}
SQL = "SELECT manager FROM branch WHERE name = :p0"


def bank_cases() -> list[TestCase]:
    """Twelve cases in six groups of two forms."""
    return [
        TestCase(
            case_id=f"{city.lower()}-{form}",
            question=question.format(city),
            reference_answers=(manager,),
            form=form,
            group_id=city.lower(),
            sql=SQL,
            sql_params={"p0": f"{city} Branch"},
            gold_document_ids=(f"branch:{number}",),
            tables=("branch",),
            attributes={"table": "branch"},
        )
        for number, (city, manager) in enumerate(MANAGERS.items(), start=1)
        for form, question in FORMS.items()
    ]


def write_case_file(path: Path, cases: list[TestCase] | None = None) -> Path:
    """The cases as JSON lines."""
    lines = [json.dumps(asdict(case), default=dict) for case in (bank_cases() if cases is None else cases)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def put_test_set(
    store: Store,
    project_id: str,
    cases: list[TestCase],
    *,
    frozen: bool = True,
    source: Source | None = None,
    id: str = "ts_bank",
    name: str = "Branches",
) -> TestSet:
    """Stores cases as a test set."""
    test_set = TestSet(id=id, project_id=project_id, name=name, options={"source_id": source.id} if source else {})
    with store.write(ACTOR, "test.prepare", project_id=project_id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        if frozen:
            testsets.freeze(connection, test_set.id, cases_hash(cases), "2026-01-01T00:00:00+00:00")
        return testsets.get(connection, test_set.id)


def bank_project(store: Store, folder: Path, *, corpus: bool = True) -> tuple[Project, TestSet]:
    """A project with the bank's database, documents and frozen cases; its files go into a folder."""
    project = create_project(store, "Small bank", ACTOR)
    source = connect_database(store, project.id, f"sqlite:///{write_bank(folder / 'bank.sqlite')}", actor=ACTOR)
    if corpus:
        connect_corpus(store, project.id, write_documents(folder / "documents"), actor=ACTOR)
    return project, put_test_set(store, project.id, bank_cases(), source=source)
