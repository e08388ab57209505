"""Failure clusters: places on the topic map around which cases fail more often than elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.domain.sources.topics import Term
from core.stats import clustered_mean
from core.weakness.blocks import blocks_of
from core.weakness.clusters.scan import Scan, scan
from core.weakness.clusters.terms import common_terms
from core.weakness.options import WeaknessOptions
from core.weakness.parts import least_effect
from core.weakness.table import Attribute, Bools, CaseTable, Floats, Ints, ScoreColumn

JOINS = 1.645
"""Standardised shortfall from which on what a neighbourhood adds to a cluster belongs to it: 1 in 20 by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """When a part of the map is a failure cluster.

    Attributes:
        alpha: The chance of any false cluster on the whole map.
        min_effect: How much worse than the rest it must be, as in `WeaknessOptions`.
        least: Fewest clusters of cases (semantic groups) of a neighbourhood.
        permutations: Of the test.
        seed: Of every random choice.
    """

    alpha: float = 0.05
    min_effect: float = 0.10
    least: int = 8
    permutations: int = 999
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 1.0:
            raise InvalidInput(f"The level is {self.alpha}.", "Choose one between 0 and 1, such as 0.05.")
        if not self.min_effect >= 0.0:
            raise InvalidInput(f"The least effect is {self.min_effect}.", "Choose 0 or more, such as 0.1.")
        if self.least < 2:
            raise InvalidInput(f"At least {self.least} groups is too few.", "Choose 2 or more, such as 8.")
        if self.permutations < 19:
            raise InvalidInput(f"{self.permutations} permutations are too few.", "Choose 99 or more, such as 999.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailureCluster:
    """A part of the map where cases fail.

    Attributes:
        cases: Positions of its scored cases in the table.
        failing: Positions of those that fail.
        groups: Semantic groups of its cases.
        mean: Of their score, with interval. The cluster was selected because it is low, so this is slightly biased low.
        rest: Mean of all other cases on the map.
        effect: How much worse than the rest, positive is worse, in units of the score.
        p_adjusted: The chance of any such cluster on the whole map if it does not matter where a case lies.
        topics: The topics of its cases with their numbers of cases, the most first.
        terms: Terms that its failing questions contain more often than all other questions.
    """

    cases: Ints
    failing: Ints
    groups: int
    mean: Estimate
    rest: float
    effect: float
    p_adjusted: float
    topics: tuple[tuple[str, int], ...] = ()
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterReport:
    """The result of a scan of the map.

    Attributes:
        clusters: The smallest p-value first.
        failing: Which cases fail, shape (n,): those of the worst value where the score has two, else those worse than
            the mean of all.
        failing_means: The same in words.
        looked_at: Scored cases that have a place.
        groups: Semantic groups of these.
        no_place: Scored cases without a place.
        no_score: Cases without a score.
        neighbourhoods: How many were compared.
        reason: Why the map could not be scanned, or empty.
        failing_looked_at: How many of the scanned cases fail.
    """

    clusters: tuple[FailureCluster, ...]
    failing: Bools
    failing_means: str
    looked_at: int
    groups: int
    no_place: int
    no_score: int
    neighbourhoods: int
    reason: str = ""
    failing_looked_at: int = 0


def find_clusters(
    table: CaseTable,
    places: Floats,
    *,
    topics: Attribute | None = None,
    questions: Sequence[str] = (),
    options: ClusterOptions | None = None,
) -> ClusterReport:
    """Finds parts of the map where cases are worse than on the rest of it.

    Cases of one semantic group are one unit of the test, at the mean of their places. Significant neighbourhoods that
    are worse by the least effect are merged where they overlap and the cases that one adds fail as well.

    Args:
        table: The cases.
        places: Of each on the map, shape (n, 2), NaN where it has none.
        topics: The topic of each case.
        questions: The text of each case, for the words that failing ones share.
        options: What counts as a cluster.
    """
    options = options or ClusterOptions()
    score, on_map = table.score, np.isfinite(places).all(axis=1)
    cases = np.flatnonzero(table.scored & on_map)
    failing, means = failing_of(score)
    groups, unit = np.unique(table.clusters[cases], return_inverse=True)
    units, scanned = _scanned(score.sign * score.values[cases], places[cases], unit, options)
    clusters = [
        _cluster(table, cases, inside, failing, p_value, topics, questions)
        for inside, p_value in _merged(scanned, score, score.values[cases], unit, units, options)
    ]
    return ClusterReport(
        clusters=tuple(clusters),
        failing=failing,
        failing_means=means,
        looked_at=cases.size,
        groups=groups.size,
        no_place=int((table.scored & ~on_map).sum()),
        no_score=int((~table.scored).sum()),
        neighbourhoods=scanned.statistic.size,
        failing_looked_at=int(failing[cases].sum()),
        reason=_reason(units, cases.size, scanned, options),
    )


def failing_of(score: ScoreColumn) -> tuple[Bools, str]:
    """Which cases fail, and the meaning of failing in words.

    >>> failing_of(ScoreColumn(name="verdict", values=np.array([1.0, 0.0, np.nan])))[0].tolist()
    [False, True, False]
    """
    values = score.values[~np.isnan(score.values)]
    ends = [end for end in (score.low, score.high) if end is not None]
    if len(ends) == 2 and np.isin(values, ends).all():
        return score.values == (ends[0] if score.higher_is_better else ends[1]), "failing"
    if not values.size:
        return np.zeros(score.values.shape, dtype=bool), "failing"
    mean = float(values.mean())
    return score.sign * score.values < score.sign * mean, f"worse than the mean {mean:.3g}"


def _scanned(values: Floats, places: Floats, unit: Ints, options: ClusterOptions) -> tuple[Floats, Scan]:
    """The value of each unit, scaled so that large and small ones can stand for each other, and the scan of them."""
    blocks = blocks_of(values, np.zeros(unit.size, dtype=np.int64), unit)
    count = np.maximum(blocks.size, 1)[:, None]
    at = np.column_stack([np.bincount(unit, weights=places[:, axis], minlength=count.size) for axis in (0, 1)]) / count
    overall = float((blocks.weight * blocks.mean).sum() / blocks.weight.sum()) if unit.size else 0.0
    scaled = np.sqrt(blocks.weight) * (blocks.mean - overall)
    map_scan = scan(np.round(at, 6), scaled, least=options.least, permutations=options.permutations, seed=options.seed)
    return scaled, map_scan


def _merged(
    map_scan: Scan, score: ScoreColumn, values: Floats, unit: Ints, scaled: Floats, options: ClusterOptions
) -> list[tuple[Bools, float]]:
    """Which cases lie in each cluster, with its p-value."""
    spots = map_scan.members.shape[1]
    of_case = map_scan.spot[unit]
    n = np.bincount(of_case, minlength=spots)
    sums = np.bincount(of_case, weights=score.sign * values, minlength=spots)
    units = np.bincount(map_scan.spot, minlength=spots)
    z = np.bincount(map_scan.spot, weights=scaled - scaled.mean(), minlength=spots) if scaled.size else np.empty(0)
    spread, total = float(scaled.std()) if scaled.size else 0.0, scaled.size
    minimum_effect = least_effect(score, WeaknessOptions(min_effect=options.min_effect))

    def effect(inside: Bools) -> float:
        n_inside, n_outside = n[inside].sum(), n[~inside].sum()
        return float(sums[~inside].sum() / n_outside - sums[inside].sum() / n_inside) if n_inside and n_outside else 0.0

    def adds(fresh: Bools) -> bool:
        group_count = int(units[fresh].sum())
        if group_count < options.least or effect(fresh) < minimum_effect:
            return False
        spans = spread * np.sqrt(group_count * (1.0 - group_count / total) * total / (total - 1))
        return bool(-z[fresh].sum() / spans >= JOINS)

    clusters: list[tuple[Bools, float]] = []
    significant = np.flatnonzero(map_scan.p_adjusted <= options.alpha)
    for row in significant[np.argsort(-map_scan.statistic[significant], kind="stable")]:
        inside = map_scan.members[row]
        if effect(inside) < minimum_effect - 1e-12:
            continue
        touched = [place for place, (members, _) in enumerate(clusters) if (members & inside).any()]
        if not touched:
            clusters.append((inside.copy(), float(map_scan.p_adjusted[row])))
            continue
        covered = np.any([members for members, _ in clusters], axis=0)
        if adds(inside & ~covered):
            merged = np.any([clusters[place][0] for place in touched], axis=0) | (inside & ~covered)
            clusters[touched[0]] = (merged, clusters[touched[0]][1])
            clusters = [cluster for place, cluster in enumerate(clusters) if place not in touched[1:]]
    return [(inside[of_case], p_value) for inside, p_value in clusters]


def _cluster(
    table: CaseTable,
    cases: Ints,
    inside: Bools,
    failing: Bools,
    p_value: float,
    topics: Attribute | None,
    questions: Sequence[str],
) -> FailureCluster:
    score, within, outside = table.score, cases[inside], cases[~inside]
    wrong = within[failing[within]]
    mean = clustered_mean(score.values[within], table.clusters[within], low=score.low, high=score.high)
    elsewhere = float(score.values[outside].mean())
    not_failing = np.ones(len(table), dtype=bool)
    not_failing[wrong] = False
    return FailureCluster(
        cases=within,
        failing=wrong,
        groups=np.unique(table.clusters[within]).size,
        mean=mean,
        rest=elsewhere,
        effect=score.sign * (elsewhere - float(score.values[within].mean())),
        p_adjusted=p_value,
        topics=_topics(topics, within),
        terms=common_terms(questions, wrong, np.flatnonzero(not_failing)) if len(questions) else (),
    )


def _topics(topics: Attribute | None, within: Ints) -> tuple[tuple[str, int], ...]:
    if topics is None:
        return ()
    codes = topics.codes[within]
    numbers, counts = np.unique(codes[codes >= 0], return_counts=True)
    order = np.lexsort((numbers, -counts))
    return tuple((topics.levels[numbers[place]], int(counts[place])) for place in order)


def _reason(units: Floats, cases: int, map_scan: Scan, options: ClusterOptions) -> str:
    if map_scan.statistic.size:
        return ""
    if not cases:
        return "No case has both a score and a place on the map."
    if units.size < 3 * options.least:
        return f"Only {units.size:,} semantic groups have a score and a place; the scan needs {3 * options.least}."
    if np.ptp(units) < 1e-9:
        return f"All {units.size:,} semantic groups on the map have the same score: no part is worse than the rest."
    return "More than half of the cases lie at one place of the map, so there is nothing to compare it with."
