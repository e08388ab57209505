"""Probability models."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from core.calibration.probability.models import ModelName, fit_model
from core.domain.errors import InsufficientData, InvalidInput

MODELS = [("logistic", 2), ("ordinal", 2), ("ordinal", 4), ("isotonic", 2), ("boosting", 2), ("boosting", 4)]


def labelled(seed, n=200, levels=2, scores=1):
    """Labels that rise with the first score."""
    generator = np.random.default_rng(seed)
    table = generator.random((n, scores))
    noisy = table[:, 0] + generator.normal(0.0, 0.25, n)
    return table, np.clip((noisy * levels).astype(int), 0, levels - 1)


def test_two_levels_are_ridge_logistic_regression():
    table, labels = labelled(1)
    standard = (table - table.mean(axis=0)) / table.std(axis=0)
    peer = LogisticRegression(C=1.0, tol=1e-10).fit(standard, labels)
    found = fit_model("logistic", table, labels)
    assert found.probabilities(table)[:, 1] == pytest.approx(peer.predict_proba(standard)[:, 1], abs=1e-4)


def test_several_levels_have_the_slopes_of_an_ordered_logit():
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    table, labels = labelled(2, n=3_000, levels=4, scores=2)
    standard = (table - table.mean(axis=0)) / table.std(axis=0)
    peer = OrderedModel(labels, standard, distr="logit").fit(method="bfgs", disp=0)
    found = fit_model("ordinal", table, labels, levels=4)
    # With 3,000 labels the ridge hardly matters. A slope that the data want below 0 stays at 0.
    assert found.slopes[0] == pytest.approx(peer.params[0], rel=0.01)
    assert found.slopes[1] == pytest.approx(max(peer.params[1], 0.0), abs=0.02)
    expected = np.cumsum([peer.params[2], *np.exp(peer.params[3:])])
    assert found.thresholds == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("n", [40, 100, 300])
def test_few_labels_of_several_levels_are_a_penalised_ordered_logit(n):
    from scipy.optimize import minimize
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    table, labels = labelled(10, n=n, levels=3)
    standard = (table - table.mean(axis=0)) / table.std(axis=0)
    peer = OrderedModel(labels, standard, distr="logit")
    best = minimize(
        lambda given: 0.5 * given[0] ** 2 - peer.loglike(given),
        peer.start_params,
        method="Nelder-Mead",
        options={"maxiter": 5_000, "xatol": 1e-8, "fatol": 1e-10},
    ).x
    found = fit_model("ordinal", table, labels, levels=3)
    assert found.probabilities(table) == pytest.approx(peer.predict(best, exog=standard), abs=1e-4)


def test_isotonic_is_that_of_scikit_learn_short_of_certainty():
    table, labels = labelled(3)
    peer = IsotonicRegression(out_of_bounds="clip").fit(table[:, 0], labels)
    expected = np.clip(peer.predict(table[:, 0]), 1 / 202, 1 - 1 / 202)
    assert fit_model("isotonic", table, labels).probabilities(table)[:, 1] == pytest.approx(expected)


def test_separable_labels_do_not_give_certainty():
    found = fit_model("ordinal", np.arange(20.0), np.arange(20) // 5, levels=4)
    assert np.abs(found.slopes).max() < 10
    assert found.probabilities([100.0])[0].max() < 1.0 - 1e-12 or np.isfinite(found.thresholds).all()


@pytest.mark.parametrize(("name", "levels"), MODELS)
def test_rows_are_distributions(name, levels):
    table, labels = labelled(4, levels=levels)
    found = fit_model(name, table, labels, levels=levels)
    rows = found.probabilities(np.linspace(-1, 2, 50))
    assert rows.shape == (50, levels)
    assert rows.sum(axis=1) == pytest.approx(np.ones(50))
    assert (rows >= 0.0).all()
    assert found.levels == levels


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.sampled_from(MODELS), st.integers(0, 1_000), st.booleans())
def test_a_better_score_never_lowers_the_chance_of_a_high_level(model, seed, misleading):
    name, levels = model
    table, labels = labelled(seed, n=60, levels=levels)
    labels = levels - 1 - labels if misleading else labels
    if np.bincount(labels, minlength=levels).min() < 2:
        return
    rows = fit_model(name, table, labels, levels=levels).probabilities(np.linspace(-0.5, 1.5, 80))
    for level in range(1, levels):
        assert (np.diff(rows[:, level:].sum(axis=1)) >= -1e-9).all()


@pytest.mark.parametrize("name", ["logistic", "boosting"])
def test_every_one_of_several_scores_counts_upwards_only(name):
    table, labels = labelled(6, scores=2)
    table[:, 1] = 1.0 - table[:, 0] + np.random.default_rng(6).normal(0, 0.1, len(table))  # points the wrong way
    rows = fit_model(name, table, labels).probabilities([[0.5, 0.2], [0.5, 0.8]])
    assert rows[1, 1] >= rows[0, 1] - 1e-9


def test_a_constant_score_gives_the_share_of_the_labels():
    rows = fit_model("logistic", np.ones(40), [0] * 10 + [1] * 30).probabilities([1.0, 5.0])
    assert rows[:, 1] == pytest.approx([0.75, 0.75], abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (("logistic", [0.1, 0.2], [0]), InvalidInput, "do not fit"),
        (("logistic", [0.1, float("nan")], [0, 1]), InvalidInput, "not a number"),
        (("logistic", [0.1, 0.2], [0, 2]), InvalidInput, "levels 0 to 1"),
        (("isotonic", [[0.1, 0.2]] * 4, [0, 1, 0, 1]), InvalidInput, "accepts one score"),
        (("logistic", [0.1] * 4, [1, 1, 1, 1]), InsufficientData, "rarest level"),
        (("logistic", [0.1] * 4, [0, 1, 1, 1]), InsufficientData, "rarest level"),
    ],
)
def test_what_cannot_be_fitted_is_refused(arguments, error, said):
    with pytest.raises(error, match=said):
        fit_model(*arguments)


def test_a_model_of_two_levels_refuses_more():
    with pytest.raises(InvalidInput, match="Use ordinal"):
        fit_model("logistic", np.arange(9.0), [0, 1, 2] * 3, levels=3)


def test_models_have_their_names():
    table, labels = labelled(7)
    assert [fit_model(name, table, labels).name for name in ("logistic", "isotonic", "boosting")] == [
        ModelName.LOGISTIC,
        ModelName.ISOTONIC,
        ModelName.BOOSTING,
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "levels"), MODELS)
def test_a_weight_of_two_is_a_case_that_is_there_twice(name, levels):
    table, labels = labelled(8, n=120, levels=levels)
    twice = np.arange(120) % 3 == 0
    weighted = fit_model(name, table, labels, levels=levels, weights=1.0 + twice)
    repeated = fit_model(name, np.repeat(table, 1 + twice, axis=0), np.repeat(labels, 1 + twice), levels=levels)
    grid = np.linspace(0, 1, 30)
    # The ridge (and the least leaf of trees) weighs a little less with more cases.
    apart = np.abs(weighted.probabilities(grid) - repeated.probabilities(grid))
    assert apart.max() < (0.12 if name == "boosting" else 0.02)
    plain = fit_model(name, table, labels, levels=levels)
    same = fit_model(name, table, labels, levels=levels, weights=np.full(120, 7.0))
    assert same.probabilities(grid) == pytest.approx(plain.probabilities(grid), abs=1e-6)


def test_weights_are_those_of_scikit_learn():
    table, labels = labelled(9)
    weights = np.random.default_rng(9).uniform(0.5, 4.0, 200)
    weights *= 200 / weights.sum()
    centre = np.average(table, axis=0, weights=weights)
    standard = (table - centre) / np.sqrt(np.average((table - centre) ** 2, axis=0, weights=weights))
    peer = LogisticRegression(C=1.0, tol=1e-10).fit(standard, labels, sample_weight=weights)
    found = fit_model("logistic", table, labels, weights=weights)
    assert found.probabilities(table)[:, 1] == pytest.approx(peer.predict_proba(standard)[:, 1], abs=1e-4)


@pytest.mark.parametrize("weights", [[0.0, 1.0, 1.0, 1.0], [1.0, 1.0], [np.nan, 1.0, 1.0, 1.0]])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(InvalidInput, match="weight"):
        fit_model("logistic", np.arange(4.0), [0, 1, 0, 1], weights=weights)


def test_an_unknown_model_is_refused():
    with pytest.raises(InvalidInput, match="no model 'spline'"):
        fit_model("spline", np.arange(4.0), [0, 1, 0, 1])
