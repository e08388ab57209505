"""What became of the verdicts under one kind of variant: flips, the change of accuracy and its test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.domain.estimates import Estimate, Proportion
from core.robustness.behaviour import Behaviour
from core.robustness.pairs import Pair, by_kind, cluster_sums, clusters_of
from core.stats import LEAST_CLUSTERS, clustered_mean, clustered_proportion, holm, paired_permutation
from core.stats.comparisons.detectable import smallest_detectable

LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFigures:
    """The figures of one kind of variant.

    Attributes:
        kind: Its name.
        variants: Variants that were run.
        without_parent: Of these, variants whose parent was not run.
        not_judged: Pairs with a parent whose variant has a right answer, and of which one answer is not judged.
        broke: Wrong answers to variants of parents that were answered rightly.
        fixed: Right answers to variants of parents that were answered wrongly.
        flipped: Pairs whose verdict changed, of all that are judged on both sides.
        change: Mean verdict of the variants less that of their parents.
        p_value: That the change is 0, by flipping signs of the clusters; None with too few of them.
        p_adjusted: Adjusted over the kinds (Holm).
        detectable: The smallest change that the test could have shown in four of five such runs; None for none.
        beyond_noise: p-value that verdicts flip no more than those of repeats of the same parents; None without these.
        right: Right behaviour of what could be decided.
        undecided: Variants of which rules cannot say whether the behaviour was right.
    """

    kind: str
    variants: int
    without_parent: int
    not_judged: int
    broke: Proportion
    fixed: Proportion
    flipped: Proportion
    change: Estimate
    p_value: float | None
    p_adjusted: float | None = None
    detectable: float | None = None
    beyond_noise: float | None = None
    right: Proportion
    undecided: int

    @property
    def weak(self) -> bool:
        """Whether the test shows that answers become worse."""
        worse = self.change.value is not None and self.change.value < 0
        return worse and self.p_adjusted is not None and self.p_adjusted <= LEVEL

    def as_json(self) -> dict[str, object]:
        """All of it as plain JSON."""
        return {
            "variants": self.variants,
            "without_parent": self.without_parent,
            "not_judged": self.not_judged,
            "broke": self.broke.as_json(),
            "fixed": self.fixed.as_json(),
            "flipped": self.flipped.as_json(),
            "change": self.change.as_json(),
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "smallest_detectable_change": self.detectable,
            "beyond_noise": self.beyond_noise,
            "right_behaviour": self.right.as_json(),
            "undecided": self.undecided,
            "weak": self.weak,
        }


def kind_figures(pairs: Sequence[Pair], *, repeat: str, seed: int = 0) -> tuple[KindFigures, ...]:
    """The figures of each kind but repeats, p-values adjusted over all that could be tested.

    The parents are drawn without a look at their answers, so that a system which answers at random changes in both
    directions alike: the test of the change holds its level for it too. The share of right answers that became wrong
    does not; it is to be read beside that of repeats.

    Args:
        pairs: Of all kinds, repeats among them.
        repeat: The kind that asks again.
        seed: For drawn sign patterns.
    """
    kinds = by_kind(pairs)
    repeats = kinds.pop(repeat, [])
    tested = sum(_testable(members) for members in kinds.values())
    figures = [_figures(kind, members, repeats, tested, seed) for kind, members in kinds.items()]
    adjusted = holm([figure.p_value for figure in figures])
    return tuple(replace(figure, p_adjusted=p_value) for figure, p_value in zip(figures, adjusted, strict=True))


def flip_share(pairs: Sequence[Pair]) -> Proportion:
    """Pairs whose verdict changed, of those that are judged on both sides."""
    judged = [pair for pair in pairs if pair.comparable]
    return clustered_proportion([pair.change != 0 for pair in judged], clusters_of(judged))


def broke_share(pairs: Sequence[Pair]) -> Proportion:
    """Wrong answers to variants, of those whose parents were answered rightly."""
    right = [pair for pair in pairs if pair.comparable and pair.parent is not None and pair.parent.verdict == 1.0]
    return clustered_proportion([pair.broke for pair in right], clusters_of(right))


def right_share(pairs: Sequence[Pair]) -> Proportion:
    """Right behaviour, of the variants of which rules can say."""
    decided = [pair for pair in pairs if pair.seen.behaviour is not Behaviour.UNDECIDED]
    return clustered_proportion([pair.seen.behaviour is Behaviour.RIGHT for pair in decided], clusters_of(decided))


def _figures(kind: str, pairs: Sequence[Pair], repeats: Sequence[Pair], tested: int, seed: int) -> KindFigures:
    judged = [pair for pair in pairs if pair.comparable]
    wrong = [pair for pair in judged if pair.parent is not None and pair.parent.verdict == 0.0]
    clusters = clusters_of(judged)
    changes = np.array([pair.change for pair in judged], dtype=np.float64)
    sums = cluster_sums(changes, clusters)
    enough = sums.size >= LEAST_CLUSTERS
    few = f"{sums.size} semantic groups, and {LEAST_CLUSTERS} are needed" if judged else "no pair is judged"
    change = (
        clustered_mean(changes, clusters, low=-1.0, high=1.0)
        if enough
        else Estimate(value=float(changes.mean()) if judged else None, low=None, high=None, n=len(judged), method=few)
    )
    without = sum(pair.parent is None for pair in pairs)
    return KindFigures(
        kind=kind,
        variants=len(pairs),
        without_parent=without,
        not_judged=sum(pair.parent is not None and pair.answerable and not pair.comparable for pair in pairs),
        broke=broke_share(pairs),
        fixed=clustered_proportion([pair.fixed for pair in wrong], clusters_of(wrong)),
        flipped=flip_share(pairs),
        change=change,
        # Whole numbers, so that the sign patterns are counted and not drawn.
        p_value=paired_permutation(np.rint(sums * len(judged) / sums.size), seed=seed).p_value if enough else None,
        detectable=smallest_detectable(sums, comparisons=tested) if enough else None,
        beyond_noise=_beyond_noise(judged, repeats, seed),
        right=right_share(pairs),
        undecided=sum(pair.seen.behaviour is Behaviour.UNDECIDED for pair in pairs),
    )


def _testable(pairs: Sequence[Pair]) -> bool:
    return len({pair.cluster for pair in pairs if pair.comparable}) >= LEAST_CLUSTERS


def _beyond_noise(judged: Sequence[Pair], repeats: Sequence[Pair], seed: int) -> float | None:
    """Tests, over clusters that have both, that the share of flips is that of repeats."""
    flips, by_itself = _shares(judged), _shares([pair for pair in repeats if pair.comparable])
    both = sorted(flips.keys() & by_itself.keys())
    if len(both) < LEAST_CLUSTERS:
        return None
    return paired_permutation([flips[cluster] - by_itself[cluster] for cluster in both], seed=seed).p_value


def _shares(judged: Sequence[Pair]) -> dict[str, float]:
    flips: dict[str, list[bool]] = {}
    for pair in judged:
        flips.setdefault(pair.cluster, []).append(pair.change != 0)
    return {cluster: float(np.mean(changed)) for cluster, changed in flips.items()}
