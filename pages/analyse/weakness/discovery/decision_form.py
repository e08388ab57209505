"""The form that decides on a finding, and what happens where two people decide at once.

What another person saved since the finding was opened here is never replaced unseen: both stand there, and the person
chooses. Only the fields that were changed here are saved, so the other ones keep what the other person said.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

import streamlit as st

from core.domain.errors import DecisionChanged
from core.domain.results.findings import Finding, FindingStatus, Severity
from core.weakness.findings.naming import name_of
from core.weakness.findings.service import DECIDED, change_finding
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, verbatim

MEANINGS: Final = {
    FindingStatus.OPEN: "Open: not decided yet",
    FindingStatus.IN_PROGRESS: "In progress: somebody works on it",
    FindingStatus.RESOLVED: "Resolved: something was done about it",
    FindingStatus.ACCEPTED: "Accepted risk: it is real and stays",
    FindingStatus.DISMISSED: "Dismissed: it is no weakness",
}
FIELDS: Final = {
    "title": "Name",
    "severity": "Severity",
    "status": "Status",
    "owner": "Owner",
    "due": "Due",
    "comment": "Comment",
}
OPENED: Final = "finding_opened"
"""The note of the finding as it was when it was opened here."""

DRAWN: Final = "finding_drawn"
"""The same as it was drawn last: a click on a button is about that."""


def draw(page: Page, finding: Finding) -> None:
    """The form; the choice between two decisions where another one was saved meanwhile."""
    opened, drawn = _note(OPENED, finding), _note(DRAWN, finding)
    state.keep(OPENED, opened)
    state.keep(DRAWN, finding)
    pending: Mapping[str, str] | None = state.note(_pending(finding))
    if pending is not None:
        _choose(page, finding, opened, drawn, pending)
        return
    if differing(opened, finding):
        _told(finding, opened)
    _form(page, finding, opened)


def _note(name: str, finding: Finding) -> Finding:
    noted: Finding | None = state.note(name)
    return noted if noted is not None and noted.id == finding.id else finding


def _pending(finding: Finding) -> str:
    return f"finding_pending_{finding.id}"


def _settled(finding: Finding) -> None:
    """What is stored is what this window shows from now on."""
    state.drop(OPENED)
    state.drop(DRAWN)
    state.drop(_pending(finding))
    state.renew(finding.id)


def differing(before: Finding, after: Finding) -> tuple[str, ...]:
    """The fields people decide that differ, in the order of the form."""
    return tuple(name for name in DECIDED if getattr(before, name) != getattr(after, name))


def _told(finding: Finding, opened: Finding, *, asked: str = "") -> None:
    """Who changed what meanwhile."""
    st.warning(
        f"{errors.plain(finding.changed_by)} changed this finding while it was open here.{asked}",
        icon=":material/content_copy:",
    )
    for name in differing(opened, finding):
        verbatim.show(
            f"{FIELDS[name]}, stored {numbers.when(finding.changed_at)}: {_said(name, getattr(finding, name))}"
        )


def _choose(page: Page, finding: Finding, opened: Finding, drawn: Finding, pending: Mapping[str, str]) -> None:
    """What is stored, what was decided here, and the choice between them."""
    _told(finding, opened, asked=" Your decision here is not saved yet. Which one holds?")
    for name, value in pending.items():
        verbatim.show(f"{FIELDS[name]}, yours: {_said(name, value)}")
    st.caption("Fields that you did not change stay as they are stored. The history keeps every decision.")
    with st.container(horizontal=True):
        keep = st.button("Keep what is stored", key=f"keep_finding_{finding.id}", type="primary")
        replace = st.button("Replace it with mine", key=f"replace_finding_{finding.id}")
    if keep:
        _settled(finding)
        st.rerun()
    if replace:
        _save(page, finding, pending, drawn)


def _said(name: str, value: str) -> str:
    """A field's value in words.

    >>> _said("status", FindingStatus.ACCEPTED), _said("severity", Severity.HIGH), _said("owner", "")
    ('Accepted risk', 'High', 'nothing')
    """
    if name == "status":
        return MEANINGS[FindingStatus(value)].split(":")[0]
    return str(value).capitalize() if name == "severity" else value or "nothing"


def _form(page: Page, finding: Finding, opened: Finding) -> None:
    # A key for each finding: words typed about one are never saved with another.
    own = state.fresh(finding.id)
    with st.form(f"finding_{own}", border=False):
        title = st.text_input(
            "Name",
            value=opened.title,
            key=f"title_{own}",
            placeholder=name_of(finding),
            help="In the words of the bank; empty for the name its conditions give it.",
        )
        severity_at, status_at, owner_at, due_at = st.columns([2, 4, 3, 2])
        levels = list(Severity)
        severity = severity_at.selectbox(
            "Severity",
            levels,
            index=levels.index(opened.severity),
            key=f"severity_{own}",
            format_func=lambda item: item.value.capitalize(),
        )
        statuses = list(FindingStatus)
        status = status_at.selectbox(
            "Status",
            statuses,
            index=statuses.index(opened.status),
            key=f"status_{own}",
            format_func=MEANINGS.__getitem__,
        )
        owner = owner_at.text_input("Owner", value=opened.owner, key=f"owner_{own}", placeholder="Who deals with it")
        due = due_at.date_input(
            "Due",
            value=date.fromisoformat(opened.due) if opened.due else None,
            key=f"due_{own}",
            format="YYYY-MM-DD",
        )
        comment = st.text_area("Comment", value=opened.comment, key=f"comment_{own}", height=80)
        for text in (opened.owner, opened.comment):
            verbatim.under_field(text)
        saved = st.form_submit_button("Save decision", key=f"save_{own}")
    if saved:
        answers = {
            "title": title,
            "severity": severity,
            "status": status,
            "owner": owner,
            "due": due.isoformat() if isinstance(due, date) else "",
            "comment": comment,
        }
        decided = {name: value for name, value in answers.items() if value != getattr(opened, name)}
        _save(page, finding, decided, opened)


def _save(page: Page, finding: Finding, decided: Mapping[str, str], seen: Finding) -> None:
    """Saves what was changed here; it waits where another decision was saved that was not in view."""
    with errors.shown():
        try:
            change_finding(
                page.store,
                finding.id,
                severity=decided.get("severity"),
                owner=decided.get("owner"),
                status=decided.get("status"),
                comment=decided.get("comment"),
                title=decided.get("title"),
                due=decided.get("due"),
                actor=page.actor,
                seen=seen,
            )
        except DecisionChanged:
            state.keep(_pending(finding), decided)
        else:
            _settled(finding)
            state.say("The decision is saved.")
        st.rerun()
