"""Why a score has a value or has none."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Why a score has a value or has none; nothing but `SCORED` carries a value."""

    SCORED = "scored"
    NULL_JUDGEMENT = "null_judgement"
    NOT_APPLICABLE = "not_applicable"
    MISSING_INPUT = "missing_input"
    NO_MODEL = "no_model"
    INSUFFICIENT_DATA = "insufficient_data"
    PARSE_FAILED = "parse_failed"
    API_ERROR = "api_error"
    TIMEOUT = "timeout"
    TRUNCATED = "truncated"
    BUDGET_STOPPED = "budget_stopped"
    NOT_JUDGED = "not_judged"


MODEL_FAILURES = frozenset(
    {Status.API_ERROR, Status.TIMEOUT, Status.TRUNCATED, Status.PARSE_FAILED, Status.BUDGET_STOPPED}
)
"""Failures of a model or its endpoint, which may not happen again when it is asked again."""
