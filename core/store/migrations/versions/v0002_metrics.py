"""Metrics: how a run was scored, scores that a person changed, vectors and logits of models, chunks as ground truth."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Adds the tables and columns; rows of the first schema stay as they are."""
    op.add_column("cases", sa.Column("gold_chunk_ids", sa.JSON(), server_default="[]", nullable=False))
    op.add_column("scores", sa.Column("edited", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.drop_index("ix_scores_run_id_metric_value_case_id", "scores")
    op.create_index(
        "ix_scores_run_id_metric_value_case_id_status_edited",
        "scores",
        ["run_id", "metric", "value", "case_id", "status", "edited"],
        unique=False,
    )
    op.create_table(
        "score_edits",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("before_value", sa.Float(), nullable=True),
        sa.Column("before_status", sa.Text(), server_default="", nullable=False),
        sa.Column("before_edited", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("actor", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_score_edits_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_score_edits"),
    )
    op.create_index(
        "ix_score_edits_run_id_case_id_metric", "score_edits", ["run_id", "case_id", "metric"], unique=False
    )
    op.create_table(
        "run_metrics",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.Column("scored_at", sa.Text(), server_default="", nullable=False),
        sa.Column("scored_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_metrics_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "metric", name="pk_run_metrics"),
    )
    op.create_table(
        "encodings",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.LargeBinary(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_encodings_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "model", "text_hash", name="pk_encodings"),
    )
