"""Unit tests of judges: their runs, what the judges said, and what a project asks of a judge."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds three empty tables: no judge was tested before."""
    op.create_table(
        "judge_test_runs",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("judge", "suite", "suite_hash", "part", "way")),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("prompts", sa.JSON(), nullable=False),
        sa.Column("tests", sa.JSON(), nullable=False),
        *(_text(name) for name in ("created_at", "created_by", "finished_at")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_judge_test_runs_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_judge_test_runs"),
        sa.UniqueConstraint("id", name="uq_judge_test_runs_id"),
    )
    op.create_index("ix_judge_test_runs_project_id_seq", "judge_test_runs", ["project_id", "seq"])
    op.create_table(
        "judge_test_outcomes",
        sa.Column("test_run_id", sa.Text(), nullable=False),
        sa.Column("test_id", sa.Text(), nullable=False),
        sa.Column("draw", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judged", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_run_id"], ["judge_test_runs.id"], name="fk_judge_test_outcomes_test_run_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("test_run_id", "test_id", "draw", name="pk_judge_test_outcomes"),
    )
    op.create_table(
        "judge_bars",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("least", sa.Float(), nullable=False),
        sa.Column("lower", sa.Boolean(), nullable=False),
        sa.Column("judged", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_judge_bars_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", name="pk_judge_bars"),
    )
