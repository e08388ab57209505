"""Snapshots of reports, commentary on their sections, and how much a project holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, Table, func, insert, select

from core.domain.errors import NotFound
from core.domain.results.runs import RunState
from core.store.codec import from_row, to_row
from core.store.tables import (
    audit,
    calibrations,
    findings,
    label_rounds,
    labels,
    report_comments,
    report_snapshots,
    runs,
    safety_results,
)

_LIGHT: Final = [column for column in report_snapshots.c if column.name != "content"]

CHANGES: Final[Mapping[str, str]] = {
    "score.edit": "score edits",
    "finding.change": "decisions on findings",
    "label.adjudicate": "adjudications",
    "criteria.change": "changes of acceptance criteria",
}
"""Acts that change what a report says without adding a row that is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A report as it was frozen.

    Attributes:
        title: What a person called it, or empty.
        content: The JSON file; empty where only the list was read.
        sha256: Of that text.
        marks: What there was in the project, by name.
        created_at: UTC, ISO 8601.
    """

    id: str
    project_id: str
    run_id: str
    calibration_id: str = ""
    title: str = ""
    content: str = ""
    sha256: str = ""
    marks: Mapping[str, int] = field(default_factory=dict)
    created_at: str = ""
    created_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What a person wrote about a section of the report of a run; an empty text takes it away."""

    project_id: str
    run_id: str
    section: str
    text: str
    at: str
    by: str


def put(connection: Connection, snapshot: Snapshot) -> None:
    """Stores a snapshot; it is never changed."""
    connection.execute(insert(report_snapshots).values(to_row(snapshot)))


def get(connection: Connection, snapshot_id: str) -> Snapshot:
    """A snapshot with its content.

    Raises:
        NotFound: There is none of that id.
    """
    query = select(report_snapshots).where(report_snapshots.c.id == snapshot_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no snapshot {snapshot_id}.", "Choose one on the Report page, or check the link.")
    return from_row(Snapshot, row)


def all(connection: Connection, project_id: str) -> list[Snapshot]:
    """The snapshots of a project without their content, newest first."""
    query = select(*_LIGHT).where(report_snapshots.c.project_id == project_id).order_by(report_snapshots.c.seq.desc())
    return [from_row(Snapshot, {**row, "content": ""}) for row in connection.execute(query).mappings()]


def count(connection: Connection, project_id: str) -> int:
    """How many snapshots a project has."""
    query = select(func.count()).select_from(report_snapshots).where(report_snapshots.c.project_id == project_id)
    return int(connection.execute(query).scalar_one())


def add_comment(connection: Connection, comment: Comment) -> None:
    """Stores a version of the commentary on a section."""
    connection.execute(insert(report_comments).values(to_row(comment)))


def comments(connection: Connection, run_id: str) -> dict[str, Comment]:
    """The commentary on the report of a run by section: its newest version, where that is not empty."""
    query = select(report_comments).where(report_comments.c.run_id == run_id).order_by(report_comments.c.seq)
    newest = {row["section"]: from_row(Comment, row) for row in connection.execute(query).mappings()}
    return {section: comment for section, comment in newest.items() if comment.text}


def marks(connection: Connection, project_id: str) -> dict[str, int]:
    """How much a project holds of what a report rests on, and how often it was changed."""

    def count(table: Table) -> int:
        query = select(func.count()).select_from(table).where(table.c.project_id == project_id)
        return int(connection.execute(query).scalar_one())

    finished = select(func.count()).where(runs.c.project_id == project_id, runs.c.state == RunState.FINISHED.value)
    labelled = (
        select(func.count())
        .select_from(labels.join(label_rounds, label_rounds.c.id == labels.c.round_id))
        .where(label_rounds.c.project_id == project_id)
    )
    acts = (
        select(audit.c.action, func.count())
        .where(audit.c.project_id == project_id, audit.c.action.in_(sorted(CHANGES)))
        .group_by(audit.c.action)
    )
    changed = {action: int(n) for action, n in connection.execute(acts)}
    return {
        "runs": int(connection.execute(finished).scalar_one()),
        "labels": int(connection.execute(labelled).scalar_one()),
        "calibrations": count(calibrations),
        "findings": count(findings),
        "safety checks": count(safety_results),
        **{name: changed.get(action, 0) for action, name in CHANGES.items()},
    }
