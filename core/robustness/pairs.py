"""Variants beside the cases they were made from: the pairs that every figure of robustness counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Lineage
from core.robustness.behaviour import Seen, behaviour_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A case of a run with what came of it.

    Attributes:
        verdict: 1 correct, 0 incorrect, None not judged.
        scores: Further scores by metric; one without a value is left out.
        votes: The verdicts of a judge that judged the same answer several times; empty where it judged once.
    """

    case: TestCase
    response: Response | None = None
    verdict: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    votes: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The answer, empty where there is none."""
        return (self.response.answer or "") if self.response else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A variant and its parent.

    Attributes:
        parent: None where the case it was made from was not run.
    """

    lineage: Lineage
    parent: Answered | None
    variant: Answered
    seen: Seen

    @property
    def kind(self) -> str:
        """The kind of variant."""
        return self.lineage.variant

    @property
    def cluster(self) -> str:
        """What it shares with others: the filled query or source of its parent."""
        return self.variant.case.group_id or self.lineage.parent

    @property
    def answerable(self) -> bool:
        """Whether the variant has a right answer that its parent has too."""
        return bool(self.variant.case.reference_answers)

    @property
    def comparable(self) -> bool:
        """Whether both answers are judged."""
        return self.parent is not None and self.parent.verdict is not None and self.variant.verdict is not None

    @property
    def change(self) -> float | None:
        """Verdict of the variant less that of its parent; None where one is not judged."""
        if self.parent is None or self.parent.verdict is None or self.variant.verdict is None:
            return None
        return self.variant.verdict - self.parent.verdict

    @property
    def broke(self) -> bool:
        """Whether a right answer became wrong."""
        return self.change == -1.0

    @property
    def fixed(self) -> bool:
        """Whether a wrong answer became right."""
        return self.change == 1.0


def pairs_of(parents: Mapping[str, Answered], variants: Iterable[Answered]) -> tuple[Pair, ...]:
    """Each variant with its parent, in the order of the variants; what is no variant is left out.

    Args:
        parents: The cases of the run before, by id.
        variants: The cases of the run on variants.
    """
    pairs = []
    for variant in variants:
        lineage = Lineage.of(variant.case.attributes)
        if lineage is not None:
            seen = behaviour_of(variant.case, lineage, variant.response, variant.verdict)
            pairs.append(Pair(lineage=lineage, parent=parents.get(lineage.parent), variant=variant, seen=seen))
    return tuple(pairs)


def by_kind(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each kind, kinds in the order they come."""
    kinds: dict[str, list[Pair]] = {}
    for pair in pairs:
        kinds.setdefault(pair.kind, []).append(pair)
    return kinds


def clusters_of(pairs: Sequence[Pair]) -> Ints:
    """Number of the cluster of each pair, shape (n,)."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(pair.cluster, len(numbers)) for pair in pairs], dtype=np.int64)


def cluster_sums(values: Floats, clusters: Ints) -> Floats:
    """The sum of each cluster's values over the mean size of a cluster; their mean is that of all values."""
    if not values.size:
        return np.empty(0)
    _, numbers = np.unique(clusters, return_inverse=True)
    count = int(numbers.max()) + 1
    return np.asarray(np.bincount(numbers, weights=values, minlength=count) * count / values.size, dtype=np.float64)
