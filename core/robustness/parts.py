"""Where robustness is lost: flips by the parents' topic, type and other attributes, and the drop of each score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Estimate, Proportion
from core.domain.testset.variants import EXPECTED, KIND, RECORDED
from core.metrics.direction import turned
from core.robustness.flips import broke_share, flip_share, right_share
from core.robustness.pairs import Pair, cluster_sums, clusters_of
from core.stats import clustered_mean
from core.stats.comparisons.detectable import smallest_detectable

FORM = "form"
MOST_LEVELS = 30
"""Levels of an attribute that stability is shown by; more have too few cases each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Pairs of one kind whose parents share a level of an attribute.

    Attributes:
        level: The level, such as a topic.
        kind: The kind of variant; empty for all kinds together.
        flipped: Verdicts that changed.
        broke: Right answers that became wrong.
        right: Right behaviour, of what could be decided.
    """

    level: str
    kind: str
    flipped: Proportion
    broke: Proportion
    right: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """How a score of one kind of variant compares with that of the parents.

    Attributes:
        change: Variant less parent, turned so that below 0 is worse.
        detectable: The smallest change that could have been shown; None for none.
    """

    kind: str
    metric: str
    change: Estimate
    detectable: float | None


def attributes_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Attributes of the parents with at least two levels and not too many, topic and type first."""
    levels: dict[str, set[str]] = {}
    for pair in pairs:
        for name, value in _attributes(pair).items():
            levels.setdefault(name, set()).add(value)
    fitting = [name for name, values in levels.items() if 1 < len(values) <= MOST_LEVELS]
    first = ("topic", "type", "question_type", FORM)
    return tuple(sorted(fitting, key=lambda name: (first.index(name) if name in first else len(first), name)))


def parts_of(pairs: Sequence[Pair], attribute: str) -> tuple[Part, ...]:
    """The pairs by level of an attribute and kind, all kinds together first; most flips first among levels."""
    by_level: dict[str, list[Pair]] = {}
    for pair in pairs:
        level = _attributes(pair).get(attribute)
        if level:
            by_level.setdefault(level, []).append(pair)
    parts = []
    for level, members in by_level.items():
        kinds = dict.fromkeys(pair.kind for pair in members)
        parts.append(_part(level, "", members))
        parts += [_part(level, kind, [pair for pair in members if pair.kind == kind]) for kind in kinds]
    worst = {part.level: -(part.broke.value or 0.0) for part in parts if not part.kind}
    return tuple(sorted(parts, key=lambda part: (worst[part.level], part.level, part.kind)))


def drops_of(
    pairs: Sequence[Pair], metrics: Iterable[str], ranges: Mapping[str, tuple[float | None, float | None]]
) -> tuple[Drop, ...]:
    """The change of each score by kind, where variant and parent both have it.

    Args:
        pairs: Without repeats.
        metrics: Names of the scores.
        ranges: Least and greatest value of each, None where there is no bound.
    """
    drops = []
    kinds = dict.fromkeys(pair.kind for pair in pairs)
    for metric in metrics:
        low, high = ranges.get(metric, (None, None))
        span = 1.0 if low is None or high is None else high - low
        for kind in kinds:
            both = [
                pair
                for pair in pairs
                if pair.kind == kind and pair.parent and metric in pair.parent.scores and metric in pair.variant.scores
            ]
            if not both:
                continue
            values = np.array(
                [[pair.parent.scores[metric], pair.variant.scores[metric]] for pair in both if pair.parent]
            )
            rising = np.column_stack([turned(values[:, [side]], [metric])[:, 0] for side in (0, 1)])
            changes, clusters = rising[:, 1] - rising[:, 0], clusters_of(both)
            drops.append(
                Drop(
                    kind=kind,
                    metric=metric,
                    change=clustered_mean(changes, clusters, low=-span, high=span),
                    detectable=smallest_detectable(cluster_sums(changes, clusters), comparisons=len(kinds), span=span),
                )
            )
    return tuple(drops)


def _part(level: str, kind: str, pairs: Sequence[Pair]) -> Part:
    return Part(level=level, kind=kind, flipped=flip_share(pairs), broke=broke_share(pairs), right=right_share(pairs))


def _attributes(pair: Pair) -> dict[str, str]:
    """What the parent can be told by."""
    case = pair.variant.case
    own = {
        name: value for name, value in case.attributes.items() if name not in RECORDED and name not in (KIND, EXPECTED)
    }
    return {**({FORM: case.form} if case.form else {}), **own}
