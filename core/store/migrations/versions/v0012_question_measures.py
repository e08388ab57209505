"""What the checks of a question measured: its nearest other question, and what a model made of it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Adds columns that are empty for the questions there are: nobody kept what was measured of them."""
    op.add_column("question_drafts", sa.Column("nearest", sa.Float(), nullable=True))
    op.add_column("question_drafts", sa.Column("answered", sa.Boolean(), nullable=True))
    op.add_column("question_drafts", sa.Column("known", sa.Boolean(), nullable=True))
