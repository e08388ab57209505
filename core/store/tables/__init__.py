"""The store's tables as they are now; migrations bring older files here.

`seq` keeps the order in which rows came, which is the order they are listed in.
"""

from __future__ import annotations

from core.store.tables.acceptance import acceptance_criteria, project_profiles
from core.store.tables.columns import metadata
from core.store.tables.judge_tests import judge_bars, judge_test_outcomes, judge_test_runs
from core.store.tables.language_models import (
    endpoints,
    llm_calls,
    llm_uses,
    model_prices,
    model_profiles,
    prompt_versions,
)
from core.store.tables.people import (
    adjudications,
    calibrations,
    criteria,
    label_items,
    label_rounds,
    label_tasks,
    labels,
)
from core.store.tables.projects import chunks, document_mappings, documents, members, projects, skipped_files, sources
from core.store.tables.results.evidence import fact_evidence
from core.store.tables.results.findings import finding_retests, findings
from core.store.tables.results.reports import report_comments, report_snapshots
from core.store.tables.results.runs import encodings, responses, run_metrics, runs, score_columns, score_edits, scores
from core.store.tables.results.safety import safety_results, safety_settings
from core.store.tables.results.trials import trial_answers
from core.store.tables.testset.questions import question_batches, question_drafts
from core.store.tables.testset.testsets import cases, sql_templates, test_sets, text_templates
from core.store.tables.testset.topics import topic_chunks, topic_edits, topic_models, topics
from core.store.tables.versions import versions
from core.store.tables.work import audit, audit_head, audit_rows, jobs

__all__ = [
    "acceptance_criteria",
    "adjudications",
    "audit",
    "audit_head",
    "audit_rows",
    "calibrations",
    "cases",
    "chunks",
    "criteria",
    "document_mappings",
    "documents",
    "encodings",
    "endpoints",
    "fact_evidence",
    "finding_retests",
    "findings",
    "jobs",
    "judge_bars",
    "judge_test_outcomes",
    "judge_test_runs",
    "label_items",
    "label_rounds",
    "label_tasks",
    "labels",
    "llm_calls",
    "llm_uses",
    "members",
    "metadata",
    "model_prices",
    "model_profiles",
    "project_profiles",
    "projects",
    "prompt_versions",
    "question_batches",
    "question_drafts",
    "report_comments",
    "report_snapshots",
    "responses",
    "run_metrics",
    "runs",
    "safety_results",
    "safety_settings",
    "score_columns",
    "score_edits",
    "scores",
    "skipped_files",
    "sources",
    "sql_templates",
    "test_sets",
    "text_templates",
    "topic_chunks",
    "topic_edits",
    "topic_models",
    "topics",
    "trial_answers",
    "versions",
]
