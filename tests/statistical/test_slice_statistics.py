"""Slices: false alarms stay within the rate, planted slices are found and named, intervals cover.

Power of :func:`core.weakness.find_slices` at its defaults (q .1, least effect .1), 400 runs each: right or wrong with
base rate .8, six attributes of 2 to 6 levels, one planted slice. "Named" is the share of runs in which just its
conditions come out as weak, "any" that of runs in which anything does: else a relative that holds most of it.

| planted | effect | cases in all | in the slice | named | any |
|---|---|---|---|---|---|
| two attributes | .35 | 240 | 20 | .23 | .32 |
| two attributes | .35 | 480 | 40 | .58 | .69 |
| two attributes | .35 | 960 | 80 | .87 | .96 |
| two attributes | .35 | 1,920 | 160 | .99 | 1.00 |
| two attributes | .25 | 960 | 80 | .52 | .65 |
| two attributes | .25 | 1,920 | 160 | .84 | .92 |
| two attributes | .25 | 3,840 | 318 | .99 | 1.00 |
| three attributes | .40 | 960 | 27 | .53 | .58 |
| three attributes | .40 | 1,920 | 54 | .91 | .93 |
| three attributes | .40 | 3,840 | 106 | 1.00 | 1.00 |

A slice found on one half and shown on the other needs about twice the cases of a cell of a map that is tested alone.
"""

import numpy as np
import pytest
from scipy import special

from core.stats.ranks.auc import grouped_auc
from core.weakness.holding import score_within
from core.weakness.slices.finder import SliceOptions, find_slices
from core.weakness.table import Attribute, CaseTable, ScoreColumn

Q = 0.10
LEVELS = (2, 3, 4, 5, 6, 3)
PAIR, TRIPLE = {1: 1, 2: 2}, {1: 1, 2: 2, 5: 0}


def experiment(generator, n, *, base=0.8, effect=0.0, planted=None, continuous=False, size=1, alike=0.0):
    """Cases with six attributes, each second one the same for a whole cluster; and the true mean of each case."""
    groups = np.repeat(np.arange(n // size), size)
    codes = [
        generator.integers(0, count, groups[-1] + 1)[groups] if number % 2 == 0 else generator.integers(0, count, n)
        for number, count in enumerate(LEVELS)
    ]
    low = np.logical_and.reduce([codes[at] == level for at, level in (planted or {}).items()] or [np.zeros(n, bool)])
    mean = np.where(low, base - effect, base)
    luck = alike**0.5 * generator.normal(size=groups[-1] + 1)[groups] + (1 - alike) ** 0.5 * generator.normal(size=n)
    values = mean + 0.3 * luck if continuous else (special.ndtr(luck) < mean).astype(float)
    bounds = {"low": None, "high": None} if continuous else {}
    table = CaseTable(
        case_ids=tuple(str(case) for case in range(n)),
        clusters=groups,
        score=ScoreColumn(name="s", values=values, **bounds),
        attributes=tuple(
            Attribute(name=f"a{number}", codes=one, levels=tuple(f"v{level}" for level in range(count)))
            for number, (one, count) in enumerate(zip(codes, LEVELS, strict=True))
        ),
    )
    return table, mean


def conditions(planted):
    return {(f"a{at}", f"v{level}") for at, level in planted.items()}


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("n", "settings"),
    [
        (400, {}),
        (400, {"base": 0.95}),
        (400, {"continuous": True}),
        (600, {"size": 5, "alike": 0.6}),
        (600, {"size": 5, "alike": 0.8, "continuous": True}),
    ],
    ids=["eight of ten", "nearly all right", "continuous", "clusters", "continuous in clusters"],
)
def test_without_weakness_few_runs_call_a_slice_weak_and_the_intervals_cover_nothing(n, settings):
    # No least effect: the hardest case for the test. With 1,500 runs, .049, .041 and .100; with 700, .057 and .056.
    runs, alarms, covered = 500, 0, []
    for run in range(runs):
        table, _ = experiment(np.random.default_rng(run), n, **settings)
        found = find_slices(table, SliceOptions(q=Q, min_effect=0.0, seed=run))
        alarms += bool(found.weak)
        covered += [one.effect.low <= 0.0 <= one.effect.high for one in found.slices]
    assert alarms / runs <= Q + 2 * (Q * (1 - Q) / runs) ** 0.5
    assert len(covered) >= 300
    assert np.mean(covered) >= 0.93


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("planted", "n", "effect", "named", "any_"),
    [(PAIR, 960, 0.35, 0.75, 0.85), (TRIPLE, 1_920, 0.4, 0.75, 0.8)],
    ids=["two attributes", "three attributes"],
)
def test_a_planted_slice_is_named_and_its_relatives_are_not(planted, n, effect, named, any_):
    runs, right, some, reported, covered = 60, 0, 0, 0, []
    for run in range(runs):
        table, mean = experiment(np.random.default_rng(run), n, planted=planted, effect=effect)
        found = find_slices(table, SliceOptions(seed=run))
        weak = [set(one.conditions) for one in found.weak]
        right += conditions(planted) in weak
        some += bool(weak)
        reported += len(weak)
        for one in found.slices:
            rest = np.setdiff1d(np.arange(n), one.cases)
            covered.append(one.effect.low <= mean[rest].mean() - mean[one.cases].mean() <= one.effect.high)
    assert right / runs >= named
    assert some / runs >= any_
    # Of a handful of relatives on either side hardly one is told apart.
    assert reported <= 1.2 * runs
    assert np.mean(covered) >= 0.93


@pytest.mark.statistical
def test_a_weak_slice_among_clusters_is_found():
    runs, some = 40, 0
    for run in range(runs):
        settings = {"planted": PAIR, "effect": 0.4, "size": 5, "alike": 0.5}
        table, _ = experiment(np.random.default_rng(run), 1_200, **settings)
        some += any(conditions(PAIR) <= set(one.conditions) for one in find_slices(table, SliceOptions(seed=run)).weak)
    assert some / runs >= 0.75


def corpora(generator, n, gap, signal, shares=(0.9, 0.4)):
    codes = generator.integers(0, 2, n)
    right = (generator.random(n) < np.array(shares)[codes]).astype(float)
    score = gap * (codes == 0) + signal * right + generator.normal(size=n)
    return score, right, np.arange(n), Attribute(name="corpus", codes=codes, levels=("easy", "hard"))


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("gap", "signal", "verdict", "least", "n"),
    [
        (1.5, 0.0, "comes from differences between levels", 0.9, 240),
        (0.0, 1.0, "holds", 0.95, 480),
        (0.75, 1.0, "holds", 0.95, 480),
        (0.0, 0.0, "no better than chance", 0.9, 240),
    ],
    ids=["pooled only", "inside only", "both", "neither"],
)
def test_two_pooled_corpora_are_seen_through(gap, signal, verdict, least, n):
    # A score holds where it is shown to in each level. The easy one has one wrong answer in ten: its 120 cases are too
    # few in one run of ten.
    runs = 300
    found = [score_within(*corpora(np.random.default_rng(run), n, gap, signal)) for run in range(runs)]
    assert np.mean([one.verdict == verdict for one in found]) >= least
    if signal == 0.0:
        # Both ends of the interval inside the levels: one half is missed upward once in forty.
        wrong = np.mean([one.within.low > 0.5 for one in found])
        assert wrong <= 0.025 + 2 * (0.025 * 0.975 / runs) ** 0.5
        assert np.mean([one.within.low <= 0.5 <= one.within.high for one in found]) >= 0.93
    if gap == 0.0 and signal:
        true = special.ndtr(signal / 2**0.5)
        assert np.mean([one.within.low <= true <= one.within.high for one in found]) >= 0.93


@pytest.mark.statistical
@pytest.mark.parametrize("gap", [0.0, 0.75])
def test_with_few_cases_a_score_that_holds_is_not_denied(gap):
    verdicts = [score_within(*corpora(np.random.default_rng(run), 240, gap, 1.0)).verdict for run in range(300)]
    assert np.mean([verdict in {"holds", "not shown in every level"} for verdict in verdicts]) >= 0.95


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("right", "wrong", "apart", "size", "alike"),
    [(50, 50, 1.0, 1, 0.0), (40, 10, 1.0, 1, 0.0), (45, 5, 0.0, 1, 0.0), (90, 10, 2.0, 1, 0.0), (60, 60, 1.0, 4, 0.5)],
)
def test_the_interval_of_an_area_covers(right, wrong, apart, size, alike):
    # With 2,000 runs: .948, .975, .990, .983, .956; few cases of one kind make it wider than it need be.
    runs, n = 1_000, right + wrong
    generator = np.random.default_rng(5)
    good = generator.permuted(np.tile(np.arange(n) < right, (runs, 1)), axis=1)
    clusters = np.tile(np.arange(n) // size, (runs, 1))
    shared = np.take_along_axis(generator.normal(size=(runs, n)), clusters, axis=1)
    scores = alike**0.5 * shared + (1 - alike) ** 0.5 * generator.normal(size=(runs, n)) + apart * good
    found = grouped_auc(scores.ravel(), good.ravel(), np.repeat(np.arange(runs), n), clusters.ravel(), runs)
    true = special.ndtr(apart / 2**0.5)
    assert ((found.low <= true) & (true <= found.high)).mean() >= 0.93
