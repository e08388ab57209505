"""The criteria of the case in view: the question, its levels with their keys, a comment, and where to go from here."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.results.labels import Criterion, LabelTask, ScaleKind
from core.labelling.rating.answers import Given
from pages.kit import errors, state
from pages.kit.look import numbers, verbatim
from pages.people.label.rating import acts, window
from pages.people.label.rating import draft as label_draft
from pages.people.label.rating.draft import Draft
from pages.people.label.rating.window import Work

KEYS: Final = 9
"""Levels that have a key of their own."""
CANNOT: Final = "I cannot judge this"


def draw(work: Work, task: LabelTask, draft: Draft) -> None:
    """Draws what is asked of the case; every button is an act of `label_acts`."""
    active = label_draft.active(work.criteria, draft)
    if window.shown(work, task).changes:
        st.info(
            "This case was answered in another window while it was open here. What stands here now is what is stored.",
            icon=":material/content_copy:",
        )
    for criterion in work.criteria:
        if criterion.kind is ScaleKind.COMMENT:
            _words(work, task, criterion)
        elif active is not None and criterion.id == active.id:
            _levels(work, task, criterion, draft)
        else:
            _folded(work, task, criterion, draft)
    _evidence(draft)
    _ways(work, task, draft)
    _guidelines(work, active)


def _levels(work: Work, task: LabelTask, criterion: Criterion, draft: Draft) -> None:
    answer = draft.given.get(criterion.id, Given())
    changes = window.shown(work, task).changes
    place = f"{task.position + 1}" + (f"_{changes}" if changes else "")
    with st.container(key=f"criterion_{criterion.id}", gap="xsmall"):
        st.markdown(f"#### {errors.plain(criterion.question)}", unsafe_allow_html=False)
        for number, level in enumerate(criterion.levels, start=1):
            chosen = answer.value == level.value
            st.button(
                errors.plain(level.anchor),
                # The place is part of the key: a key that comes late never answers another case, or replaces an answer
                # that came into view under the person's hand.
                key=f"level_{criterion.id}_{level.value}_{place}",
                icon=":material/radio_button_checked:" if chosen else ":material/radio_button_unchecked:",
                shortcut=str(number) if number <= KEYS else None,
                on_click=acts.answer,
                args=(work, task, criterion, float(level.value), changes),
                width="stretch",
                wrap=True,
            )
        st.button(
            CANNOT,
            key=f"cannot_{criterion.id}_{place}",
            icon=":material/radio_button_checked:" if answer.cannot_judge else ":material/help:",
            shortcut="X",
            type="tertiary",
            on_click=acts.answer,
            args=(work, task, criterion, None, changes),
        )
        _comment(work, task, criterion, f"Comment on {errors.plain(criterion.name)} (optional)")


def _folded(work: Work, task: LabelTask, criterion: Criterion, draft: Draft) -> None:
    """A criterion that is not the one the keys are for: its answer in a line, or that it is still open."""
    st.button(
        f"{errors.plain(criterion.name)}: {errors.plain(answered(criterion, draft.given.get(criterion.id)))}",
        key=f"turn_{criterion.id}_{task.position + 1}",
        icon=":material/check:" if draft.answered(criterion) else ":material/more_horiz:",
        on_click=acts.turn_to,
        args=(work, task, criterion),
        type="tertiary",
        help="Click to answer this one.",
    )


def answered(criterion: Criterion, answer: Given | None) -> str:
    """An answer in words."""
    if answer is not None and answer.cannot_judge:
        return "cannot judge"
    if answer is None or answer.value is None:
        return "open"
    return next((level.anchor for level in criterion.levels if level.value == answer.value), f"{answer.value:g}")


def _words(work: Work, task: LabelTask, criterion: Criterion) -> None:
    st.markdown(f"#### {errors.plain(criterion.question)}", unsafe_allow_html=False)
    _comment(work, task, criterion, "Your words (optional)")


def _comment(work: Work, task: LabelTask, criterion: Criterion, label: str) -> None:
    key = window.comment_key(task, criterion)
    st.text_area(
        label,
        key=key,
        height=80,
        placeholder="While you type here the keys are letters; click beside the field to use them again.",
        on_change=acts.typed,
        args=(work, task),
    )
    verbatim.under_field(state.typed(key) or "")


def _evidence(draft: Draft) -> None:
    if draft.spans:
        st.caption(f"{numbers.count(len(draft.spans), 'piece')} of evidence marked. Click a mark to take it off.")


def _ways(work: Work, task: LabelTask, draft: Draft) -> None:
    place = task.position + 1
    ready = label_draft.complete(work.criteria, draft)
    st.button(
        "Save and next",
        key=f"save_{place}",
        type="primary",
        shortcut="Enter",
        disabled=not ready,
        on_click=acts.save,
        args=(work, task),
        width="stretch",
        help=None if ready else "Answer every question first; the last answer saves by itself.",
    )
    ways = (
        ("Back", "back", "Left", acts.previous),
        ("Next", "next", "Right", acts.following),
        ("Skip", "skip", "S", acts.skip),
        ("Undo", "undo", "U", acts.undo),
    )
    with st.container(horizontal=True, key="label_ways", gap="xsmall"):
        for label, name, shortcut, act in ways:
            st.button(
                label,
                key=f"{name}_{place}",
                shortcut=shortcut,
                on_click=act,
                args=(work, task),
                type="tertiary",
                disabled=name == "skip" and bool(task.done_at),
            )


def _guidelines(work: Work, active: Criterion | None) -> None:
    words = [criterion for criterion in work.criteria if criterion.kind is ScaleKind.COMMENT]
    criteria = [criterion for criterion in ([active] if active else []) + words if criterion.guidelines]
    if not criteria:
        return
    with st.expander("Guidelines", expanded=True, icon=":material/menu_book:", key="label_guidelines"):
        for criterion in criteria:
            st.markdown(f"**{errors.plain(criterion.name)}**")
            # Markdown of the people who set the round up; a picture would be fetched from outside.
            st.markdown(criterion.guidelines.replace("![", "!\\["), unsafe_allow_html=False)
