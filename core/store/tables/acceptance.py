"""What a project validates and why, and what the system must reach; every version of a criterion stays."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, Table, UniqueConstraint

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

project_profiles = Table(
    "project_profiles",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    text("purpose"),
    text("scope"),
    text("intended_use"),
    json("system"),
    text("users"),
    json("risks"),
    text("changed_at"),
    text("changed_by"),
)

acceptance_criteria = Table(
    "acceptance_criteria",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    Column("version", Integer, nullable=False),
    text("metric"),
    text("bound"),
    Column("threshold", Float, nullable=False),
    text("direction"),
    text("note"),
    text("set_at"),
    text("set_by"),
    text("reason"),
    text("locked_at"),
    text("locked_by"),
    Column("removed", Boolean, nullable=False),
    UniqueConstraint("project_id", "id", "version"),
)
