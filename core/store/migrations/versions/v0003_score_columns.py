"""The values of a run's metrics by column, for reading all of them at once."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds an empty table; columns come with the next scoring."""
    op.create_table(
        "score_columns",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("values", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_score_columns_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "metric", name="pk_score_columns"),
    )
