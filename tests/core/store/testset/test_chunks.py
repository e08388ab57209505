"""Chunks in the store, on both databases, and documents of an earlier version."""

from dataclasses import replace

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from core.domain.errors import Conflict, NotFound
from core.domain.sources.chunks import Chunk, Chunking
from core.domain.sources.documents import Changes, Corpus, Document, Heading, SkippedFile
from core.domain.sources.projects import Source, SourceKind
from core.store import projects, sources
from core.store.database import Store
from core.store.engines import parse, writer
from core.store.migrate import MIGRATIONS
from core.store.testset import chunks
from tests.support.stores import with_run

FOLDER = Source(
    id="src_1",
    project_id="prj_1",
    kind=SourceKind.CORPUS,
    name="docs",
    location="/docs",
    chunking=Chunking(encoder="minilm", tokens=254, overlap=32),
)
DOCUMENTS = (
    Document(
        id="fees.pdf",
        title="Fees",
        text="Fees\nThe fee is 3.50.",
        pages=(0, 5),
        outline=(Heading(start=0, end=4, level=1),),
        metadata={"author": "A. Moor", "date": "2026-02-01"},
        notes=("left out: its scripts; they are not run",),
        reader="pdf 2",
    ),
    Document(id="hours.md", title="Hours", text="Open daily."),
)
CHUNKS = (
    Chunk(id="a", document_id="fees.pdf", position=0, text="Fees", section=("Fees",), page=1, start=0, end=4),
    Chunk(id="b", document_id="fees.pdf", position=1, text="The fee is 3.50.", section=(), page=2, start=5, end=21),
    Chunk(id="c", document_id="hours.md", position=0, text="Open daily.", section=(), page=None, start=0, end=11),
)


@pytest.fixture
def filled(store):
    with_run(store)
    with store.write("anna", "corpus.load") as connection:
        sources.put(connection, FOLDER)
        sources.put_documents(connection, "src_1", Corpus(documents=DOCUMENTS))
        chunks.put(connection, "src_1", CHUNKS)
    return store


def test_documents_and_chunks_read_back_equal(filled):
    with filled.read() as connection:
        assert sources.get(connection, "src_1") == FOLDER
        assert sources.documents(connection, "src_1") == DOCUMENTS
        assert sources.document(connection, "src_1", "hours.md") == DOCUMENTS[1]
        assert sources.document(connection, "src_1", "other") is None
        assert sources.notes(connection, "src_1") == (("fees.pdf", "Fees", DOCUMENTS[0].notes[0]),)
        assert chunks.of(connection, "src_1") == CHUNKS
        assert chunks.of_document(connection, "src_1", "fees.pdf") == CHUNKS[:2]
        assert chunks.counts(connection, "src_1") == {"fees.pdf": 2, "hours.md": 1}
        assert chunks.of(connection, "src_9") == ()


def test_chunks_are_replaced_and_go_with_their_documents(filled):
    with filled.write("anna", "corpus.chunk") as connection:
        chunks.put(connection, "src_1", CHUNKS[:1])
    with filled.read() as connection:
        assert chunks.counts(connection, "src_1") == {"fees.pdf": 1, "hours.md": 0}
    with filled.write("anna", "corpus.load") as connection:
        sources.put_documents(connection, "src_1", Corpus(documents=DOCUMENTS))
    with filled.read() as connection:
        assert chunks.of(connection, "src_1") == ()


@pytest.mark.slow
def test_a_project_goes_with_its_chunks(filled):
    with filled.write("anna", "project.delete") as connection:
        projects.remove(connection, "prj_1")
    with filled.read() as connection:
        assert chunks.of(connection, "src_1") == ()


@pytest.mark.parametrize(
    ("wrong", "source", "error"),
    [
        ((CHUNKS[0], CHUNKS[0]), "src_1", Conflict),
        ((replace(CHUNKS[0], document_id="gone"),), "src_1", Conflict),
        (CHUNKS, "src_9", NotFound),
    ],
)
def test_chunks_that_cannot_be_are_refused(filled, wrong, source, error):
    with pytest.raises(error), filled.write("anna", "try") as connection:
        chunks.put(connection, source, wrong)
    with filled.read() as connection:
        assert chunks.of(connection, "src_1") == CHUNKS


def test_what_changed_between_two_loads(filled):
    later = (replace(DOCUMENTS[0], text="Fees\nThe fee is 4."), Document(id="new.md", title="New", text="New."))
    with filled.write("anna", "corpus.load") as connection:
        sources.put(connection, replace(FOLDER, id="src_2"))
        sources.put_documents(
            connection, "src_2", Corpus(documents=later, skipped=(SkippedFile(path="x", reason="y"),))
        )
    with filled.read() as connection:
        assert sources.changes(connection, "src_1", "src_2") == Changes(
            added=("new.md",), changed=("fees.pdf",), removed=("hours.md",), unchanged=0
        )
        assert not sources.changes(connection, "src_1", "src_1")
        assert sources.changes(connection, "src_1", "src_1").unchanged == 2
        assert sources.loaded_from(connection, "prj_1", "/docs").id == "src_2"
        assert sources.loaded_from(connection, "prj_1", "/docs", before="src_2").id == "src_1"
        assert sources.loaded_from(connection, "prj_1", "/docs", before="src_1") is None
        assert sources.loaded_from(connection, "prj_1", "/other") is None


@pytest.mark.slow
def test_documents_of_an_earlier_version_stay(url):
    engine = writer(parse(url))
    config = Config(attributes={"connection": None})
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, "0006")
        connection.execute(sa.text("INSERT INTO projects (id, name, sample) VALUES ('p', 'Old bank', false)"))
        connection.execute(
            sa.text("INSERT INTO sources (id, project_id, kind, overrides) VALUES ('s', 'p', 'corpus', '{}')")
        )
        connection.execute(sa.text("INSERT INTO documents (source_id, id, text) VALUES ('s', 'd', 'The fee is 3.50.')"))
    engine.dispose()
    with Store.open(url) as store:
        with store.read() as connection:
            assert sources.get(connection, "s").chunking is None
            [document] = sources.documents(connection, "s")
            assert document == Document(id="d", title="", text="The fee is 3.50.", format="")
            assert chunks.of(connection, "s") == ()
        with store.write("anna", "corpus.chunk") as connection:
            chunks.put(connection, "s", [replace(CHUNKS[0], document_id="d")])
        with store.read() as connection:
            assert [chunk.id for chunk in chunks.of(connection, "s")] == ["a"]
