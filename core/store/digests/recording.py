"""The audit entry of one transaction, with the digests of the rows that it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection

from core.store.digests import changes, manifest
from core.store.trail import audit, audit_key

UNATTENDED = "plumbline"
"""The actor of what workers record without a person's action."""

RECORD = "record"
"""What they do."""


@contextmanager
def recorded(
    connection: Connection,
    actor: str,
    action: str,
    *,
    project_id: str = "",
    subject: str = "",
    detail: Mapping[str, object] | None = None,
) -> Iterator[None]:
    """Ends what is done inside with an audit entry that seals the rows it leaves.

    Raises:
        Conflict: The trail is sealed with a key that is not given.
    """
    key = audit_key.given()
    head = _lock(connection, key)
    changes.begin(connection)
    yield
    rows = manifest.store(connection, head.seq + 1, changes.end(connection))
    audit.append(
        connection,
        head,
        actor,
        action,
        project_id=project_id,
        subject=subject,
        detail=detail,
        rows=rows,
        key=key,
    )


@contextmanager
def recorded_where_covered(connection: Connection, project_id: str = "", subject: str = "") -> Iterator[None]:
    """The same for a worker's reports: an entry is left, and the trail waited for, where they touch covered rows.

    Raises:
        Conflict: The trail is sealed with a key that is not given.
    """
    key = audit_key.given()
    heads: list[audit.Head] = []
    # The trail is locked ahead of the first row, in the order of every other write, so that no two wait for each other.
    changes.begin(connection, lambda: heads.append(_lock(connection, key)))
    yield
    touched = changes.end(connection)
    if not heads:
        return
    rows = manifest.store(connection, heads[0].seq + 1, touched)
    if rows:
        counts = {name: len(keys) for name, keys in sorted(touched.rows.items()) if keys}
        audit.append(
            connection,
            heads[0],
            UNATTENDED,
            RECORD,
            project_id=project_id,
            subject=subject,
            detail={"rows": counts},
            rows=rows,
            key=key,
        )


def _lock(connection: Connection, key: audit_key.AuditKey | None) -> audit.Head:
    head = audit.lock(connection)
    audit_key.require_same(head.key_name, key)
    return head
