"""Reports: snapshots that stay as they were seen, and what people wrote about their sections."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

report_snapshots = Table(
    "report_snapshots",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    text("calibration_id"),
    text("title"),
    # The report's JSON file, letter for letter, so that its SHA-256 can be checked.
    text("content"),
    text("sha256"),
    # How much there was when it was frozen: labels, runs and so on, by name.
    json("marks"),
    text("created_at"),
    text("created_by"),
    Index(None, "project_id", "seq"),
)
"""Never changed."""

report_comments = Table(
    "report_comments",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    text("section"),
    text("text"),
    text("at"),
    text("by"),
    Index(None, "run_id", "section"),
)
"""Every version; the newest of a section counts, and an empty one takes it away."""
