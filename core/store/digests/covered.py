"""The tables whose rows are evidence: how a row is named, whose it is, and what of it is kept readable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sqlalchemy import Table

from core.store import tables


@dataclass(frozen=True, eq=False)
class Covered:
    """One covered table.

    Attributes:
        table: The table.
        key: Its columns that name a row among those of its owner.
        owner: The column of what a row belongs to and goes with; "" for a project.
        shown: Columns that are kept beside the digest, so that a changed row is told with the value it had.
    """

    table: Table
    key: tuple[str, ...]
    owner: str
    shown: tuple[str, ...] = ()

    @cached_property
    def name(self) -> str:
        """Of the table."""
        return self.table.name

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column, in the order of the table; what is digested."""
        return tuple(self.table.c.keys())

    @cached_property
    def counted(self) -> bool:
        """Whether rows are named by the number that the database gives them."""
        return self.key == ("seq",)


def _whole(table: Table, owner: str, *key: str) -> Covered:
    """A table of few and short rows, kept readable as a whole."""
    shown = tuple(column.name for column in table.c if column.name not in (*key, owner, "seq"))
    return Covered(table, key, owner, shown)


COVERED: Final[tuple[Covered, ...]] = (
    _whole(tables.projects, "", "id"),
    _whole(tables.members, "project_id", "actor"),
    Covered(tables.sources, ("id",), "project_id", ("name", "location", "fingerprint")),
    Covered(tables.documents, ("id",), "source_id", ("title", "sha256")),
    Covered(tables.chunks, ("id",), "source_id"),
    _whole(tables.skipped_files, "source_id", "seq"),
    Covered(tables.document_mappings, ("id",), "project_id", ("way", "matched")),
    _whole(tables.sql_templates, "project_id", "id"),
    _whole(tables.text_templates, "project_id", "id"),
    _whole(tables.test_sets, "project_id", "id"),
    Covered(tables.cases, ("case_id",), "test_set_id", ("question", "reference_answers", "excluded")),
    Covered(tables.question_batches, ("id",), "project_id"),
    Covered(tables.question_drafts, ("id",), "project_id", ("text", "reference", "status")),
    Covered(tables.topic_models, ("id",), "project_id"),
    Covered(tables.topics, ("number",), "model_id", ("name", "size", "dropped")),
    Covered(tables.topic_chunks, ("chunk_id",), "model_id", ("topic",)),
    _whole(tables.topic_edits, "model_id", "number"),
    _whole(tables.runs, "project_id", "id"),
    Covered(tables.responses, ("case_id",), "run_id", ("error",)),
    Covered(tables.scores, ("case_id", "metric"), "run_id", ("value", "status", "edited")),
    _whole(tables.score_edits, "run_id", "seq"),
    _whole(tables.run_metrics, "run_id", "metric"),
    Covered(tables.score_columns, ("metric",), "run_id"),
    Covered(tables.fact_evidence, ("group_id",), "run_id", ("evidence", "document_id")),
    _whole(tables.criteria, "project_id", "id"),
    _whole(tables.label_rounds, "project_id", "id"),
    Covered(tables.label_items, ("case_id",), "round_id", ("part", "stratum", "probability", "gold")),
    Covered(tables.label_tasks, ("rater", "case_id", "occurrence"), "round_id", ("done_at", "skipped")),
    Covered(
        tables.labels, ("case_id", "criterion_id", "rater", "occurrence"), "round_id", ("value", "status", "comment")
    ),
    Covered(tables.adjudications, ("case_id", "criterion_id"), "run_id", ("value", "reason", "actor")),
    Covered(tables.calibrations, ("id",), "project_id", ("options", "created_by")),
    _whole(tables.project_profiles, "project_id"),
    _whole(tables.acceptance_criteria, "project_id", "id", "version"),
    _whole(tables.findings, "project_id", "id"),
    _whole(tables.finding_retests, "project_id", "id"),
    Covered(tables.judge_test_runs, ("id",), "project_id", ("judge", "suite", "suite_hash", "part", "prompts")),
    Covered(tables.judge_test_outcomes, ("test_id", "draw"), "test_run_id", ("judged",)),
    _whole(tables.judge_bars, "project_id"),
    Covered(tables.safety_settings, ("name",), "project_id", ("changed_at", "changed_by")),
    Covered(tables.safety_results, ("id",), "project_id", ("run_id", "created_at", "created_by")),
    Covered(tables.report_snapshots, ("id",), "project_id", ("run_id", "sha256", "created_at", "created_by")),
    _whole(tables.report_comments, "run_id", "seq"),
    _whole(tables.endpoints, "project_id", "id"),
    _whole(tables.model_profiles, "project_id", "id"),
    _whole(tables.prompt_versions, "project_id", "prompt_id", "version"),
    _whole(tables.model_prices, "project_id", "model"),
    Covered(tables.llm_calls, ("id",), "project_id", ("model", "state")),
    Covered(tables.llm_uses, ("seq",), "project_id"),
)
"""Owners before what belongs to them."""

BY_TABLE: Final = {covered.name: covered for covered in COVERED}

UNCOVERED: Final = frozenset(
    {
        "audit",  # the trail seals itself
        "audit_head",
        "audit_rows",  # sealed by the entries
        "encodings",  # what a model made of a text: computed again, it is the same
        "jobs",  # reports of workers, several a second
        "trial_answers",  # of a trial that is not done; what it leaves are responses of a run
        "versions",  # counters of what was written
    }
)
"""Tables that are no evidence."""
