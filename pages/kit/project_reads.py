"""Cached reads that several pages share: projects and what they have, test sets, runs, sources, a run in short."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.diagnosis import Tag, diagnose
from core.diagnosis.service.evidence import QUICK_S
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.errors import Forbidden
from core.domain.results.forms import with_forms_named
from core.domain.results.runs import Run, RunState
from core.domain.sources.documents import Document
from core.domain.sources.projects import Project, Role, Source, SourceKind
from core.domain.testset.cases import TestSet
from core.domain.testset.question_drafts import DraftStatus
from core.domain.testset.templates import TemplateStatus
from core.project.service import require
from core.runs.summary import RunSummary, summarise
from core.runs.target import asks_a_system, is_recorded
from core.settings import settings
from core.store import projects as project_table
from core.store import reports as report_table
from core.store import sources as source_table
from core.store.database import Store
from core.store.models import endpoints as endpoint_table
from core.store.people import calibrations as calibration_table
from core.store.people import labels as label_table
from core.store.results import runs as run_table
from core.store.results import safety as safety_table
from core.store.testset import question_drafts as question_table
from core.store.testset import templates, testsets
from core.store.testset import topics as topic_table
from core.store.trail import audit_details
from core.testset.variants.service import parent_of
from pages.kit.cache import constant, read


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
    variants: int = 0
    safety_checks: int = 0
    searched: bool = False
    snapshots: int = 0


@read("projects")
def _every_project(store: Store) -> tuple[Project, ...]:
    with store.read() as connection:
        return tuple(project_table.all(connection))


@read("projects")
def _seen_projects(store: Store, actor: str, required: bool) -> tuple[Project, ...]:
    return tuple(project for project in _every_project(store) if _sees(store, project.id, actor))


def projects(store: Store, actor: str) -> tuple[Project, ...]:
    """The projects this actor may see, sample first, then by name."""
    seen = _seen_projects(store, actor, settings().require_login)
    return tuple(sorted(seen, key=lambda project: (not project.sample, project.name.casefold())))


def _sees(store: Store, project_id: str, actor: str) -> bool:
    try:
        require(store, project_id, actor, Role.VIEWER)
    except Forbidden:
        return False
    return True


@read(
    "sources",
    "templates",
    "test_sets",
    "runs",
    "labels",
    "calibrations",
    "endpoints",
    "topics",
    "questions",
    "safety",
    "findings",
    "reports",
)
def progress(store: Store, project_id: str) -> Progress:
    """What a project has, counted; the base of the workflow marks."""
    with store.read() as connection:
        database = source_table.latest(connection, project_id, SourceKind.DATABASE)
        corpus = source_table.latest(connection, project_id, SourceKind.CORPUS)
        sql = templates.sql(connection, project_id)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
        sets = testsets.all(connection, project_id)
        stored_runs = run_table.all(connection, project_id)
        rounds = label_table.rounds(connection, project_id)
        labelled = label_table.count_of_project(connection, project_id)
        calibrated = calibration_table.of_project_count(connection, project_id)
        models = endpoint_table.all(connection, project_id)
        has_topics = topic_table.latest(connection, project_id) is not None
        questions = question_table.counts(connection, project_id)
        safety_checks = safety_table.count(connection, project_id)
        searched = audit_details.happened(connection, project_id, "findings.record")
        snapshots = report_table.count(connection, project_id)
    varied = {test_set.id for test_set in sets if parent_of(test_set)}
    return Progress(
        tables=len(database.schema.without_views) if database and database.schema else 0,
        documents=len(documents(store, corpus)[0]) if corpus else 0,
        sql=len(sql),
        sql_approved=sum(template.status is TemplateStatus.APPROVED for template in sql),
        texts_approved=len(texts),
        drafts=sum(not test_set.frozen for test_set in sets),
        frozen=sum(test_set.frozen for test_set in sets),
        running=sum(run.state is RunState.RUNNING for run in stored_runs),
        finished=sum(run.state is RunState.FINISHED for run in stored_runs),
        rounds=len(rounds),
        labels=labelled,
        calibrations=calibrated,
        endpoints=len(models),
        topics=has_topics,
        questions=sum(questions.values()),
        questions_approved=questions[DraftStatus.APPROVED],
        variants=sum(run.state is RunState.FINISHED and run.test_set_id in varied for run in stored_runs),
        safety_checks=safety_checks,
        searched=searched,
        snapshots=snapshots,
    )


@read("test_sets")
def test_sets(store: Store, project_id: str) -> tuple[TestSet, ...]:
    """The project's test sets, newest first."""
    with store.read() as connection:
        return tuple(testsets.all(connection, project_id))


@read("test_sets")
def _cases(store: Store, test_set_id: str) -> tuple[int, tuple[str, ...]]:
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id)
    return len(cases), tuple(sorted({case.form for case in cases if case.form}))


def case_count(store: Store, test_set_id: str) -> int:
    """Cases of a test set that are not excluded."""
    return _cases(store, test_set_id)[0]


def forms(store: Store, test_set_id: str) -> tuple[str, ...]:
    """The forms its cases have, in name order."""
    return _cases(store, test_set_id)[1]


@read("runs")
def runs(store: Store, project_id: str) -> tuple[Run, ...]:
    """The project's runs, newest first."""
    with store.read() as connection:
        return tuple(run_table.all(connection, project_id))


def runs_on_cases(store: Store, project_id: str) -> tuple[Run, ...]:
    """The project's runs, newest first, those on variants behind the others: no page opens with one unasked."""
    variants = variant_sets(store, project_id)
    return tuple(sorted(runs(store, project_id), key=lambda run: run.test_set_id in variants))


def finished_runs(store: Store, project_id: str) -> tuple[Run, ...]:
    """The finished runs, that which a page shows unasked first: the newest of a connected system.

    Behind those of connected systems stand recorded answers, behind these the baselines, and last the runs on variants,
    each newest first.
    """
    variants = variant_sets(store, project_id)
    there = [run for run in runs(store, project_id) if run.state is RunState.FINISHED]
    return tuple(sorted(there, key=lambda run: (run.test_set_id in variants, not asks_a_system(run), is_recorded(run))))


def variant_sets(store: Store, project_id: str) -> frozenset[str]:
    """The ids of the test sets that hold variants of another one's questions."""
    return frozenset(test_set.id for test_set in test_sets(store, project_id) if parent_of(test_set))


@read("sources", max_entries=32)
def source(store: Store, project_id: str, kind: SourceKind) -> Source | None:
    """The project's current database or corpus, or None."""
    with store.read() as connection:
        return source_table.latest(connection, project_id, kind)


def documents(store: Store, source: Source) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A corpus without its texts: loaded (Id, Title, Format, Words, File, Date) and left out (File, Reason)."""
    return _documents(store, source.id, source.loaded_at)


@constant(max_entries=16)
def _documents(store: Store, source_id: str, loaded_at: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    with store.read() as connection:
        items = source_table.documents(connection, source_id)
        left_out = source_table.skipped(connection, source_id)
    loaded = pd.DataFrame(
        [
            (item.id, item.title, item.format, len(item.text.split()), item.path, item.metadata.get("date", ""))
            for item in items
        ],
        columns=["Id", "Title", "Format", "Words", "File", "Date"],
    )
    return loaded, pd.DataFrame([(item.path, item.reason) for item in left_out], columns=["File", "Reason"])


def document(store: Store, source: Source, document_id: str) -> Document | None:
    """One document with its text, or None."""
    with store.read() as connection:
        return source_table.document(connection, source.id, document_id)


@read("runs", "answers", "scores", "test_sets", max_entries=16)
def summary(store: Store, run_id: str) -> RunSummary:
    """Counts and accuracy of a run."""
    return summarise(store, run_id)


@read("runs", "answers", "scores", "test_sets", "sources", "evidence", max_entries=16)
def attribution(store: Store, run_id: str) -> tuple[dict[str, int], dict[str, dict[str, int]], int]:
    """A run's diagnosis in short.

    Returns:
        Groups by tag (gap, robust, non_robust); the exhaustive attribution of questions for each form; and for how many
        wrong answers the documents are still to be searched.
    """
    run_rows = diagnosis_rows(store, run_id, seconds=QUICK_S)
    whole = diagnose(with_forms_named(run_rows.rows), known_ids=run_rows.known_ids)
    groups = {str(tag): whole.figures.tags[tag].groups for tag in (Tag.GAP, Tag.ROBUST, Tag.NON_ROBUST)}
    forms = dict(whole.by_form) or {whole.form or "": whole}
    by_form = {form: {str(part): n for part, n in of.figures.attribution.items()} for form, of in forms.items()}
    return groups, by_form, whole.pending
