"""Cached reads of the Weakness page: what there is to choose from, the cases in view, one attribute, two attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.domain.errors import NotFound
from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.stats import GroupedMeans, grouped_means
from core.store.database import Store
from core.store.results import runs
from core.store.testset import testsets
from core.store.writing.versions import Kind
from core.weakness import CaseTable, Marginal, WeaknessMap, bivariate, marginal
from core.weakness.service import scores
from core.weakness.service.data import (
    AttributeInfo,
    RunAttributes,
    ScoreChoice,
    attributes_key,
    cases_together,
    described,
    run_attributes,
    score_choices,
    table_of,
)
from core.weakness.table import Ints
from pages.analyse.weakness.controls import Shown
from pages.kit import cache

KINDS: Final[tuple[Kind, ...]] = ("runs", "answers", "scores", "test_sets", "topics", "sources", "evidence")
"""What is read to tell the cases of a run apart and to score them."""


@cache.read(*KINDS, "labels", "calibrations")
def choices(store: Store, run_id: str) -> tuple[ScoreChoice, ...]:
    """The scores weakness can be looked for in, those no case has left out."""
    return score_choices(store, run_id)


def choice(store: Store, run_id: str, key: str) -> ScoreChoice:
    """The score with this key.

    Raises:
        NotFound: The run has none.
    """
    for score_choice in choices(store, run_id):
        if score_choice.key == key:
            return score_choice
    raise NotFound(f"The run has no score {key}.", "Choose one of its scores.")


@cache.read("calibrations")
def metrics_behind(store: Store, key: str) -> tuple[str, ...]:
    """The metrics a score rests on."""
    return scores.metrics_behind(store, key)


@cache.read(*KINDS)
def attributes(store: Store, run_id: str) -> tuple[AttributeInfo, ...]:
    """What the cases of a run can be told apart by."""
    return described(_attributes(store, run_id))


@cache.read(*KINDS)
def together(store: Store, run_id: str, attribute: str) -> dict[str, int]:
    """How many cases of a run have an attribute and each of the others, by name of the other."""
    return cases_together(_attributes(store, run_id), attribute)


def _attributes(store: Store, run_id: str) -> RunAttributes:
    """The cases of a run as they are told apart, read once for all its scores; only what changes them reads again."""
    return _kept_attributes(store, run_id, attributes_key(store, run_id))


@cache.constant(max_entries=16)
def _kept_attributes(store: Store, run_id: str, key: tuple[object, ...]) -> RunAttributes:
    return run_attributes(store, run_id)


@cache.read(*KINDS)
def levels(store: Store, run_id: str, shown: Shown, attribute: str) -> tuple[tuple[str, int], ...]:
    """The levels of an attribute with their cases, largest first."""
    column = values(store, run_id, shown).attribute(attribute)
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.levels))
    return tuple((column.levels[at], int(counts[at])) for at in np.argsort(-counts, kind="stable").tolist())


def values(store: Store, run_id: str, shown: Shown) -> CaseTable:
    """The cases the filters leave with their scores as they are; filters move no bin of a number."""
    table = _cases(store, run_id, shown.score, shown.bins, shown)
    for name, level in shown.where:
        table = _with_level(table, name, level)
    return table


@cache.read(*KINDS)
def _cases(store: Store, run_id: str, score: str, bins: tuple[tuple[str, str], ...], _shown: Shown) -> CaseTable:
    return table_of(store, _attributes(store, run_id), score, bins=_shown.binning)


def table(store: Store, run_id: str, shown: Shown) -> CaseTable:
    """The cases the filters leave; with a threshold each score is 1 for reaching it and 0 for not."""
    case_table = values(store, run_id, shown)
    return replace(case_table, score=case_table.score.passes(float(shown.threshold))) if shown.threshold else case_table


@cache.read(*KINDS)
def weakness_map(store: Store, run_id: str, shown: Shown) -> WeaknessMap:
    """The map of two attributes.

    Raises:
        InvalidInput: An attribute is not there.
    """
    return bivariate(table(store, run_id, shown), shown.attribute, shown.by, shown.options)


def marginal_levels(store: Store, run_id: str, shown: Shown) -> Marginal:
    """The levels of one attribute.

    Raises:
        InvalidInput: The attribute is not there.
    """
    return _marginal_levels(store, run_id, replace(shown, by=""))


@cache.read(*KINDS)
def _marginal_levels(store: Store, run_id: str, shown: Shown) -> Marginal:
    return marginal(table(store, run_id, shown), shown.attribute, shown.options)


def overall(cases: CaseTable) -> GroupedMeans:
    """The mean of all scored cases, as the one group of arrays of length 1."""
    there = cases.scored
    scores = cases.score.values[there]
    low, high = cases.score.low, cases.score.high
    return grouped_means(scores, np.zeros(scores.size, np.int64), cases.clusters[there], 1, low=low, high=high)


def inside(cases: CaseTable, levels: Sequence[tuple[str, str]]) -> Ints:
    """Positions of the cases with these levels of these attributes, worst score first, those without one last."""
    mask = np.ones(len(cases), dtype=bool)
    for name, level in levels:
        attribute = cases.attribute(name)
        mask &= attribute.codes == (attribute.levels.index(level) if level in attribute.levels else -2)
    places = np.flatnonzero(mask)
    return places[np.argsort(cases.score.sign * cases.score.values[places], kind="stable")].astype(np.int64)


@cache.read("runs", "answers", "test_sets")
def texts(store: Store, run_id: str, case_ids: tuple[str, ...]) -> list[tuple[TestCase, Response | None]]:
    """A screen of cases with their answers, in the given order."""
    with store.read() as connection:
        test_set_id = runs.get(connection, run_id).test_set_id
        answers = runs.responses(connection, run_id, case_ids)
        return [(testsets.case(connection, test_set_id, name), answers.get(name)) for name in case_ids]


def _with_level(cases: CaseTable, name: str, level: str) -> CaseTable:
    column = next((attribute for attribute in cases.attributes if attribute.name == name), None)
    at = column.levels.index(level) if column is not None and level in column.levels else None
    keep = np.flatnonzero(column.codes == at) if column is not None and at is not None else np.empty(0, np.int64)
    return CaseTable(
        case_ids=tuple(map(cases.case_ids.__getitem__, keep.tolist())),
        clusters=cases.clusters[keep],
        score=replace(cases.score, values=cases.score.values[keep]),
        attributes=tuple(replace(attribute, codes=attribute.codes[keep]) for attribute in cases.attributes),
    )
