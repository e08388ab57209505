"""Variants to read: the list, worst first, and one variant beside its parent with both answers."""

from __future__ import annotations

import streamlit as st

from core.robustness.pairs import Answered, Pair
from core.robustness.result import Robustness, worst_first
from core.robustness.service import VariantRun
from pages.analyse.robustness import frames, words
from pages.analyse.robustness.view import Shown
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, theme, verbatim

SIZE = 50
TWO_LINES = 64
"""Height of a row with room for two lines, in pixels."""
WIDTHS = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Outcome": 120, "Variant": 340, "Answer": 220, "Before": 220, "Reference": 130}.items()
}
OUTCOMES = {"broke": "Right to wrong", "behaviour": "Wrong behaviour", "undecided": "Undecided", "all": "All"}


def draw(page: Page, chosen: VariantRun, result: Robustness, shown: Shown) -> None:
    """Draws the list and the variant in view."""
    pairs = worst_first([pair for pair in result.pairs if shown.kind in ("", pair.kind)])
    by_outcome = {
        "broke": [pair for pair in pairs if pair.broke],
        "behaviour": [pair for pair in pairs if pair.seen.behaviour == "wrong"],
        "undecided": [pair for pair in pairs if pair.seen.behaviour == "undecided"],
        "all": pairs,
    }
    st.subheader("Variants to read", anchor=False)
    if shown.kind:
        st.caption(errors.plain(words.question_of(shown.kind)))
    which = state.switch(
        "Variants",
        list(OUTCOMES),
        "status",
        name=lambda key: f"{OUTCOMES[key]} ({len(by_outcome[key]):,})",
        label_visibility="collapsed",
    )
    listed = by_outcome.get(which, pairs)
    if not listed:
        st.info("No variant of this kind is like that.")
        return
    start = tables.pages(len(listed), size=SIZE, thing="variant")
    part = listed[start : start + SIZE]
    list_at, case_at = st.columns([1, 1], gap="medium")
    with list_at:
        tables.follow(
            frames.pairs_frame(part),
            key=f"pairs_{which}_{shown.kind}",
            id_column="id",
            parameter="case",
            columns=WIDTHS,
            height=520,
            row_height=TWO_LINES,
        )
        tables.download(frames.pairs_data(listed), name="robustness_variants", key="pairs_csv", label="Variants as CSV")
    opened = state.link().case
    pair = next((pair for pair in pairs if pair.variant.case.case_id == opened), part[0])
    with case_at, st.container(border=True, key="pair"):
        _pair(chosen, pair)


def _pair(chosen: VariantRun, pair: Pair) -> None:
    st.markdown(f"**{errors.plain(words.title_of(pair.kind))}**: {errors.plain(pair.lineage.variant_change)}")
    reason = errors.plain(pair.seen.reason)
    st.markdown(f"Right here: {errors.plain(pair.lineage.expected)}. Seen: **{pair.seen.behaviour.value}**, {reason}.")
    before_at, after_at = st.columns(2)
    parent_question = pair.lineage.parent_question
    with before_at:
        st.caption("Before")
        st.markdown(errors.plain(parent_question))
        _answer(pair.parent)
    with after_at:
        st.caption("Variant")
        st.markdown(words.lit(parent_question, pair.variant.case.question))
        _answer(pair.variant)
    if pair.lineage.planted_passage:
        st.caption("Planted passage")
        verbatim.show(pair.lineage.planted_passage)
    references = "; ".join(pair.variant.case.reference_answers)
    if references:
        st.caption("Reference")
        verbatim.show(references)
    case_id = pair.variant.case.case_id
    with st.container(horizontal=True):
        if chosen.parent is not None and pair.parent is not None and st.button("Parent in Results", key="to_parent"):
            state.go("results", run=chosen.parent.id, case=pair.lineage.parent, kind="", status="", view="")
        if st.button("Variant in Results", key="to_variant"):
            state.go("results", run=chosen.run.id, case=case_id, kind="", status="", view="")


def _answer(answered: Answered | None) -> None:
    if answered is None:
        st.caption("Not run, so that there is nothing to compare with.")
        return
    verbatim.show(answered.answer or "No answer")
    verdict = {1.0: "correct", 0.0: "incorrect"}.get(
        -1.0 if answered.verdict is None else answered.verdict, "not_judged"
    )
    st.caption(f"{theme.NAMES.get(verdict, numbers.NONE)}")
