"""What the documents say about the facts that a run failed at, kept once it is found."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds an empty table: the evidence of runs made before is searched for when it is first wanted."""
    op.create_table(
        "fact_evidence",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        *(_text(name) for name in ("corpus_id", "evidence", "document_id", "passage")),
        sa.Column("document_ids", sa.JSON(), nullable=False),
        _text("other_value"),
        sa.Column("in_context", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_fact_evidence_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "group_id", name="pk_fact_evidence"),
    )
