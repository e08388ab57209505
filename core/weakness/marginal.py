"""Weakness over one attribute: topics, types or lengths with low scores (HCAT, 6.2, Figures 5 to 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.weakness.options import WeaknessOptions
from core.weakness.parts import Parts, parts_of
from core.weakness.table import Attribute, CaseTable, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marginal:
    """A score over the levels of one attribute.

    Attributes:
        attribute: The attribute.
        levels: The figures of each level, in the order of `attribute.levels`.
        worst_first: Numbers of the levels, the worst mean first, those without a score last; shape (levels,).
        outside: Cases that lack the attribute.
        tested: Levels that were tested.
    """

    attribute: Attribute
    levels: Parts
    worst_first: Ints
    outside: int
    tested: int


def marginal(table: CaseTable, attribute: str, options: WeaknessOptions | None = None) -> Marginal:
    """Compares each level of an attribute with all others.

    Args:
        table: The cases.
        attribute: Its name.
        options: What counts as weak.

    Raises:
        InvalidInput: The cases do not have it.
    """
    chosen_attribute = table.attribute(attribute)
    levels, _ = parts_of(
        table.score, chosen_attribute.codes, table.clusters, len(chosen_attribute.levels), options or WeaknessOptions()
    )
    worth = np.where(np.isnan(levels.mean), np.inf, table.score.sign * levels.mean)
    return Marginal(
        attribute=chosen_attribute,
        levels=levels,
        worst_first=np.lexsort((-levels.scored, worth)).astype(np.int64),
        outside=int((chosen_attribute.codes < 0).sum()),
        tested=int((~np.isnan(levels.p_value)).sum()),
    )
