"""The choice of a probability model."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut

from core.calibration.probability.choosing import choose_model, fixed_choice
from core.calibration.probability.models import ModelName


def drawn(seed, n, shape=lambda score: score):
    generator = np.random.default_rng(seed)
    score = generator.random(n)
    return score, (generator.random(n) < shape(score)).astype(int)


def candidate(choice, model):
    return next(one for one in choice.candidates if one.model is model)


@pytest.mark.slow
def test_the_loss_is_that_of_cases_left_out():
    score, label = drawn(0, 40)
    found = choose_model(score, label, folds=40, repeats=1)
    losses = []
    for known, out in LeaveOneOut().split(score[:, None]):
        centre, scale = score[known].mean(), score[known].std()
        peer = LogisticRegression(C=1.0, tol=1e-10).fit((score[known, None] - centre) / scale, label[known])
        chance = peer.predict_proba((score[out, None] - centre) / scale)
        losses.append(log_loss(label[out], chance, labels=[0, 1]))
    logistic = candidate(found, ModelName.LOGISTIC)
    assert logistic.log_loss == pytest.approx(np.mean(losses), abs=1e-4)
    assert logistic.log_loss_error == pytest.approx(np.std(losses, ddof=1) / 40**0.5, abs=1e-4)


@pytest.mark.slow
def test_a_logistic_relation_gets_the_simplest_model():
    score, label = drawn(1, 300, lambda score: 1 / (1 + np.exp(-6 * (score - 0.5))))
    found = choose_model(score, label)
    assert found.model is ModelName.LOGISTIC
    assert "Use the logistic model" in found.sentence
    assert all(one.log_loss is not None for one in found.candidates if not one.reason)


@pytest.mark.slow
def test_a_step_gets_a_model_that_has_one():
    score, label = drawn(2, 600, lambda score: np.where(score < 0.9, 0.05, np.where(score < 0.93, 0.5, 0.95)))
    found = choose_model(score, label)
    assert found.model in (ModelName.ISOTONIC, ModelName.BOOSTING)
    logistic = candidate(found, ModelName.LOGISTIC)
    assert logistic.worse_by > logistic.worse_by_error


@pytest.mark.slow
def test_within_one_standard_error_the_simpler_model_wins():
    for seed in range(8):
        score, label = drawn(seed, 150)
        found = choose_model(score, label, repeats=1)
        close = [one for one in found.candidates if one.log_loss is not None and one.worse_by <= one.worse_by_error]
        assert found.model is close[0].model
        assert candidate(found, found.best).worse_by == 0.0


def test_models_that_cannot_be_used_say_why():
    score, label = drawn(3, 30)
    reasons = {one.model.value: one.reason for one in choose_model(score, label).candidates}
    assert reasons == {
        "logistic": "",
        "ordinal": "with two levels it is the logistic model",
        "isotonic": "it needs at least 50 labels to fit and there are 30",
        "boosting": "it needs at least 100 labels to fit and there are 30",
    }
    levels = np.clip((score * 3).astype(int), 0, 2)
    found = choose_model(np.stack([score, score], axis=1), levels, levels=3)
    assert found.model is ModelName.ORDINAL
    assert "three" not in candidate(found, ModelName.LOGISTIC).reason
    assert candidate(found, ModelName.ISOTONIC).reason == "it supports two levels and there are 3"


@pytest.mark.slow
def test_a_cluster_is_left_out_as_a_whole():
    # 20 sources whose cases are copies: a model may not learn a label from a copy of the case it is tried on.
    score, label = drawn(4, 60)
    copies = np.repeat(np.arange(60), 5)
    found = choose_model(np.repeat(score, 5), np.repeat(label, 5), clusters=copies, repeats=1)
    blind = choose_model(np.repeat(score, 5), np.repeat(label, 5), repeats=1)
    isotonic = candidate(found, ModelName.ISOTONIC).log_loss
    assert isotonic > candidate(blind, ModelName.ISOTONIC).log_loss
    assert (
        candidate(found, ModelName.LOGISTIC).log_loss_error > 1.5 * candidate(blind, ModelName.LOGISTIC).log_loss_error
    )


def test_too_few_of_a_level_are_not_compared():
    label = np.array([0, 0] + [1] * 20)
    found = choose_model(np.linspace(0, 1, 22), label)
    assert (found.model, found.folds) == (ModelName.LOGISTIC, 0)
    assert "could not be compared" in found.sentence


def test_a_choice_by_a_person_is_not_compared():
    _, label = drawn(5, 30)
    found = fixed_choice(ModelName.BOOSTING, labels=label, levels=2, scores=1)
    assert found.model is ModelName.BOOSTING
    assert "was requested" in found.sentence
    assert "at least 100 labels" in found.sentence


@pytest.mark.slow
def test_the_choice_is_the_same_every_time():
    score, label = drawn(6, 120)
    assert choose_model(score, label, seed=3) == choose_model(score, label, seed=3)
