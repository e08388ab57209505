"""Findings of runs: updated by each search, decided on by people."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, select, update

from core.domain.errors import NotFound
from core.domain.results.findings import Finding, FindingKind, FindingStatus
from core.store.codec import from_row, to_row
from core.store.tables import findings
from core.store.upsert import BATCH
from core.store.upsert import put as upsert

DECIDED = ("severity", "status", "owner", "comment", "changed_at", "changed_by")
"""The fields that a person decides."""


def put(connection: Connection, new_findings: Sequence[Finding]) -> None:
    """Stores findings as they are given, in their order; one that is there already is replaced."""
    upsert(connection, findings, [to_row(finding) for finding in new_findings], key=["id"])


def get(connection: Connection, finding_id: str) -> Finding:
    """One finding.

    Raises:
        NotFound: There is none of that id.
    """
    row = connection.execute(select(findings).where(findings.c.id == finding_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no finding {finding_id}.", "Choose one on the Weakness page.")
    return from_row(Finding, row)


def of_run(
    connection: Connection,
    run_id: str,
    *,
    score: str | None = None,
    kind: FindingKind | None = None,
    status: FindingStatus | None = None,
    gone: bool | None = None,
) -> list[Finding]:
    """The findings of a run in the order they were found; of one score, kind or status where it is given."""
    query = select(findings).where(*_filters(run_id, score, kind, status, gone)).order_by(findings.c.seq)
    return [from_row(Finding, row) for row in connection.execute(query).mappings()]


def decide(connection: Connection, finding: Finding) -> None:
    """Stores a person's decision on a finding: severity, status, owner, comment, and who and when."""
    row = to_row(finding)
    connection.execute(
        update(findings).where(findings.c.id == finding.id).values({name: row[name] for name in DECIDED})
    )


def mark_gone(connection: Connection, finding_ids: Collection[str]) -> None:
    """Marks findings that a later search did not find."""
    ids = sorted(finding_ids)
    for start in range(0, len(ids), BATCH):
        connection.execute(update(findings).where(findings.c.id.in_(ids[start : start + BATCH])).values(gone=True))


def _filters(
    run_id: str, score: str | None, kind: FindingKind | None, status: FindingStatus | None, gone: bool | None
) -> list[ColumnElement[bool]]:
    conditions = [findings.c.run_id == run_id]
    if score is not None:
        conditions.append(findings.c.score == score)
    if kind is not None:
        conditions.append(findings.c.kind == kind.value)
    if status is not None:
        conditions.append(findings.c.status == status.value)
    if gone is not None:
        conditions.append(findings.c.gone.is_(gone))
    return conditions
