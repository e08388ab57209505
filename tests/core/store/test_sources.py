from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.sources.documents import Corpus, Document, SkippedFile
from core.domain.sources.projects import Source, SourceKind
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.store import projects, sources
from tests.support.stores import with_run

SCHEMA = Schema(
    dialect="sqlite",
    fingerprint="f",
    tables=(
        Table(
            name="Client",
            rows=3,
            columns=(Column(name="Id", type="INTEGER", descriptive=False, reason="a key"),),
            primary_key=("Id",),
            foreign_keys=(ForeignKey(columns=("Id",), referred_table="Person", referred_columns=("Id",)),),
        ),
    ),
)
DATABASE = Source(
    id="src_1",
    project_id="prj_1",
    kind=SourceKind.DATABASE,
    name="bank",
    location="sqlite:///bank.sqlite",
    schema=SCHEMA,
    overrides={"Client.Id": True},
)
FOLDER = Source(id="src_2", project_id="prj_1", kind=SourceKind.CORPUS, name="docs", location="docs", fingerprint="abc")
CORPUS = Corpus(
    documents=(Document(id="client:2", title="B", text="b\x00"), Document(id="client:1", title="A", text="a")),
    skipped=(SkippedFile(path="x.bin", reason="not a text"),),
    fingerprint="abc",
)


@pytest.fixture
def filled(store):
    with_run(store)
    with store.write("anna", "source.connect") as connection:
        for source in (DATABASE, FOLDER):
            sources.put(connection, source)
        sources.put_documents(connection, "src_2", CORPUS)
    return store


def test_sources_read_back_equal(filled):
    with filled.read() as connection:
        assert sources.get(connection, "src_1") == DATABASE
        assert sources.all(connection, "prj_1") == [DATABASE, FOLDER]
        with pytest.raises(NotFound, match="no source src_9"):
            sources.get(connection, "src_9")


def test_latest_is_the_last_connected_not_the_last_changed(filled):
    newer = replace(DATABASE, id="src_3", name="newer", schema=None)
    with filled.write("anna", "source.connect") as connection:
        sources.put(connection, newer)
        sources.put(connection, replace(DATABASE, overrides={}))
    with filled.read() as connection:
        assert sources.latest(connection, "prj_1", SourceKind.DATABASE) == newer
        assert sources.latest(connection, "prj_1", SourceKind.CORPUS) == FOLDER
        assert sources.latest(connection, "prj_other", SourceKind.CORPUS) is None


def test_documents_keep_their_order_and_unstorable_characters_are_marked(filled):
    with filled.read() as connection:
        corpus = sources.corpus(connection, "src_2")
    assert corpus.documents == (replace(CORPUS.documents[0], text="b\ufffd"), CORPUS.documents[1])
    assert (corpus.skipped, corpus.fingerprint) == (CORPUS.skipped, "abc")


def test_loading_again_replaces_documents(filled):
    with filled.write("anna", "corpus.load") as connection:
        sources.put_documents(connection, "src_2", Corpus(documents=CORPUS.documents[1:]))
    with filled.read() as connection:
        assert sources.documents(connection, "src_2") == CORPUS.documents[1:]
        assert sources.skipped(connection, "src_2") == ()


def test_one_id_twice_is_refused(filled):
    twice = Corpus(documents=(CORPUS.documents[1], CORPUS.documents[1]))
    with pytest.raises(Conflict, match="1 documents share an id"), filled.write("anna", "try") as connection:
        sources.put_documents(connection, "src_2", twice)


@pytest.mark.slow
def test_a_project_goes_with_all_its_sources(filled):
    with filled.write("anna", "project.delete") as connection:
        projects.remove(connection, "prj_1")
    with filled.read() as connection:
        assert sources.all(connection, "prj_1") == []
        assert sources.documents(connection, "src_2") == ()
