"""What the documents hold of what the tests ask, how built ones were made, and their export."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.estimates import Proportion
from core.domain.sources.documents import Document
from core.domain.sources.projects import Source
from core.domain.testset.cases import TestSet
from core.knowledge.building import BuildResult, build_result
from core.knowledge.coverage import Coverage, MissingFact, project_coverage
from core.knowledge.exporting import ENDINGS, as_json, as_zip
from core.knowledge.fluent import Writer
from core.store import document_mappings, sources
from core.store.database import Store
from core.testset.gold_fit import GoldFit
from pages.kit import cache, errors, project_reads
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables
from pages.kit.models import form
from pages.kit.testset import case_counts
from pages.set_up.connect import knowledge_build

LARGE = 20_000
"""Questions from which on a person is asked before they are looked up."""

MISSING = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Asked": 320, "Answer": 150, "Document": 150, "Why": 300}.items()
}


def coverage(page: Page, source: Source) -> None:
    """The coverage of the latest test set, else of the approved templates; nothing where nothing is asked yet."""
    st.subheader("Do they state the facts the tests ask for?", anchor=False)
    latest = next(iter(project_reads.test_sets(page.store, page.project.id)), None)
    many = case_counts.number(page.store, latest.id) if latest else 0
    if many > LARGE and not st.toggle(f"Look up {numbers.count(many, 'question')}, which takes a while", key="cover"):
        return
    with st.spinner("Looking the facts up in the documents"):
        fact_coverage = _current_coverage(page, source, latest)
    if fact_coverage is None:
        st.caption(
            "There are no questions yet. Approve templates or build a test set, and this says which facts are missing."
        )
        return
    ids_at, facts_at = st.columns(2)
    _share(ids_at, "Gold ids with a document", fact_coverage.ids, "ids", "none has a gold id", key="covered_ids")
    nothing = "none has a document of its own"
    _share(facts_at, "Facts that their documents state", fact_coverage.facts, "facts", nothing, key="covered_facts")
    st.caption(errors.plain(_basis(fact_coverage)))
    _listed(
        fact_coverage.missing, f"{numbers.count(len(fact_coverage.missing), 'fact')} not in their documents", "missing"
    )
    pageless = fact_coverage.without_document
    _listed(pageless, f"{numbers.count(len(pageless), 'fact')} without a document to look in", "without_document")


def _basis(fact_coverage: Coverage) -> str:
    """What was counted, what was left out, and why."""
    ids = GoldFit(ids=fact_coverage.ids.den, missing=fact_coverage.missing_ids)
    sentences = [
        f"Of {fact_coverage.basis}. A fact counts as stated where its value occurs in a gold document, in any usual "
        "spelling; that is necessary, not proof.",
        ids.sentence,
    ]
    if fact_coverage.without_document:
        sentences.append(
            f"{numbers.count(len(fact_coverage.without_document), 'fact')} of records without a document of their own "
            "are left out: another document may state them, such as a page of several records. Diagnose looks in every "
            "document."
        )
    if fact_coverage.without_ids:
        sentences.append(f"{numbers.count(fact_coverage.without_ids, 'fact')} without gold ids are left out.")
    if fact_coverage.computed:
        sentences.append(
            f"{numbers.count(fact_coverage.computed, 'fact')} computed from several rows are left out: no document "
            "need state them."
        )
    return " ".join(filter(None, sentences))


def _listed(facts: Sequence[MissingFact], title: str, name: str) -> None:
    """The facts as a table to open and to download; nothing where there is none."""
    if facts:
        with st.expander(title, key=f"{name}_facts"):
            frame = _missing(facts)
            tables.plain(frame, key=f"{name}_table", columns=MISSING)
            tables.download(frame, name=f"{name.replace('_', '-')}-facts", key=f"{name}_csv")


def _current_coverage(page: Page, source: Source, latest: TestSet | None) -> Coverage | None:
    # What is frozen and loaded never changes, so other people's writes need not count it again.
    read = _frozen_coverage if latest is not None and latest.frozen else _coverage
    return read(page.store, page.project.id, source.fingerprint, latest.id if latest else "", _mapping(page))


def _mapping(page: Page) -> str:
    with page.store.read() as connection:
        return document_mappings.latest_id(connection, page.project.id)


@cache.read("sources", "templates", "test_sets")
def _coverage(store: Store, project_id: str, fingerprint: str, test_set: str, mapping: str) -> Coverage | None:
    return project_coverage(store, project_id)


@cache.constant()
def _frozen_coverage(store: Store, project_id: str, fingerprint: str, test_set: str, mapping: str) -> Coverage | None:
    return project_coverage(store, project_id)


def provenance(page: Page, source: Source) -> None:
    """Who wrote a built corpus, and which rows the model failed on; nothing for loaded files."""
    result = _result(page.store, source, source.id)
    if result is None:
        return
    writers = knowledge_build.by_writer(result)
    prompt = f"prompt {result.prompt.get('id')} version {result.prompt.get('version')}"
    by = f" with {form.at_host(result.build.model)}, {prompt}"
    st.caption(errors.plain(f"Written from database rows{by if result.build.method == 'llm' else ''}: {writers}."))
    if result.fallbacks:
        fallen = result.writers.get(str(Writer.FALLBACK), len(result.fallbacks))
        with st.expander(f"Written by rules instead: {numbers.count(fallen, 'document')}", key="fallen"):
            if fallen > len(result.fallbacks):
                st.caption(f"The first {len(result.fallbacks):,} of them.")
            st.caption("Failed calls are repeated when you build again; answered ones are not.")
            tables.plain(pd.DataFrame(result.fallbacks, columns=["Document", "Why"]), key="fallbacks_table")


@cache.read("sources")
def _result(store: Store, _source: Source, source_id: str) -> BuildResult | None:
    return build_result(store, _source)


def _zipped(page: Page, source: Source, ending: str) -> bytes:
    return as_zip(_all(page, source), ending)


def export(page: Page, source: Source) -> None:
    """The documents as a folder of texts, or as one JSON."""
    with st.popover("Export the documents", icon=":material/download:", key="export_documents"):
        for ending in ENDINGS:
            st.download_button(
                f"A folder of .{ending} files, zipped",
                data=partial(_zipped, page, source, ending),
                file_name=f"documents-{ending}.zip",
                key=f"documents_{ending}",
                on_click="ignore",
                width="stretch",
            )
        st.download_button(
            "One JSON of ids and texts, in GRAMMAR's format",
            data=lambda: as_json(_all(page, source)).encode(),
            file_name="documents.json",
            key="documents_json",
            on_click="ignore",
            width="stretch",
        )


def build_section(page: Page, *, first: bool) -> None:
    """The form, open where there are no documents yet."""
    if first:
        with st.container(border=True, key="build_section"):
            knowledge_build.draw(page)
        return
    with st.expander("Build documents from the database instead", key="build_section"):
        knowledge_build.draw(page)


def _share(cell: DeltaGenerator, label: str, value: Proportion, things: str, nothing: str, *, key: str) -> None:
    note = f"{numbers.of(value)} {things}, all counted" if value.den else nothing
    charts.metric(cell, label, numbers.share(value.value), note, key=key)


def _missing(facts: Sequence[MissingFact]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Asked": item.fact.asked,
                "Answer": " or ".join(item.fact.answers),
                "Document": ", ".join(item.fact.gold_ids),
                "Why": item.reason,
            }
            for item in facts
        ]
    )


def _all(page: Page, source: Source) -> tuple[Document, ...]:
    with page.store.read() as connection:
        return sources.documents(connection, source.id)
