"""Work in the background, and the audit trail."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, Table

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
    # Digest of the rows that were written, empty where none was: see `core.store.digests`.
    text("rows"),
    # Name of the key that the entry is sealed with, empty for none.
    text("key_name"),
    Index(None, "project_id", "seq"),
)

audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    text("hash"),
    text("key_name"),
)
"""One row: the newest audit entry. Writers lock it, and a cut tail shows against it."""

audit_rows = Table(
    "audit_rows",
    metadata,
    # Of the audit entry.
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    # Name of the table whose rows were written, and the project, run, test set or source that they belong to.
    Column("kind", Prose, primary_key=True),
    Column("owner", Prose, primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    # The columns that the digests are of.
    text("columns"),
    # Every earlier row of the owner went with it.
    Column("cleared", Boolean, nullable=False),
    Column("count", Integer, nullable=False),
    # Deflated JSON: the keys of the rows with what is shown of them; then 32 bytes a row, zeros where it was deleted.
    Column("keys", LargeBinary, nullable=False),
    Column("digests", LargeBinary, nullable=False),
    Index(None, "kind", "owner", "seq"),
)
"""What each write left in the tables: the digests that a row changed behind the store's back no longer fits."""
