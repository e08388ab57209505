"""Answerable x answered: whether the target answers where it can and declines where it cannot, as four cells."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.metrics.answerability import Behaviour, Cell
from pages.kit.look import numbers, theme

LABELS: Final = {
    Cell.ANSWERED_ANSWERABLE: "Answered, answerable",
    Cell.DECLINED_ANSWERABLE: "Declined, answerable",
    Cell.ANSWERED_UNANSWERABLE: "Answered, not answerable",
    Cell.DECLINED_UNANSWERABLE: "Declined, not answerable",
}
"""How the cells are called; the filter of a page uses the same words."""

MEANINGS: Final = {
    Cell.ANSWERED_ANSWERABLE: "The documents hold an answer and the target gives one, right or wrong "
    "(positive acceptance).",
    Cell.DECLINED_ANSWERABLE: "The documents hold an answer and the target says that it has none.",
    Cell.ANSWERED_UNANSWERABLE: "No document holds an answer and the target gives one all the same.",
    Cell.DECLINED_UNANSWERABLE: "No document holds an answer and the target says so (negative rejection).",
}
"""One sentence for the hover of each cell."""

_ROWS: Final = {
    True: (Cell.ANSWERED_ANSWERABLE, Cell.DECLINED_ANSWERABLE),
    False: (Cell.ANSWERED_UNANSWERABLE, Cell.DECLINED_UNANSWERABLE),
}
_EMPTY_ROW: Final = {
    True: "No case is known to be answerable, so nothing shows whether the target answers when it can.",
    False: "Every case counts as answerable, because it has a reference answer or a gold document or says so itself. "
    "Questions that no document answers would show whether the target declines when it should.",
}
_UNKNOWN: Final = (
    "For no case is it known whether the documents hold an answer. Give the cases the attribute answerable "
    "(yes or no), a reference answer or a gold document, and this table shows whether the target answers when it can "
    "and declines when it cannot."
)
_COLOUR: Final = {cell: theme.COLOURS["correct" if cell.right else "incorrect"] for cell in Cell}
_STRIPES: Final = "".join(f".st-key-behaviour_{cell.value} {{border-left: 4px solid {_COLOUR[cell]}}}" for cell in Cell)


def draw(table: Behaviour) -> Cell | None:
    """Draws the table with its counts, shares and intervals, and what is in no cell.

    Args:
        table: The run's behaviour.

    Returns:
        The cell whose cases were asked for by a click just now, else None.
    """
    with st.container(key="behaviour", gap="small"):
        st.markdown("**Does the target answer when it can, and decline when it cannot?**")
        clicked: Cell | None = None
        if table.total == 0:
            st.caption("No case has been answered yet.")
        elif table.answerable == table.unanswerable == 0:
            st.caption(_UNKNOWN if table.unknown.den else "The target failed on every case, so there is no behaviour.")
        else:
            st.html(f"<style>{_STRIPES}</style>")
            clicked = _row(table, answerable=True)
            clicked = _row(table, answerable=False) or clicked
        if left_out := _left_out(table):
            st.caption(left_out)
    return clicked


def _row(table: Behaviour, *, answerable: bool) -> Cell | None:
    if not (table.answerable if answerable else table.unanswerable):
        st.caption(_EMPTY_ROW[answerable])
        return None
    clicked = None
    for column, cell in zip(st.columns(2), _ROWS[answerable], strict=True):
        with column:
            if _cell(table, cell):
                clicked = cell
    return clicked


def _cell(table: Behaviour, cell: Cell) -> bool:
    share = table.share(cell)
    mark, colour = (theme.MARKS["correct"], "green") if cell.right else (theme.MARKS["incorrect"], "orange")
    with st.container(border=True, key=f"behaviour_{cell.value}", height="stretch", gap="xsmall"):
        st.markdown(
            f":{colour}[**{mark}**] **{LABELS[cell]}: {share.num:,} of {share.den:,}**",
            help=f"{MEANINGS[cell]} {numbers.full(share)}",
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(numbers.proportion(share))
            return st.button(
                f"Show {numbers.count(share.num, 'case')}",
                key=f"show_behaviour_{cell.value}",
                type="tertiary",
                disabled=share.num == 0,
            )


def _left_out(table: Behaviour) -> str:
    sentences = []
    if table.failed:
        gave = "has no answer because the target failed" if table.failed == 1 else "have no answer: the target failed"
        sentences.append(f"{numbers.count(table.failed, 'case')} {gave}; they are in no cell.")
    if table.unknown.den and (table.answerable or table.unanswerable):
        sentences.append(
            f"Of {numbers.count(table.unknown.den, 'case')} it is unknown whether the documents hold an answer; "
            f"answered: {table.unknown.num:,}."
        )
    elif table.unknown.den:
        sentences.append(f"Answered: {table.unknown.num:,} of {numbers.count(table.unknown.den, 'case')}.")
    if table.partly:
        do = (
            "answer declines a part of what was asked and answers"
            if table.partly == 1
            else ("answers decline a part of what was asked and answer")
        )
        sentences.append(f"{table.partly:,} {do} the rest; counted as answered.")
    if table.agreement.den:
        sentences.append(
            f"The target says itself whether it declined in {numbers.count(table.agreement.den, 'case')}; our rules "
            f"read its answer the same way in {table.agreement.num:,} of {table.agreement.den:,}."
        )
    return " ".join(sentences)
