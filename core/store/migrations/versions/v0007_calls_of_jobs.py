"""Which job used a model's reply, so that what writes templates and documents can keep to a budget."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the job to the uses; those that are there are of runs or of none."""
    op.add_column("llm_uses", sa.Column("job_id", sa.Text(), server_default="", nullable=False))
    op.create_index("ix_llm_uses_job_id", "llm_uses", ["job_id"], unique=False)
