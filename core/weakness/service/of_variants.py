"""The scores that only a run on variants has: a right answer that became wrong, and right behaviour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.domain.results.runs import Run
from core.robustness.behaviour import Behaviour
from core.robustness.service import robustness
from core.store.database import Store
from core.store.testset import testsets
from core.testset.variants.service import parent_of
from core.weakness.table import Floats

FLIPPED, RIGHT = "flipped", "right_behaviour"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantScore:
    """One of these scores.

    Attributes:
        label: For people.
        higher_is_better: Whether more is better.
        without: Why a case has none.
    """

    label: str
    higher_is_better: bool
    without: str


OF_VARIANTS: Final[Mapping[str, VariantScore]] = {
    FLIPPED: VariantScore(
        label="Flipped: right before, wrong as a variant",
        higher_is_better=False,
        without="no right answer before, or not judged",
    ),
    RIGHT: VariantScore(label="Right behaviour with a variant", higher_is_better=True, without="rules cannot tell"),
}
"""The scores by key, 1 or 0 for each case."""


def has_variants(store: Store, run: Run) -> bool:
    """Whether a run is one on variants of other cases."""
    with store.read() as connection:
        return bool(parent_of(testsets.get(connection, run.test_set_id)))


def values_of_variants(store: Store, run: Run, case_ids: Sequence[str]) -> dict[str, Floats]:
    """The values of each score for these cases, NaN where a case has none.

    Args:
        store: Where the run is.
        run: A run on variants.
        case_ids: Its cases, in the order of the test set.
    """
    pairs = {pair.variant.case.case_id: pair for pair in robustness(store, run.id).pairs}
    values = {key: np.full(len(case_ids), np.nan) for key in OF_VARIANTS}
    for place, case_id in enumerate(case_ids):
        pair = pairs.get(case_id)
        if pair is None:
            continue
        if pair.comparable and pair.parent is not None and pair.parent.verdict == 1.0:
            values[FLIPPED][place] = float(pair.broke)
        if pair.seen.behaviour is not Behaviour.UNDECIDED:
            values[RIGHT][place] = float(pair.seen.behaviour is Behaviour.RIGHT)
    return values
