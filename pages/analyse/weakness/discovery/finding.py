"""One finding: what it says, the decisions on it, what each run says of it, and what was merged into it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.findings import Finding, FindingRetest
from core.store.database import Store
from core.store.trail import audit_details
from core.store.trail.audit import AuditEntry
from core.weakness.findings.naming import name_of
from core.weakness.findings.over_runs.merging import Merge, merges_of, split_findings
from core.weakness.findings.over_runs.threads import Thread, thread_of
from core.weakness.findings.service import KEEPER
from pages.analyse.weakness.discovery import decision_form
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, verbatim

WIDTHS: Final = {
    "When": st.column_config.TextColumn(width=140),
    "Who": st.column_config.TextColumn(width=130),
    "What": st.column_config.TextColumn(width=560),
}


def draw(page: Page, finding: Finding, thread: Thread) -> None:
    """The finding in full, the form for those who may decide, what each run says of it, and the history."""
    with st.container(border=True, key="finding_view"):
        st.markdown(f"**{errors.plain(name_of(finding))}**")
        st.markdown(errors.plain(finding.text))
        st.caption(errors.plain(_about(finding)))
        if page.may(KEEPER):
            decision_form.draw(page, finding)
        else:
            st.caption("Only a validator of the project may decide on findings.")
            if finding.comment:
                verbatim.show(finding.comment)
        _over_runs(thread)
        _history(page, thread)
        _merged(page, thread)


def _merged(page: Page, thread: Thread) -> None:
    """What was merged into it, with the way back."""
    for merge in _merges(page.store, page.project.id, thread.id):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                f"Merged with {errors.plain(merge.name)} by {errors.plain(merge.by)}, {numbers.when(merge.at)}.",
                width="content",
            )
            if page.may(KEEPER) and st.button(
                "Take the merge back",
                key=f"split_{merge.entry}",
                type="tertiary",
                help="The merged finding stands by itself again, with what was decided of it and retested before. What "
                "was decided and retested since stays here.",
            ):
                with errors.shown():
                    alone = split_findings(page.store, page.project.id, thread.id, merge.entry, actor=page.actor)
                    state.say(f"{errors.plain(alone.name)} stands by itself again.")
                    st.rerun()


@cache.read("findings", "runs")
def _merges(store: Store, project_id: str, thread: str) -> tuple[Merge, ...]:
    return merges_of(store, project_id, thread_of(store, project_id, thread))


def _about(finding: Finding) -> str:
    """Where it comes from, in one line."""
    rate, least = finding.options.get("q"), finding.options.get("min_effect")
    limits = f" with a false discovery rate of {rate:g} and a least effect of {least:g}" if rate and least else ""
    gone = " A later search did not find it." if finding.gone else ""
    return f"Recorded {numbers.when(finding.created_at)} by {finding.created_by}{limits}.{gone}"


def _over_runs(thread: Thread) -> None:
    """What each run says of the finding."""
    if len(thread.seen) + len(thread.retests) < 2:
        return
    st.markdown("**Over the runs**")
    tables.wrapped(runs_frame(thread))


def runs_frame(thread: Thread) -> pd.DataFrame:
    """Searches that found it and retests of it, oldest first."""
    seen = [
        {
            "When": numbers.when(one.created_at),
            "Run": one.run_id,
            "Outcome": "no longer found" if one.gone else "found",
            "Mean": _mean(one),
            "Change": numbers.NONE,
            "Basis": f"{numbers.count(len(one.case_ids), 'case')}",
        }
        for one in thread.seen
    ]
    tested = [
        {
            "When": numbers.when(one.created_at),
            "Run": one.run_id,
            "Outcome": one.outcome.value,
            "Mean": numbers.estimate(one.after) if one.after else numbers.NONE,
            "Change": numbers.estimate(one.change) if one.change else numbers.NONE,
            "Basis": f"{one.reason} {_pairing(one)}".strip(),
        }
        for one in thread.retests
    ]
    return pd.DataFrame(sorted([*seen, *tested], key=lambda row: row["When"]))


def _mean(record: Finding) -> str:
    value = record.figures.get("mean")
    return numbers.figure(float(value)) if isinstance(value, int | float) else numbers.NONE


def _pairing(one: FindingRetest) -> str:
    if one.change is None:
        return ""
    return f"{one.paired:,} cases paired with run {one.against}." if one.paired else f"Against run {one.against}."


def _history(page: Page, thread: Thread) -> None:
    ids = tuple(dict.fromkeys(one.id for one in thread.seen))
    entries = _decisions(page.store, page.project.id, ids)
    if not entries:
        return
    with st.expander(f"{numbers.count(len(entries), 'decision')} so far", key=f"history_{thread.id}"):
        tables.plain(history_frame(entries), key="finding_history", columns=WIDTHS)


@cache.read("findings")
def _decisions(store: Store, project_id: str, finding_ids: tuple[str, ...]) -> list[AuditEntry]:
    with store.read() as connection:
        entries = [
            entry
            for finding_id in finding_ids
            for entry in audit_details.of_subject(connection, project_id, "finding.change", finding_id)
        ]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


def history_frame(entries: Sequence[AuditEntry]) -> pd.DataFrame:
    """Who changed what, newest first."""
    return pd.DataFrame(
        [
            {"When": numbers.when(entry.at), "Who": entry.actor, "What": changed(json.loads(entry.detail))}
            for entry in entries
        ]
    )


def changed(detail: dict[str, dict[str, str]]) -> str:
    """The changes of one decision.

    >>> changed({"status": {"before": "open", "after": "resolved"}, "owner": {"before": "", "after": "Ada"}})
    'status from open to resolved; owner from nothing to Ada'
    """
    return "; ".join(
        f"{name} from {change['before'] or 'nothing'} to {change['after'] or 'nothing'}"
        for name, change in detail.items()
    )
