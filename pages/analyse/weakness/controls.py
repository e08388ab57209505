"""The filters of the Weakness page: run, score, two attributes, threshold, what counts as weak, which cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.errors import InvalidInput
from core.weakness import WeaknessOptions
from core.weakness.binning import MOST_BINS, Binning
from core.weakness.service.data import AttributeInfo, ScoreChoice
from pages.analyse.weakness import words as weakness_words
from pages.kit import errors, state
from pages.kit.look import numbers
from pages.kit.state import links

ROWS: Final = ("topic", "domain", "table", "tables")
COLUMNS: Final = ("question_type", "type", "form", "answer_type")
"""What a map shows while nobody has chosen, the first there is."""

MOST_LEVELS: Final = 40
"""Levels that a map shows without a word; attributes with more are not offered first."""

LISTED: Final = 500
"""Levels a filter lists, the largest first."""

Levels = Callable[[str], tuple[tuple[str, int], ...]]
"""The levels of an attribute with their cases, largest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the page looks for weakness in, as the URL has it.

    Attributes:
        run_id: The run.
        score: Key of the score.
        attribute: Name of the attribute, the rows of the map.
        by: Name of the second attribute, the columns of the map; empty where there is none.
        threshold: From which value on a case passes; empty for the mean of the values.
        q: Accepted share of false alarms.
        min_effect: How much worse than the rest a part must be.
        where: Attributes and levels the cases are filtered by.
        bins: How numbers become levels, as `links.Link.cuts` has it.
    """

    run_id: str
    score: str
    attribute: str
    by: str = ""
    threshold: str = ""
    q: float = 0.10
    min_effect: float = 0.10
    where: tuple[tuple[str, str], ...] = ()
    bins: tuple[tuple[str, str], ...] = ()

    @property
    def filters(self) -> dict[str, str]:
        """The level that cases must have, by attribute."""
        return dict(self.where)

    @property
    def binning(self) -> dict[str, Binning]:
        """How numbers become levels, by attribute."""
        return {name: binning(text) for name, text in self.bins}

    @property
    def options(self) -> WeaknessOptions:
        """What counts as weak."""
        return WeaknessOptions(q=self.q, min_effect=self.min_effect)


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


def cells() -> list[DeltaGenerator]:
    """The row of filters: places for run, score, attribute, second attribute, threshold."""
    return st.columns([1.9, 1.6, 1.8, 1.8, 1.0], vertical_alignment="bottom")


def draw(
    run_id: str,
    places: Sequence[DeltaGenerator],
    choices: Sequence[ScoreChoice],
    attributes: tuple[AttributeInfo, ...],
    levels: Callable[[Shown], Levels],
    *,
    view: str,
) -> Shown:
    """Draws the filters beside the run's.

    Args:
        run_id: The run.
        places: From `cells`.
        choices: Scores; not empty.
        attributes: Attributes; at least one.
        levels: Reads the levels of an attribute, for what is shown but for filters.
        view: Which part of the page is open: the second attribute is asked for where a map is drawn.
    """
    by_key = {choice.key: choice for choice in choices}
    first = next((choice.key for choice in choices if choice.n), choices[0].key)
    with places[1]:
        score = state.choose(
            "Score",
            list(by_key),
            "score",
            default=first,
            name=lambda key: f"{by_key[key].label}{'' if by_key[key].n else ' (no case scored)'}",
            help="What a case is measured by. Every figure says how many of the cases have this score.",
            pinned=True,
        )
    labels = {info.name: f"{info.label} ({info.levels:,})" for info in attributes}
    with places[2]:
        row = default_attribute(attributes, ROWS)
        attribute = state.choose(
            "Attribute",
            list(labels),
            "attribute",
            default=row,
            name=labels.__getitem__,
            disabled=view not in ("map", "attribute", "holding"),
            help="What cases are told apart by, with the number of its levels; the rows of the map.",
            pinned=True,
        )
    others = tuple(info for info in attributes if info.name != attribute)
    with places[3]:
        by = state.choose(
            "Second attribute",
            [info.name for info in others],
            "by",
            default=default_attribute(others, COLUMNS),
            name=labels.__getitem__,
            disabled=view != "map",
            help="The columns of the map.",
            pinned=True,
        )
    with places[4]:
        threshold = _threshold(by_key[score])
    weak_at, some_at = st.container(horizontal=True), st.empty()
    looked_at = (attribute, by) if view == "map" else (attribute,)
    with weak_at:
        q, effect = _limits()
        bins = _bins(tuple(info for info in attributes if info.numeric), looked_at)
        where = _filters(attributes, levels(Shown(run_id=run_id, score=score, attribute=attribute, bins=bins)))
    filter_note = _filter_note(attributes, where, looked_at)
    if filter_note:
        some_at.caption(errors.plain(filter_note))
    return Shown(
        run_id=run_id,
        score=score,
        attribute=attribute,
        by=by,
        threshold=threshold,
        q=q,
        min_effect=effect,
        where=where,
        bins=bins,
    )


def default_attribute(attributes: Sequence[AttributeInfo], preferred_names: Sequence[str]) -> str:
    """The first wanted attribute with several levels that fit a picture, else the first that fits, else the first."""
    several = (
        [info.name for info in attributes if info.useful and not info.outcome and info.levels <= MOST_LEVELS]
        or [info.name for info in attributes if info.levels > 1]
        or [info.name for info in attributes]
    )
    return next((name for name in preferred_names if name in several), next(iter(several), ""))


def _filter_note(
    attributes: tuple[AttributeInfo, ...], where: tuple[tuple[str, str], ...], looked_at: tuple[str, ...]
) -> str:
    """Which cases are in view, and what a person should know of the attributes chosen."""
    only = " and ".join(f"{weakness_words.label(attributes, name)} = {level}" for name, level in where)
    chosen = [info for info in attributes if info.name in looked_at]
    notes = [f"{info.label}: {info.note}" for info in chosen if info.note]
    notes += [
        f"{info.label} follows from what the run did: it says where a weakness shows, not which questions are hard."
        for info in chosen
        if info.outcome
    ]
    return " ".join([*([f"Only cases with {only}."] if only else []), *notes])


def _threshold(choice: ScoreChoice) -> str:
    if choice.kind == "verdict":
        st.text_input("Threshold", disabled=True, placeholder="0 or 1", key="no_threshold", help="A verdict has none.")
        return ""
    usual = "" if choice.threshold is None else f" Usual for this score: {choice.threshold:g}."
    state.number(
        "Threshold",
        "threshold",
        placeholder="mean",
        help="Empty: the mean of the scores. Else: the share of cases that reach this value." + usual,
    )
    return state.link().threshold


def _limits() -> tuple[float, float]:
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


def _bins(numbers_of: tuple[AttributeInfo, ...], looked_at: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
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


def _filters(attributes: tuple[AttributeInfo, ...], levels: Levels) -> tuple[tuple[str, str], ...]:
    labels = {info.name: info.label for info in attributes}
    active = {name: level for name, level in state.link().filters if name in labels}
    words = f"Only some cases ({numbers.count(len(active), 'filter')})" if active else "Only some cases"
    with st.popover(words, icon=":material/filter_alt:", type="tertiary"):
        for name, level in active.items():
            text_at, remove_at = st.columns([5, 3], vertical_alignment="center")
            text_at.text(f"{labels[name]} = {level}")
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
