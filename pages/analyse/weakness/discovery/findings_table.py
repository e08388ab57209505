"""The table of findings: each as the run in view sees it, with the words of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.domain.results.findings import Finding, FindingKind, FindingStatus, Outcome, Severity
from core.weakness.findings.naming import name_of, score_name
from core.weakness.findings.over_runs.threads import Thread
from pages.analyse.weakness import words
from pages.kit.look import numbers

SEVERITIES = {Severity.HIGH: "▲ High", Severity.MEDIUM: "■ Medium", Severity.LOW: "▽ Low"}
STATUSES = {
    FindingStatus.OPEN: "Open",
    FindingStatus.ACCEPTED: "Accepted risk",
    FindingStatus.IN_PROGRESS: "In progress",
    FindingStatus.RESOLVED: "Resolved",
    FindingStatus.DISMISSED: "Dismissed",
}
KINDS = {
    FindingKind.LEVEL: "One attribute",
    FindingKind.CELL: "Two attributes",
    FindingKind.SLICE: "Slice",
    FindingKind.CLUSTER: "Topic map",
    FindingKind.HOLDING: "Score",
    FindingKind.UNSCORED: "No score",
    FindingKind.WRITTEN: "Answers read",
}
COLUMNS = {
    "Severity": st.column_config.TextColumn(width=78),
    "Status": st.column_config.TextColumn(width=84),
    "Finding": st.column_config.TextColumn(
        width=232, help="What the cases have in common; select it to read the rest."
    ),
    "In this run": st.column_config.TextColumn(
        width=106, help="Found by a search of this run, or what the retest of an earlier finding says."
    ),
    "Owner": st.column_config.TextColumn(width=92),
    "Due": st.column_config.TextColumn(width=84),
    "Mean": st.column_config.TextColumn(width=52, help="Of the score among its cases."),
    "Rest": st.column_config.TextColumn(width=52, help="Of the score among all other cases."),
    "Cases": st.column_config.NumberColumn(width=50),
    "Kind": st.column_config.TextColumn(width=104),
    "Score": st.column_config.TextColumn(width=84),
}
OUTCOMES = {
    Outcome.FIXED: "✓ Fixed",
    Outcome.STILL_THERE: "▲ Still there",
    Outcome.WORSE: "▼ Worse",
    Outcome.UNCLEAR: "? Unclear",
    Outcome.NOT_TESTED: "- Not tested",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A finding as the run in view sees it.

    Attributes:
        record: As this run has it, else as it was seen last.
        thread: It over all runs.
        of_run: Whether a search of this run recorded it.
    """

    record: Finding
    thread: Thread
    of_run: bool


def rows_of(found: Sequence[Thread], run_id: str) -> list[Row]:
    """The findings beside a run: those it has first."""
    rows = []
    for thread in found:
        own = [one for one in thread.seen if one.run_id == run_id]
        rows.append(Row(record=own[-1] if own else thread.newest, thread=thread, of_run=bool(own)))
    return sorted(rows, key=lambda row: not row.of_run)


def earlier(rows: Sequence[Row]) -> str:
    """How many findings of other runs stand beside them, in one line."""
    others = [row for row in rows if not row.of_run]
    back = sum(row.thread.back for row in rows)
    parts = [f"{numbers.count(len(others), 'finding')} of other runs" if others else ""]
    parts.append(f"{back:,} resolved, and seen again" if back else "")
    return "; ".join(filter(None, parts))


def headline(run_findings: Sequence[Finding]) -> str:
    """How many there are, in one line.

    >>> headline([])
    'No finding is recorded for this run.'
    """
    if not run_findings:
        return "No finding is recorded for this run."
    weak = [record for record in run_findings if not record.gone and record.kind is not FindingKind.UNSCORED]
    by = [
        f"{n:,} {severity.value}" for severity in Severity if (n := sum(level.severity is severity for level in weak))
    ]
    parts = [f"{numbers.count(len(weak), 'finding')}{': ' if by else ''}{', '.join(by)}"]
    notes = sum(not record.gone and record.kind is FindingKind.UNSCORED for record in run_findings)
    gone = sum(record.gone for record in run_findings)
    if notes:
        parts.append(f"{numbers.count(notes, 'note')} on cases without a score")
    if gone:
        parts.append(f"{gone:,} no longer found")
    return "; ".join(parts)


def findings_frame(rows: Sequence[Row], run_id: str) -> pd.DataFrame:
    """The findings for people."""
    return pd.DataFrame(
        [
            {
                "id": row.record.id,
                "Severity": SEVERITIES[row.record.severity],
                "Status": f"{STATUSES[row.record.status]}{', seen again' if row.thread.back else ''}",
                "Finding": name_of(row.record),
                "In this run": in_run(row, run_id),
                "Owner": row.record.owner or numbers.NONE,
                "Due": row.record.due or numbers.NONE,
                "Mean": _figure(row.record, "mean"),
                "Rest": _figure(row.record, "rest"),
                "Cases": len(row.record.case_ids),
                "Kind": KINDS[row.record.kind],
                "Score": score_name(row.record.score),
            }
            for row in rows
        ]
    )


def in_run(row: Row, run_id: str) -> str:
    """What a run says of a finding."""
    tested = next((one for one in row.thread.retests if one.run_id == run_id), None)
    if row.of_run:
        seen = "No longer found" if row.record.gone else "Found"
        return seen if tested is None else f"{seen}; {OUTCOMES[tested.outcome][2:].lower()}"
    if tested is None:
        return numbers.NONE if row.record.kind is FindingKind.UNSCORED else "Not retested"
    return OUTCOMES[tested.outcome]


def _figure(record: Finding, name: str) -> str:
    value = record.figures.get(name)
    return words.value(value) if isinstance(value, float) else numbers.NONE
