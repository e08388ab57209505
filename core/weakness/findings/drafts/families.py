"""All levels of some attributes, or all cells of some pairs, tested together with one adjustment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.domain.errors import InvalidInput
from core.domain.results.findings import Conditions, FindingKind
from core.stats import benjamini_hochberg
from core.weakness.bivariate import WeaknessMap, bivariate
from core.weakness.findings.drafts.facts import CompoundFacts, PartFacts
from core.weakness.marginal import marginal
from core.weakness.options import WeaknessOptions
from core.weakness.parts import Parts, least_effect, parts_of
from core.weakness.table import Attribute, CaseTable, Floats, Ints

MOST_LEVELS = 50
"""The largest number of levels of an attribute that is paired; with more, cells have too few cases."""
MOST_PAIRS = 45
"""The largest number of pairs examined, those of ten attributes."""
MOST_CANDIDATES = 100
"""The largest number of weak parts of a family examined further, those with the smallest p-values."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A part that is weak among all of its family.

    Attributes:
        kind: Level, cell or slice.
        conditions: What its cases have in common.
        positions: Its cases by place in the table, ascending; those without a score too.
        facts: Its figures, the p-value adjusted for the whole family.
        p_value: Before the adjustment.
        limit: Up to which p-value a part of its family is within the false discovery rate.
        compound: The mean its two attributes explain, where it is worse than that.
    """

    kind: FindingKind
    conditions: Conditions
    positions: Ints
    facts: PartFacts
    p_value: float
    limit: float
    compound: CompoundFacts | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """Parts that were tested together.

    Attributes:
        candidates: The weak ones, the smallest p-value first.
        looked_at: Attributes, or pairs of them, by name.
        tested: Parts with a p-value.
        left_out: What was not examined, and why, one sentence each.
    """

    candidates: tuple[Candidate, ...]
    looked_at: tuple[tuple[str, ...], ...]
    tested: int
    left_out: tuple[str, ...] = ()


def usable(table: CaseTable, names: Sequence[str] | None = None) -> tuple[tuple[Attribute, ...], tuple[str, ...]]:
    """The attributes that divide the cases, and why others are left out: one level, or the same parts as another."""
    candidates = [table.attribute(name) for name in names] if names is not None else list(table.attributes)
    distinct: list[Attribute] = []
    name_by_partition: dict[bytes, str] = {}
    left_out = []
    for attribute in candidates:
        parts = _canonical(attribute.codes)
        if np.unique(parts[parts >= 0]).size < 2:
            left_out.append(f"{attribute.name} has one level.")
        elif parts.tobytes() in name_by_partition:
            left_out.append(f"{attribute.name} divides the cases as {name_by_partition[parts.tobytes()]} does.")
        else:
            name_by_partition[parts.tobytes()] = attribute.name
            distinct.append(attribute)
    return tuple(distinct), tuple(left_out)


def levels(table: CaseTable, names: Sequence[str], options: WeaknessOptions) -> Family:
    """Every level of every attribute named, adjusted together."""
    marginals = [(marginal(table, name, options).levels, table.attribute(name)) for name in names]
    family_name = f"levels of {_count_text(len(marginals), 'attribute')}"
    adjusted, limit = adjusted_together([parts for parts, _ in marginals], options)
    candidates: list[Candidate] = []
    for (parts, attribute), p_adjusted in zip(marginals, adjusted, strict=True):
        candidates += [
            Candidate(
                kind=FindingKind.LEVEL,
                conditions=((attribute.name, attribute.levels[place]),),
                positions=np.flatnonzero(attribute.codes == place),
                facts=_facts(parts, place, p_adjusted, adjusted, family_name),
                p_value=float(parts.p_value[place]),
                limit=limit,
            )
            for place in _weak(table, parts, p_adjusted, options)
        ]
    looked_at = tuple((attribute.name,) for _, attribute in marginals)
    return _family(candidates, looked_at, adjusted)


def cells(
    table: CaseTable, pairs: Sequence[tuple[str, str]], options: WeaknessOptions, left_out: Sequence[str] = ()
) -> Family:
    """Every cell of every pair of attributes, adjusted together."""
    parts_of_pairs = [_cells(table, rows, columns, options) for rows, columns in pairs]
    family_name = f"cells of {_count_text(len(parts_of_pairs), 'pair')} of attributes"
    adjusted, limit = adjusted_together(parts_of_pairs, options)
    candidates: list[Candidate] = []
    for (rows, columns), parts, p_adjusted in zip(pairs, parts_of_pairs, adjusted, strict=True):
        weak = _weak(table, parts, p_adjusted, options)
        if not weak:
            continue
        # Only here the whole map is needed, with its margins and what they explain.
        weakness_map = bivariate(table, rows, columns, options)
        candidates += [
            Candidate(
                kind=FindingKind.CELL,
                conditions=(
                    (weakness_map.rows.name, weakness_map.rows.levels[int(weakness_map.row[place])]),
                    (weakness_map.columns.name, weakness_map.columns.levels[int(weakness_map.column[place])]),
                ),
                positions=np.flatnonzero(weakness_map.codes == place),
                facts=_facts(weakness_map.cells, place, p_adjusted, adjusted, family_name),
                p_value=float(weakness_map.cells.p_value[place]),
                limit=limit,
                compound=_compound(weakness_map, place),
            )
            for place in weak
        ]
    return _family(candidates, tuple(pairs), adjusted, tuple(left_out))


def pairs_of(attributes: Sequence[Attribute]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The pairs to examine, in the order of the attributes, and why others are left out.

    Left out are attributes with more than 50 levels, pairs of which one determines the other (their cells are the
    levels of the finer one), and pairs beyond the first 45.
    """
    few = [attribute for attribute in attributes if len(attribute.levels) <= MOST_LEVELS]
    left_out = [
        f"{attribute.name} has {len(attribute.levels):,} levels, too many to be paired."
        for attribute in attributes
        if len(attribute.levels) > MOST_LEVELS
    ]
    pair_names = [(first.name, second.name) for first, second in combinations(few, 2) if not _nested(first, second)]
    if len(pair_names) > MOST_PAIRS:
        left_out.append(
            f"{len(pair_names) - MOST_PAIRS:,} of {len(pair_names):,} pairs were left out; name the pairs to examine."
        )
    return tuple(pair_names[:MOST_PAIRS]), tuple(left_out)


def _cells(table: CaseTable, rows: str, columns: str, options: WeaknessOptions) -> Parts:
    """The figures of the cells of a map, as :func:`core.weakness.bivariate.bivariate` has them, and nothing else."""
    if rows == columns:
        raise InvalidInput(f"Both attributes are {rows}.", "Choose two different ones.")
    pairs = _pairs(table.attribute(rows), table.attribute(columns))
    occupied = np.bincount(pairs[pairs >= 0]) > 0
    place = np.append(np.cumsum(occupied) - 1, -1)  # the last one is that of no cell
    return parts_of(table.score, place[pairs], table.clusters, int(occupied.sum()), options)[0]


def _nested(first: Attribute, second: Attribute) -> bool:
    pairs = _pairs(first, second)
    inside = pairs >= 0
    finer = max(_different(first.codes[inside]), _different(second.codes[inside]))
    return _different(pairs[inside]) <= finer


def _pairs(first: Attribute, second: Attribute) -> Ints:
    """The pair of levels of each case by number, -1 where it lacks one of them."""
    inside = (first.codes >= 0) & (second.codes >= 0)
    return np.where(inside, first.codes * max(len(second.levels), 1) + second.codes, -1)


def _different(codes: Ints) -> int:
    return int((np.bincount(codes) > 0).sum())


def _canonical(codes: Ints) -> Ints:
    """The codes numbered in the order in which they come first, -1 for none: equal for equal parts."""
    distinct, first_places, places = np.unique(codes, return_index=True, return_inverse=True)
    none = distinct < 0
    rank = np.empty(distinct.size, dtype=np.int64)
    rank[np.argsort(np.where(none, -1, first_places), kind="stable")] = np.arange(distinct.size)
    return np.asarray(rank[places] - int(none.sum()), dtype=np.int64)


def adjusted_together(parts: Sequence[Parts], options: WeaknessOptions) -> tuple[list[Floats], float]:
    """The adjusted p-values of each, and up to which p-value they are within the false discovery rate."""
    if not parts:
        return [], 0.0
    p_values = np.concatenate([part.p_value for part in parts])
    pooled = benjamini_hochberg(p_values)
    with np.errstate(invalid="ignore"):
        within = int((pooled <= options.q).sum())
    ends = np.cumsum([part.p_value.size for part in parts])[:-1]
    return list(np.split(pooled, ends)), options.q * within / max(int((~np.isnan(p_values)).sum()), 1)


def _weak(table: CaseTable, parts: Parts, p_adjusted: Floats, options: WeaknessOptions) -> list[int]:
    with np.errstate(invalid="ignore"):
        weak = (p_adjusted <= options.q) & (parts.effect >= least_effect(table.score, options) - 1e-12)
    places = np.flatnonzero(weak)
    return [int(place) for place in places[np.argsort(parts.p_value[places], kind="stable")][:MOST_CANDIDATES]]


def _facts(parts: Parts, place: int, p_adjusted: Floats, family: Sequence[Floats], among: str) -> PartFacts:
    low, high = float(parts.low[place]), float(parts.high[place])
    return PartFacts(
        n=int(parts.n[place]),
        scored=int(parts.scored[place]),
        clusters=int(parts.clusters[place]),
        mean=float(parts.mean[place]),
        low=None if np.isnan(low) else low,
        high=None if np.isnan(high) else high,
        rest=float(parts.rest[place]),
        rest_scored=int(parts.scored.sum() - parts.scored[place]),
        effect=float(parts.effect[place]),
        p_adjusted=float(p_adjusted[place]),
        tested=_tested(family),
        among=among,
    )


def _compound(weakness_map: WeaknessMap, place: int) -> CompoundFacts | None:
    if not weakness_map.compound[place]:
        return None
    return CompoundFacts(
        explained=float(weakness_map.explained[place]), p_adjusted=float(weakness_map.p_compound[place])
    )


def _family(
    candidates: list[Candidate],
    looked_at: tuple[tuple[str, ...], ...],
    adjusted: Sequence[Floats],
    left_out: tuple[str, ...] = (),
) -> Family:
    candidates.sort(key=lambda candidate: (candidate.p_value, -candidate.facts.effect, candidate.conditions))
    return Family(
        candidates=tuple(candidates[:MOST_CANDIDATES]),
        looked_at=looked_at,
        tested=_tested(adjusted),
        left_out=left_out,
    )


def _tested(family: Sequence[Floats]) -> int:
    return int(sum((~np.isnan(p_values)).sum() for p_values in family))


def _count_text(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
