"""A run of a test set against a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

VERDICT_METRIC = "verdict"
"""Name of the metric under which the judge's verdict is stored: 1 correct, 0 incorrect."""


class RunState(StrEnum):
    """The state of a run; the job records whether its worker lives."""

    PLANNED = "planned"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One test set, one target, one judge.

    Attributes:
        target: Target spec, such as ``keyword`` or ``bm25``.
        judge: Judge spec, such as ``match``.
        corpus_id: The source whose documents the built-in targets search, or empty.
        job_id: The job that executes it, or empty for an imported recording.
        options: k, recorded file, policy and everything else that reproduces it.
    """

    id: str
    project_id: str
    test_set_id: str
    target: str
    judge: str = "match"
    corpus_id: str = ""
    state: RunState = RunState.PLANNED
    seed: int = 0
    job_id: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    created_at: str = ""
    created_by: str = ""
    finished_at: str = ""
