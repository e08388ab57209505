"""The documents part of Connect: what was loaded, left out and remarked, chunks, and what loading again changed."""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import replace

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.sources.projects import SourceKind
from core.sources.loading import KIND
from core.sources.service import connect_corpus
from core.store import sources
from core.store.testset import chunks
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.processes.killed_job import until
from tests.support.processes.stopped_job import LIMIT_S
from tests.support.small_bank import ACTOR, said, write_documents


@pytest.fixture
def folder(tmp_path):
    made = write_documents(tmp_path / "docs")
    (made / "page.html").write_text("<h1>Fees</h1><p>The fee is 3.</p><script>x()</script>", encoding="utf-8")
    text = " ".join(f"The fee of plan {number} is {number} pounds a month." for number in range(60))
    (made / "long.md").write_text(f"# Plans\n\n## Fees\n\n{text}", encoding="utf-8")
    return made


@pytest.fixture
def source(store, project, folder):
    return connect_corpus(store, project.id, folder, actor=ACTOR)[0]


def corpus_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.CORPUS)


def test_the_report_names_what_was_loaded_left_out_and_remarked(open_page, project, source):
    app = open_page("connect", project=project.id, view="documents")
    assert not app.exception
    assert {"Documents": "7", "Chunks": "9", "Formats": "2", "Files left out": "1"}.items() <= metrics(app).items()
    assert "up to 254 tokens each, up to 32 shared with the chunk before" in captions(app)
    assert holding(app, "Reason").to_dict("records") == [{"File": "broken.pdf", "Reason": "it is empty"}]
    assert holding(app, "Remark")["Remark"].tolist() == ["left out: 1 script element; nothing of a page is run"]
    listed = holding(app, "Chunks").set_index("Document")
    assert (listed.loc["branch:1", "Chunks"], listed.loc["long.md", "Chunks"]) == (1, 3)
    assert "Since the load before" not in captions(app)


def test_a_document_shows_its_chunks_with_their_places(open_page, store, project, source):
    with store.read() as connection:
        made = chunks.of_document(connection, source.id, "long.md")
    app = open_page("connect", project=project.id, view="documents", document="long.md", chunk=made[1].id)
    assert not app.exception
    assert holding(app, "Begins")["Section"].tolist() == ["Plans > Fees"] * 3
    assert "Page" not in holding(app, "Begins")
    assert app.text[0].value == made[1].text
    place = f"chunk 2 of 3, Plans > Fees, characters {made[1].start:,} to {made[1].end:,}"
    assert place in captions(app)


@pytest.mark.slow
def test_a_selected_document_and_chunk_stand_in_the_link(open_page, project, source):
    app = open_page("connect", project=project.id, view="documents")
    rows = table(app, "loaded_files")["Id"].tolist()
    assert select(app, "loaded_files", rows.index("long.md"), "Id") == "long.md"
    picked = select(app, "chunks", 2, "Id")
    assert not app.exception
    assert app.query_params["document"] == "long.md"
    assert app.query_params["chunk"] == picked
    assert "chunk 3 of 3" in captions(app)
    select(app, "loaded_files", rows.index("branch:1"), "Id")
    assert "chunk" not in app.query_params
    assert "chunk 1 of 1" in captions(app)


@pytest.mark.slow
def test_a_document_shows_its_text(open_page, project, source):
    app = open_page("connect", project=project.id, view="documents", document="branch:1")
    app.segmented_control(key="document_part").set_value("Text").run()
    assert not app.exception
    assert app.text[0].value == "Arden Branch is in Arden. Its manager is Ines Okoro."


def test_a_document_that_is_gone_is_told(open_page, project, source):
    app = open_page("connect", project=project.id, view="documents", document="gone.md")
    assert not app.exception
    assert "has no document gone.md" in said(app)


@pytest.mark.slow
def test_loading_again_shows_what_changed(open_page, store, project, source, folder):
    (folder / "page.html").unlink()
    (folder / "new.txt").write_text("Open daily.", encoding="utf-8")
    app = open_page("connect", project=project.id, view="documents")
    app.button(key="load_again").click().run()
    assert not app.exception
    assert "Loaded again: 1 added, 1 removed." in app.success[0].value
    assert "1 added, 1 removed, 6 as before" in captions(app)
    changed = holding(app, "Change")
    assert changed[["Change", "Document"]].to_dict("records") == [
        {"Change": "Added", "Document": "new.txt"},
        {"Change": "Removed", "Document": "page.html"},
    ]
    assert corpus_of(store, project).id != source.id


@pytest.mark.slow
def test_loading_again_without_a_change_says_so(open_page, store, project, source):
    app = open_page("connect", project=project.id, view="documents")
    app.button(key="load_again").click().run()
    assert "Nothing changed: 7 documents as before." in app.success[0].value
    assert corpus_of(store, project) == source


@pytest.mark.slow
def test_another_file_that_is_left_out_is_told_without_a_change(open_page, store, project, source, folder):
    (folder / "scan.pdf").write_bytes(b"")
    app = open_page("connect", project=project.id, view="documents")
    app.button(key="load_again").click().run()
    assert "Loaded again: no text changed." in app.success[0].value
    assert "no document changed, 7 as before" in captions(app)
    assert holding(app, "Reason")["File"].tolist() == ["broken.pdf", "scan.pdf"]


@pytest.mark.slow
def test_a_folder_that_is_gone_is_told(open_page, store, project, source, folder):
    folder.rename(folder.with_name("moved"))
    app = open_page("connect", project=project.id, view="documents")
    app.button(key="load_again").click().run()
    assert "There is no folder" in app.error[0].value
    assert corpus_of(store, project) == source


@pytest.mark.slow
def test_documents_of_an_earlier_version_can_be_cut(open_page, store, project, source):
    with store.write(ACTOR, "test.earlier") as connection:
        loaded = sources.corpus(connection, source.id)
        sources.put(connection, replace(source, chunking=None))
        sources.put_documents(connection, source.id, loaded)
    app = open_page("connect", project=project.id, view="documents")
    assert metrics(app)["Chunks"] == "-"
    app.button(key="cut_chunks").click().run()
    assert not app.exception
    assert "Cut 7 documents." in app.success[0].value
    assert metrics(app)["Chunks"] == "9"
    assert corpus_of(store, project).id == source.id


@pytest.mark.slow
def test_how_documents_are_cut_is_shown_and_can_be_changed(open_page, store, project, source):
    app = open_page("connect", project=project.id, view="documents")
    assert "Up to 254 tokens of the encoder minilm; up to 32 of them repeat" in captions(app)
    tokens, overlap = app.number_input(key="chunk_tokens"), app.number_input(key="chunk_overlap")
    assert (tokens.value, tokens.min, tokens.max, overlap.value, overlap.max) == (254, 16, 254, 32, 127)
    tokens.set_value(40)
    overlap.set_value(8)
    app.button(key="cut_chunks").click().run()
    assert not app.exception
    assert "Cut 7 documents again. Existing topics and questions come from the old chunks" in said(app)
    cut = corpus_of(store, project)
    assert (cut.id == source.id, cut.chunking.tokens, cut.chunking.overlap) == (False, 40, 8)
    assert "up to 40 tokens each, up to 8 shared with the chunk before" in captions(app)
    assert "Cut again since they were loaded; before: up to 254 tokens, up to 32 shared" in captions(app)
    with store.read() as connection:
        assert len(chunks.of(connection, source.id)) == 9
        assert len(chunks.of(connection, cut.id)) > 9
    app.button(key="load_again").click().run()
    assert "Nothing changed: 7 documents as before." in app.success[0].value


@pytest.mark.slow
def test_sizes_that_do_not_go_together_are_told(open_page, store, project, source):
    app = open_page("connect", project=project.id, view="documents")
    app.number_input(key="chunk_tokens").set_value(40)
    app.button(key="cut_chunks").click().run()
    assert "An overlap of 32 tokens is out of range for chunks of 40" in app.error[0].value
    assert corpus_of(store, project) == source


def test_the_same_sizes_cut_nothing(open_page, store, project, source):
    app = open_page("connect", project=project.id, view="documents")
    app.button(key="cut_chunks").click().run()
    assert "The documents are already cut in this way." in said(app)
    assert corpus_of(store, project) == source


@pytest.fixture
def many(tmp_path):
    """A folder that takes longer than a person waits for a page."""
    made = tmp_path / "many"
    made.mkdir()
    for number in range(450):
        (made / f"{number:03}.txt").write_text(f"The fee of plan {number} is {number} pounds.", encoding="utf-8")
    (made / "empty.txt").write_bytes(b"")
    return made


def finished(app, store):
    """The page after the worker of the job in its link has ended."""
    job_id = app.query_params["job"]
    ended = jobs.wait(store, job_id, seconds=LIMIT_S)
    assert ended.state is JobState.FINISHED, ended.error
    app.run()
    assert not app.exception
    assert "job" not in app.query_params
    return app


@pytest.mark.slow
def test_a_large_folder_is_loaded_by_a_worker(open_page, store, project, source, many):
    app = open_page("connect", project=project.id, view="documents")
    app.text_input(key="corpus_folder").set_value(str(many))
    app.button(key="load_folder").click().run()
    assert not app.exception
    assert not {"load_folder", "load_files", "load_again"} & keys(app)
    assert finished(app, store).success[0].value == "Loaded 450 documents, 1 file left out."
    assert metrics(app)["Documents"] == "450"
    (many / "449.txt").unlink()
    app.button(key="load_again").click().run()
    assert "Loaded again: 1 removed." in finished(app, store).success[0].value
    app.button(key="load_again").click().run()
    assert "Nothing changed: 449 documents as before." in finished(app, store).success[0].value


@pytest.mark.slow
def test_a_load_that_goes_on_is_found_without_its_link(open_page, store, project, source, many, data):
    gone = jobs.start(
        store,
        project_id=project.id,
        kind=KIND,
        params={"act": "load", "place": str(many), "spool": ""},
        actor=ACTOR,
        subject="src_gone",
        command=(sys.executable, "-c", "pass"),
    )
    until(lambda: jobs.get(store, gone.id).state is JobState.INTERRUPTED, "it has a worker")
    app = open_page("connect", project=project.id, view="documents")
    assert "Resume reads the files that are left" in said(app)
    assert metrics(app)["Documents"] == "7"
    app.button(key="leave_load").click().run()
    assert not app.exception
    assert jobs.get(store, gone.id).state is JobState.STOPPED
    assert "Interrupted" not in said(app)
    assert "load_folder" in keys(app)


@pytest.mark.slow
def test_large_uploads_reach_a_worker_and_stopped_ones_are_not_resumed(open_page, store, project, data, many):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in many.iterdir():
            archive.write(path, path.name)
    app = open_page("connect", project=project.id, view="documents")
    app.file_uploader[0].upload("plans.zip", buffer.getvalue())
    app.button(key="load_files").click().run()
    assert not app.exception
    assert "Loaded 450 documents, 1 file left out." in finished(app, store).success[0].value
    loaded = corpus_of(store, project)
    assert (loaded.name, loaded.location) == ("plans.zip", "uploaded:plans.zip")
    assert list((data / "spool").iterdir()) == []
    stopped = jobs.start(
        store,
        project_id=project.id,
        kind=KIND,
        params={"act": "load", "place": "", "uploads": True, "spool": ""},
        actor=ACTOR,
        subject="src_gone",
        command=(sys.executable, "-c", "pass"),
    )
    until(lambda: jobs.get(store, stopped.id).state is JobState.INTERRUPTED, "it has a worker")
    jobs.stop(store, stopped.id, ACTOR)
    app = open_page("connect", project=project.id, view="documents", job=stopped.id)
    assert "The uploaded files were deleted with this load" in captions(app)
    assert "load_job_resume" not in keys(app)


def test_an_archive_is_loaded_with_its_own_paths(open_page, store, project):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("fees/cards.md", "# Cards\n\nThe fee is 3.")
        archive.writestr("../up.md", "secret")
    app = open_page("connect", project=project.id, view="documents")
    app.file_uploader[0].upload("bank.zip", buffer.getvalue())
    app.button(key="load_files").click().run()
    assert not app.exception
    assert "Loaded 1 document, 1 file left out" in app.success[0].value
    assert holding(app, "Reason").to_dict("records") == [
        {"File": "../up.md", "Reason": "its path leads out of its archive"}
    ]
    source = corpus_of(store, project)
    assert source.name == "bank.zip"
    with store.read() as connection:
        assert [document.id for document in sources.documents(connection, source.id)] == ["fees/cards.md"]


@pytest.mark.slow
def test_a_viewer_reads_and_loads_nothing(open_page, store, project, source, monkeypatch):
    app = open_page("connect", project=project.id, view="documents", document="branch:1")
    app = as_viewer(app, store, project, monkeypatch)
    assert not app.exception
    assert app.text[0].value.startswith("Arden Branch")
    assert not {"load_again", "cut_chunks", "load_folder", "load_files"} & keys(app)


def test_the_formats_and_the_state_of_ocr_are_listed(open_page, project, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    app = open_page("connect", project=project.id, view="documents")
    assert not app.exception
    kinds = holding(app, "Endings").set_index("Kind")["Endings"]
    assert kinds["E-mails"] == ".eml"
    assert kinds["Word 97 to 2003"] == ".doc"
    assert "no OCR engine is installed" in captions(app)


def test_copies_are_told_once_as_a_group(open_page, store, project, folder):
    for name in ("copy one.md", "copy two.md"):
        (folder / name).write_bytes((folder / "long.md").read_bytes())
    connect_corpus(store, project.id, folder, actor=ACTOR)
    app = open_page("connect", project=project.id, view="documents")
    assert not app.exception
    [group] = holding(app, "The same text").to_dict("records")
    assert (group["Document"], group["Documents"]) == ("copy one.md", 3)
    assert group["The same text"] == "copy two.md, long.md"
    assert holding(app, "Reason")["File"].tolist() == ["broken.pdf"]
