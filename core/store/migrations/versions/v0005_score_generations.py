"""Which measurement of a metric a score is from, so that old ones stay readable until each is measured anew."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Adds a number to scores and to metrics of runs; what is there is of one generation."""
    op.add_column("scores", sa.Column("generation", sa.Integer(), server_default="0", nullable=False))
    op.add_column("run_metrics", sa.Column("generation", sa.Integer(), server_default="0", nullable=False))
