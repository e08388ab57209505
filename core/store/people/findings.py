"""Findings of runs: updated by each search, decided on by people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, select, update

from core.domain.errors import NotFound
from core.domain.identity import short_hash
from core.domain.results.findings import Finding, FindingKind, FindingRetest, FindingStatus
from core.store.codec import from_row, to_row
from core.store.tables import finding_retests, findings, runs
from core.store.writing.upsert import BATCH
from core.store.writing.upsert import put as upsert

DECIDED = ("severity", "status", "owner", "comment", "title", "due", "changed_at", "changed_by")
"""The fields that a person decides, of a finding in every run."""


def put(connection: Connection, new_findings: Sequence[Finding]) -> None:
    """Stores findings as they are given, in their order; one that is there already is replaced.

    One without a thread gets that of an earlier finding of the project with the same names, or a thread of its own.
    """
    upsert(connection, findings, [to_row(finding) for finding in threaded(connection, new_findings)], key=["id"])


def threaded(connection: Connection, new_findings: Sequence[Finding]) -> list[Finding]:
    """Findings with their threads."""
    threads: dict[tuple[str, str], str] = {}
    for project_id in sorted({finding.project_id for finding in new_findings}):
        for stored in of_project(connection, project_id):
            threads[project_id, stored.names] = stored.thread
    done = []
    for finding in new_findings:
        key = (finding.project_id, finding.names)
        thread = finding.thread or threads.setdefault(key, f"thr_{short_hash(list(key), 16)}")
        done.append(replace(finding, thread=thread))
    return done


def of_project(connection: Connection, project_id: str) -> list[Finding]:
    """The findings of every run of a project, oldest run first."""
    query = select(findings).join(runs, runs.c.id == findings.c.run_id).where(findings.c.project_id == project_id)
    rows = connection.execute(query.order_by(runs.c.seq, findings.c.seq)).mappings()
    return [from_row(Finding, row) for row in rows]


def of_thread(connection: Connection, project_id: str, thread: str) -> list[Finding]:
    """The findings of a thread, oldest run first."""
    return [finding for finding in of_project(connection, project_id) if finding.thread == thread]


def newest_of_threads(connection: Connection, project_id: str) -> list[Finding]:
    """The newest finding of each thread, in the order of their runs."""
    newest: dict[str, Finding] = {}
    for finding in of_project(connection, project_id):
        newest.pop(finding.thread, None)
        newest[finding.thread] = finding
    return list(newest.values())


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
    """Stores a person's decision on a finding, in every run that it was seen in, and who decided and when."""
    row, stored = to_row(finding), get(connection, finding.id)
    same = (findings.c.project_id == stored.project_id, findings.c.thread == stored.thread)
    connection.execute(update(findings).where(*same).values({name: row[name] for name in DECIDED}))


def merge(connection: Connection, project_id: str, thread: str, into: Finding) -> None:
    """Makes the findings and retests of a thread those of another one, with its decisions."""
    row = to_row(into)
    same = (findings.c.project_id == project_id, findings.c.thread == thread)
    values = {name: row[name] for name in (*DECIDED, "thread")}
    connection.execute(update(findings).where(*same).values(values))
    tested = (finding_retests.c.project_id == project_id, finding_retests.c.thread == thread)
    connection.execute(update(finding_retests).where(*tested).values(thread=into.thread))


def split(
    connection: Connection, project_id: str, thread: str, separated: Sequence[Finding], retest_ids: Collection[str]
) -> None:
    """Gives findings and retests of one thread a thread of their own again.

    Args:
        connection: In a transaction.
        project_id: The project.
        thread: The thread they get.
        separated: The findings with the decisions that hold for them.
        retest_ids: The retests.
    """
    for finding in separated:
        row = {**to_row(finding), "thread": thread}
        same = (findings.c.project_id == project_id, findings.c.id == finding.id)
        connection.execute(update(findings).where(*same).values({name: row[name] for name in (*DECIDED, "thread")}))
    for retest_id in sorted(retest_ids):
        tested = (finding_retests.c.project_id == project_id, finding_retests.c.id == retest_id)
        connection.execute(update(finding_retests).where(*tested).values(thread=thread))


def put_retests(connection: Connection, retests: Sequence[FindingRetest]) -> None:
    """Stores retests, each instead of an earlier one of the same finding and run."""
    upsert(connection, finding_retests, [to_row(retest) for retest in retests], key=["project_id", "id"])


def retests(connection: Connection, project_id: str, run_id: str | None = None) -> list[FindingRetest]:
    """The retests of a project in the order of their runs; of one run where it is named."""
    query = select(finding_retests).join(runs, runs.c.id == finding_retests.c.run_id)
    query = query.where(finding_retests.c.project_id == project_id)
    if run_id is not None:
        query = query.where(finding_retests.c.run_id == run_id)
    rows = connection.execute(query.order_by(runs.c.seq, finding_retests.c.seq)).mappings()
    return [from_row(FindingRetest, row) for row in rows]


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
