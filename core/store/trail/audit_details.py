"""The details of audit entries."""

from __future__ import annotations

import json

from sqlalchemy import Connection, select

from core.store.codec import from_row
from core.store.tables import audit
from core.store.trail.audit import AuditEntry


def latest(connection: Connection, action: str, subject: str) -> dict[str, object] | None:
    """The detail of the newest entry of an action on a subject; None where there is none."""
    text = connection.execute(
        select(audit.c.detail)
        .where(audit.c.action == action, audit.c.subject == subject)
        .order_by(audit.c.seq.desc())
        .limit(1)
    ).scalar_one_or_none()
    detail = None if text is None else json.loads(text)
    return detail if isinstance(detail, dict) else None


def happened(connection: Connection, project_id: str, action: str) -> bool:
    """Whether an action was ever taken in a project, whatever came of it."""
    query = select(audit.c.seq).where(audit.c.project_id == project_id, audit.c.action == action).limit(1)
    return connection.execute(query).first() is not None


def of_subject(connection: Connection, project_id: str, action: str, subject: str) -> list[AuditEntry]:
    """Every entry of an action on one record of a project, newest first."""
    query = select(audit).where(audit.c.project_id == project_id, audit.c.action == action, audit.c.subject == subject)
    return [from_row(AuditEntry, row) for row in connection.execute(query.order_by(audit.c.seq.desc())).mappings()]
