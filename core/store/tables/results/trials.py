"""What an unfinished trial of the diagnosis was answered."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Table

from core.store.tables.columns import Prose, json, metadata

trial_answers = Table(
    "trial_answers",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    # Test set, documents, target and its options: what an answer depends on besides the copy.
    Column("set_up", Prose, primary_key=True),
    # What the copy differs in from the documents of the working set-up; empty for these.
    Column("copy", Prose, primary_key=True),
    Column("case_id", Prose, primary_key=True),
    json("response"),
)
"""Answers of the target to questions on copies of documents; they go when the trial is done."""
