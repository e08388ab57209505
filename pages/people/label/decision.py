"""One disputed case: its texts, what each rater said, and the decision with its reason.

Two people may have the case open at once. A decision that this window did not show is never replaced unseen: both
stand there, and the person chooses which one holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from core.domain.errors import DecisionChanged, PlumblineError
from core.domain.results.labels import Adjudication, Criterion, Label, LabelRound
from core.domain.results.runs import Run
from core.labelling.adjudication import Dispute, adjudicate, withdraw
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, verbatim
from pages.people.label import label_words, reading, reads

OPENED: Final = "decision_opened"
"""The note of which case is open, and when the decision was made that stood there when it was opened."""

DRAWN: Final = "decision_drawn"
"""The same of the decision that was drawn last: buttons beside it are about that one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A decision of this window that is not saved, since somebody else decided meanwhile."""

    value: float | None
    reason: str


def draw(page: Page, run: Run, criterion: Criterion, dispute: Dispute, rounds: Mapping[str, LabelRound]) -> None:
    """Draws the case, the labels, the decision if there is one, and the form to decide."""
    try:
        texts = reads.texts_of(page.store, run.id, dispute.case_id, reference=True)
    except PlumblineError as error:
        errors.show(error)
        return
    with st.container(border=True, key="dispute_open"):
        read_at, decide_at = st.columns([58, 42], gap="large")
        with read_at:
            spans = [span for label in dispute.labels for span in label.spans]
            reading.draw(texts, task=f"second_{dispute.case_id}", spans=spans, key="reading_second")
        with decide_at:
            st.markdown(f"**{errors.plain(criterion.question)}**")
            for label in dispute.labels:
                _voice(criterion, label, rounds)
            seen, drawn, stored = _seen(criterion, dispute), _drawn(criterion, dispute), dispute.decided
            pending: Pending | None = state.note(f"pending_{_form(dispute, criterion)}")
            if pending is not None or seen != _at(stored):
                _changed(stored, pending)
            if stored is not None:
                _stored(criterion, stored)
            if pending is not None:
                _choose(page, run, criterion, dispute, pending, drawn)
                return
            if stored is not None:
                _withdraw(page, run, criterion, dispute, drawn)
            _decide(page, run, criterion, dispute, seen)


def _voice(criterion: Criterion, label: Label, rounds: Mapping[str, LabelRound]) -> None:
    who, said = label_words.rater(label, rounds), label_words.answer(criterion, label)
    st.markdown(f"**{errors.plain(who)}**: {errors.plain(said)}")
    if label.comment:
        verbatim.show(label.comment)


def _stored(criterion: Criterion, decision: Adjudication) -> None:
    st.markdown(
        f"**Decided: {errors.plain(label_words.level(criterion, decision.value))}** by "
        f"{errors.plain(decision.actor)}, {numbers.when(decision.at)}"
    )
    verbatim.show(decision.reason)


def _form(dispute: Dispute, criterion: Criterion) -> str:
    """Names the form of a case, which is empty again once it was used."""
    return f"{dispute.case_id}_{criterion.id}"


def _at(decision: Adjudication | None) -> str:
    return "" if decision is None else decision.at


def _seen(criterion: Criterion, dispute: Dispute) -> str:
    """When the decision was made that stood there when the case was opened here, empty for none."""
    name = _form(dispute, criterion)
    opened, at = state.note(OPENED, ("", ""))
    if opened != name:
        at = _at(dispute.decided)
        state.keep(OPENED, (name, at))
    return str(at)


def _drawn(criterion: Criterion, dispute: Dispute) -> str:
    """When the decision was made that a click on this page is about: the one drawn before the click."""
    name, now = _form(dispute, criterion), _at(dispute.decided)
    opened, at = state.note(DRAWN, ("", ""))
    state.keep(DRAWN, (name, now))
    return str(at) if opened == name else now


def _settled(name: str) -> None:
    """What is stored is what this window shows from now on, and its form is empty."""
    state.drop(OPENED)
    state.drop(f"pending_{name}")
    state.renew(name)


def _changed(stored: Adjudication | None, pending: Pending | None) -> None:
    happened = (
        "The decision on this case was withdrawn"
        if stored is None
        else f"{errors.plain(stored.actor)} decided this case"
    )
    asked = " Your decision here is not saved yet. Which one holds?" if pending is not None else ""
    st.warning(f"{happened} while it was open here.{asked}", icon=":material/content_copy:")


def _choose(page: Page, run: Run, criterion: Criterion, dispute: Dispute, pending: Pending, drawn: str) -> None:
    """This window's decision under the stored one, and the choice between them."""
    name = _form(dispute, criterion)
    st.markdown(f"**Your decision here: {errors.plain(label_words.level(criterion, pending.value))}**")
    verbatim.show(pending.reason)
    if st.button("Keep what is stored", key=f"keep_decision_{name}", type="primary", width="stretch"):
        _settled(name)
        st.rerun()
    if st.button("Replace it with mine", key=f"replace_decision_{name}", width="stretch"):
        _save(page, run, criterion, dispute, pending, drawn)
    st.caption("The audit trail keeps every decision that was saved, also one that is replaced.")


def _withdraw(page: Page, run: Run, criterion: Criterion, dispute: Dispute, drawn: str) -> None:
    name = _form(dispute, criterion)
    clicked = st.button(
        "Withdraw the decision",
        key=f"withdraw_{name}",
        help="What the raters said counts again; who decided what, and why, stays in the audit trail.",
    )
    if not clicked:
        return
    with errors.shown():
        withdraw(page.store, run.id, dispute.case_id, criterion.id, actor=page.actor, seen=drawn)
        _settled(name)
        state.say(f"The decision on case {errors.plain(dispute.case_id)} is withdrawn; what the raters said counts.")
        st.rerun()


def _decide(page: Page, run: Run, criterion: Criterion, dispute: Dispute, seen: str) -> None:
    own = state.fresh(_form(dispute, criterion))
    options = {label_words.level(criterion, float(level.value)): float(level.value) for level in criterion.levels}
    values: dict[str, float | None] = {errors.plain(option): value for option, value in options.items()}
    values[errors.plain(label_words.CANNOT)] = None
    with st.form(f"decision_{own}", border=False):
        picked = st.radio("Label", list(values), key=f"decision_value_{own}", index=None)
        reason = st.text_area(
            "Reason (required)",
            key=f"decision_reason_{own}",
            height=80,
            placeholder="Why the case is what you decide it to be",
        )
        submitted = st.form_submit_button("Decide", key=f"decision_save_{own}", type="primary")
    if not submitted:
        return
    if picked is None:
        st.warning("Choose a label first.")
        return
    _save(page, run, criterion, dispute, Pending(value=values[picked], reason=reason), seen)


def _save(page: Page, run: Run, criterion: Criterion, dispute: Dispute, said: Pending, seen: str) -> None:
    """Saves a decision; one that would replace another that was not in view here waits."""
    name, case_id = _form(dispute, criterion), dispute.case_id
    with errors.shown():
        try:
            adjudicate(
                page.store,
                run.id,
                case_id,
                criterion.id,
                value=said.value,
                reason=said.reason,
                actor=page.actor,
                seen=seen,
            )
        except DecisionChanged:
            state.keep(f"pending_{name}", said)
        else:
            _settled(name)
            decided = errors.plain(label_words.level(criterion, said.value))
            state.say(f"Case {errors.plain(case_id)} is decided: {decided}.")
        st.rerun()
