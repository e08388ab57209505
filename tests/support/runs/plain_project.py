"""A project as a validator makes it in a first hour: a database, documents, questions of every kind, and a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from core.domain.results.runs import Run
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestSet
from core.domain.testset.templates import SqlTemplate, TemplateStatus
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.sources.corpora import connect_corpus
from core.sources.service import connect_database
from core.store.database import Store
from core.store.results import runs
from core.testset.grounded.beyond.plan import Kind
from core.testset.service import build_test_set, freeze_test_set
from core.testset.templates.sql_review import propose_sql_templates, set_sql_status
from core.testset.templates.text_review import propose_text_templates, set_text_status

ACTOR = "local"

MOST_QUESTIONS = 150


def write_pages(documents: Sequence[Document], folder: Path) -> Path:
    """The documents as Markdown files with their id and title in front."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, document in enumerate(documents):
        head = yaml.safe_dump({"id": document.id, "title": document.title}, allow_unicode=True)
        (folder / f"{number:05}.md").write_text(f"---\n{head}---\n{document.text}", encoding="utf-8")
    return folder


def plain_project(
    store: Store,
    address: str,
    documents: Sequence[Document],
    folder: Path,
    *,
    limit: int = 240,
    seed: int = 4,
    most: int = MOST_QUESTIONS,
) -> TestSet:
    """A frozen test set of every kind of question, worded by the rules as questions.

    Args:
        store: Where the project is made.
        address: Of the database.
        documents: All documents.
        folder: Where they are written.
        limit: The most questions.
        seed: Of their draw.
        most: Questions above which a template is left out, as one that would crowd out all others.
    """
    project = create_project(store, "Plain", ACTOR)
    connect_database(store, project.id, address, actor=ACTOR)
    connect_corpus(store, project.id, write_pages(documents, folder), actor=ACTOR)
    proposed = propose_sql_templates(store, project.id, actor=ACTOR, kinds=tuple(Kind))
    approvable = [template.id for template in proposed if template.approvable and _questions(template) <= most]
    set_sql_status(store, project.id, approvable, TemplateStatus.APPROVED, actor=ACTOR)
    worded = propose_text_templates(store, project.id, forms=["interrogative"], n=1, actor=ACTOR)
    set_text_status(store, project.id, [text.id for text in worded.texts], TemplateStatus.APPROVED, actor=ACTOR)
    test_set = build_test_set(store, project.id, actor=ACTOR, name="Plain", limit=limit, seed=seed)
    return freeze_test_set(store, test_set.id, actor=ACTOR)


def _questions(template: SqlTemplate) -> float:
    return sum(float(check.value or 0) for check in template.checks if check.name == "questions")


def finished_run(store: Store, test_set: TestSet, target: str = "bm25") -> Run:
    """A finished run of a test set, without the search for evidence."""
    run = create_run(store, test_set.id, actor=ACTOR, target=target)
    execute_run(store, run.id, actor=ACTOR)
    with store.read() as connection:
        return runs.get(connection, run.id)
