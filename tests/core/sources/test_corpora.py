"""Documents of a project: loaded, loaded again, cut into chunks."""

from dataclasses import replace

import pytest

from core.domain.errors import Forbidden, InvalidInput, NotFound, SourceUnavailable, Stopped
from core.domain.sources.projects import Role, Source, SourceKind
from core.project.service import create_project
from core.sources.service import chunk_documents, connect_corpus, corpus_chunks, reload_corpus
from core.store import projects, sources
from core.store.database import Store
from core.store.testset import chunks
from core.store.trail import audit
from tests.support.small_bank import ACTOR, write_documents
from tests.support.stores import sqlite_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    for name in ("PLUMBLINE_DATABASE_URL", "PLUMBLINE_REQUIRE_LOGIN", "PLUMBLINE_ENCODER"):
        monkeypatch.delenv(name, raising=False)
    with Store.open(sqlite_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR)


@pytest.fixture
def folder(tmp_path):
    return write_documents(tmp_path / "documents")


def held(store, source):
    with store.read() as connection:
        return sources.corpus(connection, source.id), chunks.of(connection, source.id)


@pytest.mark.slow
def test_documents_are_cut_when_they_are_loaded(store, project, folder):
    source, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    stored, made = held(store, source)
    assert stored == corpus
    assert (source.chunking.encoder, source.chunking.tokens, source.chunking.overlap) == ("minilm", 254, 32)
    assert [chunk.document_id for chunk in made] == [f"branch:{number}" for number in range(1, 6)]
    texts = {document.id: document.text for document in stored.documents}
    assert all(texts[chunk.document_id][chunk.start : chunk.end] == chunk.text for chunk in made)
    assert corpus_chunks(store, project.id, actor=ACTOR) == (source, made)


@pytest.mark.slow
def test_loading_again_without_a_change_stores_nothing(store, project, folder):
    source, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    again = reload_corpus(store, source.id, actor=ACTOR)
    assert (again.source, again.corpus) == (source, corpus)
    assert not again.changes
    assert again.changes.unchanged == 5
    with store.read() as connection:
        assert len(sources.all(connection, project.id)) == 1


def test_loading_again_tells_what_changed_and_keeps_the_load_before(store, project, folder):
    first, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    before = held(store, first)
    (folder / "arden.md").write_text("---\nid: branch:1\ntitle: Arden Branch\n---\nIt moved to Belmont.\n")
    (folder / "belmont.md").unlink()
    (folder / "fees.txt").write_text("The fee is 3.")
    again = reload_corpus(store, first.id, actor=ACTOR)
    changes = again.changes
    assert (changes.added, changes.changed, changes.removed) == (("fees.txt",), ("branch:1",), ("branch:2",))
    assert changes.unchanged == 3
    assert again.source.id != first.id
    assert (again.source.name, again.source.location) == (first.name, first.location)
    assert held(store, first) == before
    stored, made = held(store, again.source)
    assert stored == again.corpus
    kept = {chunk.id for chunk in before[1]} & {chunk.id for chunk in made}
    assert len(kept) == 3
    assert {chunk.text for chunk in made} >= {"It moved to Belmont.", "The fee is 3."}
    with store.read() as connection:
        assert sources.latest(connection, project.id, SourceKind.CORPUS) == again.source
    assert corpus.fingerprint != again.corpus.fingerprint


def test_a_file_that_is_newly_left_out_is_a_load_of_its_own(store, project, folder):
    first, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    (folder / "other.pdf").write_bytes(b"%PDF")
    again = reload_corpus(store, first.id, actor=ACTOR)
    assert not again.changes
    assert again.source.id != first.id
    assert [item.path for item in held(store, again.source)[0].skipped] == ["broken.pdf", "other.pdf"]


def test_documents_of_an_earlier_version_are_cut_when_they_are_needed(store, project, folder):
    source, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    made = held(store, source)[1]
    with store.write(ACTOR, "test.downgrade") as connection:
        sources.put(connection, replace(source, chunking=None))
        sources.put_documents(connection, source.id, corpus)
    assert held(store, source)[1] == ()
    assert corpus_chunks(store, project.id, actor=ACTOR) == (source, made)
    with store.read() as connection:
        assert audit.entries(connection, limit=None)[0].action == "corpus.cut"
        assert len(sources.all(connection, project.id)) == 1


def test_chunks_of_another_size_are_a_corpus_of_their_own(store, project, folder):
    first, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    (folder / "long.txt").write_text("The fee of a card is 3 pounds. " * 40)
    source = reload_corpus(store, first.id, actor=ACTOR).source
    before = held(store, source)
    cut = chunk_documents(store, source.id, actor=ACTOR, tokens=40, overlap=0)
    assert cut.id != source.id
    assert (cut.chunking.tokens, cut.chunking.overlap) == (40, 0)
    assert (cut.loaded_at, cut.fingerprint, cut.location) == (source.loaded_at, source.fingerprint, source.location)
    assert held(store, source) == before
    documents, small = held(store, cut)
    assert documents == before[0]
    assert len(small) > len(before[1])
    assert corpus_chunks(store, project.id, actor=ACTOR) == (cut, small)
    (folder / "new.txt").write_text("Open daily.")
    again = reload_corpus(store, cut.id, actor=ACTOR).source
    assert again.chunking == cut.chunking
    assert set(small) < set(held(store, again)[1])


def test_cutting_in_the_same_way_stores_nothing(store, project, folder):
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    assert chunk_documents(store, source.id, actor=ACTOR, tokens=254, overlap=32) == source
    with store.read() as connection:
        assert len(sources.all(connection, project.id)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "overlap", "says"),
    [
        (3, 0, "A chunk of 3 tokens is too short"),
        (255, 0, "A chunk of 255 tokens is longer than what minilm reads at once, 254"),
        (40, 21, "An overlap of 21 tokens is out of range for chunks of 40"),
        (40, -1, "An overlap of -1 tokens"),
    ],
)
def test_sizes_out_of_bounds_are_refused(store, project, folder, tokens, overlap, says):
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    with pytest.raises(InvalidInput, match=says):
        chunk_documents(store, source.id, actor=ACTOR, tokens=tokens, overlap=overlap)


@pytest.mark.slow
def test_sizes_hold_when_the_same_folder_is_loaded_anew(store, project, folder):
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    chunk_documents(store, source.id, actor=ACTOR, tokens=40, overlap=0)
    again, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    assert (again.chunking.tokens, again.chunking.overlap) == (40, 0)


def test_a_load_tells_its_files_and_can_be_stopped(store, project, folder):
    told = []
    connect_corpus(store, project.id, folder, actor=ACTOR, progress=lambda *report: told.append(report))
    assert [report for report in told if report[0] == "Reading documents"][:2] == [
        ("Reading documents", 0, 6, "arden.md"),
        ("Reading documents", 1, 6, "belmont.md"),
    ]
    assert ("Cutting into chunks", 5, 5) in told
    assert told[-1] == ("Storing the documents", 5, 5)
    for left in (0, 3, 7):  # before the first file, between two, between two documents that are cut
        answers = iter([False] * left + [True])
        with pytest.raises(Stopped):
            connect_corpus(store, project.id, folder, actor=ACTOR, should_stop=lambda answers=answers: next(answers))
    with store.read() as connection:
        assert len(sources.all(connection, project.id)) == 1


def test_a_load_that_was_stored_is_not_done_twice(store, project, folder):
    first, corpus = connect_corpus(store, project.id, folder, actor=ACTOR, source_id="src_1")
    (folder / "new.txt").write_text("Open daily.")
    assert connect_corpus(store, project.id, folder, actor=ACTOR, source_id="src_1") == (first, corpus)
    again = reload_corpus(store, "src_1", actor=ACTOR, made_id="src_2")
    (folder / "newer.txt").write_text("Closed on Sundays.")
    assert reload_corpus(store, "src_1", actor=ACTOR, made_id="src_2") == again
    cut = chunk_documents(store, "src_2", actor=ACTOR, tokens=40, overlap=0, made_id="src_3")
    assert chunk_documents(store, "src_2", actor=ACTOR, tokens=60, overlap=0, made_id="src_3") == cut
    with store.read() as connection:
        assert [source.id for source in sources.all(connection, project.id)] == ["src_1", "src_2", "src_3"]


@pytest.mark.slow
def test_without_the_encoder_documents_are_loaded_all_the_same(store, project, folder, monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_ENCODER", str(tmp_path / "none"))
    source, corpus = connect_corpus(store, project.id, folder, actor=ACTOR)
    assert source.chunking is None
    assert held(store, source) == (corpus, ())
    with pytest.raises(InvalidInput, match="sentence encoder"):
        corpus_chunks(store, project.id, actor=ACTOR)
    monkeypatch.delenv("PLUMBLINE_ENCODER")
    assert len(corpus_chunks(store, project.id, actor=ACTOR)[1]) == 5


def test_what_cannot_be_loaded_again_is_told(store, project, folder, tmp_path):
    with pytest.raises(NotFound, match="no documents yet"):
        corpus_chunks(store, project.id, actor=ACTOR)
    built = Source(id="src_b", project_id=project.id, kind=SourceKind.CORPUS, name="Built", location="built:bank")
    with store.write(ACTOR, "test.build") as connection:
        sources.put(connection, built)
    with pytest.raises(InvalidInput, match="Built was not loaded from files"):
        reload_corpus(store, "src_b", actor=ACTOR)
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    folder.rename(tmp_path / "moved")
    with pytest.raises(SourceUnavailable, match="There is no folder"):
        reload_corpus(store, source.id, actor=ACTOR)
    with pytest.raises(NotFound):
        reload_corpus(store, "src_9", actor=ACTOR)


def test_a_viewer_loads_and_cuts_nothing(store, project, folder):
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, project.id, "vera", Role.VIEWER)
    assert len(corpus_chunks(store, project.id, actor="vera")[1]) == 5
    for act in (reload_corpus, chunk_documents):
        with pytest.raises(Forbidden):
            act(store, source.id, actor="vera")


def test_a_folder_outside_is_not_loaded_again_where_people_sign_in(store, project, tmp_path_factory, monkeypatch):
    outside = write_documents(tmp_path_factory.mktemp("outside") / "documents")
    source, _ = connect_corpus(store, project.id, outside, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    with pytest.raises(Forbidden, match="outside the data folder"):
        reload_corpus(store, source.id, actor=ACTOR)
