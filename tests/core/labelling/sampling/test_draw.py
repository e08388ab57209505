"""What to label: two draws, and the exact chance of each case."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.domain.results.labels import Part
from core.labelling.sampling.draw import DrawPlan, Population, draw_cases
from core.labelling.sampling.unequal import capped, systematic

NAN = float("nan")
MIXED = DrawPlan(total=20, random_share=0.4, uncertainty=0.2, disagreement=0.2, coverage=0.2)


def population(n=60, *, seed=1, unscored=4, **options):
    """Two metrics of n cases in three topics; the last cases have no score; the lower a case the better its second."""
    generator = np.random.default_rng(seed)
    first = generator.beta(5, 2, n)
    second = np.clip(1 - first + generator.normal(0, 0.2, n), 0, 1)
    scores = np.column_stack([first, second])
    scores[n - unscored :] = NAN
    return Population(
        **{
            "case_ids": [f"c{number}" for number in range(n)],
            "scores": scores,
            "names": ("groundedness", "wasserstein"),
            "lower": (False, True),
            "threshold": 0.6,
            "topics": [("loans", "cards", "accounts")[number % 3] for number in range(n)],
            "clusters": [number // 2 for number in range(n)],
            **options,
        }
    )


def test_the_random_share_alone_is_a_simple_random_sample():
    found = draw_cases(population(), DrawPlan(total=15))
    assert len(found.items) == 15
    assert {item.part for item in found.items} == {Part.RANDOM}
    assert {item.probability for item in found.items} == {15 / 60}
    assert (found.population, found.unscored, found.unreachable, found.random_probability) == (60, 4, 0, 0.25)
    assert found.sources == len({int(item.case_id[1:]) // 2 for item in found.items})


def test_the_chance_of_a_case_is_that_of_either_draw():
    found = draw_cases(population(), MIXED)
    # n_r = 8, p_r = 8/60; n_t = 12 / (1 - 8/60) = 13.8, drawn 14; the unscored can be drawn at random only.
    chances = (found.probabilities - 8 / 60) / (1 - 8 / 60)
    assert chances.sum() == pytest.approx(14)
    assert chances[-4:] == pytest.approx(0)
    assert found.unreachable == 0
    assert found.probabilities.min() == pytest.approx(8 / 60)
    by_id = dict(zip(population().case_ids, found.probabilities, strict=True))
    assert all(item.probability == by_id[item.case_id] for item in found.items)
    assert sum(item.part is Part.RANDOM for item in found.items) == 8
    assert all((item.stratum == "") == (item.part is Part.RANDOM) for item in found.items)


@pytest.mark.statistical
@pytest.mark.parametrize("plan", [MIXED, replace(MIXED, random_share=0.0, coverage=0.6), replace(MIXED, total=50)])
def test_cases_are_drawn_as_often_as_their_chance_says(plan):
    """2,000 draws; each case's z score is standard normal, so their mean square is 1 and none of 60 exceeds 4.5."""
    cases = population()
    places = {case_id: place for place, case_id in enumerate(cases.case_ids)}
    times, draws = np.zeros(60), 2_000
    for seed in range(draws):
        found = draw_cases(cases, replace(plan, seed=seed))
        times[[places[item.case_id] for item in found.items]] += 1
    p = found.probabilities
    sure = p > 1 - 1e-9
    never = p <= 0
    assert (times[sure] == draws).all()
    assert (times[never] == 0).all()
    free = ~(sure | never)
    z = (times[free] / draws - p[free]) / np.sqrt(p[free] * (1 - p[free]) / draws)
    assert np.abs(z).max() < 4.5
    # The z scores of a draw of fixed size are slightly negatively correlated; the mean square of 56 varies by 0.19.
    assert np.mean(z**2) == pytest.approx(1, abs=0.6)


@pytest.mark.statistical
def test_weights_take_the_bias_out_that_the_plain_mean_has():
    """1,000 draws of about 40 of 300 cases; what people say goes with the score, which the draw goes for."""
    cases = population(300, unscored=10)
    truth = (np.random.default_rng(2).random(300) < np.nan_to_num(cases.scores[:, 0], nan=0.2)).astype(float)
    places = {case_id: place for place, case_id in enumerate(cases.case_ids)}
    plan = DrawPlan(total=40, random_share=0.3, uncertainty=0.4, coverage=0.3)
    totals, weighted, plain, sizes = [], [], [], []
    for seed in range(1_000):
        found = draw_cases(cases, replace(plan, seed=seed))
        at = [places[item.case_id] for item in found.items]
        weights = 1 / np.array([item.probability for item in found.items])
        totals.append(weights @ truth[at] / 300)
        weighted.append(weights @ truth[at] / weights.sum())
        plain.append(truth[at].mean())
        sizes.append(len(at))
    error = np.std(totals) / np.sqrt(1_000)
    assert np.mean(totals) == pytest.approx(truth.mean(), abs=4 * error)  # Horvitz-Thompson: unbiased
    # Hajek: its bias is of order 1/n, here below a tenth of the spread of one estimate.
    assert np.mean(weighted) == pytest.approx(truth.mean(), abs=0.1 * np.std(weighted))
    assert abs(np.mean(plain) - truth.mean()) > 10 * np.std(plain) / np.sqrt(1_000)
    # As many as wanted on average, though the two draws may meet.
    assert np.mean(sizes) == pytest.approx(40, abs=0.6)


@pytest.mark.statistical
def test_the_random_share_is_not_touched_by_the_targeted_draw():
    """The random items of 1,000 mixed draws have the population's mean score."""
    cases = population(120, unscored=0)
    places = {case_id: place for place, case_id in enumerate(cases.case_ids)}
    means = []
    for seed in range(1_000):
        found = draw_cases(cases, replace(MIXED, total=30, seed=seed))
        at = [places[item.case_id] for item in found.items if item.part is Part.RANDOM]
        means.append(cases.scores[at, 0].mean())
    assert np.mean(means) == pytest.approx(cases.scores[:, 0].mean(), abs=4 * np.std(means) / np.sqrt(1_000))


def test_cases_near_the_threshold_are_wanted_most():
    cases = population(unscored=0)
    found = draw_cases(cases, DrawPlan(total=10, random_share=0.0, uncertainty=1.0))
    ranks = cases.scores[:, 0].argsort().argsort() / 60
    at = (cases.scores[:, 0] < 0.6).mean()
    near = np.abs(ranks - at)
    assert np.corrcoef(near, found.probabilities)[0, 1] < -0.7
    # A probability goes before the score, in its own unit.
    sure = replace(cases, probability=np.where(np.arange(60) < 5, 0.5, 0.99), threshold=0.5)
    assert draw_cases(sure, DrawPlan(total=5, random_share=0.0, uncertainty=1.0)).probabilities[:5].min() > 0.6


def test_metrics_that_differ_are_compared_in_the_direction_that_is_better():
    # The second metric is better when low: both rank the cases alike, but for the first, best by one and worst by two.
    # It is wanted 1, and the others, whose rank moves up by 1/19, (1/19)^2 each.
    first = np.linspace(1, 0, 20)
    second = 1 - first
    second[0] = 1.5
    cases = population(20, unscored=0, scores=np.column_stack([first, second]))
    found = draw_cases(cases, DrawPlan(total=1, random_share=0.0, disagreement=1.0))
    assert found.probabilities[0] == pytest.approx(1 / (1 + 19 / 361))
    assert {item.stratum for item in found.items} == {"metrics differ"}


def test_coverage_reaches_every_part_of_the_range_and_every_topic():
    # 90 cases of one score, ten spread out: a random draw of 20 sees few of them, a covering draw most.
    scores = np.concatenate([np.full(90, 0.95), np.linspace(0, 0.7, 10)])[:, None]
    cases = population(100, scores=scores, names=("recall",), lower=(False,), topics=None)
    found = draw_cases(cases, DrawPlan(total=20, random_share=0.0, coverage=1.0))
    strata = {item.stratum for item in found.items}
    assert strata == {
        "recall 0 to 0.19",
        "recall 0.19 to 0.38",
        "recall 0.38 to 0.57",
        "recall 0.57 to 0.76",
        "recall 0.76 to 0.95",
    }
    # Ten for the low tenth of the range's cases, which have fewer than four each: all are drawn.
    assert sum(float(item.case_id[1:]) >= 90 for item in found.items) == 10
    topical = draw_cases(replace(cases, topics=["loans", "cards"] * 50), DrawPlan(total=20, random_share=0, coverage=1))
    assert {item.stratum.split(", ")[1] for item in topical.items} == {"loans", "cards"}


def test_counts_say_what_was_wanted_what_was_drawn_and_from_how_many():
    found = draw_cases(population(), MIXED)
    by_stratum = {count.stratum: count for count in found.counts}
    assert (by_stratum[""].requested, by_stratum[""].drawn, by_stratum[""].population) == (8, 8, 60)
    assert (by_stratum["uncertain"].requested, by_stratum["uncertain"].population) == (pytest.approx(4), 56)
    assert sum(count.drawn for count in found.counts) == len(found.items)
    assert sum(count.requested for count in found.counts) == pytest.approx(20)
    json.dumps(found.design())


def test_as_many_as_there_are_means_all_of_them_at_random():
    found = draw_cases(population(), replace(MIXED, total=75))
    assert len(found.items) == 60
    assert {(item.part, item.probability) for item in found.items} == {(Part.RANDOM, 1.0)}


def test_cases_that_were_drawn_before_keep_the_chance_they_would_have_had():
    cases = population(unscored=0)
    done = np.arange(60) < 10
    known = (np.arange(60) >= 10) & (np.arange(60) < 15)
    found = draw_cases(replace(cases, done=done, known=known), MIXED)
    taken = {int(item.case_id[1:]): item for item in found.items}
    assert (found.population, found.random_probability) == (50, 8 / 50)
    assert min(taken) >= 10
    assert all(item.part is Part.RANDOM for number, item in taken.items() if number < 15)
    # In proportion to how much they are wanted, as for everybody else: their twins have their chances.
    twins = replace(cases, scores=np.tile(cases.scores[:30], (2, 1)), topics=None)
    before = draw_cases(replace(twins, done=np.arange(60) < 30), replace(MIXED, total=10))
    assert before.probabilities[:30] == pytest.approx(before.probabilities[30:])
    assert {count.population for count in before.counts if count.stratum == ""} == {30}


def test_without_a_random_share_unscored_cases_cannot_be_reached_and_this_is_told():
    found = draw_cases(population(), replace(MIXED, random_share=0.0, coverage=0.6))
    assert found.unreachable == 4
    assert {item.part for item in found.items} == {Part.TARGETED}


def test_a_constant_score_is_one_stratum():
    cases = population(30, scores=np.full((30, 1), 0.5), names=("recall",), lower=(False,), topics=None)
    found = draw_cases(cases, DrawPlan(total=6, random_share=0.5, coverage=0.25, uncertainty=0.25))
    assert {item.stratum for item in found.items} <= {"", "uncertain", "recall 0.5 to 0.5"}
    assert np.ptp(found.probabilities) == pytest.approx(0)


def test_one_seed_one_draw():
    ids = [[item.case_id for item in draw_cases(population(), replace(MIXED, seed=seed)).items] for seed in (3, 3, 4)]
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize(
    ("plan", "change", "said"),
    [
        (DrawPlan(total=0), {}, "0 cases"),
        (DrawPlan(total=5, random_share=0.5), {}, "sum to 1"),
        (DrawPlan(total=5, random_share=1.5, coverage=-0.5), {}, "from 0 to 1"),
        (DrawPlan(total=5, random_share=0.5, coverage=0.5, bins=0), {}, "0 parts"),
        (DrawPlan(total=5, random_share=0.5, uncertainty=0.5), {"threshold": None}, "needs a threshold"),
        (
            DrawPlan(total=5, random_share=0.5, uncertainty=0.5),
            {"names": (), "scores": np.empty((60, 0)), "lower": ()},
            "needs a metric or a calibration",
        ),
        (
            DrawPlan(total=5, random_share=0.5, disagreement=0.5),
            {"names": ("a",), "scores": np.ones((60, 1)), "lower": (False,)},
            "two metrics",
        ),
        (DrawPlan(total=5, random_share=0.5, disagreement=0.5), {"scores": np.ones((60, 2))}, "no two differ"),
        (DrawPlan(total=5, random_share=0.5, coverage=0.5), {"scores": np.full((60, 2), NAN)}, "there is no score"),
        (DrawPlan(total=5), {"topics": ["a"]}, "differ in number"),
        (DrawPlan(total=5), {"case_ids": [], "scores": np.empty((0, 2)), "topics": None, "clusters": None}, "no case"),
    ],
)
def test_plans_that_cannot_be_carried_out(plan, change, said):
    with pytest.raises(InvalidInput, match=said):
        draw_cases(population(**change), plan)


@pytest.mark.slow
@given(st.lists(st.floats(0, 100), min_size=1, max_size=40), st.integers(0, 20), st.integers(0, 1000))
def test_any_sizes_give_chances_that_sum_to_the_number_and_a_draw_of_it(sizes, number, seed):
    sizes = np.array(sizes)
    chances = capped(sizes, number)
    able = int((sizes > 0).sum())
    assert chances.sum() == pytest.approx(min(number, able))
    assert ((chances >= 0) & (chances <= 1)).all()
    assert ((chances > 0) <= (sizes > 0)).all()
    taken = (
        systematic(chances, ["a", "b"] * 20, np.random.default_rng(seed))
        if len(sizes) == 40
        else systematic(chances, [""] * len(sizes), np.random.default_rng(seed))
    )
    assert taken.sum() == min(number, able)
    assert (taken <= (sizes > 0)).all()
