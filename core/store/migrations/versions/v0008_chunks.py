"""Chunks of documents, and what files tell beyond their text: pages, headings, metadata, notes."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Documents that are there keep their texts; they are cut when they are loaded again or first needed."""
    op.add_column("sources", sa.Column("chunking", sa.JSON(), nullable=True))
    for name, empty in {"pages": "[]", "outline": "[]", "metadata": "{}", "notes": "[]"}.items():
        op.add_column("documents", sa.Column(name, sa.JSON(), server_default=empty, nullable=False))
    op.add_column("documents", sa.Column("reader", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "chunks",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("section", sa.JSON(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id", "document_id"],
            ["documents.source_id", "documents.id"],
            name="fk_chunks_source_id_document_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_chunks"),
        sa.UniqueConstraint("source_id", "id", name="uq_chunks_source_id_id"),
    )
    op.create_index("ix_chunks_source_id_document_id", "chunks", ["source_id", "document_id"], unique=False)
