"""A small bank taken through a run, and a run whose texts are hostile."""

from __future__ import annotations

import pytest

from core.domain.testset.templates import TemplateStatus
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.sources.service import connect_corpus, connect_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.review import propose_sql_templates, propose_text_templates, set_sql_status, set_text_status
from core.testset.service import build_test_set, freeze_test_set
from core.weakness.findings.service import record_findings
from tests.support.reported_run import reported_run
from tests.support.small_bank import ACTOR, write_bank, write_documents
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def hostile(store):
    """The run with hostile texts and private data."""
    return reported_run(store)


@pytest.fixture
def bank_run(store, tmp_path):
    """A finished run of the keyword target on a small bank, with recorded findings."""
    project = create_project(store, "Small bank", ACTOR, description="A bank for tests.")
    connect_database(store, project.id, f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}", actor=ACTOR)
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    found = propose_sql_templates(store, project.id, actor=ACTOR)
    set_sql_status(store, project.id, [one.id for one in found], TemplateStatus.APPROVED, actor=ACTOR)
    propose_text_templates(store, project.id, forms=("short", "long"), n=2, actor=ACTOR)
    with store.read() as connection:
        texts = [text.id for text in templates.text(connection, project.id)]
    set_text_status(store, project.id, texts, TemplateStatus.APPROVED, actor=ACTOR)
    test_set = build_test_set(store, project.id, actor=ACTOR, name="Branches")
    freeze_test_set(store, test_set.id, actor=ACTOR)
    run = create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"k": 1})
    assert execute_run(store, run.id, actor=ACTOR)
    record_findings(store, run.id, "verdict", None, ACTOR)
    return run
