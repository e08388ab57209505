"""Metrics against people's labels."""

import json
import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.calibration.labels.trust import compare_metrics
from core.domain.errors import InvalidInput
from core.stats.ranks.auc import auc
from core.store.codec import to_row


def labelled(seed=0, n=200):
    generator = np.random.default_rng(seed)
    truth = generator.random(n)
    table = np.stack([truth + generator.normal(0, spread, n) for spread in (0.1, 0.5, 5.0)], axis=1)
    return table, np.clip((truth * 4).astype(int), 0, 3).astype(float)


def test_the_best_comes_first_and_is_named_where_it_leads_clearly():
    table, level = labelled()
    found = compare_metrics(table[:, ::-1], level, ["noise", "weak", "good"], accept_from=2)
    assert [one.name for one in found.metrics] == ["good", "weak", "noise"]
    assert found.winner == "good"
    assert "Trust good most" in found.sentence
    first, _, noise = found.metrics
    assert first.behind is None
    assert noise.behind.high < 0
    assert first.kappa.value > 0.7 > noise.kappa.value
    assert first.brier.value < first.brier_base == pytest.approx(0.25, abs=0.01)
    assert first.spearman.value > 0.9
    json.dumps(to_row(found), allow_nan=False)


def test_no_winner_where_chance_may_explain_the_lead():
    table, level = labelled(2)
    twins = np.stack([table[:, 1], table[:, 1] + np.random.default_rng(2).normal(0, 0.05, 200)], axis=1)
    found = compare_metrics(twins, level, ["one", "two"], accept_from=2)
    assert found.winner is None
    assert "chance may explain its lead" in found.sentence


def test_noise_alone_is_not_recommended():
    _, level = labelled(3)
    found = compare_metrics(np.random.default_rng(3).random((200, 2)), level, ["one", "two"], accept_from=2)
    assert found.winner is None
    assert "No metric demonstrably separates" in found.sentence


def test_the_worst_misses_are_the_cases_ranked_most_differently():
    score, level = np.linspace(0, 1, 40), np.repeat([0.0, 1.0], 20)
    score[3], score[30] = 2.0, -1.0
    found = compare_metrics(score[:, None], level, ["m"], worst=2).metrics[0]
    assert {one.case for one in found.worst} == {3, 30}
    assert {one.case: one.gap > 0 for one in found.worst} == {3: True, 30: False}


def test_missing_values_are_left_out_and_counted():
    table, level = labelled(4)
    table[:50, 0] = np.nan
    found = compare_metrics(table, level, ["a", "b", "c"], accept_from=2)
    first = next(one for one in found.metrics if one.name == "a")
    assert (first.n, first.unscored, first.auc.n) == (150, 50, 150)
    assert first.auc.value == pytest.approx(roc_auc_score(level[50:] >= 2, table[50:, 0]))
    assert all(miss.case >= 50 for miss in first.worst)
    assert next(one for one in found.metrics if one.name == "b").behind.n == 150


@pytest.mark.parametrize(
    ("column", "level", "why"),
    [
        (np.ones(40), [0.0, 1.0] * 20, "every value is the same"),
        (np.arange(40.0), [1.0] * 40, "accept all of them or none"),
        (np.array([1.0, 2.0] + [np.nan] * 38), [0.0, 1.0] * 20, "only 2 labelled cases"),
    ],
)
def test_a_metric_that_cannot_be_judged_says_why(column, level, why):
    found = compare_metrics(column[:, None], level, ["m"])
    assert why in found.metrics[0].why
    assert found.metrics[0].auc.value is None
    assert found.winner is None
    assert why in found.sentence


def test_few_sources_give_no_interval():
    table, level = labelled(5, n=60)
    found = compare_metrics(table, level, ["a", "b", "c"], accept_from=2, clusters=np.arange(60) % 4)
    assert found.winner is None
    assert all(one.auc.low is None for one in found.metrics)


def test_what_does_not_fit_is_refused():
    with pytest.raises(InvalidInput, match="differ in number"):
        compare_metrics([[1.0]], [1.0, 0.0], ["a"])
    with pytest.raises(InvalidInput, match="label is missing"):
        compare_metrics([[1.0], [2.0]], [1.0, math.nan], ["a"])


@pytest.mark.statistical
def test_a_threshold_found_on_the_same_cases_would_flatter_noise():
    """Kappa of a metric that knows nothing is about 0, since its threshold is found on other cases."""
    generator = np.random.default_rng(6)
    kappas = [
        compare_metrics(generator.random((60, 1)), (generator.random(60) < 0.5).astype(float), ["m"], draws=10)
        .metrics[0]
        .kappa.value
        for _ in range(150)
    ]
    assert abs(np.mean(kappas)) < 0.05


@pytest.mark.statistical
def test_equal_metrics_hardly_ever_have_a_winner_and_auc_is_covered():
    """Two equally good metrics, cases in sources of three; the true AUC is that of a large sample."""
    generator = np.random.default_rng(7)

    def sample(sources):
        source = np.repeat(generator.normal(0, 1, sources), 3)
        level = (source + generator.normal(0, 1, 3 * sources) > 0).astype(float)
        return np.stack([source + generator.normal(0, 1, 3 * sources) for _ in range(2)], axis=1), level

    large, level = sample(20_000)
    true = auc(large[:, 0], level)
    winners = covered = 0
    for _ in range(120):
        table, level = sample(40)
        found = compare_metrics(table, level, ["a", "b"], clusters=np.repeat(np.arange(40), 3), draws=200)
        winners += found.winner is not None
        covered += found.metrics[0].auc.low <= true <= found.metrics[0].auc.high
    assert winners / 120 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 120)
    # The better of two is read, which costs some coverage.
    assert covered / 120 >= 0.92 - 2 * math.sqrt(0.08 * 0.92 / 120)
