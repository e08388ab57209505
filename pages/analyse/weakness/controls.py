"""The filters of the Weakness page: run, score, two attributes, threshold, what counts as weak, which cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.weakness import WeaknessOptions
from core.weakness.binning import Binning
from core.weakness.service.data import AttributeInfo, ScoreChoice
from pages.analyse.weakness import popovers
from pages.analyse.weakness import words as weakness_words
from pages.kit import errors, state

ROWS: Final = ("topic", "domain", "table", "tables")
COLUMNS: Final = ("question_type", "type", "form", "answer_type")
"""What a map shows while nobody has chosen, the first there is."""

MOST_LEVELS: Final = 40
"""Levels that a map shows without a word; attributes with more are not offered first."""


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
        return {name: popovers.binning(text) for name, text in self.bins}

    @property
    def options(self) -> WeaknessOptions:
        """What counts as weak."""
        return WeaknessOptions(q=self.q, min_effect=self.min_effect)


def cells() -> list[DeltaGenerator]:
    """The row of filters: places for run, score, attribute, second attribute, threshold."""
    return st.columns([1.9, 1.6, 1.8, 1.8, 1.0], vertical_alignment="bottom")


def draw(
    run_id: str,
    places: Sequence[DeltaGenerator],
    choices: Sequence[ScoreChoice],
    attributes: tuple[AttributeInfo, ...],
    levels: Callable[[Shown], popovers.Levels],
    *,
    together: Callable[[str], Mapping[str, int]],
    view: str,
) -> Shown:
    """Draws the filters beside the run's.

    Args:
        run_id: The run.
        places: From `cells`.
        choices: Scores; not empty.
        attributes: Attributes; at least one.
        levels: Reads the levels of an attribute, for what is shown but for filters.
        together: How many cases have an attribute and each of the others: a map is of cases that have both.
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
    shared = together(attribute)
    others = tuple(
        replace(info, covered=shared[info.name]) for info in attributes if info.name != attribute and shared[info.name]
    )
    offered = {info.name: _with_cases(info) for info in others}
    with places[3]:
        by = state.choose(
            "Second attribute",
            list(offered),
            "by",
            default=default_attribute(others, COLUMNS),
            name=offered.__getitem__,
            disabled=view != "map",
            help="The columns of the map, with the number of its levels; attributes that share no case with the first "
            "are left out, and those that do not share all of them say how many.",
            pinned=True,
        )
    with places[4]:
        threshold = _threshold(by_key[score])
    weak_at, some_at = st.container(horizontal=True), st.empty()
    looked_at = (attribute, by) if view == "map" else (attribute,)
    with weak_at:
        q, effect = popovers.limits()
        bins = popovers.bins(tuple(info for info in attributes if info.numeric), looked_at)
        where = popovers.filters(attributes, levels(Shown(run_id=run_id, score=score, attribute=attribute, bins=bins)))
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
    """The first wanted attribute with several levels that fit a picture, else the first that fits, else the first.

    One that half of the cases lack is wanted only where all do: a map of few cases is no view of the run.
    """
    fits = [info for info in attributes if info.useful and not info.outcome and info.levels <= MOST_LEVELS]
    widest = max((info.covered for info in fits), default=0)
    several = (
        [info.name for info in fits if info.covered >= min(info.of / 2, widest)]
        or [info.name for info in attributes if info.levels > 1]
        or [info.name for info in attributes]
    )
    return next((name for name in preferred_names if name in several), next(iter(several), ""))


def _with_cases(info: AttributeInfo) -> str:
    """A second attribute with its levels, and with the cases a map of it has where those are not all."""
    cases = f", {info.covered:,} of {info.of:,} cases" if info.covered < info.of else ""
    return f"{info.label} ({info.levels:,}{cases})"


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
