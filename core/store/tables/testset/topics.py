"""Topics of a corpus, the places of its chunks, and people's edits."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    Table,
    UniqueConstraint,
)

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

topic_models = Table(
    "topic_models",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    # No foreign key: topics stay readable when their corpus is replaced.
    text("source_id"),
    json("settings"),
    text("fingerprint"),
    text("content_hash"),
    json("versions"),
    Column("chunks", Integer, nullable=False),
    json("quality"),
    text("created_at"),
    text("created_by"),
    Index(None, "project_id", "seq"),
)

topics = Table(
    "topics",
    metadata,
    seq(),
    owner("model_id", "topic_models.id"),
    Column("number", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("documents", Integer, nullable=False),
    Column("alike", Float),
    json("terms"),
    text("name"),
    text("named_by"),
    Column("dropped", Boolean, nullable=False),
    Column("coherence", Float),
    json("examples"),
    UniqueConstraint("model_id", "number"),
)
"""As they are after all edits."""

topic_chunks = Table(
    "topic_chunks",
    metadata,
    seq(),
    owner("model_id", "topic_models.id"),
    Column("chunk_id", Prose, nullable=False),
    Column("found", Integer, nullable=False),
    Column("topic", Integer, nullable=False),
    Column("strength", Float, nullable=False),
    Column("x", Float, nullable=False),
    Column("y", Float, nullable=False),
    Column("reduced", LargeBinary, nullable=False),
    UniqueConstraint("model_id", "chunk_id"),
    Index(None, "model_id", "topic"),
)

topic_edits = Table(
    "topic_edits",
    metadata,
    seq(),
    owner("model_id", "topic_models.id"),
    Column("number", Integer, nullable=False),
    json("edit"),
    UniqueConstraint("model_id", "number"),
)
"""In the order they were made, from 0."""
