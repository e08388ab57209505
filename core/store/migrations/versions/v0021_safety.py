"""What a project says of safety, and what was measured of its answers."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Adds two empty tables."""
    op.create_table(
        "safety_settings",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.Text(), nullable=False, server_default=""),
        sa.Column("changed_by", sa.Text(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_safety_settings_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "name", name="pk_safety_settings"),
    )
    op.create_table(
        "safety_results",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("made_from", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False, server_default=""),
        sa.Column("created_by", sa.Text(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_safety_results_project_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_safety_results_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_safety_results"),
        sa.UniqueConstraint("id", name="uq_safety_results_id"),
    )
    op.create_index("ix_safety_results_run_id_seq", "safety_results", ["run_id", "seq"])
