"""Topics of a corpus: models, topics, chunks with their places on the map, edits by hand."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Adds empty tables."""
    op.create_table(
        "topic_models",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), server_default="", nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("fingerprint", sa.Text(), server_default="", nullable=False),
        sa.Column("content_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("chunks", sa.Integer(), nullable=False),
        sa.Column("quality", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_topic_models_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_topic_models"),
        sa.UniqueConstraint("id", name="uq_topic_models_id"),
    )
    op.create_index("ix_topic_models_project_id_seq", "topic_models", ["project_id", "seq"], unique=False)
    op.create_table(
        "topics",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("alike", sa.Float(), nullable=True),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("named_by", sa.Text(), server_default="", nullable=False),
        sa.Column("dropped", sa.Boolean(), nullable=False),
        sa.Column("coherence", sa.Float(), nullable=True),
        sa.Column("examples", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["topic_models.id"], name="fk_topics_model_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_topics"),
        sa.UniqueConstraint("model_id", "number", name="uq_topics_model_id_number"),
    )
    op.create_table(
        "topic_chunks",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("chunk_id", sa.Text(), nullable=False),
        sa.Column("found", sa.Integer(), nullable=False),
        sa.Column("topic", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("x", sa.Float(), nullable=False),
        sa.Column("y", sa.Float(), nullable=False),
        sa.Column("reduced", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["topic_models.id"], name="fk_topic_chunks_model_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_topic_chunks"),
        sa.UniqueConstraint("model_id", "chunk_id", name="uq_topic_chunks_model_id_chunk_id"),
    )
    op.create_index("ix_topic_chunks_model_id_topic", "topic_chunks", ["model_id", "topic"], unique=False)
    op.create_table(
        "topic_edits",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("edit", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["topic_models.id"], name="fk_topic_edits_model_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_topic_edits"),
        sa.UniqueConstraint("model_id", "number", name="uq_topic_edits_model_id_number"),
    )
