"""The store's tables as they are now; migrations bring older files here.

`seq` keeps the order in which rows came, which is the order they are listed in.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Prose(TypeDecorator[str]):
    """Text from anywhere: what no database can hold (NUL, half of a surrogate pair) becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Cleans the rare text that needs it."""
        if value is None:
            return None
        if "\x00" in value:
            value = value.replace("\x00", "\ufffd")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value


BigId = BigInteger().with_variant(Integer, "sqlite")


def _seq() -> Column[int]:
    return Column("seq", BigId, primary_key=True, autoincrement=True)


def _text(name: str, **options: Any) -> Column[str]:
    return Column(name, Prose, nullable=False, server_default="", **options)


def _json(name: str) -> Column[Any]:
    return Column(name, JSON, nullable=False)


def _owner(name: str, target: str) -> Column[str]:
    return Column(name, Prose, ForeignKey(target, ondelete="CASCADE"), nullable=False)


projects = Table(
    "projects",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _text("name"),
    _text("description"),
    _text("created_at"),
    _text("created_by"),
    Column("sample", Boolean, nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", Prose, primary_key=True),
    _text("role"),
)

sources = Table(
    "sources",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _text("kind"),
    _text("name"),
    _text("location"),
    _text("fingerprint"),
    Column("schema", JSON),
    _json("overrides"),
    _text("loaded_at"),
    Index(None, "project_id", "kind"),
)

documents = Table(
    "documents",
    metadata,
    _seq(),
    _owner("source_id", "sources.id"),
    Column("id", Prose, nullable=False),
    _text("title"),
    _text("text"),
    _text("path"),
    _text("format"),
    _text("sha256"),
    UniqueConstraint("source_id", "id"),
)

skipped_files = Table(
    "skipped_files",
    metadata,
    _seq(),
    _owner("source_id", "sources.id"),
    _text("path"),
    _text("reason"),
    Index(None, "source_id"),
)

sql_templates = Table(
    "sql_templates",
    metadata,
    _seq(),
    _owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    _text("sql"),
    _text("sql_with_ids"),
    _json("tables"),
    _text("status"),
    _text("origin"),
    _json("checks"),
    UniqueConstraint("project_id", "id"),
)

text_templates = Table(
    "text_templates",
    metadata,
    _seq(),
    _owner("project_id", "projects.id"),
    Column("id", Prose, nullable=False),
    Column("sql_template_id", Prose, nullable=False),
    _text("form"),
    _text("text"),
    _text("status"),
    _text("origin"),
    _json("checks"),
    UniqueConstraint("project_id", "id"),
    ForeignKeyConstraint(
        ["project_id", "sql_template_id"], ["sql_templates.project_id", "sql_templates.id"], ondelete="CASCADE"
    ),
    Index(None, "project_id", "sql_template_id", "form"),
)

test_sets = Table(
    "test_sets",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _text("name"),
    Column("version", Integer, nullable=False),
    _text("content_hash"),
    _text("frozen_at"),
    _json("options"),
    _json("counts"),
    _json("drops"),
    UniqueConstraint("project_id", "name", "version"),
)

cases = Table(
    "cases",
    metadata,
    _seq(),
    _owner("test_set_id", "test_sets.id"),
    Column("case_id", Prose, nullable=False),
    _text("question"),
    _json("reference_answers"),
    # The same answers as lines of text, for searching.
    _text("reference_text"),
    _text("form"),
    _text("group_id"),
    _text("sql"),
    _json("sql_params"),
    _json("gold_document_ids"),
    _json("tables"),
    _json("attributes"),
    _text("sql_template_id"),
    _text("text_template_id"),
    Column("gold_chunk_ids", JSON, nullable=False, server_default="[]"),
    _text("excluded"),
    UniqueConstraint("test_set_id", "case_id"),
    Index(None, "test_set_id", "excluded", "seq"),
    Index(None, "test_set_id", "excluded", "form", "seq"),
    Index(None, "test_set_id", "sql_template_id"),
)

runs = Table(
    "runs",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    Column("test_set_id", Prose, ForeignKey("test_sets.id"), nullable=False, index=True),
    _text("target"),
    _text("judge"),
    Column("corpus_id", Prose, ForeignKey("sources.id")),
    _text("state"),
    Column("seed", BigInteger, nullable=False),
    _text("job_id"),
    _json("options"),
    _text("created_at"),
    _text("created_by"),
    _text("finished_at"),
    Index(None, "project_id", "seq"),
)

responses = Table(
    "responses",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("answer", Prose),
    _json("contexts"),
    Column("abstained", Boolean),
    Column("latency_s", Float),
    Column("tokens", BigInteger),
    _text("error"),
    # Kept beside `answer` so that counting failures reads an index, not the answers.
    Column("failed", Boolean, nullable=False),
    Index(None, "run_id", "failed"),
)

scores = Table(
    "scores",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("value", Float),
    _text("status"),
    _json("detail"),
    # A person changed it; what it was stands in score_edits, and scoring again leaves it alone.
    Column("edited", Boolean, nullable=False, server_default=false()),
    # One that is less than its metric's is of other options or an older version, and waits to be measured anew.
    Column("generation", Integer, nullable=False, server_default="0"),
    # Whatever counts, sorts or reads columns finds all it needs here and leaves the evidence alone.
    Index(None, "run_id", "metric", "value", "case_id", "status", "edited"),
)

score_edits = Table(
    "score_edits",
    metadata,
    _seq(),
    _owner("run_id", "runs.id"),
    Column("case_id", Prose, nullable=False),
    Column("metric", Prose, nullable=False),
    Column("before_value", Float),
    _text("before_status"),
    # Whether what stood before was a person's already; where not, it is what the machine had measured.
    Column("before_edited", Boolean, nullable=False),
    Column("value", Float),
    _text("status"),
    _text("reason"),
    _text("actor"),
    _text("at"),
    Index(None, "run_id", "case_id", "metric"),
)

run_metrics = Table(
    "run_metrics",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("version", Integer, nullable=False),
    # Encoder, NLI model, language: what the values depend on besides the texts.
    _json("options"),
    Column("finished", Boolean, nullable=False),
    _text("scored_at"),
    _text("scored_by"),
    # Grows with every other version or options, see `scores`.
    Column("generation", Integer, nullable=False, server_default="0"),
)

score_columns = Table(
    "score_columns",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", Prose, primary_key=True),
    Column("values", LargeBinary, nullable=False),
)
"""A copy of `scores` by column: the values of a metric as float64 in the order of the test set, NaN for none. Whatever
changes a score changes or removes the copy in the same transaction; without it the scores themselves are read."""

encodings = Table(
    "encodings",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Prose, primary_key=True),
    Column("text_hash", LargeBinary, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)
"""What models made of texts: sentence vectors and NLI logits, as float32; can be emptied at any time."""

criteria = Table(
    "criteria",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _text("name"),
    _text("question"),
    _text("kind"),
    _json("levels"),
    Column("accept_from", Integer, nullable=False),
    _text("rule"),
    _text("guidelines"),
    Column("position", Integer, nullable=False),
    Column("retired", Boolean, nullable=False),
    _text("created_at"),
    _text("created_by"),
    UniqueConstraint("project_id", "name"),
)

label_rounds = Table(
    "label_rounds",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _owner("run_id", "runs.id"),
    _text("name"),
    _json("criteria"),
    _json("raters"),
    _text("origin"),
    Column("overlap", Integer, nullable=False),
    Column("overlap_share", Float, nullable=False),
    Column("repeat_share", Float, nullable=False),
    Column("show_reference", Boolean, nullable=False),
    Column("seed", BigInteger, nullable=False),
    _json("design"),
    Column("closed", Boolean, nullable=False),
    _text("created_at"),
    _text("created_by"),
    Index(None, "project_id", "seq"),
    Index(None, "run_id"),
)

label_items = Table(
    "label_items",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    _text("part"),
    _text("stratum"),
    Column("probability", Float, nullable=False),
    _json("gold"),
    _text("explanation"),
)

label_tasks = Table(
    "label_tasks",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("rater", Prose, primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("occurrence", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, nullable=False),
    _text("part"),
    Column("skipped", Integer, nullable=False),
    _text("done_at"),
)

labels = Table(
    "labels",
    metadata,
    Column("round_id", Prose, ForeignKey("label_rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("criterion_id", Prose, ForeignKey("criteria.id", ondelete="CASCADE"), primary_key=True),
    Column("rater", Prose, primary_key=True),
    Column("occurrence", Integer, primary_key=True, autoincrement=False),
    Column("value", Float),
    _text("status"),
    _text("comment"),
    _json("spans"),
    Column("seconds", Float, nullable=False),
    _text("at"),
    Index(None, "criterion_id", "round_id"),
)

adjudications = Table(
    "adjudications",
    metadata,
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Prose, primary_key=True),
    Column("criterion_id", Prose, ForeignKey("criteria.id", ondelete="CASCADE"), primary_key=True),
    Column("value", Float),
    _text("reason"),
    _text("actor"),
    _text("at"),
)

calibrations = Table(
    "calibrations",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _owner("run_id", "runs.id"),
    _owner("criterion_id", "criteria.id"),
    _json("options"),
    _json("report"),
    # By case in the order of the test set: float64 with NaN for an unscored case, and one bit a level as uint16.
    Column("probabilities", LargeBinary, nullable=False),
    Column("sets", LargeBinary, nullable=False),
    _text("created_at"),
    _text("created_by"),
    Index(None, "run_id", "seq"),
)

endpoints = Table(
    "endpoints",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    _owner("project_id", "projects.id"),
    _text("name"),
    _text("base_url"),
    _text("key_env"),
    _json("headers"),
    _text("api_version"),
    _text("ca_bundle"),
    _text("proxy"),
    Column("timeout_s", Float, nullable=False),
    Column("deadline_s", Float, nullable=False),
    Column("concurrency", Integer, nullable=False),
    _text("structured"),
    _text("created_at"),
    _text("created_by"),
    UniqueConstraint("project_id", "name"),
)

llm_calls = Table(
    "llm_calls",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    # None for a call of no project, such as one of the command line's.
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    _text("key"),
    _text("endpoint"),
    _text("model"),
    _json("parameters"),
    _json("messages"),
    Column("sample", Integer, nullable=False),
    _text("purpose"),
    _text("prompt_id"),
    _text("prompt_version"),
    _text("prompt_hash"),
    _text("state"),
    _text("reply"),
    _text("finish_reason"),
    _text("error"),
    Column("prompt_tokens", BigInteger),
    Column("completion_tokens", BigInteger),
    Column("cost", Float),
    Column("latency_s", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    _text("at"),
    Index(None, "key", "state"),
    Index(None, "project_id", "purpose", "seq"),
)

llm_uses = Table(
    "llm_uses",
    metadata,
    _seq(),
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    _owner("call_id", "llm_calls.id"),
    # None where no run asked.
    Column("run_id", Prose, ForeignKey("runs.id", ondelete="CASCADE")),
    _text("case_id"),
    _text("purpose"),
    Column("cached", Boolean, nullable=False),
    _text("at"),
    Index(None, "call_id"),
    Index(None, "run_id", "case_id", "purpose"),
    Index(None, "project_id", "seq"),
)

prompt_versions = Table(
    "prompt_versions",
    metadata,
    _seq(),
    _owner("project_id", "projects.id"),
    Column("prompt_id", Prose, nullable=False),
    Column("version", Prose, nullable=False),
    _text("text"),
    _text("hash"),
    _text("note"),
    # Whether new calls of the project use it; at most one of a prompt, and the built-in one where there is none.
    Column("in_use", Boolean, nullable=False),
    _text("created_at"),
    _text("created_by"),
    UniqueConstraint("project_id", "prompt_id", "version"),
)

model_prices = Table(
    "model_prices",
    metadata,
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Prose, primary_key=True),
    # Decimal text: money is not a binary fraction.
    _text("input_per_million"),
    _text("output_per_million"),
    _text("currency"),
)

jobs = Table(
    "jobs",
    metadata,
    _seq(),
    Column("id", Prose, nullable=False, unique=True),
    Column("project_id", Prose, ForeignKey("projects.id", ondelete="CASCADE")),
    _text("kind"),
    _json("params"),
    _text("actor"),
    _text("subject"),
    _text("state"),
    Column("attempts", Integer, nullable=False),
    Column("stop_requested", Boolean, nullable=False),
    _text("error"),
    _text("hint"),
    _text("created_at"),
    _text("started_at"),
    _text("finished_at"),
    _text("log"),
    _text("stage"),
    Column("done", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("stage_first", BigInteger, nullable=False),
    Column("stage_since", Float, nullable=False),
    Column("reported", Float, nullable=False),
    _text("token"),
    _text("host"),
    Column("pid", BigInteger, nullable=False),
    Column("born", Float, nullable=False),
    Column("heartbeat", Float, nullable=False),
    Index(None, "project_id", "seq"),
    Index(None, "state"),
)

audit = Table(
    "audit",
    metadata,
    Column("seq", BigId, primary_key=True, autoincrement=False),
    _text("at"),
    _text("actor"),
    _text("action"),
    _text("project_id"),
    _text("subject"),
    _text("detail"),
    _text("previous"),
    _text("hash"),
    Index(None, "project_id", "seq"),
)

audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    _text("hash"),
)
"""One row: the newest audit entry. Writers lock it, and a cut tail shows against it."""
