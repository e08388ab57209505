"""Of parts that are weak together, the few that explain the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.domain.results.findings import FindingKind
from core.weakness.blocks import blocks_of
from core.weakness.findings.drafts.families import Candidate
from core.weakness.options import WeaknessOptions
from core.weakness.parts import least_effect
from core.weakness.table import Bools, CaseTable, Ints
from core.weakness.testing import lower_tails

_SIMPLEST = (FindingKind.LEVEL, FindingKind.CELL, FindingKind.SLICE)
NAMES = 0.5
"""The share of a cell or slice from which on a weak level inside it names it: one condition in place of several."""


def one_for_each_set(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of candidates with the same cases the simplest: a level before a cell before a slice, with fewest conditions."""
    by_cases: dict[bytes, Candidate] = {}
    for candidate in sorted(
        candidates, key=lambda candidate: (_SIMPLEST.index(candidate.kind), len(candidate.conditions))
    ):
        by_cases.setdefault(candidate.positions.tobytes(), candidate)
    return list(by_cases.values())


def not_explained(table: CaseTable, candidates: Sequence[Candidate], options: WeaknessOptions) -> list[Candidate]:
    """Leaves out the candidates that others explain.

    A weak cell makes its row, its column and every slice inside it look weak; a weak row does the same to its cells. A
    candidate is kept if it is still weak without the cases of the others; or if it lies inside another and is worse
    than the remaining cases of that one, or inside several and is worse than the sum of their effects; a cell must be
    compound as well, adjusted for all cells of its map. A level that makes up half of a cell or slice around it is not
    explained by that: what fails has a simpler name, and the cell or slice must be weak without it. Candidates are
    considered by p-value, the smallest first; then each kept one is considered again beside all others, the largest
    p-value first.

    Args:
        table: The cases.
        candidates: Weak parts.
        options: What counts as weak.

    Returns:
        Those that are kept, the smallest p-value first.
    """
    order = sorted(
        one_for_each_set(candidates), key=lambda candidate: (candidate.p_value, _SIMPLEST.index(candidate.kind))
    )
    insides = {id(candidate): _mask(len(table), candidate.positions) for candidate in order}
    selected: list[Candidate] = []
    for candidate in order:
        if _stands(table, candidate, selected, insides, options):
            selected.append(candidate)
    for candidate in selected[::-1]:
        remaining = [other for other in selected if other is not candidate]
        if not _stands(table, candidate, remaining, insides, options):
            selected = remaining
    return selected


def stands_beside(
    table: CaseTable, positions: Ints, others: Sequence[Ints], options: WeaknessOptions, *, limit: float = 0.05
) -> bool:
    """Whether cases that another search found weak are still weak beside the existing findings.

    They are if they are weak without the cases of the others, or lie inside others and are worse than these explain.

    Args:
        table: The cases.
        positions: The cases in question by place in the table.
        others: The cases of each existing finding.
        options: What counts as weak.
        limit: Level of the test.
    """
    inside, known_sets = _mask(len(table), positions), [_mask(len(table), finding_cases) for finding_cases in others]
    if not known_sets:
        return True
    union = np.logical_or.reduce(known_sets)
    if _worse(table, inside & ~union, ~inside & ~union, options, limit):
        return True
    around = [finding_cases for finding_cases in known_sets if not (inside & ~finding_cases).any()]
    return bool(around) and _worse_inside(table, inside, around, options, limit)


def _stands(
    table: CaseTable,
    candidate: Candidate,
    others: Sequence[Candidate],
    insides: dict[int, Bools],
    options: WeaknessOptions,
) -> bool:
    """Whether a part is weak beside what others explain."""
    inside = insides[id(candidate)]
    named = [insides[id(other)] for other in others if _names(other, candidate, insides)]
    if not all(_worse(table, inside & ~part, ~inside, options, candidate.limit) for part in named):
        return False
    others = [other for other in others if not _names(candidate, other, insides)]
    if not others:
        return True
    union = np.logical_or.reduce([insides[id(other)] for other in others])
    if _worse(table, inside & ~union, ~inside & ~union, options, candidate.limit):
        return True
    around = [insides[id(other)] for other in others if not (inside & ~insides[id(other)]).any()]
    if not around or (candidate.kind is FindingKind.CELL and candidate.compound is None):
        return False
    limit = options.q if candidate.kind is FindingKind.CELL else candidate.limit
    return _worse_inside(table, inside, around, options, limit)


def _names(level: Candidate, other: Candidate, insides: dict[int, Bools]) -> bool:
    """Whether a level lies inside a cell or slice and makes up most of it."""
    if level.kind is not FindingKind.LEVEL or other.kind is FindingKind.LEVEL:
        return False
    whole, part = insides[id(other)], insides[id(level)]
    return not (part & ~whole).any() and int(part.sum()) >= NAMES * int(whole.sum())


def _worse_inside(
    table: CaseTable, part: Bools, around: Sequence[Bools], options: WeaknessOptions, limit: float
) -> bool:
    """Whether a part is worse than the sets around it explain; False where one of them has too few other cases."""
    besides = [outer & ~part & table.scored for outer in around]
    if min(np.unique(table.clusters[outer]).size for outer in besides) < options.least:
        return False
    if len(around) == 1:
        return _worse(table, part, besides[0], options, limit)
    return _worse(_without(table, part, around), part, ~part, options, limit)


def _without(table: CaseTable, part: Bools, around: Sequence[Bools]) -> CaseTable:
    """The cases, with the effects of some sets subtracted from the scores: one effect a set, fitted outside a part."""
    fit_cases = table.scored & ~part
    design = np.column_stack([np.ones(len(table)), *around]).astype(np.float64)
    effects = np.linalg.lstsq(design[fit_cases], table.score.values[fit_cases], rcond=None)[0]
    expected = np.clip(design @ effects, table.score.low, table.score.high) if _bounded(table) else design @ effects
    return replace(table, score=replace(table.score, values=table.score.values - expected))


def _bounded(table: CaseTable) -> bool:
    return table.score.low is not None or table.score.high is not None


def _worse(table: CaseTable, part: Bools, rest: Bools, options: WeaknessOptions, limit: float) -> bool:
    """Whether some cases are worse than others by the least effect, at a level of one test."""
    compared = (part | rest) & table.scored
    values, inside = table.score.values[compared], part[compared]
    if inside.all() or not inside.any():
        return False
    effect = table.score.sign * float(values[~inside].mean() - values[inside].mean())
    if effect < least_effect(table.score, options) - 1e-12:
        return False
    codes = np.where(inside, 0, 1).astype(np.int64)
    blocks = blocks_of(table.score.sign * values, codes, table.clusters[compared])
    tails, blocks_in_part = lower_tails(blocks, 2)
    return bool(blocks_in_part.min() >= options.least and tails[0] <= limit)


def _mask(n: int, positions: Ints) -> Bools:
    mask = np.zeros(n, dtype=np.bool_)
    mask[positions] = True
    return mask
