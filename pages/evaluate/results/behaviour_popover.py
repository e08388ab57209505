"""What the button "Answering and declining" opens: the table by rules and by a judge, or why it is not there yet."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.criteria.declining import Declined
from core.domain.results.runs import Run
from core.metrics.samples.answerability import Cell
from pages.evaluate.results import behaviour_reads, behaviour_view, judged_behaviour_view
from pages.kit import state
from pages.kit.frame import Page
from pages.kit.look import numbers

READ_AT_ONCE: Final = 200
"""Answers that are read while a page is drawn, where `answered` has not measured them."""
SECONDS_EACH: Final = 0.025
ASKED_TO_READ: Final = "behaviour_read"
"""The note with the run whose answers somebody asked to read."""


def draw(page: Page, run: Run) -> Cell | Declined | None:
    """Draws the tables and gives the cell that was clicked; many answers are read only when somebody asks."""
    unread = behaviour_reads.unread(page.store, run)
    if unread > READ_AT_ONCE and not state.link().cell and state.note(ASKED_TO_READ) != run.id:
        st.markdown(
            f"Which of {numbers.count(unread, 'answer')} decline is not measured yet: the metric Answered does it. To "
            f"read them here takes {numbers.duration(unread * SECONDS_EACH)}."
        )
        st.button("Read them now", key="read_behaviour", on_click=state.keep, args=(ASKED_TO_READ, run.id))
        return None
    with st.spinner("Reading which answers decline ..."):
        behaves = behaviour_reads.of_run(page.store, run)
    clicked = behaviour_view.draw(behaves.table, behaviour_reads.declined(page.store, run))
    judged_behaviour_view.draw(page.store, run.id, behaves.table)
    return clicked
