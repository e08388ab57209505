"""How records and documents belong together, as people chose it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds an empty table: gold ids name the documents that have them as their own ids."""
    op.create_table(
        "document_mappings",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        _text("way"),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("matches", sa.JSON(), nullable=False),
        sa.Column("records", sa.Integer(), nullable=False),
        sa.Column("matched", sa.Integer(), nullable=False),
        *(
            _text(name)
            for name in (
                "database_id",
                "database_fingerprint",
                "corpus_id",
                "corpus_fingerprint",
                "created_at",
                "created_by",
            )
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_document_mappings_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_document_mappings"),
        sa.UniqueConstraint("id", name="uq_document_mappings_id"),
    )
    op.create_index("ix_document_mappings_project_id_seq", "document_mappings", ["project_id", "seq"])
