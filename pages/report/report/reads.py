"""What the page reads: the report of a run, its snapshots, what came since."""

from __future__ import annotations

from dataclasses import replace

from core.diagnosis.service.evidence import QUICK_S
from core.report.collecting import ReportOptions, collect
from core.report.content import ReportContent
from core.report.snapshots import open_snapshot, since, snapshots
from core.store import reports
from core.store.database import Store
from core.store.reports import Comment, Snapshot
from pages.kit import cache


@cache.shared(
    "projects",
    "sources",
    "templates",
    "test_sets",
    "topics",
    "questions",
    "runs",
    "answers",
    "scores",
    "evidence",
    "labels",
    "calibrations",
    "findings",
    "criteria",
    "judge_tests",
    "safety",
    "reports",
    "prompts",
    "prices",
    "calls",
)
def content(store: Store, project_id: str, run_id: str, options: ReportOptions) -> ReportContent:
    """The report as it is now, with the modules that are known at once."""
    return collect(store, run_id, replace(options, seconds=QUICK_S))


@cache.read("reports")
def listed(store: Store, project_id: str) -> tuple[Snapshot, ...]:
    """The snapshots of the project, newest first, without their content."""
    return snapshots(store, project_id)


@cache.constant(max_entries=8)
def frozen(store: Store, snapshot_id: str) -> tuple[Snapshot, ReportContent]:
    """A snapshot and its report; it never changes."""
    return open_snapshot(store, snapshot_id)


def changes(store: Store, snapshot: Snapshot) -> dict[str, int]:
    """What came since a snapshot."""
    return since(store, snapshot)


@cache.read("reports")
def comments(store: Store, run_id: str) -> dict[str, Comment]:
    """The commentary on the report of a run by section."""
    with store.read() as connection:
        return reports.comments(connection, run_id)
