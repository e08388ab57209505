"""The filters of the Weakness page: run, score, two attributes, threshold, what counts as weak, which cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluation.weakness_data import AttributeInfo, ScoreChoice
from core.weakness import WeaknessOptions
from pages.ui import errors, numbers, state, weakness_words

ROWS: Final = ("topic", "domain", "table", "tables")
COLUMNS: Final = ("question_type", "type", "answer_type", "form")
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
    """

    run_id: str
    score: str
    attribute: str
    by: str = ""
    threshold: str = ""
    q: float = 0.10
    min_effect: float = 0.10
    where: tuple[tuple[str, str], ...] = ()

    @property
    def filters(self) -> dict[str, str]:
        """The level that cases must have, by attribute."""
        return dict(self.where)

    @property
    def options(self) -> WeaknessOptions:
        """What counts as weak."""
        return WeaknessOptions(q=self.q, min_effect=self.min_effect)


def cells() -> list[DeltaGenerator]:
    """The row of filters: places for run, score, attribute, second attribute, threshold."""
    return st.columns([2.2, 1.7, 1.6, 1.6, 1.1], vertical_alignment="bottom")


def draw(
    run_id: str,
    places: Sequence[DeltaGenerator],
    choices: Sequence[ScoreChoice],
    known: tuple[AttributeInfo, ...],
    levels: Callable[[str], Levels],
    *,
    view: str,
) -> Shown:
    """Draws the filters beside the run's.

    Args:
        run_id: The run.
        places: From `cells`.
        choices: Scores; not empty.
        known: Attributes; at least one.
        levels: Reads the levels of an attribute, for a score.
        view: Which part of the page is open: the second attribute is asked for where a map is drawn.
    """
    by_key = {choice.key: choice for choice in choices}
    first = next((choice.key for choice in choices if choice.n), choices[0].key)
    with places[1]:
        score = state.choose(
            "Score", list(by_key), "score", default=first,
            name=lambda key: f"{by_key[key].label}{'' if by_key[key].n else ' (no case scored)'}",
            help="What a case is measured by. n scored of N stands with every figure.",
        )  # fmt: skip
    labels = {info.name: f"{info.label} ({info.levels:,})" for info in known}
    with places[2]:
        row = default_attribute(known, ROWS)
        attribute = state.choose(
            "Attribute", list(labels), "attribute", default=row, name=labels.__getitem__,
            help="What cases are told apart by, with the number of its levels; the rows of the map.",
        )  # fmt: skip
    others = tuple(info for info in known if info.name != attribute)
    with places[3]:
        by = state.choose(
            "Second attribute", [info.name for info in others], "by", default=default_attribute(others, COLUMNS),
            name=labels.__getitem__, disabled=view != "map", help="The columns of the map.",
        )  # fmt: skip
    with places[4]:
        threshold = _threshold(by_key[score])
    weak_at, some_at = st.container(horizontal=True), st.empty()
    with weak_at:
        q, effect = _limits()
        where = _filters(known, levels(score))
    if where:
        said = " and ".join(f"{weakness_words.label(known, name)} = {level}" for name, level in where)
        some_at.caption(f"Only cases with {errors.plain(said)}")
    return Shown(
        run_id=run_id, score=score, attribute=attribute, by=by, threshold=threshold, q=q, min_effect=effect,
        where=where,
    )  # fmt: skip


def default_attribute(known: Sequence[AttributeInfo], wanted: Sequence[str]) -> str:
    """The first wanted attribute with several levels that fit a picture, else the first that fits, else the first."""
    several = (
        [info.name for info in known if info.useful and info.levels <= MOST_LEVELS]
        or [info.name for info in known if info.levels > 1]
        or [info.name for info in known]
    )
    return next((name for name in wanted if name in several), next(iter(several), ""))


def _threshold(choice: ScoreChoice) -> str:
    if choice.kind == "verdict":
        st.text_input("Threshold", disabled=True, placeholder="0 or 1", key="no_threshold", help="A verdict has none.")
        return ""
    usual = "" if choice.threshold is None else f" Usual for this score: {choice.threshold:g}."
    state.number(
        "Threshold", "threshold", placeholder="mean",
        help="Empty: the mean of the scores. Else: the share of cases that reach this value." + usual,
    )  # fmt: skip
    return state.link().threshold


def _limits() -> tuple[float, float]:
    with st.popover("What counts as weak", icon=":material/tune:", type="tertiary"):
        st.caption(
            "A part of the cases is weak when a test shows that it is worse than all other cases, and when it is worse "
            "by at least the least effect. Semantic groups are counted, not cases: wordings of one fact stand or fall "
            "together. Fewer than 5 groups are not tested."
        )
        q = state.slide(
            "False discovery rate", "q", low=0.01, high=0.5, step=0.01, default=0.10,
            help="Share of false alarms among what is called weak that you accept on average (Benjamini and "
            "Hochberg 1995). docs/weakness.md has the test.",
        )  # fmt: skip
        effect = state.slide(
            "Least effect", "effect", low=0.0, high=0.5, step=0.01, default=0.10,
            help="How much worse than the rest, in units of the range of the score; of its standard deviation where "
            "it has no bounds.",
        )  # fmt: skip
    return q, effect


def _filters(known: tuple[AttributeInfo, ...], levels: Levels) -> tuple[tuple[str, str], ...]:
    labels = {info.name: info.label for info in known}
    active = {name: level for name, level in state.link().filters if name in labels}
    words = f"Only some cases ({numbers.count(len(active), 'filter')})" if active else "Only some cases"
    with st.popover(words, icon=":material/filter_alt:", type="tertiary"):
        for name, level in active.items():
            said, remove = st.columns([4, 1], vertical_alignment="center")
            said.text(f"{labels[name]} = {level}")
            if remove.button("Remove", key=f"remove_filter_{name}", type="tertiary"):
                state.filter_by({other: kept for other, kept in active.items() if other != name})
                st.rerun()
        if len(active) >= state.MOST_FILTERS:
            st.caption(f"At most {state.MOST_FILTERS} filters.")
            return tuple(active.items())
        name = st.selectbox("Attribute", list(labels), key="filter_attribute", format_func=labels.__getitem__)
        found = dict(levels(name)[:LISTED])
        level = st.selectbox(
            "Level", list(found), key=f"filter_level_{name}", index=None, placeholder="Choose a level",
            format_func=lambda level: f"{level} ({found[level]:,})",
        )  # fmt: skip
        if st.button("Show only these", key="add_filter", disabled=level is None):
            state.filter_by({**active, name: str(level)})
            st.rerun()
    return tuple(active.items())
