"""Cached reads of the Weakness page: what there is to choose from, the cases in view, one attribute, two attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.domain.cases import TestCase
from core.domain.errors import NotFound
from core.domain.responses import Response
from core.evaluation.weakness_data import (
    AttributeInfo,
    RunAttributes,
    ScoreChoice,
    attributes_key,
    described,
    run_attributes,
    score_choices,
    table_of,
)
from core.stats import GroupedMeans, grouped_means
from core.store import runs, testsets
from core.store.database import Store
from core.weakness import CaseTable, Marginal, WeaknessMap, bivariate, marginal
from core.weakness.table import Ints
from pages.ui import readers
from pages.ui.weakness_controls import Shown


def choices(store: Store, run_id: str) -> tuple[ScoreChoice, ...]:
    """The scores weakness can be looked for in, those no case has left out."""
    return readers.cached(store, "weakness_scores", lambda: score_choices(store, run_id), run_id)  # type: ignore[return-value]


def choice(store: Store, run_id: str, key: str) -> ScoreChoice:
    """The score with this key.

    Raises:
        NotFound: The run has none.
    """
    for found in choices(store, run_id):
        if found.key == key:
            return found
    raise NotFound(f"The run has no score {key}.", "Choose one of its scores.")


def attributes(store: Store, run_id: str) -> tuple[AttributeInfo, ...]:
    """What the cases of a run can be told apart by."""
    return readers.cached(store, "weakness_infos", lambda: described(_attributes(store, run_id)), run_id)  # type: ignore[return-value]


def _attributes(store: Store, run_id: str) -> RunAttributes:
    """The cases of a run as they are told apart, read once for all its scores; only what changes them reads again."""

    def read() -> RunAttributes:
        return run_attributes(store, run_id)

    return readers.kept(store, "weakness_run", read, run_id, *attributes_key(store, run_id))  # type: ignore[return-value]


def levels(store: Store, run_id: str, shown: Shown, attribute: str) -> tuple[tuple[str, int], ...]:
    """The levels of an attribute with their cases, largest first."""

    def read() -> tuple[tuple[str, int], ...]:
        found = values(store, run_id, shown).attribute(attribute)
        counts = np.bincount(found.codes[found.codes >= 0], minlength=len(found.levels))
        return tuple((found.levels[at], int(counts[at])) for at in np.argsort(-counts, kind="stable").tolist())

    return readers.cached(store, "weakness_level_counts", read, shown, attribute)  # type: ignore[return-value]


def values(store: Store, run_id: str, shown: Shown) -> CaseTable:
    """The cases the filters leave with their scores as they are; filters move no bin of a number."""

    def read() -> CaseTable:
        return table_of(store, _attributes(store, run_id), shown.score, bins=shown.binning)

    table: CaseTable = readers.cached(store, "weakness_cases", read, run_id, shown.score, shown.bins)  # type: ignore[assignment]
    for name, level in shown.where:
        table = _with_level(table, name, level)
    return table


def table(store: Store, run_id: str, shown: Shown) -> CaseTable:
    """The cases the filters leave; with a threshold each score is 1 for reaching it and 0 for not."""
    found = values(store, run_id, shown)
    return replace(found, score=found.score.passes(float(shown.threshold))) if shown.threshold else found


def two(store: Store, run_id: str, shown: Shown) -> WeaknessMap:
    """The map of two attributes.

    Raises:
        InvalidInput: An attribute is not there.
    """

    def read() -> WeaknessMap:
        return bivariate(table(store, run_id, shown), shown.attribute, shown.by, shown.options)

    return readers.cached(store, "weakness_map", read, shown)  # type: ignore[return-value]


def one(store: Store, run_id: str, shown: Shown) -> Marginal:
    """The levels of one attribute.

    Raises:
        InvalidInput: The attribute is not there.
    """
    shown = replace(shown, by="")

    def read() -> Marginal:
        return marginal(table(store, run_id, shown), shown.attribute, shown.options)

    return readers.cached(store, "weakness_levels", read, shown)  # type: ignore[return-value]


def overall(cases: CaseTable) -> GroupedMeans:
    """The mean of all scored cases, as the one group of arrays of length 1."""
    there = cases.scored
    found = cases.score.values[there]
    low, high = cases.score.low, cases.score.high
    return grouped_means(found, np.zeros(found.size, np.int64), cases.clusters[there], 1, low=low, high=high)


def inside(cases: CaseTable, levels: Sequence[tuple[str, str]]) -> Ints:
    """Positions of the cases with these levels of these attributes, worst score first, those without one last."""
    found = np.ones(len(cases), dtype=bool)
    for name, level in levels:
        attribute = cases.attribute(name)
        found &= attribute.codes == (attribute.levels.index(level) if level in attribute.levels else -2)
    places = np.flatnonzero(found)
    return places[np.argsort(cases.score.sign * cases.score.values[places], kind="stable")].astype(np.int64)


def texts(store: Store, run_id: str, case_ids: tuple[str, ...]) -> list[tuple[TestCase, Response | None]]:
    """A screen of cases with their answers, in the given order."""

    def read() -> list[tuple[TestCase, Response | None]]:
        with store.read() as connection:
            test_set_id = runs.get(connection, run_id).test_set_id
            answers = runs.responses(connection, run_id, case_ids)
            return [(testsets.case(connection, test_set_id, name), answers.get(name)) for name in case_ids]

    return readers.cached(store, "weakness_texts", read, run_id, case_ids)  # type: ignore[return-value]


def _with_level(cases: CaseTable, name: str, level: str) -> CaseTable:
    known = next((attribute for attribute in cases.attributes if attribute.name == name), None)
    at = known.levels.index(level) if known is not None and level in known.levels else None
    keep = np.flatnonzero(known.codes == at) if known is not None and at is not None else np.empty(0, np.int64)
    return CaseTable(
        case_ids=tuple(map(cases.case_ids.__getitem__, keep.tolist())),
        clusters=cases.clusters[keep],
        score=replace(cases.score, values=cases.score.values[keep]),
        attributes=tuple(replace(attribute, codes=attribute.codes[keep]) for attribute in cases.attributes),
    )
