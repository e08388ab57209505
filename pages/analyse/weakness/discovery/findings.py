"""The findings of a project beside one run: recorded and retested by a click, decided on, with their cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.domain.results.findings import Finding, FindingKind, FindingStatus, Outcome, Severity
from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.findings.exports import findings_as_csv, findings_as_json
from core.weakness.findings.merging import merge_findings
from core.weakness.findings.naming import name_of
from core.weakness.findings.retesting import retest_findings
from core.weakness.findings.search import FindingSearch
from core.weakness.findings.service import KEEPER, record_findings
from core.weakness.findings.threads import Thread, proposals, threads, waits_for_retest
from pages.analyse.weakness import cases, reads, words
from pages.analyse.weakness.controls import Shown
from pages.analyse.weakness.discovery import finding
from pages.analyse.weakness.discovery.slices import worst_first
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

SEVERITIES = {Severity.HIGH: "▲ High", Severity.MEDIUM: "■ Medium", Severity.LOW: "▽ Low"}
STATUSES = {
    FindingStatus.OPEN: "Open",
    FindingStatus.ACCEPTED: "Accepted risk",
    FindingStatus.IN_PROGRESS: "In progress",
    FindingStatus.RESOLVED: "Resolved",
    FindingStatus.DISMISSED: "Dismissed",
}
MOST_PAIRS = 5
"""Pairs that may be one weakness, listed at once."""
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
        width=268, help="What the cases have in common; select it to read the rest."
    ),
    "In this run": st.column_config.TextColumn(
        width=106, help="Found by a search of this run, or what the retest of an earlier finding says."
    ),
    "Mean": st.column_config.TextColumn(width=52, help="Of the score among its cases."),
    "Rest": st.column_config.TextColumn(width=52, help="Of the score among all other cases."),
    "Kind": st.column_config.TextColumn(width=104),
    "Cases": st.column_config.NumberColumn(width=50),
    "Score": st.column_config.TextColumn(width=84),
    "Owner": st.column_config.TextColumn(width=84),
    "Due": st.column_config.TextColumn(width=84),
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


@cache.read("findings", "runs")
def project_threads(store: Store, project_id: str) -> tuple[Thread, ...]:
    """The findings of a project over all runs."""
    return threads(store, project_id)


def rows_of(found: Sequence[Thread], run_id: str) -> list[Row]:
    """The findings beside a run: those it has first."""
    rows = []
    for thread in found:
        own = [one for one in thread.seen if one.run_id == run_id]
        rows.append(Row(record=own[-1] if own else thread.newest, thread=thread, of_run=bool(own)))
    return sorted(rows, key=lambda row: not row.of_run)


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The findings, the buttons that record and retest them, and the chosen one."""
    found = project_threads(page.store, page.project.id)
    rows = rows_of(found, run.id)
    own = [row.record for row in rows if row.of_run]
    said_at, act_at = st.columns([5, 2], vertical_alignment="center")
    with said_at:
        st.markdown(f"**{headline(own)}**")
        st.caption(earlier(rows))
    with act_at:
        _record(page, run, shown)
        _retest(page, run, found)
    if not rows:
        st.caption(
            "A finding says in words and figures what is weak, and keeps its cases, a severity, an owner, a due date "
            "and a status. Recording looks at every attribute, every pair worth a map, slices and the topic map; the "
            "next run is asked whether each is fixed, still there or worse."
        )
        return
    status = state.choose(
        "Status",
        list(FindingStatus),
        "status",
        every="Every status",
        name=lambda status: STATUSES[FindingStatus(status)],
    )
    matches = [row for row in rows if status in ("", row.record.status)]
    if not matches:
        st.info(f"No finding is {STATUSES[FindingStatus(status)].lower()}.")
        return
    listed = findings_frame(matches, run.id)
    if tables.follow(listed, key="findings_table", id_column="id", parameter="cell", columns=COLUMNS, height=318):
        state.update(case="", page=1)
    _downloads(run, matches)
    _merges(page, found)
    chosen = next((row for row in matches if row.record.id == state.link().cell), None)
    if chosen is None:
        st.caption("Select a finding to decide on it and to read its cases.")
        return
    record = chosen.record
    finding.draw(page, record, chosen.thread)
    if not chosen.of_run:
        st.caption(f"Its cases are those of run {record.run_id}, in which it was seen last.")
        if st.button("Open it in that run", key="open_finding_run"):
            state.update(run=record.run_id, cell=record.id)
            st.rerun()
        return
    # Its own score and no filter, whatever the page looks at now.
    threshold = record.options.get("threshold")
    own_view = replace(shown, score=record.score, threshold="" if threshold is None else f"{threshold}", where=())
    table = reads.table(page.store, run.id, own_view)
    of = np.flatnonzero(np.isin(np.array(table.case_ids), np.array(record.case_ids)))
    cases.draw(page, run, worst_first(table, of), "Cases of this finding", shown=own_view)


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
                "Mean": _figure(row.record, "mean"),
                "Rest": _figure(row.record, "rest"),
                "Kind": KINDS[row.record.kind],
                "Cases": len(row.record.case_ids),
                "Score": row.record.score,
                "Owner": row.record.owner or numbers.NONE,
                "Due": row.record.due or numbers.NONE,
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


def _record(page: Page, run: Run, shown: Shown) -> None:
    if not page.may(KEEPER):
        st.caption("Only a validator of the project may record findings.")
        return
    clicked = st.button(
        "Record findings",
        key="record_findings",
        type="primary",
        help="Looks at all cases of the run with the score, threshold, bins, rate and least effect above; filters play "
        "no part. What was found before keeps its owner, status and comment.",
    )
    if clicked:
        with errors.shown(), st.spinner("Looking at every attribute, pair, slice and the topic map"):
            threshold = float(shown.threshold) if shown.threshold else None
            search = FindingSearch(threshold=threshold, bins=shown.binning)
            run_findings = record_findings(page.store, run.id, shown.score, shown.options, page.actor, search=search)
            state.say(
                f"{numbers.count(len(run_findings), 'finding')} recorded."
                if run_findings
                else "Nothing weak was found."
            )
            st.rerun()


def _retest(page: Page, run: Run, found: Sequence[Thread]) -> None:
    """The button that asks the run about findings of earlier runs."""
    waiting = waits_for_retest(page.store, run.id, found)
    if not waiting or not page.may(KEEPER):
        return
    if st.button(
        f"Retest {numbers.count(waiting, 'earlier finding')}",
        key="retest_findings",
        help="Measures the findings of earlier runs on this one: fixed, still there, worse, unclear or not tested.",
    ):
        with errors.shown(), st.spinner("Measuring the earlier findings on this run"):
            retests = retest_findings(page.store, run.id, actor=page.actor)
            by = [f"{n:,} {one.value}" for one in Outcome if (n := sum(test.outcome is one for test in retests))]
            state.say(f"{numbers.count(len(retests), 'finding')} retested: {', '.join(by)}.")
            st.rerun()


def _merges(page: Page, found: Sequence[Thread]) -> None:
    """Findings that may be one weakness, for a person to merge."""
    pairs = proposals(found)
    if not pairs or not page.may(KEEPER):
        return
    with st.expander(f"{numbers.count(len(pairs), 'pair')} may be one weakness", key="merge_proposals"):
        for pair in pairs[:MOST_PAIRS]:
            said_at, act_at = st.columns([6, 1], vertical_alignment="center")
            said_at.markdown(
                f"**{errors.plain(pair.first.name)}** and **{errors.plain(pair.second.name)}** have "
                f"{numbers.share(pair.share)} of their cases in common."
            )
            if act_at.button("Merge", key=f"merge_{pair.first.id}_{pair.second.id}"):
                with errors.shown():
                    merge_findings(page.store, page.project.id, pair.first.id, pair.second.id, actor=page.actor)
                    state.say("The two findings are one; its history has both.")
                    st.rerun()


def _downloads(run: Run, rows: Sequence[Row]) -> None:
    run_findings = [row.record for row in rows]
    retests = {row.thread.id: row.thread.last for row in rows if row.thread.last is not None}
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV",
            data=lambda: findings_as_csv(run_findings, retests).encode("utf-8-sig"),
            file_name=f"findings_{run.id}.csv",
            mime="text/csv",
            key="findings_csv",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
        st.download_button(
            "Download JSON",
            data=lambda: json.dumps(findings_as_json(run_findings, retests), indent=2, ensure_ascii=False).encode(),
            file_name=f"findings_{run.id}.json",
            mime="application/json",
            key="findings_json",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
