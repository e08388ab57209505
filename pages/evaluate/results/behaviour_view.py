"""Answerable x answered: whether the target answers where it can and declines where it cannot, as four cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core.criteria.declining import Declined, DeclinedByDocuments
from core.domain.estimates import Proportion
from core.metrics.samples.answerability import Behaviour, Cell
from pages.kit.look import numbers, theme

LABELS: Final = {
    Cell.ANSWERED_ANSWERABLE: "Answered, answerable",
    Cell.DECLINED_ANSWERABLE: "Declined, answerable",
    Cell.ANSWERED_UNANSWERABLE: "Answered, not answerable",
    Cell.DECLINED_UNANSWERABLE: "Declined, not answerable",
}
"""How the cells are called; the filter of a page uses the same words."""

MEANINGS: Final = {
    Cell.ANSWERED_ANSWERABLE: "The test set has an answer, or says that there is one, and the target gives one, right "
    "or wrong (positive acceptance).",
    Cell.DECLINED_ANSWERABLE: "The test set has an answer, or says that there is one, and the target says that it has "
    "none. Whether the documents state it is another question.",
    Cell.ANSWERED_UNANSWERABLE: "No document holds an answer and the target gives one all the same.",
    Cell.DECLINED_UNANSWERABLE: "No document holds an answer and the target says so (negative rejection).",
}
"""One sentence for the hover of each cell."""

PARTS: Final = {
    Declined.STATED: "Declined although the documents state it",
    Declined.NOT_STATED: "Declined, and the documents do not state it",
    Declined.NOT_KNOWN: "Declined, not known whether they state it",
}
"""How the parts of the declined are called."""

_PART_MEANINGS: Final = {
    Declined.STATED: "The diagnosis attributes the error to the retrieval or to the language model.",
    Declined.NOT_STATED: "The diagnosis attributes the error to a knowledge gap: no document states the reference "
    "answer, or one contradicts it. To decline was honest.",
    Declined.NOT_KNOWN: "The documents were not searched for it, words cannot tell, or the answer has no verdict.",
}
_PART_MARKS: Final[Mapping[Cell | Declined, str]] = {
    Declined.STATED: "incorrect",
    Declined.NOT_STATED: "correct",
    Declined.NOT_KNOWN: "not_judged",
}
_TONES: Final = {"correct": "green", "incorrect": "orange", "not_judged": "gray"}

_ROWS: Final = {
    True: (Cell.ANSWERED_ANSWERABLE, Cell.DECLINED_ANSWERABLE),
    False: (Cell.ANSWERED_UNANSWERABLE, Cell.DECLINED_UNANSWERABLE),
}
_EMPTY_ROW: Final = {
    True: "No case is known to be answerable, so nothing shows whether the target answers when it can.",
    False: "Every case counts as answerable, because it has a reference answer or a gold document or says so itself; "
    "that does not say that the documents state the answer. Questions that no document answers would show whether the "
    "target declines when it should.",
}
_NOT_LOOKED_UP: Final = (
    "Whether the documents state the answer is not known of the {}: an honest decline counts here as a fault too. "
    "Open Diagnose and let the search of the documents end; a run without documents needs them loaded on the Connect "
    "page, and a new run."
)
_UNKNOWN: Final = (
    "For no case is it known whether the documents hold an answer. Give the cases the attribute answerable "
    "(yes or no), a reference answer or a gold document, and this table shows whether the target answers when it can "
    "and declines when it cannot."
)
_STRIPE: Final = ".st-key-behaviour_{} {{border-left: 4px solid {}}}"


def draw(table: Behaviour, declined: DeclinedByDocuments | None = None) -> Cell | Declined | None:
    """Draws the table with its counts, shares and intervals, what the documents state of the declines, and the rest.

    Args:
        table: The run's behaviour.
        declined: The declined cases that count as answerable, by what the documents state.

    Returns:
        The cell, or the part of the declined, whose cases were asked for by a click just now, else None.
    """
    with st.container(key="behaviour", gap="small"):
        st.markdown("**Does the target answer when it can, and decline when it cannot?**")
        clicked: Cell | Declined | None = None
        if table.total == 0:
            st.caption("No case has been answered yet.")
        elif table.answerable == table.unanswerable == 0:
            st.caption(_UNKNOWN if table.unknown.den else "The target failed on every case, so there is no behaviour.")
        else:
            marks = _marks(declined)
            stripes = (_STRIPE.format(part.value, theme.COLOURS[mark]) for part, mark in marks.items())
            st.html(f"<style>{''.join(stripes)}</style>")
            clicked = _row(table, marks, answerable=True)
            clicked = _declined(declined) or clicked
            clicked = _row(table, marks, answerable=False) or clicked
        if left_out := _left_out(table):
            st.caption(left_out)
    return clicked


def _marks(declined: DeclinedByDocuments | None) -> dict[Cell | Declined, str]:
    """What is right and what is wrong; of declines that are told apart that is said of their parts."""
    marks: dict[Cell | Declined, str] = {cell: "correct" if cell.right else "incorrect" for cell in Cell}
    if declined is not None and declined.known:
        marks[Cell.DECLINED_ANSWERABLE] = "not_judged"
    return {**marks, **_PART_MARKS}


def _row(table: Behaviour, marks: Mapping[Cell | Declined, str], *, answerable: bool) -> Cell | None:
    if not (table.answerable if answerable else table.unanswerable):
        st.caption(_EMPTY_ROW[answerable])
        return None
    clicked = None
    for column, cell in zip(st.columns(2), _ROWS[answerable], strict=True):
        with column:
            if _cell(cell.value, LABELS[cell], table.share(cell), marks[cell], MEANINGS[cell]):
                clicked = cell
    return clicked


def _declined(declined: DeclinedByDocuments | None) -> Declined | None:
    """The declines that count as answerable, told apart by what the documents state, or why they are not."""
    if declined is None or not declined.total:
        return None
    if not declined.known:
        st.caption(_NOT_LOOKED_UP.format(numbers.count(declined.total, "declined question")))
        return None
    st.caption(
        f"Of the {declined.total:,} declined, by the diagnosis of the run (known of {declined.known:,}"
        f"{f', still to be searched {declined.pending:,}' if declined.pending else ''}):"
    )
    clicked = None
    for column, part in zip(st.columns(len(Declined)), Declined, strict=True):
        with column:
            if _cell(part.value, PARTS[part], declined.shares[part], _PART_MARKS[part], _PART_MEANINGS[part]):
                clicked = part
    return clicked


def _cell(name: str, label: str, share: Proportion, mark: str, meaning: str) -> bool:
    with st.container(border=True, key=f"behaviour_{name}", height="stretch", gap="xsmall"):
        st.markdown(
            f":{_TONES[mark]}[**{theme.MARKS[mark]}**] **{label}: {share.num:,} of {share.den:,}**",
            help=f"{meaning} {numbers.full(share)}",
        )
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(numbers.proportion(share))
            return st.button(
                f"Show {numbers.count(share.num, 'case')}",
                key=f"show_behaviour_{name}",
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
