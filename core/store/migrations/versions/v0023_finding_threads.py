"""Findings over runs: which of them name the same weakness, their names and due dates, and retests."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

REWRITES = ("findings",)
"""Each finding gets a thread, and one that was called fixed is resolved."""

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def upgrade() -> None:
    """Adds three columns and a table; findings of the same names in several runs of a project share a thread.

    Of these the newest decision holds for all.
    """
    for name in ("thread", "title", "due"):
        op.add_column("findings", _text(name))
    op.create_table(
        "finding_retests",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        _text("thread"),
        sa.Column("run_id", sa.Text(), nullable=False),
        *(_text(name) for name in ("against", "outcome")),
        *(sa.Column(name, sa.JSON(), nullable=True) for name in ("before", "after", "change", "deficit")),
        sa.Column("paired", sa.Integer(), nullable=False),
        *(_text(name) for name in ("reason", "created_at", "created_by")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_finding_retests_project_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_finding_retests_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_finding_retests"),
        sa.UniqueConstraint("project_id", "id", name="uq_finding_retests_project_id_id"),
    )
    op.create_index("ix_finding_retests_project_id_thread", "finding_retests", ["project_id", "thread"])
    connection = op.get_bind()
    names = ("seq", "project_id", "kind", "score", "status", "severity", "owner", "comment", "changed_at", "changed_by")
    table = sa.table(
        "findings",
        *(sa.column(name) for name in (*names, "thread")),
        *(sa.column(name, sa.JSON()) for name in ("conditions", "options")),
    )
    rows = connection.execute(sa.select(table).order_by(table.c.seq)).mappings().all()
    decided: dict[str, dict[str, str]] = {}
    threads: dict[int, str] = {}
    for row in rows:
        same = [row["project_id"], row["kind"], row["score"], row["options"].get("threshold")]
        key = json.dumps([*same, sorted(row["conditions"])], ensure_ascii=False)
        threads[row["seq"]] = f"thr_{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if row["changed_at"] >= decided.get(threads[row["seq"]], {}).get("changed_at", ""):
            decided[threads[row["seq"]]] = {
                name: row[name] for name in ("status", "owner", "comment", "changed_at", "changed_by")
            }
    for seq, thread in threads.items():
        values = {**decided[thread], "thread": thread}
        values["status"] = {"fixed": "resolved"}.get(values["status"], values["status"])
        connection.execute(sa.update(table).where(table.c.seq == seq).values(values))
