"""What a project says of safety, and what was measured; nothing in the results is unmasked."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

safety_settings = Table(
    "safety_settings",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Prose, primary_key=True),
    json("settings"),
    text("changed_at"),
    text("changed_by"),
)

safety_results = Table(
    "safety_results",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    json("made_from"),
    json("result"),
    text("created_at"),
    text("created_by"),
    Index(None, "run_id", "seq"),
)
