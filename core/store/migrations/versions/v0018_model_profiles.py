"""What each model at each endpoint takes, and the reasoning that came with a reply."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Adds an empty table, and an empty column to the calls."""
    op.add_column("llm_calls", sa.Column("reasoning", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "model_profiles",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=True),
        sa.Column("base_url", sa.Text(), server_default="", nullable=False),
        sa.Column("model", sa.Text(), server_default="", nullable=False),
        sa.Column("api_version", sa.Text(), server_default="", nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.Column("edits", sa.JSON(), nullable=False),
        sa.Column("grounds", sa.JSON(), nullable=False),
        sa.Column("probed_at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_model_profiles_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_model_profiles"),
        sa.UniqueConstraint("id", name="uq_model_profiles_id"),
    )
    op.create_index("ix_model_profiles_project_id", "model_profiles", ["project_id"])
