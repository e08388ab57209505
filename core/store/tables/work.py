"""Work in the background, and the audit trail."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, Table

from core.store.tables.columns import BigId, Prose, json, metadata, seq, text

jobs = Table(
    "jobs",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    text("kind"),
    json("params"),
    text("actor"),
    text("subject"),
    text("state"),
    Column("attempts", Integer, nullable=False),
    Column("stop_requested", Boolean, nullable=False),
    text("error"),
    text("hint"),
    text("created_at"),
    text("started_at"),
    text("finished_at"),
    text("log"),
    text("stage"),
    Column("done", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("stage_first", BigInteger, nullable=False),
    Column("stage_since", Float, nullable=False),
    Column("reported", Float, nullable=False),
    text("token"),
    text("host"),
    Column("pid", BigInteger, nullable=False),
    Column("born", Float, nullable=False),
    Column("heartbeat", Float, nullable=False),
    Index(None, "project_id", "seq"),
    Index(None, "state"),
)

audit = Table(
    "audit",
    metadata,
    Column("seq", BigId, primary_key=True, autoincrement=False),
    text("at"),
    text("actor"),
    text("action"),
    text("project_id"),
    text("subject"),
    text("detail"),
    text("previous"),
    text("hash"),
    Index(None, "project_id", "seq"),
)

audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    text("hash"),
)
"""One row: the newest audit entry. Writers lock it, and a cut tail shows against it."""
