"""Runs that another window starts or ends: a page that lists runs is drawn again then, without a reload."""

from __future__ import annotations

from typing import Final

import streamlit as st

from pages.kit import project_reads
from pages.kit.frame import Page

SECONDS: Final = 5
"""Between two looks; one costs a read of a counter."""


Standing = tuple[tuple[str, str], ...]
"""The runs of a project, each with its state."""


def follow_runs(page: Page, drawn: Standing) -> None:
    """Draws the page again once a run of the project is started, ends or is deleted, in whatever window.

    What is in view stays: a link pins its run, and the line under the title says that there is a later one.

    Args:
        page: The page.
        drawn: `standing` from before the page read anything: a run that ends while the page is drawn is news to it.
    """
    st.fragment(_look, run_every=SECONDS)(page, drawn)


def standing(page: Page) -> Standing:
    """How the runs of the project stand now."""
    return tuple((run.id, run.state.value) for run in project_reads.runs(page.store, page.project.id))


def _look(page: Page, drawn: Standing) -> None:
    if standing(page) != drawn:
        st.rerun()
