"""Language models: endpoints, the ledger of calls with their uses, prompts a project edited, prices."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Adds empty tables."""
    op.create_table(
        "endpoints",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("base_url", sa.Text(), server_default="", nullable=False),
        sa.Column("key_env", sa.Text(), server_default="", nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("api_version", sa.Text(), server_default="", nullable=False),
        sa.Column("ca_bundle", sa.Text(), server_default="", nullable=False),
        sa.Column("proxy", sa.Text(), server_default="", nullable=False),
        sa.Column("timeout_s", sa.Float(), nullable=False),
        sa.Column("deadline_s", sa.Float(), nullable=False),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("structured", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_endpoints_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_endpoints"),
        sa.UniqueConstraint("id", name="uq_endpoints_id"),
        sa.UniqueConstraint("project_id", "name", name="uq_endpoints_project_id_name"),
    )
    op.create_table(
        "llm_calls",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=True),
        sa.Column("key", sa.Text(), server_default="", nullable=False),
        sa.Column("endpoint", sa.Text(), server_default="", nullable=False),
        sa.Column("model", sa.Text(), server_default="", nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("sample", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), server_default="", nullable=False),
        sa.Column("prompt_id", sa.Text(), server_default="", nullable=False),
        sa.Column("prompt_version", sa.Text(), server_default="", nullable=False),
        sa.Column("prompt_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("reply", sa.Text(), server_default="", nullable=False),
        sa.Column("finish_reason", sa.Text(), server_default="", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=True),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_llm_calls_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_llm_calls"),
        sa.UniqueConstraint("id", name="uq_llm_calls_id"),
    )
    op.create_index("ix_llm_calls_key_state", "llm_calls", ["key", "state"], unique=False)
    op.create_index("ix_llm_calls_project_id_purpose_seq", "llm_calls", ["project_id", "purpose", "seq"], unique=False)
    op.create_table(
        "model_prices",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input_per_million", sa.Text(), server_default="", nullable=False),
        sa.Column("output_per_million", sa.Text(), server_default="", nullable=False),
        sa.Column("currency", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_model_prices_project_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "model", name="pk_model_prices"),
    )
    op.create_table(
        "prompt_versions",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("prompt_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("hash", sa.Text(), server_default="", nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("in_use", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Text(), server_default="", nullable=False),
        sa.Column("created_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_prompt_versions_project_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name="pk_prompt_versions"),
        sa.UniqueConstraint(
            "project_id", "prompt_id", "version", name="uq_prompt_versions_project_id_prompt_id_version"
        ),
    )
    op.create_table(
        "llm_uses",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.Text(), nullable=True),
        sa.Column("call_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("case_id", sa.Text(), server_default="", nullable=False),
        sa.Column("purpose", sa.Text(), server_default="", nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["call_id"], ["llm_calls.id"], name="fk_llm_uses_call_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_llm_uses_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_llm_uses_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seq", name="pk_llm_uses"),
    )
    op.create_index("ix_llm_uses_call_id", "llm_uses", ["call_id"], unique=False)
    op.create_index("ix_llm_uses_project_id_seq", "llm_uses", ["project_id", "seq"], unique=False)
    op.create_index("ix_llm_uses_run_id_case_id_purpose", "llm_uses", ["run_id", "case_id", "purpose"], unique=False)
