"""The audit trail: one row for each write, each sealed with the hash of the row before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from core.domain.identity import canonical_json, content_hash
from core.store.codec import encode, from_row
from core.store.tables import audit, audit_head
from core.store.trail.audit_key import AuditKey

GENESIS = "0" * 64
"""What the first entry names as the hash before it."""

REKEY, REKEYED = "audit.rekey", "audit.rekeyed"
"""The last entry under one key, which names the next, and the first under that one."""

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
        hash: SHA-256 of the canonical JSON of all the other fields, of those last two only where they are not empty;
            HMAC-SHA256 with the key where there is one.
        rows: Digest of the rows that were written, see `core.store.digests`; empty where none was.
        key_name: Name of the key that the entry is sealed with, empty for none; see `core.store.trail.audit_key`.
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
    rows: str = ""
    key_name: str = ""


class AuditCheck(NamedTuple):
    """What :func:`verify` found; `first_bad` is the number of the first entry that does not fit, or None."""

    ok: bool
    entries: int
    first_bad: int | None


class Head(NamedTuple):
    """The newest entry: its number, its hash, and the name of the key it is sealed with."""

    seq: int
    hash: str
    key_name: str = ""


def lock(connection: Connection) -> Head:
    """The newest entry; holds the trail until the transaction ends.

    SQLite's write lock is held already; on PostgreSQL the row lock makes writers queue here.
    """
    head = connection.execute(
        select(audit_head.c.seq, audit_head.c.hash, audit_head.c.key_name).where(audit_head.c.id == 1).with_for_update()
    ).one()
    return Head(*head)


def append(
    connection: Connection,
    head: Head | tuple[int, str],
    actor: str,
    action: str,
    *,
    project_id: str = "",
    subject: str = "",
    detail: Mapping[str, object] | None = None,
    rows: str = "",
    key: AuditKey | None = None,
) -> None:
    """Adds one entry after `head`, which :func:`lock` gave in the same transaction; sealed with `key` where given."""
    row: dict[str, object] = {
        "seq": head[0] + 1,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "actor": _storable(actor),
        "action": _storable(action),
        "project_id": _storable(project_id),
        "subject": _storable(subject),
        "detail": _storable(canonical_json(encode(detail or {}))),
        "previous": head[1],
        "rows": rows,
        "key_name": key.name if key else "",
    }
    row["hash"] = seal(row, key)
    connection.execute(insert(audit), row)
    connection.execute(
        update(audit_head)
        .where(audit_head.c.id == 1)
        .values(**{name: row[name] for name in ("seq", "hash", "key_name")})
    )


def rekey(connection: Connection, head: Head, actor: str, old: AuditKey | None, new: AuditKey) -> None:
    """Goes on under another key: the old one seals an entry that names the new one, which seals the next.

    Args:
        connection: Of a transaction.
        head: What :func:`lock` gave in it.
        actor: Who does it.
        old: The key of the newest entry, None where it has none.
        new: The key from now on.
    """
    detail = {"from": old.name if old else "", "to": new.name}
    if old is not None:
        append(connection, head, actor, REKEY, detail=detail, key=old)
        head = lock(connection)
    append(connection, head, actor, REKEYED, detail=detail, key=new)


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


def verify(connection: Connection, key: AuditKey | None = None) -> AuditCheck:
    """Recomputes the whole chain: a changed, deleted or inserted entry breaks it.

    Entries that are sealed with a key that is not given are checked for their places and links alone. The chain shows
    tampering by anyone who does not also rewrite every later entry and the head; whoever may do that is caught by the
    rows (`core.store.digests`), by a key that they do not have, or by a copy of the head kept elsewhere.
    """
    last, previous = 0, GENESIS
    rows = connection.execution_options(yield_per=_BATCH).execute(select(audit).order_by(audit.c.seq)).mappings()
    first_bad: int | None = None
    for row in rows:
        if first_bad is None:
            if not follows(row, last, previous, key):
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


def follows(row: RowMapping, last: int, previous: str, key: AuditKey | None = None) -> bool:
    """Whether an entry has its number, names the hash before it, and is sealed as it stands."""
    if row["seq"] != last + 1 or row["previous"] != previous:
        return False
    if row["key_name"] and (key is None or key.name != row["key_name"]):
        return True
    return bool(row["hash"] == seal(row, key if row["key_name"] else None))


def seal(row: Mapping[Any, Any], key: AuditKey | None) -> str:
    """The hash of an entry, as 64 hexadecimal digits."""
    # An entry of a time before these fields has neither, and keeps the hash it got.
    sealed = {
        name: value
        for name, value in row.items()
        if name != "hash" and (value != "" or name not in ("rows", "key_name"))
    }
    return key.seal(canonical_json(sealed)) if key else content_hash(sealed)


def _storable(text: str) -> str:
    """The text as the database will give it back, so that the hash is of what can be read."""
    return audit.c.subject.type.process_bind_param(text, None)  # type: ignore[attr-defined,no-any-return]
