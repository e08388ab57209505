"""Seeded simulations: intervals cover, tests hold their level, and a planted weakness is found."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core import diagnosis
from core.diagnosis import DiagnosisRow
from core.diagnosis.hypothesis.comparison import Cell, Sides, TestedModule, exchanges_of, paired_values, unpaired_values
from core.domain.results.responses import Verdict
from core.stats import (
    cluster_bootstrap,
    clustered_proportion,
    exchange_permutation,
    paired_permutation,
    unpaired_permutation,
)

pytestmark = pytest.mark.statistical

LEVEL = 0.05


def limit(simulations: int) -> float:
    """The level plus two Monte Carlo errors."""
    return LEVEL + 2 * (LEVEL * (1 - LEVEL) / simulations) ** 0.5


def shares(draw: np.random.Generator, count: int, mean: float, likeness: float) -> NDArray[np.float64]:
    """Chances of success per cluster; `likeness` 0 is one chance for all, 1 is clusters that always agree."""
    if likeness == 0.0:
        return np.full(count, mean)
    if likeness == 1.0:
        return (draw.random(count) < mean).astype(np.float64)
    size = (1 - likeness) / likeness
    return draw.beta(mean * size, (1 - mean) * size, count)


@pytest.mark.parametrize(
    ("clusters", "sizes", "mean", "likeness"),
    [
        (6, [3], 0.5, 0.3),
        (8, [1, 6], 0.5, 1.0),
        (12, [1, 6], 0.27, 0.8),
        (20, [3], 0.95, 1.0),
        (20, [2, 10], 0.1, 0.8),
        (40, [1, 2, 3], 0.27, 0.0),
        (40, [1, 6], 0.1, 1.0),
        (57, [10], 0.3, 0.5),
        (157, [1, 3], 0.5, 0.8),
        (157, [3], 0.27, 0.9),
    ],
)
def test_clustered_proportion_covers(clusters: int, sizes: list[int], mean: float, likeness: float) -> None:
    draw = np.random.default_rng(20_240_601)
    simulations, covered = 1_500, 0
    for _ in range(simulations):
        label = np.repeat(np.arange(clusters), draw.choice(sizes, clusters))
        found = clustered_proportion(draw.random(label.size) < shares(draw, clusters, mean, likeness)[label], label)
        covered += (found.low or 0.0) <= mean <= (found.high or 0.0)
    assert covered / simulations >= 0.93


def test_wilson_on_clustered_cases_would_not_cover() -> None:
    # Why the design effect is there: the same cases counted as independent ones.
    draw = np.random.default_rng(1)
    covered = 0
    for _ in range(1_000):
        outcomes = np.repeat(shares(draw, 40, 0.27, 0.9), 6) > draw.random(240)
        found = clustered_proportion(outcomes, np.arange(240))
        covered += (found.low or 0.0) <= 0.27 <= (found.high or 0.0)
    assert covered / 1_000 < 0.75


@pytest.mark.parametrize("clusters", [8, 20, 45])
@pytest.mark.parametrize(("zeros", "up"), [(0.9, 1.0), (0.7, 0.8), (0.3, 0.6)])
def test_bootstrap_of_differences_covers(clusters: int, zeros: float, up: float) -> None:
    """Differences that are mostly zero, up by a third, two thirds or one more often than down."""
    draw = np.random.default_rng(3)
    sizes = np.array([1 / 3, 2 / 3, 1.0])
    truth = (1 - zeros) * (2 * up - 1) * float(sizes.mean())
    simulations, covered = 1_000, 0
    for index in range(simulations):
        signs = np.where(draw.random(clusters) < up, 1.0, -1.0)
        values = np.where(draw.random(clusters) < zeros, 0.0, signs * draw.choice(sizes, clusters))
        found = cluster_bootstrap(values, seed=index, resamples=499)
        covered += (found.low or 0.0) <= truth <= (found.high or 0.0)
    assert covered / simulations >= 0.93


def cells(
    draw: np.random.Generator, chances: NDArray[np.float64], sizes: list[int], prefix: str = ""
) -> dict[str, Cell]:
    counts = draw.choice(sizes, chances.size)
    outcomes = draw.binomial(counts, chances)
    return {f"{prefix}{i}": Cell(num=int(c), den=int(m)) for i, (c, m) in enumerate(zip(outcomes, counts, strict=True))}


DESIGNS = [
    (20, [3], [3], 0.27, 0.0),
    (12, [3], [3], 0.5, 0.3),
    (57, [10], [10], 0.3, 0.5),
    (50, [2], [1, 3], 0.27, 0.8),
    (20, [1], [6], 0.9, 0.0),
    (20, [2], [10], 0.05, 0.0),
    (12, [1], [6], 0.27, 0.3),
]


@pytest.mark.parametrize("module", [TestedModule.OVERALL, TestedModule.RETRIEVAL_DB])
@pytest.mark.parametrize(("groups", "sizes_a", "sizes_b", "mean", "likeness"), DESIGNS)
def test_paired_test_holds_its_level(
    module: TestedModule, groups: int, sizes_a: list[int], sizes_b: list[int], mean: float, likeness: float
) -> None:
    """As the hypothesis test does it, without its interval: both sides have the same chance in each group."""
    draw = np.random.default_rng(11)
    simulations, rejected = 1_000, 0
    for index in range(simulations):
        chances = shares(draw, groups, mean, likeness)
        sides = Sides(a=cells(draw, chances, sizes_a), b=cells(draw, chances, sizes_b))
        pairs = np.array(paired_values(module, sides, sides.shared))
        differences = pairs[:, 0] - pairs[:, 1]
        p_value = paired_permutation(differences, seed=index).p_value
        if not sides.even:
            exchanges = exchanges_of(module, sides, sides.shared)
            exchanged = exchange_permutation(float(differences.sum()), exchanges, seed=index, draws=999)
            p_value = max(p_value, exchanged.p_value)
        rejected += p_value <= LEVEL
    assert rejected / simulations <= limit(simulations)


@pytest.mark.parametrize(("groups", "sizes_a", "sizes_b", "mean", "likeness"), DESIGNS)
def test_unpaired_test_holds_its_level(
    groups: int, sizes_a: list[int], sizes_b: list[int], mean: float, likeness: float
) -> None:
    draw = np.random.default_rng(12)
    simulations, rejected = 400, 0
    for index in range(simulations):
        sides = Sides(
            a=cells(draw, shares(draw, groups, mean, likeness), sizes_a, "a"),
            b=cells(draw, shares(draw, groups, mean, likeness), sizes_b, "b"),
        )
        one, two = unpaired_values(TestedModule.OVERALL, sides)
        found = unpaired_permutation(one, two, alike=sides.same_size, seed=index, draws=299)
        rejected += found.p_value <= LEVEL
    assert rejected / simulations <= limit(simulations)


def run_of(draw: np.random.Generator, groups: int, long_retrieval: float, wordings: int = 3) -> list[DiagnosisRow]:
    """A system that finds the document of a group more or less easily, and reads it right 9 times in 10.

    Wordings of a group and form succeed or fail together as well: a form's template suits a document or does not.
    """
    rows = []
    for group in range(groups):
        easy = draw.beta(4, 1)
        for form, factor in (("short", 1.0), ("long", long_retrieval)):
            chance = easy * factor * (1.0 if draw.random() < 0.8 else 0.2)
            for wording in range(wordings):
                hit = draw.random() < chance
                right = hit and draw.random() < 0.9
                rows.append(
                    DiagnosisRow(
                        case_id=f"{group}-{form}-{wording}",
                        group_id=str(group),
                        form=form,
                        verdict=Verdict.CORRECT if right else Verdict.INCORRECT,
                        true_ids=("gold",),
                        retrieved_ids=("gold",) if hit else ("other",),
                    )
                )
    return rows


def test_a_target_without_the_weakness_is_not_accused() -> None:
    """The whole report: in at most 5% of runs any module is called different."""
    draw = np.random.default_rng(21)
    simulations = 1_000
    accused = 0
    for index in range(simulations):
        report = diagnosis.test_hypothesis(
            run_of(draw, 25, long_retrieval=1.0), attribute="form", a="short", b="long", known_ids=["gold"], seed=index
        )
        accused += any(test.shown for test in report.tests)
    assert accused / simulations <= limit(simulations)


def test_weak_retrieval_on_long_questions_is_found_and_nothing_else() -> None:
    draw = np.random.default_rng(22)
    simulations, found, blamed, sides = 200, 0, 0, 0
    for index in range(simulations):
        report = diagnosis.test_hypothesis(
            run_of(draw, 40, long_retrieval=0.5), attribute="form", a="short", b="long", known_ids=["gold"], seed=index
        )
        _, retrieval, model, _ = report.tests
        found += retrieval.shown
        blamed += model.shown
        sides += (retrieval.difference.value or 0.0) > 0
    assert found / simulations >= 0.95
    assert sides == simulations
    assert blamed / simulations <= limit(simulations)
