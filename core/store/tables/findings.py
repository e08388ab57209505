"""Findings of runs, with people's decisions."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Table

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

findings = Table(
    "findings",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    text("kind"),
    text("score"),
    json("conditions"),
    text("text"),
    json("figures"),
    json("case_ids"),
    text("severity"),
    text("status"),
    text("owner"),
    text("comment"),
    json("options"),
    Column("gone", Boolean, nullable=False),
    text("created_at"),
    text("created_by"),
    text("changed_at"),
    text("changed_by"),
    Index(None, "run_id", "seq"),
    Index(None, "project_id", "status"),
)
