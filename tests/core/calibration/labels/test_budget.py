"""How many more labels."""

import numpy as np
import pytest

from core.calibration.labels.budget import plan_labels
from core.calibration.labels.prediction_powered import prediction_powered_mean
from core.domain.errors import InsufficientData, InvalidInput


def population(seed=0, n=4_000):
    generator = np.random.default_rng(seed)
    chance = generator.beta(0.5, 0.4, n)
    return chance, (generator.random(n) < chance).astype(float)


def test_labels_for_a_width_without_scores():
    # p = .5, width .2: 4 t^2 * .25 * (n / (n - 1)) / n <= .04, about (1.96 * .5 / .1)^2 = 96, a little more for t.
    label = np.tile([0.0, 1.0], 25)
    found = plan_labels(label, np.full(50, 0.5), np.full(2_000, 0.5), width=0.2)
    assert found.labels_only.total == pytest.approx(99, abs=3)
    assert found.labels_only.more == found.labels_only.total - 50
    # A constant score is no help.
    assert found.with_scores.total == pytest.approx(found.labels_only.total, abs=1)
    assert "more labels" in found.sentence


def test_the_width_now_is_that_of_the_estimate():
    chance, label = population()
    for n in (40, 200):
        peer = prediction_powered_mean(label[:n], chance[:n], chance)
        found = plan_labels(label[:n], chance[:n], chance, width=0.1)
        assert found.labels_only.width_now == pytest.approx(peer.labels_only.high - peer.labels_only.low, rel=0.01)
        assert found.with_scores.width_now == pytest.approx(peer.estimate.high - peer.estimate.low, rel=0.01)
        assert found.with_scores.total < found.labels_only.total


def test_the_plan_comes_true():
    """With as many labels as planned the intervals have the wanted width, on average."""
    chance, label = population(1)
    plan = plan_labels(label[:150], chance[:150], chance, width=0.1)
    widths = []
    for seed in range(40):
        chosen = np.random.default_rng(seed).permutation(4_000)[: plan.with_scores.total]
        found = prediction_powered_mean(label[chosen], chance[chosen], chance)
        widths.append(found.estimate.high - found.estimate.low)
    assert np.mean(widths) == pytest.approx(0.1, rel=0.12)


def test_cases_of_one_source_cost_more_labels():
    generator = np.random.default_rng(2)
    label = np.repeat((generator.random(30) < 0.6).astype(float), 4)
    said = np.full(120, 0.5)
    alone = plan_labels(label, said, np.full(5_000, 0.5), width=0.15)
    together = plan_labels(label, said, np.full(5_000, 0.5), width=0.15, clusters=np.repeat(np.arange(30), 4))
    # Copies: a cluster of four is worth one label.
    assert together.design_effect == pytest.approx(4.0, rel=0.05)
    assert together.labels_only.total > 3.5 * alone.labels_only.total


def test_the_width_now_counts_sources_as_the_estimate_does():
    generator = np.random.default_rng(6)
    sources = np.repeat(np.arange(100), 6)
    said = np.repeat(generator.beta(2.0, 1.0, 100), 6)
    truth = (generator.random(600) < said).astype(float)
    some = sources < 30
    near = {"clusters": sources[some], "all_clusters": sources}
    peer = prediction_powered_mean(truth[some], said[some], said, **near)
    found = plan_labels(truth[some], said[some], said, width=0.1, **near)
    assert found.with_scores.width_now == pytest.approx(peer.estimate.high - peer.estimate.low, rel=0.01)


def test_a_width_that_the_run_cannot_give():
    found = plan_labels([0.0, 1.0] * 10, [0.5] * 20, [0.5] * 60, width=0.05)
    assert (found.with_scores.total, found.with_scores.more) == (None, None)
    assert "More cases are needed" in found.sentence


def test_a_width_that_is_there_already():
    chance, label = population(3)
    found = plan_labels(label[:500], chance[:500], chance, width=0.3)
    assert (found.labels_only.more, found.with_scores.more) == (0, 0)
    assert "narrow enough" in found.sentence


def test_labels_all_alike_do_not_make_it_free():
    found = plan_labels([1.0] * 12, [0.9] * 12, [0.9] * 1_000, width=0.1)
    assert found.labels_only.more > 0


def test_labels_go_where_cases_are_many_and_differ():
    generator = np.random.default_rng(4)
    strata = ["sure"] * 1_000 + ["doubtful"] * 1_000 + ["rare"] * 100
    said = np.array([0.95] * 1_000 + [0.5] * 1_000 + [0.5] * 100)
    label = (generator.random(2_100) < said).astype(float)
    chosen = np.concatenate([np.arange(50), 1_000 + np.arange(50), 2_000 + np.arange(10)])
    found = plan_labels(
        label[chosen],
        said[chosen],
        said,
        width=0.08,
        strata=[strata[place] for place in chosen],
        all_strata=strata,
    )
    by = {one.stratum: one for one in found.strata}
    assert by["doubtful"].total > 1.5 * by["sure"].total > by["rare"].total
    assert [by[name].cases for name in ("sure", "doubtful", "rare")] == [1_000, 1_000, 100]
    assert all(one.labelled <= one.total <= one.cases and one.more == one.total - one.labelled for one in found.strata)
    assert sum(one.total for one in found.strata) == found.with_scores.total


def test_a_stratum_without_labels_gets_some():
    found = plan_labels(
        [0.0, 1.0] * 10,
        [0.4, 0.6] * 10,
        [0.4, 0.6] * 200,
        width=0.2,
        strata=["a"] * 20,
        all_strata=["a"] * 200 + ["b"] * 200,
    )
    assert {one.stratum: one.labelled for one in found.strata} == {"a": 20, "b": 0}
    assert next(one for one in found.strata if one.stratum == "b").more >= 2


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"width": 0.0}, InvalidInput),
        ({"width": 1.0}, InvalidInput),
        ({"strata": ["a"], "all_strata": ["a"]}, InvalidInput),
        ({"labels": [1.0] * 5, "predictions": [1.0] * 5}, InsufficientData),
    ],
)
def test_what_cannot_be_planned_is_refused(changes, error):
    given = {"labels": [0.0, 1.0] * 10, "predictions": [0.5] * 20, "all_predictions": [0.5] * 50, "width": 0.2}
    given |= changes
    with pytest.raises(error):
        plan_labels(given.pop("labels"), given.pop("predictions"), given.pop("all_predictions"), **given)


def test_the_plan_counts_answers_that_cannot_be_judged():
    """The width now is that of the estimate, in answers looked at; with none such the plan is the plain one."""
    chance, label = population(9)
    clear = chance[:300] > 0.2
    given = {"width": 0.05, "clusters": np.arange(300) // 2, "all_clusters": np.arange(4_000) // 2}
    found = plan_labels(label[:300], chance[:300], chance, judged=clear, **given)
    given.pop("width")
    peer = prediction_powered_mean(label[:300], chance[:300], chance, judged=clear, **given)
    assert found.labels == 300
    assert found.labels_only.width_now == pytest.approx(peer.labels_only.high - peer.labels_only.low, rel=0.01)
    assert found.with_scores.width_now == pytest.approx(peer.estimate.high - peer.estimate.low, rel=0.01)
    assert f"{clear.sum()} of 300 so far could be judged" in found.sentence
    plain = plan_labels(label[:300], chance[:300], chance, width=0.05)
    assert plan_labels(label[:300], chance[:300], chance, width=0.05, judged=clear | True) == plain
