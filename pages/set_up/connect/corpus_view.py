"""The documents part of the Connect page: load, what was loaded and what changed, what was left out and why."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.domain.sources.chunks import Chunking
from core.domain.sources.projects import Role, Source, SourceKind
from core.knowledge.building import is_built
from core.sources.corpus.loading import REPEATS
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables
from pages.set_up.connect import (
    chunk_view,
    corpus_cut,
    corpus_load,
    corpus_reads,
    duplicates_view,
    knowledge_build,
    knowledge_view,
    matching_view,
)


def draw(page: Page) -> None:
    """The loaded documents, or the ways to load some."""
    if page.may(Role.VALIDATOR) and knowledge_build.watch(page):
        return
    busy = corpus_load.watch(page)
    source = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    if source is None:
        if busy:
            return
        st.markdown(
            "**No documents are loaded yet.** Load the ones the system under test reads: they show whether a fact "
            "could be found at all, and the built-in targets search them."
        )
        if page.may(Role.VALIDATOR):
            corpus_load.forms(page)
            knowledge_view.build_section(page, first=True)
        return
    loaded, skipped = project_reads.documents(page.store, source)
    page.context(f"corpus **{errors.plain(source.name)}**", f"loaded {numbers.when(source.loaded_at)}")
    counts = corpus_reads.chunk_counts(page.store, source)
    _figures(source, loaded, skipped, sum(counts.values()))
    if page.may(Role.VALIDATOR) and not busy:
        corpus_load.reload(page, source)
    corpus_cut.draw(page, source, busy=busy)
    _changes(page, source, loaded)
    knowledge_view.provenance(page, source)
    matching_view.draw(page, source)
    knowledge_view.coverage(page, source)
    _left_out(page, source, skipped)
    _documents(page, source, loaded.assign(Chunks=loaded["Id"].map(counts)))
    if page.may(Role.VALIDATOR) and not busy:
        with st.expander("Load other documents", key="reload"):
            corpus_load.forms(page)
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
        f"up to {cut.tokens} tokens each, {_overlap(cut)}" if cut else "not cut yet",
        help="Passages cut at headings and between sentences, tables whole, as long as the sentence encoder reads at "
        "once. Topics and questions from documents are made from them.",
        key="chunks",
    )
    charts.metric(
        cells[2],
        "Writers" if is_built(source) else "Formats",
        numbers.count(loaded["Format"].nunique()),
        ", ".join(
            f"{n:,} {'by ' if is_built(source) else ''}{name}" for name, n in loaded["Format"].value_counts().items()
        ),
        key="formats",
    )
    charts.metric(
        cells[3],
        "Tables left out" if is_built(source) else "Files left out",
        numbers.count(len(skipped)),
        _why_left_out(skipped),
        key="skipped",
    )


def _overlap(cut: Chunking) -> str:
    return f"up to {cut.overlap} shared with the chunk before" if cut.overlap else "none shared"


def _why_left_out(skipped: pd.DataFrame) -> str:
    copies = int(skipped["Reason"].str.startswith(REPEATS).sum())
    others = len(skipped) - copies
    parts = [f"{others:,} with a reason each"] if others and copies else ["with a reason each"] if others else []
    return ", ".join([*parts, numbers.count(copies, "copy", "copies")] if copies else parts)


def _changes(page: Page, source: Source, loaded: pd.DataFrame) -> None:
    before = None if is_built(source) else corpus_reads.loaded_before(page.store, source)
    if before is None:
        return
    if before.chunking != source.chunking and not before.changes:  # the same documents, cut anew
        was = f"up to {before.chunking.tokens} tokens, {_overlap(before.chunking)}" if before.chunking else "not"
        st.caption(
            f"Cut again since they were loaded; before: {was}. Topics and questions from those chunks are unchanged."
        )
        return
    changes = before.changes
    kinds = {"Added": changes.added, "Changed": changes.changed, "Removed": changes.removed}
    summary = (
        ", ".join(f"{len(ids):,} {kind.casefold()}" for kind, ids in kinds.items() if ids) or "no document changed"
    )
    st.caption(
        f"Since the previous load ({numbers.when(before.loaded_at)}): {summary}, {changes.unchanged:,} as before.",
    )
    if changes:
        titles = dict(zip(loaded["Id"], loaded["Title"], strict=True))
        rows = [(kind, item, titles.get(item, "")) for kind, ids in kinds.items() for item in ids]
        with st.expander("What changed", key="changes"):
            frame = pd.DataFrame(rows, columns=["Change", "Document", "Title"])
            tables.plain(frame, key="changes_table")
            tables.download(frame, name="changed-documents", key="changes_csv")


def _left_out(page: Page, source: Source, skipped: pd.DataFrame) -> None:
    skipped = skipped[~skipped["Reason"].str.startswith(REPEATS)]  # they are told below, a group at a time
    if len(skipped):
        st.subheader("Left out", anchor=False)
        tables.plain(skipped, key="skipped_files")
        tables.download(skipped, name="left-out", key="skipped_csv")
    duplicates_view.draw(page, source)
    remarks = corpus_reads.remarks(page.store, source)
    remarks = remarks[~remarks["Remark"].str.startswith(REPEATS)]
    if len(remarks):
        with st.expander(f"{numbers.count(len(remarks), 'remark')} on loaded documents", key="remarks"):
            tables.plain(remarks, key="remarks_table")
            tables.download(remarks, name="remarks", key="remarks_csv")


def _documents(page: Page, source: Source, loaded: pd.DataFrame) -> None:
    st.subheader("Built" if is_built(source) else "Loaded", anchor=False)
    offset = tables.pages(len(loaded), thing="document")
    dated = ["Date"] if loaded["Date"].any() else []
    filed = ["File"] if (loaded["File"] != loaded["Id"]).any() else []  # several documents of one file
    if tables.follow(
        loaded.iloc[offset : offset + tables.PAGE].assign(Document=loaded["Id"]),
        key="loaded_files",
        id_column="Id",
        parameter="document",
        columns={name: st.column_config.NumberColumn(format="localized") for name in ("Words", "Chunks")},
        order=["Title", "Document", "Format", *dated, "Words", "Chunks", *filed],
    ):
        state.update(chunk="")
    with st.container(horizontal=True):
        tables.download(loaded, name="documents", key="documents_csv")
        knowledge_view.export(page, source)
    if state.link().document:
        chunk_view.draw(page, source, state.link().document)
    else:
        st.caption("Select a document to read its chunks and its text.")
