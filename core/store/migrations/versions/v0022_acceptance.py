"""What a project validates and why, and what the system must reach."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds two empty tables."""
    op.create_table(
        "project_profiles",
        sa.Column("project_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("purpose", "scope", "intended_use")),
        sa.Column("system", sa.JSON(), nullable=False),
        _text("users"),
        sa.Column("risks", sa.JSON(), nullable=False),
        *(_text(name) for name in ("changed_at", "changed_by")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_project_profiles_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name="pk_project_profiles"),
    )
    op.create_table(
        "acceptance_criteria",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        *(_text(name) for name in ("metric", "bound")),
        sa.Column("threshold", sa.Float(), nullable=False),
        *(_text(name) for name in ("direction", "note", "set_at", "set_by", "reason", "locked_at", "locked_by")),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_acceptance_criteria_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_acceptance_criteria"),
        sa.UniqueConstraint("project_id", "id", "version", name="uq_acceptance_criteria_project_id_id_version"),
    )
