"""Cached reads of the store. The store is a resource; frames are data, bounded, keyed by id and version.

Every write of the store leaves an audit row, so `version` (the newest audit row's number) is a key under which nothing
stale is ever shown: a reader takes it by itself and reads again only after something was written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.diagnosis import DiagnosisRow, diagnose
from core.domain.cases import TestSet
from core.domain.documents import Document
from core.domain.errors import Forbidden
from core.domain.projects import Project, Role, Source, SourceKind
from core.domain.question_drafts import DraftStatus
from core.domain.runs import Run, RunState
from core.domain.templates import TemplateStatus
from core.evaluation.rows import diagnosis_rows
from core.evaluation.summary import RunSummary, summarise
from core.project.service import require
from core.settings import settings
from core.store import audit, templates, testsets
from core.store import calibrations as calibration_table
from core.store import endpoints as endpoint_table
from core.store import labels as label_table
from core.store import projects as project_table
from core.store import question_drafts as question_table
from core.store import runs as run_table
from core.store import sources as source_table
from core.store import topics as topic_table
from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What a project has, counted."""

    tables: int = 0
    documents: int = 0
    sql: int = 0
    sql_approved: int = 0
    texts_approved: int = 0
    drafts: int = 0
    frozen: int = 0
    running: int = 0
    finished: int = 0
    rounds: int = 0
    labels: int = 0
    calibrations: int = 0
    endpoints: int = 0
    topics: bool = False
    questions: int = 0
    questions_approved: int = 0


@st.cache_resource(show_spinner=False)
def _store(url: str) -> Store:
    return Store.open(url)


def store() -> Store:
    """The store of this server, opened and migrated once a process."""
    return _store(settings().database_url)


def version(store: Store) -> int:
    """Number of the newest audit row; grows with every write."""
    with store.read() as connection:
        return audit.lock_free_head(connection)[0]


def forget() -> None:
    """Empties every cache; for tests that change the store underneath."""
    st.cache_data.clear()
    st.cache_resource.clear()


@st.cache_data(max_entries=64, show_spinner=False)
def _projects(_store: Store, url: str, version: int, actor: str) -> tuple[Project, ...]:
    with _store.read() as connection:
        found = project_table.all(connection)
    return tuple(project for project in found if _sees(_store, project.id, actor))


def _sees(store: Store, project_id: str, actor: str) -> bool:
    try:
        require(store, project_id, actor, Role.VIEWER)
    except Forbidden:
        return False
    return True


def projects(store: Store, actor: str) -> tuple[Project, ...]:
    """The projects this actor may see, sample first, then by name."""
    found = _projects(store, store.url, version(store), actor)
    return tuple(sorted(found, key=lambda project: (not project.sample, project.name.casefold())))


@st.cache_data(max_entries=64, show_spinner=False)
def _progress(_store: Store, url: str, version: int, project_id: str) -> Progress:
    with _store.read() as connection:
        database = source_table.latest(connection, project_id, SourceKind.DATABASE)
        corpus = source_table.latest(connection, project_id, SourceKind.CORPUS)
        sql = templates.sql(connection, project_id)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
        sets = testsets.all(connection, project_id)
        found = run_table.all(connection, project_id)
        rounds = label_table.rounds(connection, project_id)
        labelled = label_table.count_of_project(connection, project_id)
        calibrated = calibration_table.of_project_count(connection, project_id)
        models = endpoint_table.all(connection, project_id)
        topics_found = topic_table.latest(connection, project_id) is not None
        questions = question_table.counts(connection, project_id)
    return Progress(
        tables=len(database.schema.tables) if database and database.schema else 0,
        documents=len(documents(_store, corpus)[0]) if corpus else 0,
        sql=len(sql),
        sql_approved=sum(template.status is TemplateStatus.APPROVED for template in sql),
        texts_approved=len(texts),
        drafts=sum(not test_set.frozen for test_set in sets),
        frozen=sum(test_set.frozen for test_set in sets),
        running=sum(run.state is RunState.RUNNING for run in found),
        finished=sum(run.state is RunState.FINISHED for run in found),
        rounds=len(rounds),
        labels=labelled,
        calibrations=calibrated,
        endpoints=len(models),
        topics=topics_found,
        questions=sum(questions.values()),
        questions_approved=questions[DraftStatus.APPROVED],
    )


def progress(store: Store, project_id: str) -> Progress:
    """What a project has, counted; the base of the workflow marks."""
    return _progress(store, store.url, version(store), project_id)


@st.cache_data(max_entries=64, show_spinner=False)
def _test_sets(_store: Store, url: str, version: int, project_id: str) -> tuple[TestSet, ...]:
    with _store.read() as connection:
        return tuple(testsets.all(connection, project_id))


def test_sets(store: Store, project_id: str) -> tuple[TestSet, ...]:
    """The project's test sets, newest first."""
    return _test_sets(store, store.url, version(store), project_id)


@st.cache_data(max_entries=64, show_spinner=False)
def _cases(_store: Store, url: str, version: int, test_set_id: str) -> tuple[int, tuple[str, ...]]:
    with _store.read() as connection:
        found = testsets.cases(connection, test_set_id)
    return len(found), tuple(sorted({case.form for case in found if case.form}))


def case_count(store: Store, test_set_id: str) -> int:
    """Cases of a test set that are not excluded."""
    return _cases(store, store.url, version(store), test_set_id)[0]


def forms(store: Store, test_set_id: str) -> tuple[str, ...]:
    """The forms its cases have, in name order."""
    return _cases(store, store.url, version(store), test_set_id)[1]


@st.cache_data(max_entries=64, show_spinner=False)
def _runs(_store: Store, url: str, version: int, project_id: str) -> tuple[Run, ...]:
    with _store.read() as connection:
        return tuple(run_table.all(connection, project_id))


def runs(store: Store, project_id: str) -> tuple[Run, ...]:
    """The project's runs, newest first."""
    return _runs(store, store.url, version(store), project_id)


@st.cache_data(max_entries=32, show_spinner=False)
def _source(_store: Store, url: str, version: int, project_id: str, kind: SourceKind) -> Source | None:
    with _store.read() as connection:
        return source_table.latest(connection, project_id, kind)


def source(store: Store, project_id: str, kind: SourceKind) -> Source | None:
    """The project's current database or corpus, or None."""
    return _source(store, store.url, version(store), project_id, kind)


@st.cache_data(max_entries=16, show_spinner=False)
def _documents(_store: Store, url: str, source_id: str, loaded_at: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    with _store.read() as connection:
        found = source_table.documents(connection, source_id)
        left_out = source_table.skipped(connection, source_id)
    loaded = pd.DataFrame(
        [
            (item.id, item.title, item.format, len(item.text.split()), item.path, item.metadata.get("date", ""))
            for item in found
        ],
        columns=["Id", "Title", "Format", "Words", "File", "Date"],
    )
    return loaded, pd.DataFrame([(item.path, item.reason) for item in left_out], columns=["File", "Reason"])


def documents(store: Store, source: Source) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A corpus without its texts: loaded (Id, Title, Format, Words, File, Date) and left out (File, Reason)."""
    return _documents(store, store.url, source.id, source.loaded_at)


def document(store: Store, source: Source, document_id: str) -> Document | None:
    """One document with its text, or None."""
    with store.read() as connection:
        return source_table.document(connection, source.id, document_id)


@st.cache_data(max_entries=16, show_spinner=False)
def _summary(_store: Store, url: str, version: int, run_id: str) -> RunSummary:
    return summarise(_store, run_id)


def summary(store: Store, run_id: str) -> RunSummary:
    """Counts and accuracy of a run."""
    return _summary(store, store.url, version(store), run_id)


@st.cache_data(max_entries=16, show_spinner=False)
def _attribution(
    _store: Store, url: str, version: int, run_id: str
) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    read = diagnosis_rows(_store, run_id)
    forms: dict[str, list[DiagnosisRow]] = {}
    for row in read.rows:
        forms.setdefault(row.form, []).append(row)
    found = diagnose(read.rows, known_ids=read.known_ids).as_json()
    groups = {tag: size["groups"] for tag, size in found["groups"].items()}
    by_form = {form: diagnose(rows, known_ids=read.known_ids).as_json()["attribution"] for form, rows in forms.items()}
    return groups, by_form


def attribution(store: Store, run_id: str) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Groups by tag (gap, robust, non_robust), and the exhaustive attribution of questions for each form."""
    return _attribution(store, store.url, version(store), run_id)


def cached(store: Store, name: str, compute: Callable[[], object], *keys: object) -> object:
    """Any other read of a page, cached under a name and keys until the store changes.

    Args:
        store: The store it reads.
        name: Of the reader, unique in the app ("diagnosis").
        compute: Reads and computes; called only when nothing is cached. Its result must pickle.
        *keys: What the result depends on besides the store: ids, filters, options; hashable texts and numbers.
    """
    return _cached(compute, store.url, version(store), name, keys)


@st.cache_data(max_entries=64, show_spinner=False)
def _cached(_compute: Callable[[], object], url: str, version: int, name: str, keys: tuple[object, ...]) -> object:
    return _compute()


def kept(store: Store, name: str, compute: Callable[[], object], *keys: object) -> object:
    """Like `cached`, for what never changes once it is stored; writes of others do not empty it."""
    return _cached(compute, store.url, 0, name, keys)
