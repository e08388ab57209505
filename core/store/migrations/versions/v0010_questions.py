"""Questions from documents in review, and the batches they were written in."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds empty tables."""
    op.create_table(
        "question_batches",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        _text("source_id"),
        _text("topics_id"),
        _text("created_at"),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("delivered", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_question_batches_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_question_batches"),
        sa.UniqueConstraint("project_id", "id", name="uq_question_batches_project_id_id"),
    )
    op.create_table(
        "question_drafts",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("batch_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("kind", "text", "reference")),
        sa.Column("support", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        *(_text(name) for name in ("made_by", "near_chunk_id")),
        sa.Column("topic", sa.Integer(), nullable=False),
        *(_text(name) for name in ("value", "failed", "reason")),
        sa.Column("similarity", sa.Float(), nullable=True),
        sa.Column("copied", sa.Float(), nullable=True),
        *(_text(name) for name in ("duplicate_of", "probed", "status", "decided_by", "decided_at", "note")),
        *(_text(name) for name in ("original_text", "original_reference")),
        sa.ForeignKeyConstraint(
            ["project_id", "batch_id"],
            ["question_batches.project_id", "question_batches.id"],
            name="fk_question_drafts_project_id_batch_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_question_drafts"),
        sa.UniqueConstraint("project_id", "id", name="uq_question_drafts_project_id_id"),
    )
    op.create_index("ix_question_drafts_project_id_status_seq", "question_drafts", ["project_id", "status", "seq"])
    op.create_index("ix_question_drafts_project_id_batch_id", "question_drafts", ["project_id", "batch_id"])
