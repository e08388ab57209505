"""Unit tests that judges were put to, what they said, and what a project asks of them."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

judge_test_runs = Table(
    "judge_test_runs",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("judge"),
    text("suite"),
    text("suite_hash"),
    text("part"),
    text("way"),
    Column("repeats", Integer, nullable=False),
    json("prompts"),
    json("tests"),
    text("created_at"),
    text("created_by"),
    text("finished_at"),
    Index(None, "project_id", "seq"),
)

judge_test_outcomes = Table(
    "judge_test_outcomes",
    metadata,
    Column("test_run_id", Prose, ForeignKey("judge_test_runs.id", ondelete="CASCADE"), primary_key=True),
    Column("test_id", Prose, primary_key=True),
    Column("draw", Integer, primary_key=True, autoincrement=False),
    json("judged"),
)
"""One row for each test and each time it was judged; never changed."""

judge_bars = Table(
    "judge_bars",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("least", Float, nullable=False),
    Column("lower", Boolean, nullable=False),
    Column("judged", Float, nullable=False),
)
"""What a judge must reach; a project without a row has the bar that comes with Plumbline."""
