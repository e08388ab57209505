"""People's labels of answers, and scores calibrated against them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    UniqueConstraint,
)

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

criteria = Table(
    "criteria",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("name"),
    text("question"),
    text("kind"),
    json("levels"),
    Column("accept_from", Integer, nullable=False),
    text("rule"),
    text("guidelines"),
    Column("position", Integer, nullable=False),
    Column("retired", Boolean, nullable=False),
    text("created_at"),
    text("created_by"),
    UniqueConstraint("project_id", "name"),
)

label_rounds = Table(
    "label_rounds",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    text("name"),
    json("criteria"),
    json("raters"),
    text("origin"),
    Column("overlap", Integer, nullable=False),
    Column("overlap_share", Float, nullable=False),
    Column("repeat_share", Float, nullable=False),
    Column("show_reference", Boolean, nullable=False),
    Column("seed", BigInteger, nullable=False),
    json("design"),
    Column("closed", Boolean, nullable=False),
    text("created_at"),
    text("created_by"),
    Index(None, "project_id", "seq"),
    Index(None, "run_id"),
)

label_items = Table(
    "label_items",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    text("part"),
    text("stratum"),
    Column("probability", Float, nullable=False),
    json("gold"),
    text("explanation"),
)

label_tasks = Table(
    "label_tasks",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("rater", Prose, primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("occurrence", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
    text("part"),
    Column("skipped", Integer, nullable=False),
    text("done_at"),
)

labels = Table(
    "labels",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("criterion_id", Prose, ForeignKey("criteria.id", ondelete="CASCADE"), primary_key=True),
    Column("rater", Prose, primary_key=True),
    Column("occurrence", Integer, primary_key=True, autoincrement=False),
    Column("value", Float),
    text("status"),
    text("comment"),
    json("spans"),
    Column("seconds", Float, nullable=False),
    text("at"),
    Index(None, "criterion_id", "round_id"),
)

adjudications = Table(
    "adjudications",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("criterion_id", Prose, ForeignKey("criteria.id", ondelete="CASCADE"), primary_key=True),
    Column("value", Float),
    text("reason"),
    text("actor"),
    text("at"),
)

calibrations = Table(
    "calibrations",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    owner("run_id", "runs.id"),
    owner("criterion_id", "criteria.id"),
    json("options"),
    json("report"),
    # By case in the order of the test set: float64 with NaN for an unscored case, and one bit a level as uint16.
    Column("probabilities", LargeBinary, nullable=False),
    Column("sets", LargeBinary, nullable=False),
    text("created_at"),
    text("created_by"),
    Index(None, "run_id", "seq"),
)
