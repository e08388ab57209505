"""Questions from documents, in review."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKeyConstraint, Index, Integer, Table, UniqueConstraint

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

question_batches = Table(
    "question_batches",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    text("source_id"),
    text("topics_id"),
    text("created_at"),
    json("plan"),
    json("delivered"),
    UniqueConstraint("project_id", "id"),
)

question_drafts = Table(
    "question_drafts",
    metadata,
    seq(),
    Column("project_id", Prose, nullable=False),
    Column("id", Prose, nullable=False),
    Column("batch_id", Prose, nullable=False),
    text("kind"),
    text("text"),
    text("reference"),
    json("support"),
    json("options"),
    text("made_by"),
    text("near_chunk_id"),
    Column("topic", Integer, nullable=False),
    text("value"),
    text("failed"),
    text("reason"),
    Column("similarity", Float),
    Column("copied", Float),
    text("duplicate_of"),
    text("probed"),
    text("status"),
    text("decided_by"),
    text("decided_at"),
    text("note"),
    text("original_text"),
    text("original_reference"),
    Column("nearest", Float),
    Column("answered", Boolean),
    Column("known", Boolean),
    UniqueConstraint("project_id", "id"),
    ForeignKeyConstraint(
        ["project_id", "batch_id"], ["question_batches.project_id", "question_batches.id"], ondelete="CASCADE"
    ),
    Index(None, "project_id", "status", "seq"),
    Index(None, "project_id", "batch_id"),
)
