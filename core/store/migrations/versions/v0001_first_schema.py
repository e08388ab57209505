"""First schema: projects, sources, templates, test sets, runs, jobs and the audit trail."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
GENESIS = "0" * 64


def upgrade() -> None:
    """Makes every table of a new store."""
    op.create_table(
        "audit",
        sa.Column("seq", BIG_ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.Column("actor", sa.Text(), server_default="", nullable=False),
        sa.Column("action", sa.Text(), server_default="", nullable=False),
        sa.Column("project_id", sa.Text(), server_default="", nullable=False),
        sa.Column("subject", sa.Text(), server_default="", nullable=False),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.Column("previous", sa.Text(), server_default="", nullable=False),
        sa.Column("hash", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
    )
    op.create_index("ix_audit_project_id_seq", "audit", ["project_id", "seq"], unique=False)
    op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_head"),
    )
    op.create_table(
        "projects",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.Column("sample", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_projects"),
        sa.UniqueConstraint("id", name="uq_projects_id"),
    )
    op.create_table(
        "jobs",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("actor", sa.Text(), server_default="", nullable=False),
        sa.Column("subject", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("stop_requested", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("hint", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("started_at", sa.Text(), server_default="", nullable=False),
        sa.Column("finished_at", sa.Text(), server_default="", nullable=False),
        sa.Column("log", sa.Text(), server_default="", nullable=False),
        sa.Column("stage", sa.Text(), server_default="", nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("stage_first", sa.BigInteger(), nullable=False),
        sa.Column("stage_since", sa.Float(), nullable=False),
        sa.Column("reported", sa.Float(), nullable=False),
        sa.Column("token", sa.Text(), server_default="", nullable=False),
        sa.Column("host", sa.Text(), server_default="", nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("born", sa.Float(), nullable=False),
        sa.Column("heartbeat", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_jobs_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_jobs"),
        sa.UniqueConstraint("id", name="uq_jobs_id"),
    )
    op.create_index("ix_jobs_project_id_seq", "jobs", ["project_id", "seq"], unique=False)
    op.create_index("ix_jobs_state", "jobs", ["state"], unique=False)
    op.create_table(
        "members",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_members_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "actor", name="pk_members"),
    )
    op.create_table(
        "sources",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="", nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("location", sa.Text(), server_default="", nullable=False),
        sa.Column("fingerprint", sa.Text(), server_default="", nullable=False),
        sa.Column("schema", sa.JSON(), nullable=True),
        sa.Column("overrides", sa.JSON(), nullable=False),
        sa.Column("loaded_at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_sources_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_sources"),
        sa.UniqueConstraint("id", name="uq_sources_id"),
    )
    op.create_index("ix_sources_project_id_kind", "sources", ["project_id", "kind"], unique=False)
    op.create_table(
        "sql_templates",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("sql", sa.Text(), server_default="", nullable=False),
        sa.Column("sql_with_ids", sa.Text(), server_default="", nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), server_default="", nullable=False),
        sa.Column("origin", sa.Text(), server_default="", nullable=False),
        sa.Column("checks", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_sql_templates_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_sql_templates"),
        sa.UniqueConstraint("project_id", "id", name="uq_sql_templates_project_id_id"),
    )
    op.create_table(
        "test_sets",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("frozen_at", sa.Text(), server_default="", nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("drops", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_test_sets_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_test_sets"),
        sa.UniqueConstraint("id", name="uq_test_sets_id"),
        sa.UniqueConstraint("project_id", "name", "version", name="uq_test_sets_project_id_name_version"),
    )
    op.create_table(
        "cases",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("test_set_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), server_default="", nullable=False),
        sa.Column("reference_answers", sa.JSON(), nullable=False),
        sa.Column("reference_text", sa.Text(), server_default="", nullable=False),
        sa.Column("form", sa.Text(), server_default="", nullable=False),
        sa.Column("group_id", sa.Text(), server_default="", nullable=False),
        sa.Column("sql", sa.Text(), server_default="", nullable=False),
        sa.Column("sql_params", sa.JSON(), nullable=False),
        sa.Column("gold_document_ids", sa.JSON(), nullable=False),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
        sa.Column("sql_template_id", sa.Text(), server_default="", nullable=False),
        sa.Column("text_template_id", sa.Text(), server_default="", nullable=False),
        sa.Column("excluded", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["test_set_id"], ["test_sets.id"], name="fk_cases_test_set_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_cases"),
        sa.UniqueConstraint("test_set_id", "case_id", name="uq_cases_test_set_id_case_id"),
    )
    op.create_index(
        "ix_cases_test_set_id_excluded_form_seq", "cases", ["test_set_id", "excluded", "form", "seq"], unique=False
    )
    op.create_index("ix_cases_test_set_id_excluded_seq", "cases", ["test_set_id", "excluded", "seq"], unique=False)
    op.create_index("ix_cases_test_set_id_sql_template_id", "cases", ["test_set_id", "sql_template_id"], unique=False)
    op.create_table(
        "documents",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("path", sa.Text(), server_default="", nullable=False),
        sa.Column("format", sa.Text(), server_default="", nullable=False),
        sa.Column("sha256", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name="fk_documents_source_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_documents"),
        sa.UniqueConstraint("source_id", "id", name="uq_documents_source_id_id"),
    )
    op.create_table(
        "runs",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("test_set_id", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), server_default="", nullable=False),
        sa.Column("judge", sa.Text(), server_default="", nullable=False),
        sa.Column("corpus_id", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("job_id", sa.Text(), server_default="", nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.Column("finished_at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["corpus_id"], ["sources.id"], name="fk_runs_corpus_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_runs_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["test_set_id"], ["test_sets.id"], name="fk_runs_test_set_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_runs"),
        sa.UniqueConstraint("id", name="uq_runs_id"),
    )
    op.create_index("ix_runs_project_id_seq", "runs", ["project_id", "seq"], unique=False)
    op.create_index("ix_runs_test_set_id", "runs", ["test_set_id"], unique=False)
    op.create_table(
        "skipped_files",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name="fk_skipped_files_source_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_skipped_files"),
    )
    op.create_index("ix_skipped_files_source_id", "skipped_files", ["source_id"], unique=False)
    op.create_table(
        "text_templates",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("sql_template_id", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), server_default="", nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("status", sa.Text(), server_default="", nullable=False),
        sa.Column("origin", sa.Text(), server_default="", nullable=False),
        sa.Column("checks", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "sql_template_id"],
            ["sql_templates.project_id", "sql_templates.id"],
            name="fk_text_templates_project_id_sql_template_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_text_templates_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_text_templates"),
        sa.UniqueConstraint("project_id", "id", name="uq_text_templates_project_id_id"),
    )
    op.create_index(
        "ix_text_templates_project_id_sql_template_id_form",
        "text_templates",
        ["project_id", "sql_template_id", "form"],
        unique=False,
    )
    op.create_table(
        "responses",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("contexts", sa.JSON(), nullable=False),
        sa.Column("abstained", sa.Boolean(), nullable=True),
        sa.Column("latency_s", sa.Float(), nullable=True),
        sa.Column("tokens", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_responses_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "case_id", name="pk_responses"),
    )
    op.create_index("ix_responses_run_id_failed", "responses", ["run_id", "failed"], unique=False)
    op.create_table(
        "scores",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), server_default="", nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_scores_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "case_id", "metric", name="pk_scores"),
    )
    op.create_index(
        "ix_scores_run_id_metric_value_case_id", "scores", ["run_id", "metric", "value", "case_id"], unique=False
    )
    op.execute(sa.text("INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, :genesis)").bindparams(genesis=GENESIS))
