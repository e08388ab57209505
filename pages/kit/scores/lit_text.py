"""Sentences lit by a number: words as plain text, colour and mark from the number alone, never from the words.

The words go through `st.text`, which interprets nothing. The colour comes from a class that is named by one of ten
steps, so nothing that somebody wrote ever reaches a style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.kit.look import numbers, theme, verbatim

STEPS: Final = (
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
)
"""Cividis from low to high: one perceptual scale, readable without colour vision."""

MOST: Final = 40
"""Sentences drawn before a person asks for the rest."""

LAYOUT: Final = [16, 40, 44]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """One sentence to draw.

    Attributes:
        words: As they stand in the response.
        value: The number it is lit by, None where it has none.
        beside: The words it was matched with, or empty.
        where: Where those stand ("passage 2"), or empty; ours, never a model's words.
        remark: What the metric says about the sentence; may hold words of the answer.
        notes: What else is said about it ("weight 0.13", "passage 2"); ours, never a model's words.
        mark: Why it is the one to look at first ("least grounded"), or empty.
    """

    words: str
    value: float | None
    beside: str = ""
    where: str = ""
    remark: str = ""
    notes: tuple[str, ...] = ()
    mark: str = ""


def draw(
    rows: Sequence[Lit],
    *,
    key: str,
    heads: tuple[str, str, str],
    low: float = 0.0,
    high: float = 1.0,
    below: bool = False,
    most: int = MOST,
) -> None:
    """Draws sentences, one a row: the number, the lit words, what they were matched with.

    Args:
        rows: In reading order.
        key: Unique on the page.
        heads: What the three columns hold.
        low: The number that is darkest.
        high: The number that is brightest.
        below: Whether numbers may lie below `low`; they are as dark.
        most: How many are drawn at once; a switch brings the rest.
    """
    st.html(_css())
    _scale(f"{low:g} or less" if below else f"{low:g}", f"{high:g}")
    for cell, head in zip(st.columns(LAYOUT), heads, strict=True):
        cell.caption(head)
    visible_rows = rows
    if len(rows) > most and not st.toggle(f"Show all {len(rows):,} sentences", key=f"{key}_all"):
        visible_rows = rows[:most]
    with st.container(key=f"rows-{key}", gap="xsmall"):
        for place, row in enumerate(visible_rows):
            _row(row, f"{key}-{place}", low, high)
    if len(visible_rows) < len(rows):
        st.caption(f"{len(visible_rows):,} of {len(rows):,} sentences, the first ones.")


def step(value: float | None, low: float = 0.0, high: float = 1.0) -> int | None:
    """Which of the ten colours a number has; None for no number.

    >>> step(0.0), step(0.55), step(1.0), step(-0.2), step(7.0), step(None)
    (0, 5, 9, 0, 9, None)
    """
    if value is None or high <= low:
        return None
    return max(0, min(len(STEPS) - 1, int((value - low) / (high - low) * len(STEPS))))


def _row(row: Lit, key: str, low: float, high: float) -> None:
    number, words, beside = st.columns(LAYOUT, vertical_alignment="top")
    with number, st.container(key=f"number-{key}", gap=None):
        st.markdown(f"**{numbers.share(row.value)}**" + (f"  \n**{row.mark}**" if row.mark else ""))
        if row.notes:
            st.caption("  \n".join(row.notes))
    colour = step(row.value, low, high)
    name = "none" if colour is None else f"{colour}"
    with words, st.container(key=f"lit-{name}-{'worst' if row.mark else 'plain'}-{key}"):
        verbatim.show(row.words)
    with beside, st.container(key=f"match-{key}", gap=None):
        if row.beside:
            verbatim.show(row.beside)
        if row.where or not (row.beside or row.remark):
            st.caption(row.where or numbers.NONE)
        if row.remark:
            verbatim.show(f"{row.remark[:1].upper()}{row.remark[1:]}")


def _scale(low: str, high: str) -> None:
    """The key of the colours: ten boxes between the two ends, in our own words only."""
    boxes = "".join(f'<i style="background:{colour}"></i>' for colour in STEPS)
    st.html(f'<div class="lit-scale"><span>{low}</span>{boxes}<span>{high}</span></div>')


def _css() -> str:
    line = theme.ink("faint")
    rules = [
        f'[class*="st-key-lit-{place}-"] {{background: linear-gradient(to right, {colour} 0 9px, {line} 9px 10px, '
        f"color-mix(in srgb, {colour} 18%, transparent) 10px);}}"
        for place, colour in enumerate(STEPS)
    ]
    return (
        "<style>"
        '[class*="st-key-lit-"] {padding: 0.3rem 0.6rem 0.35rem 1.15rem; border-radius: 3px;'
        f" outline: 1px solid {theme.ink('line')};}}"
        f'[class*="st-key-lit-none-"] {{background: none; outline-style: dashed;}}'
        f'[class*="-worst-"][class*="st-key-lit-"] {{outline: 2px solid {theme.ink("text")};}}'
        f'[class*="st-key-match-"] {{padding: 0.3rem 0 0.35rem; }}'
        + "".join(rules)
        + f".lit-scale {{display: flex; align-items: center; gap: 0; font-size: 0.85rem; color: {line};}}"
        f".lit-scale i {{width: 22px; height: 12px; outline: 1px solid {theme.ink('line')};}}"
        ".lit-scale span {margin: 0 0.5rem;} .lit-scale span:first-child {margin-left: 0;}"
        "</style>"
    )
