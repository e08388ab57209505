"""Runs that another window starts or ends: a page that lists runs is drawn again then, without a reload."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.kit import project_reads
from pages.kit.frame import Page

SECONDS: Final = 5
"""Between two looks; one costs a read of a counter."""


def follow_runs(page: Page) -> None:
    """Draws the page again once a run of the project is started, ends or is deleted, in whatever window.

    What is in view stays: a link pins its run, and the line under the title says that there is a later one.
    """
    st.fragment(_look, run_every=SECONDS)(page, _states(page))


def _states(page: Page) -> tuple[tuple[str, str], ...]:
    return tuple((run.id, run.state.value) for run in project_reads.runs(page.store, page.project.id))


def _look(page: Page, drawn: tuple[tuple[str, str], ...]) -> None:
    if _states(page) != drawn:
        st.rerun()
