"""The same case of the same rater in two windows: what the other one saved meanwhile, and which answer holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core.domain.results.labels import Criterion, LabelTask, ScaleKind
from core.labelling.rating.answers import Given
from pages.kit import errors
from pages.kit.look import numbers, verbatim
from pages.people.label.rating import saving
from pages.people.label.rating.answers import answered
from pages.people.label.rating.draft import Draft
from pages.people.label.rating.window import Work

NOT_THERE: Final = "nothing: the answer was taken back"


def draw(work: Work, task: LabelTask, stored: Draft, pending: Mapping[str, Given]) -> None:
    """Draws both answers and the choice between them; neither is lost before somebody chooses."""
    with st.container(key="two_windows"):
        st.warning(
            f"This case was answered as {errors.plain(work.rater)} in another window while it was open here. "
            "Your answer here is not saved yet. Which one holds?",
            icon=":material/content_copy:",
        )
        for criterion in work.criteria:
            if criterion.id in pending:
                _both(criterion, stored, pending[criterion.id])
        place = task.position + 1
        st.button(
            "Keep what is stored",
            key=f"keep_stored_{place}",
            type="primary",
            shortcut="Enter",
            width="stretch",
            on_click=saving.keep_stored,
            args=(work, task),
        )
        st.button(
            "Replace it with mine",
            key=f"replace_stored_{place}",
            shortcut="M",
            width="stretch",
            on_click=saving.replace_stored,
            args=(work, task),
        )
        st.caption("The audit trail keeps every answer that was saved, also one that is replaced.")


def _both(criterion: Criterion, stored: Draft, here: Given) -> None:
    st.markdown(f"**{errors.plain(criterion.question)}**")
    saved = stored.given.get(criterion.id)
    if saved is None:
        st.markdown(f"Stored now: {NOT_THERE}.")
    else:
        _answer(criterion, f"Stored {numbers.when(stored.saved_at[criterion.id])}", saved)
    _answer(criterion, "Your answer here", here)


def _answer(criterion: Criterion, title: str, answer: Given) -> None:
    level = "" if criterion.kind is ScaleKind.COMMENT else f" **{errors.plain(answered(criterion, answer))}**"
    st.markdown(f"{title}:{level}")
    if answer.comment:
        verbatim.show(answer.comment)
