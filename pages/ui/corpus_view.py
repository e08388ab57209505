"""The documents part of the Connect page: load, what was loaded, what was left out and why."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.domain.projects import Role, Source, SourceKind
from core.knowledge.building import is_built
from core.sources.corpus.uploads import save_files
from core.sources.service import connect_corpus
from pages.ui import charts, errors, knowledge_build, knowledge_view, numbers, readers, state, tables
from pages.ui.frame import Page

SHOWN = 5000
"""Characters of a document shown at once."""


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
    cells = st.columns(4)
    charts.metric(cells[0], "Documents", numbers.count(len(loaded)), key="documents")
    charts.metric(cells[1], "Words", numbers.count(int(loaded["Words"].sum())), key="words")
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
    knowledge_view.made(page, source)
    knowledge_view.coverage(page, source)
    if len(skipped):
        st.subheader("Left out", anchor=False)
        tables.plain(skipped, key="skipped_files")
    st.subheader("Built" if is_built(source) else "Loaded", anchor=False)
    offset = tables.pages(len(loaded), thing="document")
    picked = tables.select(
        loaded.iloc[offset : offset + tables.PAGE].assign(Document=loaded["Id"]),
        key="loaded_files",
        id_column="Id",
        order=["Title", "Document", "Format", "Words", "File"],
    )
    with st.container(horizontal=True):
        tables.download(loaded, name="documents", key="documents_csv")
        knowledge_view.export(page, source)
    if picked:
        _document(page, source, picked)
    if page.may(Role.VALIDATOR):
        again = "" if is_built(source) else ", or load these again"
        with st.expander(f"Load other documents{again}", key="reload"):
            if not is_built(source) and st.button("Load the folder again", key="load_again"):
                _load(page, source.location, name=source.name)
            _document_forms(page)
        knowledge_view.build_section(page, first=False)


def _document_forms(page: Page) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.form("by_folder"):
        folder = st.text_input("Folder on this machine", key="corpus_folder", placeholder="/data/handbook")
        if st.form_submit_button("Load folder", key="load_folder", type="primary"):
            if folder.strip():
                _load(page, folder.strip())
            else:
                st.error("**No folder is given.**\n\nGive the path of the folder that holds the documents.")
    with right, st.form("by_files"):
        files = st.file_uploader(
            "Or files, up to 50 MB each", accept_multiple_files=True, key=state.fresh("corpus_files")
        )
        if st.form_submit_button("Upload and load", key="load_files"):
            if not files:
                st.error("**No file is chosen.**\n\nChoose one or more documents first.", icon=":material/error:")
            else:
                _upload_documents(page, [(file.name, file.getvalue()) for file in files])


def _load(page: Page, folder: str, *, name: str = "") -> None:
    with errors.shown(), st.spinner("Loading the documents"):
        _, corpus = connect_corpus(page.store, page.project.id, Path(folder), actor=page.actor, name=name)
        left_out = f", {numbers.count(len(corpus.skipped), 'file')} left out" if corpus.skipped else ""
        state.say(f"Loaded {numbers.count(len(corpus.documents), 'document')}{left_out}.")
        st.rerun()


def _upload_documents(page: Page, files: list[tuple[str, bytes]]) -> None:
    with errors.shown():
        folder = save_files(files, page.settings.data / "uploads" / page.project.id)
        state.renew("corpus_files")
        _load(page, str(folder), name=numbers.count(len(files), "uploaded file"))


def _document(page: Page, source: Source, document_id: str) -> None:
    found = readers.document(page.store, source, document_id)
    if found is None:
        return
    with st.container(border=True, key="document"):
        st.markdown(f"**{errors.plain(found.title)}**  \n:small[:gray[{errors.plain(found.path)}, {found.format}]]")
        st.text(found.text[:SHOWN])
        if len(found.text) > SHOWN:
            st.caption(f"The first {SHOWN:,} of {len(found.text):,} characters.")
