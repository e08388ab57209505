"""The figures under a page's title: at most four bordered cards, each with its number, its interval and its n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.domain.estimates import Proportion
from pages.kit import errors
from pages.kit.look import charts, numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One card.

    Attributes:
        key: Unique on the page.
        label: What it is.
        value: The number as it is written.
        note: Interval and n, always shown.
        help: What the term means, on hover.
    """

    key: str
    label: str
    value: str
    note: str = ""
    help: str = ""


def share(key: str, label: str, value: Proportion, meaning: str = "") -> Figure:
    """A proportion as a card: the share large, interval and counts under it, clusters and method on hover."""
    note = f"{numbers.interval(value.low, value.high)} · {numbers.of(value)}".removeprefix(" · ")
    return Figure(
        key=key,
        label=label,
        value=numbers.share(value.value),
        note=note if value.den else "nothing to count (0/0)",
        help=f"{meaning} {numbers.full(value)}".strip(),
    )


def count(key: str, label: str, n: int, of: int, what: str, meaning: str = "") -> Figure:
    """A count as a card, with what it is out of: 246 "of 1,134 judged", 0 "of 1 case"."""
    noun = what.removesuffix("s") if of == 1 else what
    return Figure(key=key, label=label, value=f"{n:,}", note=f"of {of:,} {noun}", help=meaning)


def draw(figures: Sequence[Figure]) -> None:
    """Draws the cards in one row."""
    for cell, figure in zip(st.columns(len(figures)), figures, strict=True):
        charts.metric(cell, figure.label, figure.value, figure.note, help=figure.help, key=figure.key)


def line(figures: Sequence[Figure]) -> None:
    """Draws the figures in one line of text, where the page is about what stands below them.

    A figure without an interval is a count; what it is out of stands in its hover.
    """
    for figure in figures:
        interval = f" :gray[{errors.plain(figure.note)}]" if figure.note.startswith("[") else ""
        meaning = figure.help if interval else f"{figure.value} {figure.note}. {figure.help}"
        with st.container(key=f"figure_{figure.key}", width="content"):
            st.markdown(f"{figure.label} **{figure.value}**{interval}", help=meaning.strip(), width="content")
