"""Projects, their members and their sources."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, ForeignKey, ForeignKeyConstraint, Index, Integer, Table, UniqueConstraint

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

projects = Table(
    "projects",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    text("name"),
    text("description"),
    text("created_at"),
    text("created_by"),
    Column("sample", Boolean, nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", Prose, primary_key=True),
    text("role"),
)

sources = Table(
    "sources",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("kind"),
    text("name"),
    text("location"),
    text("fingerprint"),
    Column("schema", JSON),
    json("overrides"),
    text("loaded_at"),
    Column("chunking", JSON(none_as_null=True)),
    Column("layer", JSON(none_as_null=True)),
    Index(None, "project_id", "kind"),
)

documents = Table(
    "documents",
    metadata,
    seq(),
    owner("source_id", "sources.id"),
    Column("id", Prose, nullable=False),
    text("title"),
    text("text"),
    text("path"),
    text("format"),
    text("sha256"),
    json("pages"),
    json("outline"),
    json("metadata"),
    json("notes"),
    text("reader"),
    UniqueConstraint("source_id", "id"),
)

chunks = Table(
    "chunks",
    metadata,
    seq(),
    Column("source_id", Prose, nullable=False),
    Column("id", Prose, nullable=False),
    Column("document_id", Prose, nullable=False),
    Column("position", Integer, nullable=False),
    text("text"),
    json("section"),
    Column("page", Integer),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    ForeignKeyConstraint(["source_id", "document_id"], ["documents.source_id", "documents.id"], ondelete="CASCADE"),
    UniqueConstraint("source_id", "id"),
    Index(None, "source_id", "document_id"),
)

skipped_files = Table(
    "skipped_files",
    metadata,
    seq(),
    owner("source_id", "sources.id"),
    text("path"),
    text("reason"),
    Index(None, "source_id"),
)

document_mappings = Table(
    "document_mappings",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("way"),
    json("rules"),
    json("matches"),
    Column("records", Integer, nullable=False),
    Column("matched", Integer, nullable=False),
    text("database_id"),
    text("database_fingerprint"),
    text("corpus_id"),
    text("corpus_fingerprint"),
    text("created_at"),
    text("created_by"),
    Index(None, "project_id", "seq"),
)
