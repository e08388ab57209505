"""The list of cases beside the evidence of the opened one, with the way to the next and the previous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from core.domain.results.runs import Run
from pages.evaluate.results import reads
from pages.evaluate.results.case import case_view
from pages.evaluate.results.workbench import case_list, handing_on
from pages.kit import state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

SIZE: Final = 50
"""Cases on one page of the list."""
LAYOUT: Final = [9, 13]
_AUTOMATIC: Final = "case_opened_by_itself"
_CSS: Final = """
<style>
[data-testid="stColumn"]:has(.st-key-case_list_side) > [data-testid="stVerticalBlock"] {
  position: sticky; top: 3.75rem; height: auto; flex: none;
}
</style>
"""
"""The list stays beside the evidence while a person scrolls through it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Where the opened case stands in the list.

    Attributes:
        case_id: The opened case.
        place: Its place from 1, 0 where the list does not have it.
        total: Cases in the list.
        before, after: The ids of its neighbours, empty where there is none.
    """

    case_id: str
    place: int
    total: int
    before: str = ""
    after: str = ""


def draw(page: Page, run: Run, case_ids: tuple[str, ...], metrics: tuple[str, ...]) -> None:
    """Draws the list and the evidence.

    Args:
        page: The page.
        run: The run.
        case_ids: All cases that are stepped through, in order; at least one.
        metrics: Whose values stand with each case.
    """
    st.html(_CSS)
    _open_first(case_ids)
    stand = stand_of(case_ids, state.link().case)
    left, right = st.columns(LAYOUT, gap="medium")
    with left, st.container(key="case_list_side", gap="xsmall"):
        offset = tables.pages(len(case_ids), size=SIZE, thing="case")
        shown = case_ids[offset : offset + SIZE]
        case_list.draw(reads.rows(page.store, run.id, shown, metrics), metrics, stand.case_id)
    with right:
        _steps(case_ids, stand)
        handing_on.draw(page, run, stand.case_id)
        case_view.draw(page, run, stand.case_id, closes=not stand.place)


def stand_of(case_ids: Sequence[str], case_id: str) -> Stand:
    """Where a case stands among those that are stepped through; from one that is not among them the first is next.

    >>> stand_of(["a", "b", "c"], "b")
    Stand(case_id='b', place=2, total=3, before='a', after='c')
    >>> stand_of(["a", "b", "c"], "x")
    Stand(case_id='x', place=0, total=3, before='', after='a')
    """
    if case_id not in case_ids:
        return Stand(case_id=case_id, place=0, total=len(case_ids), after=case_ids[0])
    at = list(case_ids).index(case_id)
    return Stand(
        case_id=case_id,
        place=at + 1,
        total=len(case_ids),
        before=case_ids[at - 1] if at else "",
        after=case_ids[at + 1] if at + 1 < len(case_ids) else "",
    )


def _open_first(case_ids: Sequence[str]) -> None:
    """Opens the first case of the page where none is open, or where a filter leaves out one that nobody chose."""
    opened = state.link().case
    if opened and (opened != state.note(_AUTOMATIC) or opened in case_ids):
        return
    at = min((state.link().page - 1) * SIZE, len(case_ids) - 1)
    state.update(case=case_ids[at])
    state.keep(_AUTOMATIC, case_ids[at])


def _steps(case_ids: Sequence[str], stand: Stand) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        where = f"Case {stand.place:,} of {stand.total:,}" if stand.place else "This case is not in the list"
        st.markdown(f"**{where}**", width="content")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            for label, name, key, case_id in (
                ("Previous", "previous_case", "K", stand.before),
                ("Next", "next_case", "J", stand.after),
            ):
                st.button(
                    label,
                    key=name,
                    shortcut=key,
                    disabled=not case_id,
                    on_click=_go,
                    args=(case_id, case_ids.index(case_id) // SIZE + 1 if case_id else 1),
                )


def _go(case_id: str, page: int) -> None:
    state.update(case=case_id, page=page)


def count(case_ids: Sequence[str]) -> str:
    """How many cases there are to download, in words."""
    return numbers.count(len(case_ids), "case")
