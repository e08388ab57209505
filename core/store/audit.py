"""The audit trail: one row for each write, each sealed with the hash of the row before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from core.domain.identity import canonical_json, content_hash
from core.store.codec import encode, from_row
from core.store.tables import audit, audit_head

GENESIS = "0" * 64
"""What the first entry names as the hash before it."""

_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Who did what, when.

    Attributes:
        seq: 1, 2, 3 without a gap.
        at: UTC, ISO 8601.
        action: Such as ``test_set.freeze``.
        project_id: The project it belongs to, or empty.
        subject: Id of the record that was changed, or empty.
        detail: Canonical JSON.
        previous: `hash` of the entry before.
        hash: SHA-256 of the canonical JSON of all the other fields.
    """

    seq: int
    at: str
    actor: str
    action: str
    project_id: str = ""
    subject: str = ""
    detail: str = "{}"
    previous: str = GENESIS
    hash: str = ""


class AuditCheck(NamedTuple):
    """What :func:`verify` found; `first_bad` is the number of the first entry that does not fit, or None."""

    ok: bool
    entries: int
    first_bad: int | None


def lock(connection: Connection) -> tuple[int, str]:
    """Number and hash of the newest entry; holds the trail until the transaction ends.

    SQLite's write lock is held already; on PostgreSQL the row lock makes writers queue here.
    """
    head = connection.execute(
        select(audit_head.c.seq, audit_head.c.hash).where(audit_head.c.id == 1).with_for_update()
    ).one()
    return head.seq, head.hash


def append(
    connection: Connection,
    head: tuple[int, str],
    actor: str,
    action: str,
    *,
    project_id: str = "",
    subject: str = "",
    detail: Mapping[str, object] | None = None,
) -> None:
    """Adds one entry after `head`, which :func:`lock` gave in the same transaction."""
    row: dict[str, object] = {
        "seq": head[0] + 1,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "actor": _storable(actor),
        "action": _storable(action),
        "project_id": _storable(project_id),
        "subject": _storable(subject),
        "detail": _storable(canonical_json(encode(detail or {}))),
        "previous": head[1],
    }
    row["hash"] = content_hash(row)
    connection.execute(insert(audit), row)
    connection.execute(update(audit_head).where(audit_head.c.id == 1).values(seq=row["seq"], hash=row["hash"]))


def entries(
    connection: Connection, project_id: str | None = None, *, limit: int | None = 100, offset: int = 0
) -> list[AuditEntry]:
    """Entries, newest first; of one project or of all."""
    query = select(audit).order_by(audit.c.seq.desc()).limit(limit).offset(offset)
    if project_id is not None:
        query = query.where(audit.c.project_id == project_id)
    return [from_row(AuditEntry, row) for row in connection.execute(query).mappings()]


def count(connection: Connection, project_id: str | None = None) -> int:
    """How many entries there are."""
    query = select(func.count()).select_from(audit)
    if project_id is not None:
        query = query.where(audit.c.project_id == project_id)
    return int(connection.execute(query).scalar_one())


def verify(connection: Connection) -> AuditCheck:
    """Recomputes the whole chain: a changed, deleted or inserted entry breaks it.

    The trail shows tampering by anyone who does not also rewrite every later entry and the head; whoever
    may do that can be caught only by a copy of the head kept elsewhere.
    """
    last, previous = 0, GENESIS
    rows = connection.execution_options(yield_per=_BATCH).execute(select(audit).order_by(audit.c.seq)).mappings()
    first_bad: int | None = None
    for row in rows:
        if first_bad is None:
            if not _follows(row, last, previous):
                first_bad = min(last + 1, int(row["seq"]))
            last, previous = int(row["seq"]), str(row["hash"])
    total = count(connection)
    if first_bad is None and lock_free_head(connection) != (last, previous):
        first_bad = min(last, lock_free_head(connection)[0]) + 1
    return AuditCheck(first_bad is None, total, first_bad)


def lock_free_head(connection: Connection) -> tuple[int, str]:
    """Number and hash of the newest entry as the head has them; (0, "") where the head itself is gone."""
    head = connection.execute(select(audit_head.c.seq, audit_head.c.hash).where(audit_head.c.id == 1)).one_or_none()
    return (head.seq, head.hash) if head else (0, "")


def _follows(row: RowMapping, last: int, previous: str) -> bool:
    sealed = {name: value for name, value in row.items() if name != "hash"}
    return bool(row["seq"] == last + 1 and row["previous"] == previous and row["hash"] == content_hash(sealed))


def _storable(text: str) -> str:
    """The text as the database will give it back, so that the hash is of what can be read."""
    return audit.c.subject.type.process_bind_param(text, None)  # type: ignore[attr-defined,no-any-return]
