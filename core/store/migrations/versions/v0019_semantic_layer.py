"""The semantic layer of a connected database."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Adds what a person said of tables and columns; nothing was said of the sources there are."""
    op.add_column("sources", sa.Column("layer", sa.JSON(none_as_null=True), nullable=True))
