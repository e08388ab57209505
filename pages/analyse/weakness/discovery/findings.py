"""The findings of a run: recorded by one click, decided on one by one, with who decided what and their cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.domain.results.findings import Finding, FindingKind, FindingStatus, Severity
from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.findings.exports import findings_as_csv, findings_as_json
from core.weakness.findings.search import FindingSearch
from core.weakness.findings.service import KEEPER, findings, record_findings
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
    FindingStatus.ACCEPTED: "Accepted",
    FindingStatus.FIXED: "Fixed",
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
    "Status": st.column_config.TextColumn(width=76),
    "Finding": st.column_config.TextColumn(
        width=268, help="What the cases have in common; select it to read the rest."
    ),
    "Mean": st.column_config.TextColumn(width=52, help="Of the score among its cases."),
    "Rest": st.column_config.TextColumn(width=52, help="Of the score among all other cases."),
    "Found in": st.column_config.TextColumn(width=104),
    "Cases": st.column_config.NumberColumn(width=50),
    "Score": st.column_config.TextColumn(width=84),
    "Owner": st.column_config.TextColumn(width=84),
}


@cache.read("findings", "runs")
def _recorded(store: Store, run_id: str) -> tuple[Finding, ...]:
    return tuple(findings(store, run_id))


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The recorded findings, the button that records them, and the chosen one."""
    run_findings = _recorded(page.store, run.id)
    said_at, act_at = st.columns([5, 2], vertical_alignment="center")
    with said_at:
        st.markdown(f"**{headline(run_findings)}**")
    with act_at:
        _record(page, run, shown)
    if not run_findings:
        st.caption(
            "A finding says in words and figures what is weak, and keeps its cases, a severity, an owner and a "
            "status. Recording looks at every attribute, every pair worth a map, slices and the topic map."
        )
        return
    status = state.choose(
        "Status",
        list(FindingStatus),
        "status",
        every="Every status",
        name=lambda status: STATUSES[FindingStatus(status)],
    )
    matches = [record for record in run_findings if status in ("", record.status)]
    if not matches:
        st.info(f"No finding is {STATUSES[FindingStatus(status)].lower()}.")
        return
    listed = findings_frame(matches)
    if tables.follow(listed, key="findings_table", id_column="id", parameter="cell", columns=COLUMNS, height=318):
        state.update(case="", page=1)
    _downloads(run, matches)
    chosen = next((record for record in matches if record.id == state.link().cell), None)
    if chosen is None:
        st.caption("Select a finding to decide on it and to read its cases.")
        return
    finding.draw(page, chosen)
    # Its own score and no filter, whatever the page looks at now.
    threshold = chosen.options.get("threshold")
    own = replace(shown, score=chosen.score, threshold="" if threshold is None else f"{threshold}", where=())
    table = reads.table(page.store, run.id, own)
    of = np.flatnonzero(np.isin(np.array(table.case_ids), np.array(chosen.case_ids)))
    cases.draw(page, run, worst_first(table, of), "Cases of this finding", shown=own)


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


def findings_frame(run_findings: Sequence[Finding]) -> pd.DataFrame:
    """The findings for people."""
    return pd.DataFrame(
        [
            {
                "id": record.id,
                "Severity": SEVERITIES[record.severity],
                "Status": "No longer found" if record.gone else STATUSES[record.status],
                "Finding": " x ".join(level for _, level in record.conditions) or record.text,
                "Mean": _figure(record, "mean"),
                "Rest": _figure(record, "rest"),
                "Found in": KINDS[record.kind],
                "Cases": len(record.case_ids),
                "Score": record.score,
                "Owner": record.owner or numbers.NONE,
            }
            for record in run_findings
        ]
    )


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


def _downloads(run: Run, run_findings: Sequence[Finding]) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV",
            data=lambda: findings_as_csv(run_findings).encode("utf-8-sig"),
            file_name=f"findings_{run.id}.csv",
            mime="text/csv",
            key="findings_csv",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
        st.download_button(
            "Download JSON",
            data=lambda: json.dumps(findings_as_json(run_findings), indent=2, ensure_ascii=False).encode(),
            file_name=f"findings_{run.id}.json",
            mime="application/json",
            key="findings_json",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
