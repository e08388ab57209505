"""Snapshots of reports, and commentary on their sections."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _owners(table: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=f"fk_{table}_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=f"fk_{table}_run_id", ondelete="CASCADE"),
    ]


def upgrade() -> None:
    """Adds two empty tables."""
    op.create_table(
        "report_snapshots",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("calibration_id", "title", "content", "sha256")),
        sa.Column("marks", sa.JSON(), nullable=False),
        *(_text(name) for name in ("created_at", "created_by")),
        *_owners("report_snapshots"),
        sa.PrimaryKeyConstraint("seq", name="pk_report_snapshots"),
        sa.UniqueConstraint("id", name="uq_report_snapshots_id"),
    )
    op.create_index("ix_report_snapshots_project_id_seq", "report_snapshots", ["project_id", "seq"])
    op.create_table(
        "report_comments",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("section", "text", "at", "by")),
        *_owners("report_comments"),
        sa.PrimaryKeyConstraint("seq", name="pk_report_comments"),
    )
    op.create_index("ix_report_comments_run_id_section", "report_comments", ["run_id", "section"])
