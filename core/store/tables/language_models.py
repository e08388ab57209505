"""Language models: endpoints, what their models take, the ledger of calls with their uses, prompts, prices."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, Table, UniqueConstraint

from core.store.tables.columns import Prose, json, metadata, owner, seq, text

endpoints = Table(
    "endpoints",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    owner("project_id", "projects.id"),
    text("name"),
    text("base_url"),
    text("key_env"),
    json("headers"),
    text("api_version"),
    text("ca_bundle"),
    text("proxy"),
    Column("timeout_s", Float, nullable=False),
    Column("deadline_s", Float, nullable=False),
    Column("concurrency", Integer, nullable=False),
    text("structured"),
    text("created_at"),
    text("created_by"),
    UniqueConstraint("project_id", "name"),
)

llm_calls = Table(
    "llm_calls",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    # None for a call of no project, such as one of the command line's.
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    text("key"),
    text("endpoint"),
    text("model"),
    json("parameters"),
    json("messages"),
    Column("sample", Integer, nullable=False),
    text("purpose"),
    text("prompt_id"),
    text("prompt_version"),
    text("prompt_hash"),
    text("state"),
    text("reply"),
    # What the model thought before it answered; never part of the reply.
    text("reasoning"),
    text("finish_reason"),
    text("error"),
    Column("prompt_tokens", BigInteger),
    Column("completion_tokens", BigInteger),
    Column("cost", Float),
    Column("latency_s", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    text("at"),
    Index(None, "key", "state"),
    Index(None, "project_id", "purpose", "seq"),
)

llm_uses = Table(
    "llm_uses",
    metadata,
    seq(),
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    owner("call_id", "llm_calls.id"),
    # None where no run asked.
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE")),
    # "" where a run asked, or nobody.
    text("job_id"),
    text("case_id"),
    text("purpose"),
    Column("cached", Boolean, nullable=False),
    text("at"),
    Index(None, "call_id"),
    Index(None, "run_id", "case_id", "purpose"),
    Index(None, "job_id"),
    Index(None, "project_id", "seq"),
)

model_profiles = Table(
    "model_profiles",
    metadata,
    seq(),
    Column("id", Prose, nullable=False, unique=True),
    # None for a model that was asked in no project.
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    text("base_url"),
    text("model"),
    text("api_version"),
    json("found"),
    json("edits"),
    json("grounds"),
    text("probed_at"),
    Index(None, "project_id"),
)

prompt_versions = Table(
    "prompt_versions",
    metadata,
    seq(),
    owner("project_id", "projects.id"),
    Column("prompt_id", Prose, nullable=False),
    Column("version", Prose, nullable=False),
    text("text"),
    text("hash"),
    text("note"),
    # Whether new calls of the project use it; at most one of a prompt, and the built-in one where there is none.
    Column("in_use", Boolean, nullable=False),
    text("created_at"),
    text("created_by"),
    UniqueConstraint("project_id", "prompt_id", "version"),
)

model_prices = Table(
    "model_prices",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Prose, primary_key=True),
    # Decimal text: money is not a binary fraction.
    text("input_per_million"),
    text("output_per_million"),
    text("currency"),
)
