"""The form that builds documents from the database: tables, who writes them, consent, a preview, the job."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.domain.jobs import JobState
from core.domain.sources.projects import SourceKind
from core.domain.sources.schema import Schema
from core.knowledge import writable_tables
from core.knowledge.building import (
    KIND,
    Build,
    BuildResult,
    build_documents,
    build_result,
    expected_documents,
    preview_documents,
    start_documents,
)
from core.knowledge.cost import expected_cost
from core.knowledge.fluent import Writer, Written
from core.llm import Limits
from core.llm.spending.estimates import Outlook
from core.store.database import Store
from pages.kit import cache, errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers, verbatim
from pages.kit.models import budget, cost, form
from pages.kit.work import jobs

METHODS = {"rules": "By rules", "llm": "By a language model"}
ABOUT = {
    "rules": "One sentence for each fact, from the names of tables and columns. Nothing leaves this machine, and equal "
    "rows give equal texts.",
    "llm": "A fluent page for each row. Every fact is checked to be in it; where the model leaves one out twice, the "
    "text by rules is used and listed.",
}
WRITERS = {
    Writer.RULES: "by rules",
    Writer.MODEL: "by the model",
    Writer.REPAIRED: "by the model at its second attempt",
    Writer.FALLBACK: "by rules because the model failed",
}
SHOWN = 3
LARGE = 20_000
"""Documents from which on rules, too, write in a worker."""


def draw(page: Page) -> None:
    """What documents could be made of, or what they wait for."""
    source = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    if source is None or source.schema is None:
        st.caption("Documents can also be written from the rows of a database. Connect one first.")
        return
    st.markdown(
        "**Build documents from the database.** A system can be tested where only a database exists: each row becomes "
        "a document, named as the test cases look for it."
    )
    fit, unfit = writable_tables(source.schema)
    if not fit:
        reasons = "; ".join(f"{table.table}: {table.reason}" for table in unfit)
        st.info(errors.plain(f"No table can be made into documents. {reasons}."))
        return
    build = _choices(page, source.schema, fit)
    for table in unfit:
        st.caption(errors.plain(f"Not {table.table}: {table.reason}."))
    number = expected_documents(source.schema, build)
    addressee = errors.plain(form.at_host(build.model)) if build.model else "the model"
    calls = f", as many calls of {addressee}, and a second one where a fact is missing" if build.method == "llm" else ""
    st.markdown(f"About {numbers.count(number, 'document')}{calls}.")
    build = _within(page, build)
    wait = build.method == "llm" and not (build.send_rows and build.model)
    with st.container(horizontal=True):
        previewed = st.button("Preview three documents", key="preview_documents", disabled=wait)
        built = st.button("Build documents", key="build_documents", disabled=wait)
    if wait:
        st.caption("Nothing is sent before a model is named and you agree above.")
    if previewed:
        _preview(page, build)
    if built:
        _build(page, build, number)


def watch(page: Page) -> bool:
    """The build in view, if there is one; whether it is still going."""
    job_in_view = jobs.in_view(page, KIND)
    if job_in_view is None:
        return False
    job = jobs.panel(page, job_in_view.id, key="documents_job") or job_in_view
    budget.draw(page, job)
    if job.state is JobState.FINISHED:
        state.update(job="")
        corpus = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
        result = build_result(page.store, corpus) if corpus else None
        writers = f": {by_writer(result)}" if result else ""
        state.say(f"The documents are built{writers}. They are the project's documents now.")
        st.rerun()
    return job.state.active


def by_writer(result: BuildResult) -> str:
    """How many documents each writer wrote, in words."""
    names: dict[str, str] = {str(writer): name for writer, name in WRITERS.items()}
    return "; ".join(
        f"{numbers.count(count, 'document')} {names.get(writer, writer)}" for writer, count in result.writers.items()
    )


def _choices(page: Page, schema: Schema, fit: tuple[str, ...]) -> Build:
    tables_at, most_at = st.columns([5, 2])
    chosen = tables_at.multiselect(
        "Tables",
        list(fit),
        default=list(fit),
        key="build_tables",
        help="A table that only links others has no documents of its own: its facts are written in theirs.",
    )
    most = most_at.number_input(
        "Rows of each table, at most",
        min_value=1,
        value=None,
        step=10,
        key="build_per_table",
        placeholder="all",
        help="The first rows by key. A test set asks about every row unless it is limited too.",
    )
    method = st.radio("Written", list(METHODS), key="build_method", format_func=METHODS.__getitem__, horizontal=True)
    st.caption(ABOUT[method])
    model, agreed = _model(page) if method == "llm" else ("", False)
    return Build(
        method=method,
        tables=tuple(chosen) if len(chosen) < len(fit) else (),
        per_table=None if most is None else int(most),
        model=model,
        send_rows=agreed,
    )


def _model(page: Page) -> tuple[str, bool]:
    """``MODEL@BASE_URL``, and whether a person agrees that rows go there."""
    spec = form.choose_model(page, "documents")
    st.warning(
        "This is the one step that sends rows of your database to a model: each row's name and readable values go to "
        "the address above. Choose a service that may see them, or write by rules.",
        icon=":material/outbound:",
    )
    agreed = st.checkbox("I agree that these rows are sent to this model", key="send_rows")
    return spec, agreed


def _within(page: Page, build: Build) -> Build:
    """The build within the budget a person sets, beside what its calls will take."""
    if not build.model:
        return build

    outlook = _outlook(page.store, page.project.id, build, (build.model, build.tables, build.per_table))
    limits = cost.calls_panel(outlook, cost.line(outlook), key="documents_cost", what="build")
    return replace(build, limits=Limits.of(limits))


@cache.read("sources", "prices", "calls", "endpoints", "prompts")
def _outlook(store: Store, project_id: str, _build: Build, choices: tuple[str, tuple[str, ...], int | None]) -> Outlook:
    """What the calls of a build will take; `choices` is what decides it."""
    return Outlook(parts=expected_cost(store, project_id, _build))


def _preview(page: Page, build: Build) -> None:
    with errors.shown(), st.spinner("Writing three documents"):
        previews = preview_documents(page.store, page.project.id, build, actor=page.actor, n=SHOWN)
        if not previews:
            st.info("The chosen tables have no row.")
        for item, cell in zip(previews, st.columns(len(previews) or 1), strict=False):
            with cell.container(
                border=True, key=f"preview_{item.record.table}_{previews.index(item)}", height="stretch"
            ):
                _document(item)


def _document(item: Written) -> None:
    st.markdown(
        f"**{errors.plain(item.record.label)}**  \n:small[:gray[{errors.plain(item.record.document_id)}, "
        f"{errors.plain(str(item.writer))}]]"
    )
    verbatim.show(item.text)
    if item.reason:
        st.caption(errors.plain(item.reason))


def _build(page: Page, build: Build, number: int) -> None:
    with errors.shown():
        if build.method == "llm" or number > LARGE:
            started = start_documents(page.store, page.project.id, build, actor=page.actor)
            state.update(job=started.id)
        else:
            with st.spinner("Writing the documents"):
                _, result = build_documents(page.store, page.project.id, build, actor=page.actor)
            state.say(f"Built {numbers.count(result.documents, 'document')}. They are the project's documents now.")
        st.rerun()
