"""Findings of runs, with people's decisions."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Index, Integer, Table, UniqueConstraint

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
    text("thread"),
    text("title"),
    text("due"),
    Index(None, "run_id", "seq"),
    Index(None, "project_id", "status"),
)

finding_retests = Table(
    "finding_retests",
    metadata,
    seq(),
    Column("id", Prose, nullable=False),
    owner("project_id", "projects.id"),
    text("thread"),
    owner("run_id", "runs.id"),
    text("against"),
    text("outcome"),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
    Column("change", JSON(none_as_null=True)),
    Column("deficit", JSON(none_as_null=True)),
    Column("paired", Integer, nullable=False),
    text("reason"),
    text("created_at"),
    text("created_by"),
    UniqueConstraint("project_id", "id"),
    Index(None, "project_id", "thread"),
)
"""Findings measured again; the id is of the finding and the run."""
