"""How documents are cut into chunks, on the Connect page: what holds now, and other sizes."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.sources.chunks import Chunking
from core.domain.sources.projects import Role, Source
from core.encoders.tokens import open_counter
from core.sources.corpus.chunks.chunking import LEAST_TOKENS, chunking_for
from core.sources.loading import cutting_work, start_cut
from core.sources.service import chunk_documents
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.set_up.connect import corpus_load


def draw(page: Page, source: Source, *, busy: bool) -> None:
    """The sizes that hold; a validator may set others. Those that are not cut are cut with the sizes shown."""
    title = "How the documents are cut" if source.chunking else "The documents are not cut into chunks yet"
    with st.expander(title, key="chunking", expanded=source.chunking is None):
        st.markdown(
            "Documents are cut at headings and between sentences, tables whole. A chunk is what the sentence encoder "
            "reads at once; topics are found among chunks and questions are written from them."
        )
        if source.chunking:
            st.caption(errors.plain(_description(source.chunking)))
        if not page.may(Role.VALIDATOR):
            return
        try:
            counter = open_counter()
        except InvalidInput as error:
            errors.show(error)
            return
        _form(page, source, counter.name, counter.capacity, busy=busy)


def _description(chunking: Chunking) -> str:
    return (
        f"Up to {chunking.tokens:,} tokens of the encoder {chunking.encoder}; up to {chunking.overlap:,} of them "
        "repeat the end of the chunk before."
    )


def _form(page: Page, source: Source, encoder: str, capacity: int, *, busy: bool) -> None:
    standard = chunking_for(open_counter())
    now = source.chunking if source.chunking and source.chunking.encoder == encoder else standard
    with st.form("cut_form", border=False):
        tokens_at, overlap_at = st.columns(2)
        tokens = tokens_at.number_input(
            "Tokens per chunk, at most",
            min_value=LEAST_TOKENS,
            max_value=capacity,
            value=min(now.tokens, capacity),
            key="chunk_tokens",
            help=f"{encoder} reads {capacity:,} at once: the encoder would ignore the end of a longer chunk. "
            f"{standard.tokens:,} by default.",
        )
        overlap = overlap_at.number_input(
            "Tokens repeated, at most",
            min_value=0,
            max_value=capacity // 2,
            value=now.overlap,
            key="chunk_overlap",
            help=f"Whole sentences, up to half of the tokens. {standard.overlap:,} by default.",
        )
        if source.chunking:
            st.caption(
                "Other sizes give other chunks: the topics are then outdated and must be found again. Results on the "
                "present chunks stay as they are."
            )
        name = "Cut again" if source.chunking else "Cut into chunks"
        if st.form_submit_button(name, key="cut_chunks", disabled=busy):
            _cut(page, source, int(tokens), int(overlap))


def _cut(page: Page, source: Source, tokens: int, overlap: int) -> None:
    with errors.shown():
        work = cutting_work(page.store, source.id)
        if not work.quick:
            started = start_cut(page.store, source.id, tokens=tokens, overlap=overlap, actor=page.actor)
            state.update(job=started.id)
            st.rerun()
        with st.spinner("Cutting the documents into chunks"):
            cut = chunk_documents(page.store, source.id, actor=page.actor, tokens=tokens, overlap=overlap)
        if cut == source:
            st.info("The documents are already cut in this way.")
            return
        state.update(chunk="")
        state.say(
            corpus_load.cut_anew(work.files) if source.chunking else f"Cut {numbers.count(work.files, 'document')}."
        )
        st.rerun()
