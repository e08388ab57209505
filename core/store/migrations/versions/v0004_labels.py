"""People's labels: criteria, rounds with their cases and tasks, second looks, and the calibrations made from them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Adds empty tables."""
    op.create_table(
        "criteria",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("question", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("levels", sa.JSON(), nullable=False),
        sa.Column("accept_from", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Text(), server_default="", nullable=False),
        sa.Column("guidelines", sa.Text(), server_default="", nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_criteria_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_criteria"),
        sa.UniqueConstraint("id", name="uq_criteria_id"),
        sa.UniqueConstraint("project_id", "name", name="uq_criteria_project_id_name"),
    )
    op.create_table(
        "adjudications",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("criterion_id", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("actor", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["criterion_id"], ["criteria.id"], name="fk_adjudications_criterion_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_adjudications_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "case_id", "criterion_id", name="pk_adjudications"),
    )
    op.create_table(
        "calibrations",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("criterion_id", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("probabilities", sa.LargeBinary(), nullable=False),
        sa.Column("sets", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["criterion_id"], ["criteria.id"], name="fk_calibrations_criterion_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_calibrations_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_calibrations_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_calibrations"),
        sa.UniqueConstraint("id", name="uq_calibrations_id"),
    )
    op.create_index("ix_calibrations_run_id_seq", "calibrations", ["run_id", "seq"], unique=False)
    op.create_table(
        "label_rounds",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("criteria", sa.JSON(), nullable=False),
        sa.Column("raters", sa.JSON(), nullable=False),
        sa.Column("origin", sa.Text(), server_default="", nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("overlap_share", sa.Float(), nullable=False),
        sa.Column("repeat_share", sa.Float(), nullable=False),
        sa.Column("show_reference", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("design", sa.JSON(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_label_rounds_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_label_rounds_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_label_rounds"),
        sa.UniqueConstraint("id", name="uq_label_rounds_id"),
    )
    op.create_index("ix_label_rounds_project_id_seq", "label_rounds", ["project_id", "seq"], unique=False)
    op.create_index("ix_label_rounds_run_id", "label_rounds", ["run_id"], unique=False)
    op.create_table(
        "label_items",
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), server_default="", nullable=False),
        sa.Column("stratum", sa.Text(), server_default="", nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("gold", sa.JSON(), nullable=False),
        sa.Column("explanation", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["label_rounds.id"], name="fk_label_items_round_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("round_id", "case_id", name="pk_label_items"),
    )
    op.create_table(
        "label_tasks",
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("occurrence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("part", sa.Text(), server_default="", nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["label_rounds.id"], name="fk_label_tasks_round_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("round_id", "rater", "case_id", "occurrence", name="pk_label_tasks"),
    )
    op.create_table(
        "labels",
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("criterion_id", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("occurrence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), server_default="", nullable=False),
        sa.Column("comment", sa.Text(), server_default="", nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["criterion_id"], ["criteria.id"], name="fk_labels_criterion_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["round_id"], ["label_rounds.id"], name="fk_labels_round_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("round_id", "case_id", "criterion_id", "rater", "occurrence", name="pk_labels"),
    )
    op.create_index("ix_labels_criterion_id_round_id", "labels", ["criterion_id", "round_id"], unique=False)
