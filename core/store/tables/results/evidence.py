"""What the documents say about the facts that a run failed at."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, LargeBinary, Table

from core.store.tables.columns import Prose, json, metadata, text

fact_evidence = Table(
    "fact_evidence",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("group_id", Prose, primary_key=True),
    # Of all that was searched and searched for; a row counts only for a fact that has this key now.
    Column("key", LargeBinary, nullable=False),
    text("corpus_id"),
    text("evidence"),
    text("document_id"),
    text("passage"),
    json("document_ids"),
    text("other_value"),
    json("in_context"),
)
"""One row for each filled SQL query with a wrong answer; computed again it is the same, so it may be emptied."""
