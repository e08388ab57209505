"""What an entry of the audit trail says beside who and when."""

from __future__ import annotations

import json

from sqlalchemy import Connection, select

from core.store.audit import AuditEntry
from core.store.codec import from_row
from core.store.tables import audit


def latest(connection: Connection, action: str, subject: str) -> dict[str, object] | None:
    """The detail of the newest entry of an action on a subject; None where there is none."""
    found = connection.execute(
        select(audit.c.detail)
        .where(audit.c.action == action, audit.c.subject == subject)
        .order_by(audit.c.seq.desc())
        .limit(1)
    ).scalar_one_or_none()
    told = None if found is None else json.loads(found)
    return told if isinstance(told, dict) else None


def of_subject(connection: Connection, project_id: str, action: str, subject: str) -> list[AuditEntry]:
    """Every entry of an action on one thing of a project, newest first."""
    query = select(audit).where(
        audit.c.project_id == project_id, audit.c.action == action, audit.c.subject == subject
    )  # fmt: skip
    return [from_row(AuditEntry, row) for row in connection.execute(query.order_by(audit.c.seq.desc())).mappings()]
