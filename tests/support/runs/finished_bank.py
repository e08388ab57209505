"""The small bank taken through every step by rules, to a finished run."""

from __future__ import annotations

from pathlib import Path

from core.domain.results.runs import Run
from core.domain.testset.templates import TemplateStatus
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.sources.service import connect_corpus, connect_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.service import build_test_set, freeze_test_set
from core.testset.templates.review import propose_sql_templates, propose_text_templates, set_sql_status, set_text_status
from tests.support.small_bank import ACTOR, write_bank, write_documents


def finished_bank(store: Store, folder: Path) -> Run:
    """A project with a database, documents, a frozen test set in two forms and a finished run of the keyword target.

    Args:
        store: Where the project is made.
        folder: Where database and documents are written.
    """
    project = create_project(store, "Small bank", ACTOR, description="A bank for tests.")
    connect_database(store, project.id, f"sqlite:///{write_bank(folder / 'bank.sqlite')}", actor=ACTOR)
    connect_corpus(store, project.id, write_documents(folder / "documents"), actor=ACTOR)
    proposed = propose_sql_templates(store, project.id, actor=ACTOR)
    set_sql_status(store, project.id, [one.id for one in proposed], TemplateStatus.APPROVED, actor=ACTOR)
    propose_text_templates(store, project.id, forms=("short", "long"), n=2, actor=ACTOR)
    with store.read() as connection:
        texts = [text.id for text in templates.text(connection, project.id)]
    set_text_status(store, project.id, texts, TemplateStatus.APPROVED, actor=ACTOR)
    test_set = build_test_set(store, project.id, actor=ACTOR, name="Branches")
    freeze_test_set(store, test_set.id, actor=ACTOR)
    run = create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"k": 1})
    assert execute_run(store, run.id, actor=ACTOR)
    return run
