"""One finding: what it says, what was decided of it, by whom, and the form to decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.findings import Finding, FindingStatus, Severity
from core.store.database import Store
from core.store.trail import audit_details
from core.store.trail.audit import AuditEntry
from core.weakness.findings.service import KEEPER, LONGEST_COMMENT, LONGEST_OWNER, change_finding
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

MEANINGS: Final = {
    FindingStatus.OPEN: "Open: not decided yet",
    FindingStatus.ACCEPTED: "Accepted: it is real and tolerated",
    FindingStatus.FIXED: "Fixed: something was done about it",
    FindingStatus.DISMISSED: "Dismissed: it is no weakness",
}
WIDTHS: Final = {
    "When": st.column_config.TextColumn(width=140),
    "Who": st.column_config.TextColumn(width=130),
    "What": st.column_config.TextColumn(width=560),
}


def draw(page: Page, finding: Finding) -> None:
    """The finding in full, the form for those who may decide, and the history."""
    with st.container(border=True, key="finding_view"):
        st.markdown(errors.plain(finding.text))
        st.caption(errors.plain(_about(finding)))
        if page.may(KEEPER):
            _form(page, finding)
        else:
            st.caption("Only a validator of the project may decide on findings.")
            if finding.comment:
                st.text(finding.comment)
        _history(page, finding)


def _about(finding: Finding) -> str:
    """Where it comes from, in one line."""
    rate, least = finding.options.get("q"), finding.options.get("min_effect")
    limits = f" with a false discovery rate of {rate:g} and a least effect of {least:g}" if rate and least else ""
    gone = " A later search did not find it." if finding.gone else ""
    return f"Recorded {numbers.when(finding.created_at)} by {finding.created_by}{limits}.{gone}"


def _form(page: Page, finding: Finding) -> None:
    # A key for each finding: words typed about one are never saved with another.
    with st.form(f"finding_{finding.id}", border=False):
        severity_at, status_at, owner_at = st.columns([2, 4, 3])
        levels = list(Severity)
        severity = severity_at.selectbox(
            "Severity",
            levels,
            index=levels.index(finding.severity),
            key=f"severity_{finding.id}",
            format_func=lambda item: item.value.capitalize(),
        )
        statuses = list(FindingStatus)
        status = status_at.selectbox(
            "Status",
            statuses,
            index=statuses.index(finding.status),
            key=f"status_{finding.id}",
            format_func=MEANINGS.__getitem__,
        )
        owner = owner_at.text_input(
            "Owner",
            value=finding.owner,
            key=f"owner_{finding.id}",
            max_chars=LONGEST_OWNER,
            placeholder="Who deals with it",
        )
        comment = st.text_area(
            "Comment", value=finding.comment, key=f"comment_{finding.id}", max_chars=LONGEST_COMMENT, height=80
        )
        saved = st.form_submit_button("Save decision", key=f"save_{finding.id}")
    if saved:
        with errors.shown():
            change_finding(
                page.store,
                finding.id,
                severity=severity,
                owner=owner,
                status=status,
                comment=comment,
                actor=page.actor,
                seen=finding,
            )
            state.say("The decision is saved.")
            st.rerun()


def _history(page: Page, finding: Finding) -> None:
    entries = _decisions(page.store, finding.project_id, finding.id)
    if not entries:
        return
    with st.expander(f"{numbers.count(len(entries), 'decision')} so far", key=f"history_{finding.id}"):
        tables.plain(history_frame(entries), key="finding_history", columns=WIDTHS)


@cache.read("findings")
def _decisions(store: Store, project_id: str, finding_id: str) -> list[AuditEntry]:
    with store.read() as connection:
        return audit_details.of_subject(connection, project_id, "finding.change", finding_id)


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

    >>> changed({"status": {"before": "open", "after": "fixed"}, "owner": {"before": "", "after": "Ada"}})
    'status from open to fixed; owner from nothing to Ada'
    """
    return "; ".join(
        f"{name} from {change['before'] or 'nothing'} to {change['after'] or 'nothing'}"
        for name, change in detail.items()
    )
