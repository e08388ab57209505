"""Templates, and the test sets that are made of them."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKeyConstraint, Index, Integer, Table, UniqueConstraint

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

sql_templates = Table(
    "sql_templates",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    text("sql"),
    text("sql_with_ids"),
    json("tables"),
    text("status"),
    text("origin"),
    json("checks"),
    UniqueConstraint("project_id", "id"),
)

text_templates = Table(
    "text_templates",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    Column("sql_template_id", Prose, nullable=False),
    text("form"),
    text("text"),
    text("status"),
    text("origin"),
    json("checks"),
    UniqueConstraint("project_id", "id"),
    ForeignKeyConstraint(
        ["project_id", "sql_template_id"], ["sql_templates.project_id", "sql_templates.id"], ondelete="CASCADE"
    ),
    Index(None, "project_id", "sql_template_id", "form"),
)

test_sets = Table(
    "test_sets",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("name"),
    Column("version", Integer, nullable=False),
    text("content_hash"),
    text("frozen_at"),
    json("options"),
    json("counts"),
    json("drops"),
    UniqueConstraint("project_id", "name", "version"),
)

cases = Table(
    "cases",
    metadata,
    seq(),
    owner("test_set_id", "test_sets.id"),
    Column("case_id", Prose, nullable=False),
    text("question"),
    json("reference_answers"),
    # The same answers as lines of text, for searching.
    text("reference_text"),
    text("form"),
    text("group_id"),
    text("sql"),
    json("sql_params"),
    json("gold_document_ids"),
    json("tables"),
    json("attributes"),
    text("sql_template_id"),
    text("text_template_id"),
    Column("gold_chunk_ids", JSON, nullable=False, server_default="[]"),
    text("excluded"),
    UniqueConstraint("test_set_id", "case_id"),
    Index(None, "test_set_id", "excluded", "seq"),
    Index(None, "test_set_id", "excluded", "form", "seq"),
    Index(None, "test_set_id", "sql_template_id"),
)
