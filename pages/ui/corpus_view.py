"""The documents part of the Connect page: load, what was loaded and what changed, what was left out and why."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from core.domain.projects import Role, Source, SourceKind
from core.knowledge.building import is_built
from core.sources.corpus.uploads import save_files, uploaded_place
from core.sources.service import chunk_documents, connect_corpus, reload_corpus
from pages.ui import (
    charts,
    chunk_view,
    corpus_reads,
    errors,
    knowledge_build,
    knowledge_view,
    numbers,
    readers,
    state,
    tables,
)
from pages.ui.frame import Page


def draw(page: Page) -> None:
    """The loaded documents, or the ways to load some."""
    if page.may(Role.VALIDATOR) and knowledge_build.watch(page):
        return
    source = readers.source(page.store, page.project.id, SourceKind.CORPUS)
    if source is None:
        st.markdown(
            "**No documents are loaded yet.** Load the ones the system under test reads: they show whether a fact was "
            "there to be found, and the built-in targets search them."
        )
        if page.may(Role.VALIDATOR):
            _document_forms(page)
            knowledge_view.build_section(page, first=True)
        return
    loaded, skipped = readers.documents(page.store, source)
    page.context(f"corpus **{errors.plain(source.name)}**", f"loaded {numbers.when(source.loaded_at)}")
    counts = corpus_reads.chunk_counts(page.store, source)
    _figures(source, loaded, skipped, sum(counts.values()))
    _actions(page, source)
    _changes(page, source, loaded)
    knowledge_view.made(page, source)
    knowledge_view.coverage(page, source)
    _left_out(page, source, skipped)
    _documents(page, source, loaded.assign(Chunks=loaded["Id"].map(counts)))
    if page.may(Role.VALIDATOR):
        with st.expander("Load other documents", key="reload"):
            _document_forms(page)
        knowledge_view.build_section(page, first=False)


def _figures(source: Source, loaded: pd.DataFrame, skipped: pd.DataFrame, chunks: int) -> None:
    cells = st.columns(4)
    words = f"{numbers.count(int(loaded['Words'].sum()))} words"
    charts.metric(cells[0], "Documents", numbers.count(len(loaded)), words, key="documents")
    cut = source.chunking
    charts.metric(
        cells[1],
        "Chunks",
        numbers.count(chunks) if cut else "-",
        f"up to {cut.tokens} tokens, {cut.overlap} of them repeated" if cut else "not cut yet",
        help="Passages cut at headings and between sentences, tables whole, as long as the sentence encoder reads at "
        "once. Topics and questions from documents stand on them.",
        key="chunks",
    )
    charts.metric(
        cells[2],
        "Writers" if is_built(source) else "Formats",
        numbers.count(loaded["Format"].nunique()),
        ", ".join(f"{name} {n}" for name, n in loaded["Format"].value_counts().items()),
        key="formats",
    )
    charts.metric(
        cells[3],
        "Tables left out" if is_built(source) else "Files left out",
        numbers.count(len(skipped)),
        "with a reason each" if len(skipped) else "",
        key="skipped",
    )


def _actions(page: Page, source: Source) -> None:
    """Load again what was loaded from files, and cut what is not cut: built documents, or an earlier version's."""
    if not page.may(Role.VALIDATOR):
        return
    with st.container(horizontal=True):
        if not is_built(source) and st.button(
            "Load again", key="load_again", help="Reads the files that changed since, and cuts only their documents."
        ):
            _reload(page, source)
        if source.chunking is None and st.button("Cut into chunks", key="cut_chunks"):
            with errors.shown(), st.spinner("Cutting the documents into chunks"):
                made = chunk_documents(page.store, source.id, actor=page.actor)
                state.say(f"Cut the documents into {numbers.count(len(made), 'chunk')}.")
                st.rerun()


def _changes(page: Page, source: Source, loaded: pd.DataFrame) -> None:
    before = None if is_built(source) else corpus_reads.loaded_before(page.store, source)
    if before is None:
        return
    found = before.changes
    kinds = {"Added": found.added, "Changed": found.changed, "Removed": found.removed}
    told = ", ".join(f"{len(ids):,} {kind.casefold()}" for kind, ids in kinds.items() if ids) or "no document changed"
    st.caption(
        f"Since the load before ({numbers.when(before.loaded_at)}): {told}, {found.unchanged:,} as before.",
    )
    if found:
        titles = dict(zip(loaded["Id"], loaded["Title"], strict=True))
        rows = [(kind, item, titles.get(item, "")) for kind, ids in kinds.items() for item in ids]
        with st.expander("What changed", key="changes"):
            frame = pd.DataFrame(rows, columns=["Change", "Document", "Title"])
            tables.plain(frame, key="changes_table")
            tables.download(frame, name="changed-documents", key="changes_csv")


def _left_out(page: Page, source: Source, skipped: pd.DataFrame) -> None:
    if len(skipped):
        st.subheader("Left out", anchor=False)
        tables.plain(skipped, key="skipped_files")
        tables.download(skipped, name="left-out", key="skipped_csv")
    remarks = corpus_reads.remarks(page.store, source)
    if len(remarks):
        with st.expander(f"{numbers.count(len(remarks), 'remark')} on loaded documents", key="remarks"):
            tables.plain(remarks, key="remarks_table")
            tables.download(remarks, name="remarks", key="remarks_csv")


def _documents(page: Page, source: Source, loaded: pd.DataFrame) -> None:
    st.subheader("Built" if is_built(source) else "Loaded", anchor=False)
    offset = tables.pages(len(loaded), thing="document")
    dated = ["Date"] if loaded["Date"].any() else []
    if tables.follow(
        loaded.iloc[offset : offset + tables.PAGE].assign(Document=loaded["Id"]),
        key="loaded_files",
        id_column="Id",
        parameter="document",
        order=["Title", "Document", "Format", *dated, "Words", "Chunks", "File"],
    ):
        state.update(chunk="")
    with st.container(horizontal=True):
        tables.download(loaded, name="documents", key="documents_csv")
        knowledge_view.export(page, source)
    if state.link().document:
        chunk_view.draw(page, source, state.link().document)
    else:
        st.caption("Select a document to read its chunks and its text.")


def _document_forms(page: Page) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.form("by_folder"):
        folder = st.text_input(
            "Folder or zip archive on this machine", key="corpus_folder", placeholder="/data/handbook"
        )
        if st.form_submit_button("Load folder", key="load_folder", type="primary"):
            if folder.strip():
                _load(page, Path(folder.strip()))
            else:
                st.error("**No folder is given.**\n\nGive the path of the folder that holds the documents.")
    with right, st.form("by_files"):
        files = st.file_uploader(
            "Or files, or one zip archive of them, up to 50 MB each",
            accept_multiple_files=True,
            key=state.fresh("corpus_files"),
        )
        if st.form_submit_button("Upload and load", key="load_files"):
            if not files:
                st.error("**No file is chosen.**\n\nChoose one or more documents first.", icon=":material/error:")
            else:
                _upload_documents(page, [(file.name, file.getvalue()) for file in files])


def _load(page: Page, place: Path, *, name: str = "") -> None:
    with errors.shown(), st.spinner("Loading the documents"):
        _, corpus = connect_corpus(page.store, page.project.id, place, actor=page.actor, name=name)
        left_out = f", {numbers.count(len(corpus.skipped), 'file')} left out" if corpus.skipped else ""
        state.say(f"Loaded {numbers.count(len(corpus.documents), 'document')}{left_out}.")
        st.rerun()


def _reload(page: Page, source: Source) -> None:
    with errors.shown(), st.spinner("Loading what changed"):
        again = reload_corpus(page.store, source.id, actor=page.actor)
        if again.source.id == source.id:
            state.say(f"Nothing changed: {numbers.count(again.changes.unchanged, 'document')} as before.")
        else:
            counted = (("added", again.changes.added), ("changed", again.changes.changed))
            told = [f"{len(ids):,} {what}" for what, ids in (*counted, ("removed", again.changes.removed)) if ids]
            state.say(f"Loaded again: {', '.join(told) or 'no text changed'}.")
        st.rerun()


def _upload_documents(page: Page, files: list[tuple[str, bytes]]) -> None:
    with errors.shown():
        place = uploaded_place(save_files(files, page.settings.data / "uploads" / page.project.id))
        state.renew("corpus_files")
        _load(page, place, name=files[0][0] if place.is_file() else numbers.count(len(files), "uploaded file"))
