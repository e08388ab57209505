"""The results of the command weakness as JSON documents and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.domain.errors import InsufficientData, InvalidInput
from core.stats import clustered_mean
from core.weakness import CaseTable, Marginal, Parts, WeaknessMap, WeaknessOptions, bivariate, marginal
from core.weakness.findings.drafts.drafting import Draft
from core.weakness.findings.drafts.families import adjusted_together, usable
from core.weakness.findings.exports import FIGURES as EXPORTED
from core.weakness.parts import least_effect
from core.weakness.slices.report import SliceReport
from core.weakness.table import Bools, Floats

Document = dict[str, object]

FIGURES = ("n", "scored", "clusters", "mean", "low", "high", "rest", "effect", "p_value", "p_adjusted", "weak")
"""Of each level and each cell."""
OF_CELLS = ("explained", "shrunken", "compound", "p_compound")


def overall(table: CaseTable) -> Document:
    """The mean of all scored cases with its interval; no value where there is none."""
    there = table.scored
    values, score = table.score.values[there], table.score
    counts: Document = {"scored": int(there.sum()), "of": len(table)}
    try:
        estimate = clustered_mean(values, table.clusters[there], low=score.low, high=score.high)
    except InsufficientData:
        mean = float(values.mean()) if values.size else None
        return {"value": mean, "low": None, "high": None, "n": int(values.size), "method": "", **counts}
    return {**estimate.as_json(), **counts}


def one_attribute(table: CaseTable, name: str, options: WeaknessOptions) -> Document:
    """The levels of an attribute, the worst mean first."""
    margin = marginal(table, name, options)
    cells = _levels(margin, margin.levels.p_adjusted, margin.levels.weak)
    return {
        "by": [name],
        "cells": cells,
        "weak_cells": _weak(cells),
        "tested": margin.tested,
        "outside": margin.outside,
    }


def two_attributes(table: CaseTable, names: Sequence[str], options: WeaknessOptions) -> Document:
    """The cells of a map, the worst mean first, and its margins."""
    grid = bivariate(table, names[0], names[1], options)
    order = _worst_first(table, grid.cells)
    cells = [_cell(grid, place) for place in order if grid.cells.n[place]]
    margins = {
        attribute.name: [
            {"level": attribute.levels[place], **figures(parts, place)}
            for place in _worst_first(table, parts)
            if parts.n[place]
        ]
        for attribute, parts in ((grid.rows, grid.by_row), (grid.columns, grid.by_column))
    }
    tested = int((~np.isnan(grid.cells.p_value)).sum())
    empty = len(grid.rows.levels) * len(grid.columns.levels) - len(cells)
    return {
        "by": list(names),
        "cells": cells,
        "weak_cells": _weak(cells),
        "tested": tested,
        "empty": empty,
        "outside": grid.outside,
        "margins": margins,
    }


def all_attributes(
    table: CaseTable, names: Sequence[str], options: WeaknessOptions, labels: Mapping[str, str]
) -> Document:
    """Every level of every attribute, adjusted together; the attribute with the worst level first."""
    chosen, left_out = usable(table, names)
    margins = [marginal(table, attribute.name, options) for attribute in chosen]
    adjusted, _ = adjusted_together([margin.levels for margin in margins], options)
    least = least_effect(table.score, options) - 1e-12
    rows: list[Document] = []
    cells: list[Document] = []
    for margin, p_adjusted in zip(margins, adjusted, strict=True):
        name = margin.attribute.name
        with np.errstate(invalid="ignore"):
            weak = (p_adjusted <= options.q) & (margin.levels.effect >= least)
        levels = [{"attribute": name, **row} for row in _levels(margin, p_adjusted, weak, key="level")]
        worst = max(levels, key=_telling, default=None)
        counts = {"levels": len(levels), "tested": margin.tested, "weak": _weak(levels), "outside": margin.outside}
        rows.append({"attribute": name, "label": labels.get(name, name), **counts, "worst": worst})
        cells += levels
    rows.sort(key=lambda row: tuple(-part for part in _telling(row["worst"])))
    cells.sort(key=lambda row: tuple(-part for part in _telling(row)))
    return {
        "attributes": rows,
        "cells": cells,
        "weak_cells": _weak(cells),
        "tested": sum(margin.tested for margin in margins),
        "left_out": list(left_out),
    }


def slices_document(report: SliceReport) -> Document:
    """What the slice search found: figures are of the half that was held out."""
    return {
        "tried": report.tried,
        "carried": report.carried,
        "discovery": report.discovery,
        "held_out": report.held_out,
        "unscored": report.unscored,
        "reason": report.reason,
        "slices": [
            {
                "conditions": [list(pair) for pair in item.conditions],
                "n": item.n,
                "scored": item.scored,
                "clusters": item.clusters,
                "mean": item.mean.as_json(),
                "rest": item.rest.as_json(),
                "effect": item.effect.as_json(),
                "p_value": item.p_value,
                "p_adjusted": item.p_adjusted,
                "weak": item.weak,
                "found_effect": item.found_effect,
                "found_n": item.found_n,
                "explained_by": [list(pair) for pair in item.explained_by],
            }
            for item in report.slices
        ],
    }


def drafts_document(table: CaseTable, drafts: Sequence[Draft]) -> list[Document]:
    """Findings that are not stored."""
    return [
        {
            "kind": draft.kind.value,
            "conditions": [list(pair) for pair in draft.conditions],
            "severity": draft.severity.value,
            "text": draft.text,
            "figures": dict(draft.figures),
            "case_ids": [table.case_ids[place] for place in draft.positions.tolist()],
        }
        for draft in drafts
    ]


def draft_rows(table: CaseTable, drafts: Sequence[Draft]) -> list[Document]:
    """The same as rows of a table."""
    return [
        {
            "kind": draft.kind.value,
            "conditions": "; ".join(f"{name} = {level}" for name, level in draft.conditions),
            "severity": draft.severity.value,
            "text": draft.text,
            **{name: draft.figures.get(name) for name in EXPORTED},
            "cases": " ".join(table.case_ids[place] for place in draft.positions.tolist()),
        }
        for draft in drafts
    ]


def figures(parts: Parts, place: int, p_adjusted: Floats | None = None, weak: Bools | None = None) -> Document:
    """The figures of one part; None where there is no such figure."""
    values = {name: _plain(getattr(parts, name)[place]) for name in FIGURES}
    if p_adjusted is not None and weak is not None:
        values |= {"p_adjusted": _plain(p_adjusted[place]), "weak": bool(weak[place])}
    return values


def refuse_twins(names: Sequence[str]) -> None:
    """Refuses the same attribute twice, and more than two.

    Raises:
        InvalidInput: The names cannot be the two sides of a map.
    """
    if len(names) > 2:
        raise InvalidInput(f"{len(names)} attributes are given.", "Give one, or two for a map; see --slices for three.")
    if len(set(names)) < len(names):
        raise InvalidInput(f"Both attributes are {names[0]}.", "Choose two different ones.")


def _levels(by_level: Marginal, p_adjusted: Floats, weak: Bools, *, key: str = "") -> list[Document]:
    attribute = by_level.attribute
    return [
        {
            key or attribute.name: attribute.levels[place],
            "levels": [attribute.levels[place]],
            **figures(by_level.levels, place, p_adjusted, weak),
        }
        for place in by_level.worst_first.tolist()
        if by_level.levels.n[place]
    ]


def _cell(weakness_map: WeaknessMap, place: int) -> Document:
    levels = [
        weakness_map.rows.levels[int(weakness_map.row[place])],
        weakness_map.columns.levels[int(weakness_map.column[place])],
    ]
    attributes: Document = dict(zip((weakness_map.rows.name, weakness_map.columns.name), levels, strict=True))
    more = {name: _plain(getattr(weakness_map, name)[place]) for name in OF_CELLS}
    return {**attributes, "levels": levels, **figures(weakness_map.cells, place), **more}


def _worst_first(table: CaseTable, parts: Parts) -> list[int]:
    worth = np.where(np.isnan(parts.mean), np.inf, table.score.sign * parts.mean)
    return [int(place) for place in np.lexsort((-parts.scored, worth))]


def _telling(row: object) -> tuple[float, float]:
    """What sorts the most telling levels first: weak ones, then by effect."""
    if not isinstance(row, Mapping):
        return 0.0, -np.inf
    effect = row["effect"]
    return float(bool(row["weak"])), float(effect) if isinstance(effect, float) else -np.inf


def _weak(cells: Sequence[Mapping[str, object]]) -> int:
    return sum(bool(cell["weak"]) for cell in cells)


def _plain(value: np.generic) -> object:
    plain = value.item()
    return None if isinstance(plain, float) and np.isnan(plain) else plain
