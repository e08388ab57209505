"""How often each kind of thing was written, so that a reader knows whether what it read still stands."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table

from core.store.tables.columns import Prose, metadata

versions = Table(
    "versions",
    metadata,
    Column("project_id", Prose, primary_key=True),
    Column("kind", Prose, primary_key=True),
    Column("run_id", Prose, primary_key=True),
    Column("number", BigInteger, nullable=False),
)
"""One counter for each kind of thing in a project, and for each run where a write touched nothing else. The columns are
empty for writes that name no project or no run. No row goes with its project: a counter never falls."""
