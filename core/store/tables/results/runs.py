"""Runs: responses, scores, and encodings of the texts."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, Table, false

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

runs = Table(
    "runs",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    Column("test_set_id", Prose, ForeignKey("test_sets.id"), nullable=False, index=True),
    text("target"),
    text("judge"),
    Column("corpus_id", Prose, ForeignKey("sources.id")),
    text("state"),
    Column("seed", BigInteger, nullable=False),
    text("job_id"),
    json("options"),
    text("created_at"),
    text("created_by"),
    text("finished_at"),
    Index(None, "project_id", "seq"),
)

responses = Table(
    "responses",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("answer", Prose),
    json("contexts"),
    Column("abstained", Boolean),
    Column("latency_s", Float),
    Column("tokens", BigInteger),
    text("error"),
    # Kept beside `answer` so that counting failures reads an index, not the answers.
    Column("failed", Boolean, nullable=False),
    Index(None, "run_id", "failed"),
)

scores = Table(
    "scores",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("value", Float),
    text("status"),
    json("detail"),
    # A person changed it; what it was stands in score_edits, and scoring again leaves it alone.
    Column("edited", Boolean, nullable=False, server_default=false()),
    # A score of a lower generation than its metric's has other options or an older version, and is measured again.
    Column("generation", Integer, nullable=False, server_default="0"),
    # Counting, sorting and reading by column need only these; the evidence is not read.
    Index(None, "run_id", "metric", "value", "case_id", "status", "edited"),
)

score_edits = Table(
    "score_edits",
    metadata,
    seq(),
    owner("run_id", "runs.id"),
    Column("case_id", Prose, nullable=False),
    Column("metric", Prose, nullable=False),
    Column("before_value", Float),
    text("before_status"),
    # Whether the value before was a person's already; otherwise it was measured.
    Column("before_edited", Boolean, nullable=False),
    Column("value", Float),
    text("status"),
    text("reason"),
    text("actor"),
    text("at"),
    Index(None, "run_id", "case_id", "metric"),
)

run_metrics = Table(
    "run_metrics",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("version", Integer, nullable=False),
    # Encoder, NLI model, language: what the values depend on besides the texts.
    json("options"),
    Column("finished", Boolean, nullable=False),
    text("scored_at"),
    text("scored_by"),
    # Grows with every other version or options, see `scores`.
    Column("generation", Integer, nullable=False, server_default="0"),
)

score_columns = Table(
    "score_columns",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("values", LargeBinary, nullable=False),
)
"""A copy of `scores` by column: the values of a metric as float64 in the order of the test set, NaN for none. Whatever
changes a score changes or removes the copy in the same transaction; without it the scores themselves are read."""

encodings = Table(
    "encodings",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Prose, primary_key=True),
    Column("text_hash", LargeBinary, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)
"""Encodings of texts by models: sentence vectors and NLI logits, as float32; can be emptied at any time."""
