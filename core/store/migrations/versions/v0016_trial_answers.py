"""What an unfinished trial of the diagnosis was answered, so that it goes on where it was stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Adds an empty table."""
    op.create_table(
        "trial_answers",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("set_up", sa.Text(), nullable=False),
        sa.Column("copy", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("response", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_trial_answers_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "set_up", "copy", "case_id", name="pk_trial_answers"),
    )
