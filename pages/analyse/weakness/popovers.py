"""What the Weakness page asks in popovers: what counts as weak, how numbers become levels, which cases are in view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from core.domain.errors import InvalidInput
from core.text.display.visible import unturned
from core.weakness.binning import MOST_BINS, Binning
from core.weakness.service.data import AttributeInfo
from pages.kit import errors, state
from pages.kit.look import numbers
from pages.kit.state import links

LISTED: Final = 500
"""Levels a filter lists, the largest first."""

Levels = Callable[[str], tuple[tuple[str, int], ...]]
"""The levels of an attribute with their cases, largest first."""


def binning(text: str) -> Binning:
    """Four levels of equal size, or levels that end at given numbers.

    >>> binning("q4").bins, binning("8,16").edges
    (4, (8.0, 16.0))

    Raises:
        InvalidInput: It cannot be done.
    """
    if text.startswith("q"):
        return Binning(bins=int(text[1:]))
    return Binning(kind="edges", edges=tuple(float(edge) for edge in text.split(",")))


def limits() -> tuple[float, float]:
    """What counts as weak: the accepted share of false alarms and the least effect."""
    with st.popover("What counts as weak", icon=":material/tune:", type="tertiary"):
        st.caption(
            "A part of the cases is weak when a test shows that it is worse than all other cases, and when it is worse "
            "by at least the least effect. Semantic groups are counted, not cases: wordings of one fact are not "
            "independent. Fewer than 5 groups are not tested."
        )
        q = state.slide(
            "False discovery rate",
            "q",
            low=0.01,
            high=0.5,
            step=0.01,
            default=0.10,
            help="Share of false alarms among what is called weak that you accept on average (Benjamini and "
            "Hochberg 1995). docs/weakness.md has the test.",
        )
        effect = state.slide(
            "Least effect",
            "effect",
            low=0.0,
            high=0.5,
            step=0.01,
            default=0.10,
            help="How much worse than the rest, in units of the range of the score; of its standard deviation where "
            "it has no bounds.",
        )
    return q, effect


def bins(numbers_of: tuple[AttributeInfo, ...], looked_at: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """How the numbers among the attributes become levels, as `links.Link.cuts` has it."""
    names = {info.name for info in numbers_of}
    cuts = {name: text for name, text in state.link().cuts if name in names and _valid(text)}
    offered = [info for info in numbers_of if info.name in looked_at]
    if not offered:
        return tuple(cuts.items())
    with st.popover("Bins", icon=":material/straighten:", type="tertiary"):
        for info in offered:
            _bin(info, cuts)
    return tuple(cuts.items())


def _bin(info: AttributeInfo, cuts: dict[str, str]) -> None:
    now = cuts.get(info.name, f"q{Binning().bins}")
    edges = "" if now.startswith("q") else now
    none = st.text_input(
        f"{info.label}: levels end at",
        edges,
        placeholder="8, 16",
        max_chars=200,
        help="Numbers in ascending order. Empty: levels with about equally many cases.",
    ).replace(" ", "")
    size = st.slider(
        f"{info.label}: levels of equal size",
        2,
        MOST_BINS,
        int(now[1:]) if not edges else Binning().bins,
        disabled=bool(none),
    )
    text = none or f"q{size}"
    if text != now and _valid(text):
        state.bin_by({**cuts, info.name: text})
        st.rerun()


def _valid(text: str) -> bool:
    """Whether numbers can become levels so; what is wrong is said."""
    try:
        links.Link(bins=urlencode({"number": text}))
        binning(text)
    except InvalidInput as error:
        errors.show(error)
        return False
    return True


def filters(attributes: tuple[AttributeInfo, ...], levels: Levels) -> tuple[tuple[str, str], ...]:
    """The attributes and levels that cases are filtered by."""
    labels = {info.name: info.label for info in attributes}
    active = {name: level for name, level in state.link().filters if name in labels}
    words = f"Only some cases ({numbers.count(len(active), 'filter')})" if active else "Only some cases"
    with st.popover(words, icon=":material/filter_alt:", type="tertiary"):
        for name, level in active.items():
            text_at, remove_at = st.columns([5, 3], vertical_alignment="center")
            text_at.text(unturned(f"{labels[name]} = {level}"))
            if remove_at.button("Remove", key=f"remove_filter_{name}", type="tertiary"):
                state.filter_by({other: other_level for other, other_level in active.items() if other != name})
                st.rerun()
        if len(active) >= links.MOST_FILTERS:
            st.caption(f"At most {links.MOST_FILTERS} filters.")
            return tuple(active.items())
        name = st.selectbox("Attribute", list(labels), key="filter_attribute", format_func=labels.__getitem__)
        level_counts = dict(levels(name)[:LISTED])
        chosen = st.selectbox(
            "Level",
            list(level_counts),
            key=f"filter_level_{name}",
            index=None,
            placeholder="Choose a level",
            format_func=lambda level: f"{level} ({level_counts[level]:,})",
        )
        if st.button("Show only these", key="add_filter", disabled=chosen is None):
            state.filter_by({**active, name: str(chosen)})
            st.rerun()
    return tuple(active.items())
