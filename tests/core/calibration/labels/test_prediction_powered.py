"""Prediction-powered means."""

import math

import numpy as np
import pytest

from core.calibration import prediction_powered_mean
from core.domain.errors import InsufficientData, InvalidInput

RUNS = 400


def population(generator, n=2_000):
    chance = generator.beta(2.0, 1.0, n)  # mean 2/3
    return chance, (generator.random(n) < chance).astype(float)


def test_the_estimate_is_that_of_the_reference_implementation():
    # Importing it takes seconds, and every worker imports every file.
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    chance, labels = population(np.random.default_rng(1))
    for n in (50, 200):
        found = prediction_powered_mean(labels[:n], chance[:n], chance)
        # Theirs averages over the unlabelled cases: the same estimator with lambda (N - n) / N.
        power = found.power * (2_000 - n) / 2_000
        expected = ppi_mean_pointestimate(labels[:n], chance[:n], chance[n:], lam=power)[0]
        low, high = ppi_mean_ci(labels[:n], chance[:n], chance[n:], alpha=0.05, lam=power)
        assert found.estimate.value == pytest.approx(expected)
        # Theirs is the estimate with 1.96 errors on either side; variances divide by n, and ours by n - 1.
        assert found.error == pytest.approx(float(high[0] - low[0]) / 2 / 1.959964, rel=1.5 / n)
        assert found.estimate.high - found.estimate.low == pytest.approx(float(high[0] - low[0]), rel=5 / n)


def test_a_hand_computed_estimate():
    # Labels mean .5, scores of the same cases mean .4, of all cases .6: lambda 1 gives .5 + (.6 - .4) = .7.
    labels, said = [0.0, 1.0] * 5, [0.3, 0.5] * 5
    everyone = said + [0.8] * 10
    found = prediction_powered_mean(labels, said, everyone, power=1.0)
    assert found.estimate.value == pytest.approx(0.5 + (0.6 - 0.4))
    assert found.labels_only.value == pytest.approx(0.5)
    assert (found.estimate.n, found.cases) == (10, 20)


def test_weights_undo_an_uneven_choice():
    # Half of the cases are good (1), half bad (0); good ones were labelled three times as often.
    labels = [1.0] * 30 + [0.0] * 10
    found = prediction_powered_mean(labels, labels, [1.0] * 200 + [0.0] * 200, weights=[1.0] * 30 + [3.0] * 10)
    assert found.labels_only.value == pytest.approx(0.5)
    assert found.estimate.value == pytest.approx(0.5)


def test_a_constant_score_is_not_trusted():
    found = prediction_powered_mean([0.0, 1.0] * 10, [0.5] * 20, [0.5] * 100)
    assert found.power == 0.0
    assert found.estimate.low == found.labels_only.low


def test_labels_that_are_all_alike_are_no_certainty():
    # Wilson's interval with t_19 = 2.093 at 20 labels: from 20 / (20 + 2.093^2) = .820.
    found = prediction_powered_mean([1.0] * 20, [0.9] * 20, [0.9] * 100)
    assert (found.estimate.value, found.estimate.high, found.power) == (1.0, 1.0, 0.0)
    assert found.estimate.low == pytest.approx(20 / (20 + 2.0930**2), abs=1e-4)
    # Four labels of each of ten sources are worth ten: 10 / (10 + 2.262^2).
    together = prediction_powered_mean([1.0] * 40, [0.9] * 40, [0.9] * 100, clusters=np.repeat(range(10), 4))
    assert together.labels_only.low == pytest.approx(10 / (10 + 2.2622**2), abs=1e-4)


def test_a_mean_on_another_scale_is_the_same_moved():
    generator = np.random.default_rng(11)
    said = generator.random(300)
    labels = (generator.random(300) < said).astype(float)
    one = prediction_powered_mean(labels[:60], said[:60], said)
    other = prediction_powered_mean(1 + 3 * labels[:60], 1 + 3 * said[:60], 1 + 3 * said, low=1.0, high=4.0)
    for name in ("value", "low", "high"):
        assert getattr(other.estimate, name) == pytest.approx(1 + 3 * getattr(one.estimate, name))


def test_the_effective_labels_say_what_the_scores_are_worth():
    generator = np.random.default_rng(12)
    said = generator.random(2_000)
    labels = (generator.random(2_000) < said).astype(float)
    found = prediction_powered_mean(labels[:100], said[:100], said)
    assert found.effective_labels == pytest.approx(100 * (found.labels_error / found.error) ** 2)
    assert found.effective_labels > 120


def test_cases_of_one_source_count_as_one():
    labels = np.tile([0.0, 1.0, 1.0], 10)
    alone = prediction_powered_mean(labels, labels, labels)
    together = prediction_powered_mean(
        np.repeat(labels, 4), np.repeat(labels, 4), np.repeat(labels, 4), clusters=np.repeat(np.arange(30), 4)
    )
    assert together.labels_only.high - together.labels_only.low == pytest.approx(
        alone.labels_only.high - alone.labels_only.low
    )


def test_few_labels_promise_nothing():
    with pytest.raises(InsufficientData):
        prediction_powered_mean([1.0] * 9, [1.0] * 9, [1.0] * 50)
    with pytest.raises(InsufficientData):
        prediction_powered_mean([1.0] * 40, [1.0] * 40, [1.0] * 50, clusters=[1] * 40)
    with pytest.raises(InsufficientData):
        prediction_powered_mean([], [], [])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"predictions": [0.5] * 9}, "differ in number"),
        ({"all_predictions": [0.5] * 9}, "only 9"),
        ({"labels": [float("nan")] * 10}, "not a finite number"),
        ({"weights": [0.0] * 10}, "not above 0"),
        ({"labels": [3.0] * 10}, "not within 0 to 1"),
        ({"all_clusters": [1] * 10}, "10 clusters come with 20 predictions"),
    ],
)
def test_what_cannot_be_used_is_refused(changes, said):
    given = {"labels": [1.0] * 10, "predictions": [0.5] * 10, "all_predictions": [0.5] * 20, **changes}
    with pytest.raises(InvalidInput, match=said):
        prediction_powered_mean(**given)


@pytest.mark.statistical
@pytest.mark.parametrize("score", ["informative", "noise", "biased"])
def test_it_covers_and_is_not_wider_than_labels_alone(score):
    """At n = 100: coverage at least 95% less two Monte Carlo errors; shorter, or at most 3% wider on noise."""
    generator = np.random.default_rng(7)
    covered, widths, plain = 0, 0.0, 0.0
    for _ in range(RUNS):
        chance, labels = population(generator)
        said = {"informative": chance, "noise": generator.random(2_000), "biased": chance / 2}[score]
        found = prediction_powered_mean(labels[:100], said[:100], said)
        covered += found.estimate.low <= 2 / 3 <= found.estimate.high
        widths += found.estimate.high - found.estimate.low
        plain += found.labels_only.high - found.labels_only.low
    assert covered / RUNS >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / RUNS)
    assert widths / plain <= (1.03 if score == "noise" else 0.95)


@pytest.mark.statistical
def test_it_covers_when_labels_were_chosen_by_the_score():
    """Doubtful cases were labelled four times as often; their weights make the estimate right again."""
    generator = np.random.default_rng(8)
    covered = 0
    for _ in range(RUNS):
        chance, labels = population(generator)
        rate = np.where(chance < 0.6, 0.16, 0.04)
        chosen = generator.random(2_000) < rate
        found = prediction_powered_mean(labels[chosen], chance[chosen], chance, weights=1.0 / rate[chosen])
        covered += found.estimate.low <= 2 / 3 <= found.estimate.high
    assert covered / RUNS >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.statistical
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("informative", [True, False])
def test_high_pass_rates_are_covered_too(rate, informative):
    """Where labels are nearly all alike; the estimate with t errors on either side covers .95 in 85 to 90 of 100."""
    generator = np.random.default_rng(13)
    covered, widths, plain = 0, 0.0, 0.0
    for _ in range(RUNS):
        chance = generator.beta(4 * rate, 4 * (1 - rate), 2_000)
        labels = (generator.random(2_000) < chance).astype(float)
        said = chance if informative else generator.random(2_000)
        found = prediction_powered_mean(labels[:100], said[:100], said)
        covered += found.estimate.low <= rate <= found.estimate.high
        widths += found.estimate.high - found.estimate.low
        plain += found.labels_only.high - found.labels_only.low
    assert covered / RUNS >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / RUNS)
    assert widths / plain <= (0.95 if informative else 1.03)


@pytest.mark.statistical
def test_it_covers_where_all_cases_share_sources():
    """100 sources of six cases, 20 of them labelled: the scores of the others are worth no more than 80 either."""
    generator = np.random.default_rng(14)
    covered = {True: 0, False: 0}
    sources, labelled = np.repeat(np.arange(100), 6), np.arange(600) < 120
    for _ in range(RUNS):
        said = np.repeat(generator.beta(2.0, 1.0, 100), 6)
        truth = (generator.random(600) < said).astype(float)
        for known in covered:
            found = prediction_powered_mean(
                truth[labelled],
                said[labelled],
                said,
                clusters=sources[labelled],
                all_clusters=sources if known else None,
            )
            covered[known] += found.estimate.low <= 2 / 3 <= found.estimate.high
    assert covered[True] / RUNS >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / RUNS)
    assert covered[False] < covered[True]


def test_the_labels_of_all_who_could_be_judged_are_as_they_were():
    generator = np.random.default_rng(21)
    said = generator.random(200)
    truth, omega = (generator.random(60) < said[:60]).astype(float), generator.uniform(1.0, 3.0, 60)
    sources = np.arange(200) // 2
    given = {"weights": omega, "clusters": sources[:60], "all_clusters": sources}
    plain = prediction_powered_mean(truth, said[:60], said, **given)
    assert prediction_powered_mean(truth, said[:60], said, judged=np.ones(60, dtype=bool), **given) == plain


def test_a_hand_computed_share_of_those_that_can_be_judged():
    # Twelve judged, half accepted: m = .5, P = 12 / 16, z = .5 +- .5 / .75; the others .5. Scores of all 16 looked at
    # mean .4, of all cases .6: lambda 1 gives .5 + .2. The scores of the judged, mean .5, would give .6.
    labels = [0.0, 1.0] * 6 + [math.nan] * 4
    said = [0.4, 0.6] * 6 + [0.1] * 4
    found = prediction_powered_mean(labels, said, said + [0.8] * 16, judged=[True] * 12 + [False] * 4, power=1.0)
    assert found.estimate.value == pytest.approx(0.5 + (0.6 - 0.4))
    assert (found.labels_only.value, found.labels_only.n, found.cases) == (pytest.approx(0.5), 12, 32)
    # 12 values (2/3)^2 away over 16^2, by 16 / 15: what 11.25 labels and no others would give.
    assert found.labels_error**2 == pytest.approx(12 * (2 / 3) ** 2 / 16**2 * 16 / 15)


def test_weights_and_sources_of_cases_that_cannot_be_judged_count():
    # One of two looked at of weight 3 cannot be judged: m of weights 1 and 3 is (1 * 20 + 3 * 0) / (20 + 30) = .4.
    labels, judged = [1.0] * 20 + [0.0] * 20, [True] * 30 + [False] * 10
    weights = [1.0] * 20 + [3.0] * 20
    found = prediction_powered_mean(labels, labels, labels * 5, weights=weights, judged=judged)
    assert found.labels_only.value == pytest.approx(20 / 50)
    # Copies: four of each source are worth one, judged or not.
    some = np.tile([True, True, False], 10)
    one = np.tile([0.0, 1.0, 1.0, 1.0, 0.0], 6)
    alone = prediction_powered_mean(one, one, one, judged=some)
    four = [np.repeat(part, 4) for part in (one, some, np.arange(30))]
    together = prediction_powered_mean(four[0], four[0], four[0], judged=four[1], clusters=four[2])
    assert together.labels_error == pytest.approx(alone.labels_error)
    assert together.labels_only.low == pytest.approx(alone.labels_only.low)


def test_cases_that_nobody_could_judge_are_no_labels():
    with pytest.raises(InsufficientData):
        prediction_powered_mean([0.0, 1.0] * 10, [0.5] * 20, [0.5] * 50, judged=[True] * 9 + [False] * 11)
    with pytest.raises(InsufficientData):
        prediction_powered_mean([0.0, 1.0] * 10, [0.5] * 20, [0.5] * 50, judged=[False] * 20)
