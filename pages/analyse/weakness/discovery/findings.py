"""The findings of a project beside one run: recorded and retested by a click, decided on, with their cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.domain.results.findings import FindingStatus, Outcome
from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.findings.exports import findings_as_csv, findings_as_json
from core.weakness.findings.over_runs.merging import merge_findings
from core.weakness.findings.over_runs.retesting import retest_findings
from core.weakness.findings.over_runs.threads import Thread, proposals, threads, waits_for_retest
from core.weakness.findings.search import FindingSearch
from core.weakness.findings.service import KEEPER, record_findings
from pages.analyse.weakness import cases, reads
from pages.analyse.weakness.controls import Shown
from pages.analyse.weakness.discovery import finding
from pages.analyse.weakness.discovery.findings_table import (
    COLUMNS,
    STATUSES,
    Row,
    earlier,
    findings_frame,
    headline,
    rows_of,
)
from pages.analyse.weakness.discovery.slices import worst_first
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

MOST_PAIRS = 5
"""Pairs that may be one weakness, listed at once."""


@cache.read("findings", "runs")
def project_threads(store: Store, project_id: str) -> tuple[Thread, ...]:
    """The findings of a project over all runs."""
    return threads(store, project_id)


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
    if tables.follow(
        listed,
        key="findings_table",
        id_column="id",
        parameter="cell",
        columns=COLUMNS,
        height=340,
        row_height=64,
    ):
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


def _record(page: Page, run: Run, shown: Shown) -> None:
    if not page.may(KEEPER):
        st.caption("Only a validator of the project may record findings.")
        return
    clicked = st.button(
        "Record findings",
        key="record_findings",
        type="primary",
        help="Looks at all cases of the run with the score, threshold, bins, rate and least effect above; filters play "
        "no part. A weak level, cell or slice that another finding explains says the same once more and is left out. "
        "What was found before keeps its owner, status and comment.",
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
