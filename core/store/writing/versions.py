"""Versions of what is stored, by project and kind of thing: what a reader read stands until its version grows.

Nobody has to say what a write changes. The writing connection notes the tables that its statements insert into, update
or delete from, and those that a delete empties with them; before the transaction ends, the counters of their kinds grow
in it. So a new action, a new table in an old action and a cascade all count, and nothing is counted that was not kept.

Counters are of a project, and of one run where the write is of a run (``run.answer``, ``run.score``): a run at work
leaves what was read of other runs as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, Final, Literal, get_args

from sqlalchemy import Connection, Engine, Table, event, func, select
from sqlalchemy.sql.dml import Delete, UpdateBase

from core.store import tables
from core.store.tables import metadata, versions
from core.store.writing import touched
from core.store.writing.upsert import grow

Kind = Literal[
    "projects",
    "criteria",
    "sources",
    "templates",
    "test_sets",
    "topics",
    "questions",
    "runs",
    "answers",
    "scores",
    "evidence",
    "labels",
    "calibrations",
    "findings",
    "judge_tests",
    "safety",
    "reports",
    "endpoints",
    "prompts",
    "prices",
    "calls",
    "jobs",
]
"""A kind of thing that is read and written together."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

TABLES: Final[dict[Kind, tuple[Table, ...]]] = {
    "projects": (tables.projects, tables.members),
    "criteria": (tables.project_profiles, tables.acceptance_criteria),
    "sources": (
        tables.sources,
        tables.documents,
        tables.chunks,
        tables.skipped_files,
        tables.document_mappings,
    ),
    "templates": (tables.sql_templates, tables.text_templates),
    "test_sets": (tables.test_sets, tables.cases),
    "topics": (tables.topic_models, tables.topics, tables.topic_chunks, tables.topic_edits),
    "questions": (tables.question_batches, tables.question_drafts),
    "runs": (tables.runs,),
    "answers": (tables.responses,),
    "scores": (tables.scores, tables.score_edits, tables.run_metrics),
    "evidence": (tables.fact_evidence,),
    "labels": (
        tables.criteria,
        tables.label_rounds,
        tables.label_items,
        tables.label_tasks,
        tables.labels,
        tables.adjudications,
    ),
    "calibrations": (tables.calibrations,),
    "findings": (tables.findings, tables.finding_retests),
    "judge_tests": (tables.judge_test_runs, tables.judge_test_outcomes, tables.judge_bars),
    "safety": (tables.safety_settings, tables.safety_results),
    "reports": (tables.report_snapshots, tables.report_comments),
    "endpoints": (tables.endpoints, tables.model_profiles),
    "prompts": (tables.prompt_versions,),
    "prices": (tables.model_prices,),
    "calls": (tables.llm_calls, tables.llm_uses),
    "jobs": (tables.jobs,),
}
"""What each kind is stored in."""

UNCOUNTED: Final = frozenset(
    {
        "audit",  # an entry comes with every write; whoever lists entries of some action reads what it changed
        "audit_head",
        "audit_rows",
        "encodings",  # what a model made of a text: computed again, it is the same
        "score_columns",  # a copy of scores, changed with them
        "trial_answers",  # of a trial that is not done: only the trial itself reads them
        "versions",
    }
)
"""Tables that are no kind: a reader of them names the kinds they were made from."""

OF_A_RUN: Final[frozenset[Kind]] = frozenset({"runs", "answers", "scores", "evidence"})
"""Kinds whose counters are kept for each run."""

QUIET: Final = {"plumbline_quiet": True}
"""Execution options of a statement that changes nothing people read: a heartbeat."""

_KIND_OF: Final[dict[str, Kind]] = {table.name: kind for kind, some in TABLES.items() for table in some}


def watch(engine: Engine) -> None:
    """Makes an engine's connections note the tables they change."""
    event.listen(engine, "before_execute", _note)


def begin(connection: Connection) -> None:
    """Starts noting; a connection that was used before forgets what it noted."""
    touched.begin(connection)


def count(connection: Connection, *, project_id: str = "", run_id: str = "") -> None:
    """Lets the counters of all that was noted grow.

    Args:
        connection: A writing one, at the end of its transaction.
        project_id: The project the write was made in; empty for one that may touch every project.
        run_id: The run it was made in, where it touched no other.
    """
    kinds = sorted({_KIND_OF[name] for name in touched.end(connection) if name in _KIND_OF})
    rows = [
        {"project_id": project_id, "kind": kind, "run_id": run_id if kind in OF_A_RUN else "", "number": 1}
        for kind in kinds
    ]
    # In the order of their names, so that two writers never wait for each other.
    grow(connection, versions, rows, key=["project_id", "kind", "run_id"], counter="number")


def number(connection: Connection, kinds: Collection[Kind], *, project_id: str = "", run_id: str = "") -> int:
    """The version of some kinds of things: it is greater after every write of one of them.

    Args:
        connection: Any.
        kinds: What was read.
        project_id: Of this project; empty for all of them.
        run_id: Of this run where a kind is kept by run; empty for all of them.
    """
    query = select(func.coalesce(func.sum(versions.c.number), 0)).where(versions.c.kind.in_(sorted(kinds)))
    if project_id:
        query = query.where(versions.c.project_id.in_(["", project_id]))
    if run_id:
        query = query.where(versions.c.run_id.in_(["", run_id]))
    return int(connection.execute(query).scalar_one())


def project_of(connection: Connection, table: Table, thing_id: str) -> str:
    """The project that a thing with an id of its own belongs to; empty where there is no such thing."""
    project_id = connection.execute(select(table.c.project_id).where(table.c.id == thing_id)).scalar_one_or_none()
    return str(project_id or "")


def kinds_of(names: Iterable[str]) -> set[Kind]:
    """The kinds of some tables, by name; tables that are no kind are left out."""
    return {_KIND_OF[name] for name in names if name in _KIND_OF}


@cache
def emptied(table: Table) -> frozenset[str]:
    """The tables that a delete from this one takes rows from, itself among them."""
    names, waiting = {table.name}, [table.name]
    while waiting:
        owner = waiting.pop()
        for other in metadata.tables.values():
            cascades = any(key.ondelete and key.column.table.name == owner for key in other.foreign_keys)
            if cascades and other.name not in names:
                names.add(other.name)
                waiting.append(other.name)
    return frozenset(names)


def _note(
    connection: Connection, statement: object, several: Sequence[Any], values: Any, options: dict[str, Any]
) -> None:
    if not isinstance(statement, UpdateBase) or options.get("plumbline_quiet"):
        return
    if isinstance(statement.table, Table):
        names = emptied(statement.table) if isinstance(statement, Delete) else {statement.table.name}
        touched.note(connection, names)
