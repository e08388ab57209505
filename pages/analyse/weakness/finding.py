"""One finding: what it says, what was decided of it, by whom, and the form to decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.findings import Finding, FindingStatus, Severity
from core.evaluation.findings import KEEPER, LONGEST_COMMENT, LONGEST_OWNER, change_finding
from core.store import audit_details
from core.store.audit import AuditEntry
from pages.ui import errors, numbers, readers, state, tables
from pages.ui.frame import Page

MEANINGS: Final = {
    FindingStatus.OPEN: "Open: nobody decided",
    FindingStatus.ACCEPTED: "Accepted: it is real and is lived with",
    FindingStatus.FIXED: "Fixed: something was done about it",
    FindingStatus.DISMISSED: "Dismissed: it is none",
}
WIDTHS: Final = {
    "When": st.column_config.TextColumn(width=140),
    "Who": st.column_config.TextColumn(width=130),
    "What": st.column_config.TextColumn(width=560),
}


def draw(page: Page, found: Finding) -> None:
    """The finding in full, the form for those who may decide, and the history."""
    with st.container(border=True, key="finding_view"):
        st.markdown(errors.plain(found.text))
        st.caption(errors.plain(_about(found)))
        if page.may(KEEPER):
            _form(page, found)
        else:
            st.caption("Only a validator of the project may decide on findings.")
            if found.comment:
                st.text(found.comment)
        _history(page, found)


def _about(found: Finding) -> str:
    """Where it comes from, in one line."""
    rate, least = found.options.get("q"), found.options.get("min_effect")
    asked = f" with a false discovery rate of {rate:g} and a least effect of {least:g}" if rate and least else ""
    gone = " It was looked for again since and not found." if found.gone else ""
    return f"Recorded {numbers.when(found.created_at)} by {found.created_by}{asked}.{gone}"


def _form(page: Page, found: Finding) -> None:
    # A key for each finding: words typed about one are never saved with another.
    with st.form(f"finding_{found.id}", border=False):
        severity_at, status_at, owner_at = st.columns([2, 4, 3])
        levels = list(Severity)
        severity = severity_at.selectbox(
            "Severity", levels, index=levels.index(found.severity), key=f"severity_{found.id}",
            format_func=lambda one: one.value.capitalize(),
        )  # fmt: skip
        statuses = list(FindingStatus)
        status = status_at.selectbox(
            "Status", statuses, index=statuses.index(found.status), key=f"status_{found.id}",
            format_func=MEANINGS.__getitem__,
        )  # fmt: skip
        owner = owner_at.text_input(
            "Owner", value=found.owner, key=f"owner_{found.id}", max_chars=LONGEST_OWNER, placeholder="Who sees to it"
        )
        comment = st.text_area(
            "Comment", value=found.comment, key=f"comment_{found.id}", max_chars=LONGEST_COMMENT, height=80
        )
        saved = st.form_submit_button("Save decision", key=f"save_{found.id}")
    if saved:
        with errors.shown():
            change_finding(
                page.store, found.id, severity=severity, owner=owner, status=status, comment=comment,
                actor=page.actor, seen=found,
            )  # fmt: skip
            state.say("The decision is saved.")
            st.rerun()


def _history(page: Page, found: Finding) -> None:
    def read() -> list[AuditEntry]:
        with page.store.read() as connection:
            return audit_details.of_subject(connection, found.project_id, "finding.change", found.id)

    made: list[AuditEntry] = readers.cached(page.store, "finding_history", read, found.id)  # type: ignore[assignment]
    if not made:
        return
    with st.expander(f"{numbers.count(len(made), 'decision')} so far", key=f"history_{found.id}"):
        tables.plain(history_frame(made), key="finding_history", columns=WIDTHS)


def history_frame(made: Sequence[AuditEntry]) -> pd.DataFrame:
    """Who changed what, newest first."""
    return pd.DataFrame(
        [
            {"When": numbers.when(entry.at), "Who": entry.actor, "What": changed(json.loads(entry.detail))}
            for entry in made
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
