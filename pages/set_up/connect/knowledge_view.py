"""What the documents hold of what the tests ask, how built ones were made, and their export."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.cases import TestSet
from core.domain.documents import Document
from core.domain.estimates import Proportion
from core.domain.projects import Source
from core.knowledge.building import BuildResult, build_result
from core.knowledge.coverage import Coverage, project_coverage
from core.knowledge.exporting import ENDINGS, as_json, as_zip
from core.knowledge.fluent import Writer
from core.store import sources
from pages.ui import case_counts, charts, errors, knowledge_build, model_form, numbers, readers, tables
from pages.ui.frame import Page

LARGE = 20_000
"""Questions from which on a person is asked before they are looked up."""

MISSING = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Asked": 320, "Answer": 150, "Document": 150, "Why": 300}.items()
}


def coverage(page: Page, source: Source) -> None:
    """The coverage of the latest test set, else of the approved templates; nothing where nothing is asked yet."""
    st.subheader("Do they hold what the tests ask?", anchor=False)
    latest = next(iter(readers.test_sets(page.store, page.project.id)), None)
    many = case_counts.number(page.store, latest.id) if latest else 0
    if many > LARGE and not st.toggle(f"Look {numbers.count(many, 'question')} up, which takes a while", key="cover"):
        return
    with st.spinner("Looking the facts up in the documents"):
        found = _found(page, source, latest)
    if found is None:
        st.caption(
            "Nothing is asked yet. Approve templates or build a test set, and this says which facts are missing."
        )
        return
    left, right = st.columns(2)
    _share(left, "Gold ids with a document", found.ids, "ids", key="covered_ids")
    _share(right, "Facts that their documents state", found.facts, "facts", key="covered_facts")
    apart = f" {numbers.count(found.without_ids, 'fact')} without gold ids are left out." if found.without_ids else ""
    st.caption(
        errors.plain(
            f"Of {found.basis}. A fact counts as stated where its value occurs in a gold document, in any usual "
            f"spelling; that is necessary, not proof.{apart}"
        )
    )
    if found.missing:
        with st.expander(f"{numbers.count(len(found.missing), 'fact')} missing", key="missing_facts"):
            frame = _missing(found)
            tables.plain(frame, key="missing_table", columns=MISSING)
            tables.download(frame, name="missing-facts", key="missing_csv")


def _found(page: Page, source: Source, latest: TestSet | None) -> Coverage | None:
    # What is frozen and loaded never changes, so other people's writes need not count it again.
    read = readers.kept if latest is not None and latest.frozen else readers.cached
    keys = (page.project.id, source.id, source.fingerprint, latest.id if latest else "")
    found = read(page.store, "coverage", lambda: project_coverage(page.store, page.project.id), *keys)
    return found if isinstance(found, Coverage) else None


def made(page: Page, source: Source) -> None:
    """Who wrote a built corpus, and which rows the model failed on; nothing for loaded files."""
    result: BuildResult | None = readers.cached(  # type: ignore[assignment]
        page.store, "build_result", lambda: build_result(page.store, source), source.id
    )
    if result is None:
        return
    writers = knowledge_build.by_writer(result)
    prompt = f"prompt {result.prompt.get('id')} version {result.prompt.get('version')}"
    by = f" with {model_form.at_host(result.build.model)}, {prompt}"
    st.caption(errors.plain(f"Written from database rows{by if result.build.method == 'llm' else ''}: {writers}."))
    if result.fallbacks:
        fallen = result.writers.get(str(Writer.FALLBACK), len(result.fallbacks))
        with st.expander(f"Where the rule text stands: {numbers.count(fallen, 'document')}", key="fallen"):
            if fallen > len(result.fallbacks):
                st.caption(f"The first {len(result.fallbacks):,} of them.")
            st.caption("Calls that failed are made anew when you build again; what was answered is not asked again.")
            tables.plain(pd.DataFrame(result.fallbacks, columns=["Document", "Why"]), key="fallbacks_table")


def export(page: Page, source: Source) -> None:
    """The documents as a folder of texts, or as one JSON."""
    with st.popover("Export the documents", icon=":material/download:", key="export_documents"):
        for ending in ENDINGS:
            st.download_button(
                f"A folder of .{ending} files, zipped", data=lambda ending=ending: as_zip(_all(page, source), ending),
                file_name=f"documents-{ending}.zip", key=f"documents_{ending}", on_click="ignore", width="stretch",
            )  # fmt: skip
        st.download_button(
            "One JSON of ids and texts, as GRAMMAR has it", data=lambda: as_json(_all(page, source)).encode(),
            file_name="documents.json", key="documents_json", on_click="ignore", width="stretch",
        )  # fmt: skip


def build_section(page: Page, *, first: bool) -> None:
    """The form, open where there are no documents yet."""
    if first:
        with st.container(border=True, key="build_section"):
            knowledge_build.draw(page)
        return
    with st.expander("Build documents from the database instead", key="build_section"):
        knowledge_build.draw(page)


def _share(cell: DeltaGenerator, label: str, value: Proportion, things: str, *, key: str) -> None:
    note = f"{numbers.of(value)} {things}, all counted" if value.den else "none has a gold id"
    charts.metric(cell, label, numbers.share(value.value), note, key=key)


def _missing(found: Coverage) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Asked": item.fact.asked,
                "Answer": " or ".join(item.fact.answers),
                "Document": ", ".join(item.fact.gold_ids),
                "Why": item.reason,
            }
            for item in found.missing
        ]
    )


def _all(page: Page, source: Source) -> tuple[Document, ...]:
    with page.store.read() as connection:
        return sources.documents(connection, source.id)
