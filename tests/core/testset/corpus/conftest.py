"""A project with documents about cards and branches, and topics that a person would find in them."""

from __future__ import annotations

import pytest

from core.project.service import create_project
from core.sources.corpora import connect_corpus
from core.store.database import Store
from tests.support.documents.library import Library, write_documents
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as store:
        project = create_project(store, "Library", ACTOR)
        connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
        made = Library(store, project.id)
        made.put_topics(lambda chunk: int("branch" in chunk.section[0]))
        yield made
