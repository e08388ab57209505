"""Findings of runs."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(), nullable=False)


def upgrade() -> None:
    """Adds an empty table."""
    op.create_table(
        "findings",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("kind", "score")),
        _json("conditions"),
        _text("text"),
        *(_json(name) for name in ("figures", "case_ids")),
        *(_text(name) for name in ("severity", "status", "owner", "comment")),
        _json("options"),
        sa.Column("gone", sa.Boolean(), nullable=False),
        *(_text(name) for name in ("created_at", "created_by", "changed_at", "changed_by")),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_findings_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_findings_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_findings"),
        sa.UniqueConstraint("id", name="uq_findings_id"),
    )
    op.create_index("ix_findings_run_id_seq", "findings", ["run_id", "seq"])
    op.create_index("ix_findings_project_id_status", "findings", ["project_id", "status"])
