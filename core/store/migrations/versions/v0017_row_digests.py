"""Digests of the rows that each write leaves, sealed in the audit trail."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

REWRITES = "all"
"""Rows that were stored before are digested once the store has the tables of today, see `core.store.migrate`."""


def upgrade() -> None:
    """Adds what an entry says of rows, and an empty table of digests."""
    for table, name in (("audit", "rows"), ("audit", "key_name"), ("audit_head", "key_name")):
        op.add_column(table, sa.Column(name, sa.Text(), server_default="", nullable=False))
    op.create_table(
        "audit_rows",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("columns", sa.Text(), server_default="", nullable=False),
        sa.Column("cleared", sa.Boolean(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("keys", sa.LargeBinary(), nullable=False),
        sa.Column("digests", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", "kind", "owner", "part", name="pk_audit_rows"),
    )
    op.create_index("ix_audit_rows_kind_owner_seq", "audit_rows", ["kind", "owner", "seq"])
