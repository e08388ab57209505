"""How many answers people would accept, and how many more labels a narrow interval takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.labels.prediction_powered import prediction_powered_mean
from core.calibration.service.pass_rate import UNSCORED, budget, cross_fitted, pass_rate, share_accepted
from core.calibration.service.report import CalibrationOptions
from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, Level, ScaleKind
from core.labelling.adjudication import adjudicate
from core.labelling.labelled_scores import LabelledScores, labelled_scores
from core.labelling.rating.tasks import tasks
from tests.support.labels.labelled_run import RATERS
from tests.support.labels.labelled_store import LABELLED, N, calibrated, options
from tests.support.small_bank import ACTOR


def test_the_pass_rate_holds_the_truth_and_counts_answers_only(labelled, made):
    found = pass_rate(labelled, calibrated(labelled, made, method="auto").id)
    truth = np.mean([made.quality[f"case-{number}"] >= 0.5 for number in range(N - 1)])
    assert found.found.estimate.low < truth < found.found.estimate.high
    assert (found.cases, found.scored, found.labels, found.simulated) == (N - 1, N - 2, LABELLED, LABELLED)
    assert found.unjudged == 0
    assert found.found.estimate.n == LABELLED
    assert not found.weighted
    wide = found.found.labels_only.high - found.found.labels_only.low
    assert found.found.estimate.high - found.found.estimate.low < wide


def test_no_prediction_knows_the_label_it_is_compared_with(labelled, made):
    found = labelled_scores(labelled, made.run.id, made.binary, ("groundedness",))
    plain = cross_fitted(found, options(made), "logistic")
    place = int(np.flatnonzero(plain.labelled)[7])
    level = found.level.copy()
    answered = np.flatnonzero(found.answered)
    level[answered[place]] = 1 - level[answered[place]]
    other = cross_fitted(replace(found, level=level), options(made), "logistic")
    assert other.predictions[place] == plain.predictions[place]
    same_source = plain.clusters == plain.clusters[place]
    np.testing.assert_array_equal(other.predictions[same_source], plain.predictions[same_source])
    assert (other.predictions != plain.predictions).any()


@pytest.mark.slow
def test_a_budget_is_dealt_to_ranges_of_the_probability(labelled, made):
    found = budget(labelled, calibrated(labelled, made).id, 0.2)
    assert sum(stratum.cases for stratum in found.strata) == found.cases == N - 1
    assert sum(stratum.labelled for stratum in found.strata) == found.labels == LABELLED
    assert UNSCORED in [stratum.stratum for stratum in found.strata]
    with pytest.raises(InvalidInput):
        budget(labelled, calibrated(labelled, made).id, 0.0)


def drawn(rng, n, labels, noise, unclear=0.0):
    """A run of n independent answers of which so many are looked at, with a score that knows what people think.

    Answers of a quality below `unclear` cannot be judged.
    """
    quality = rng.uniform(size=n)
    accepted = (rng.uniform(size=n) < 1.0 / (1.0 + np.exp(-8.0 * (quality - 0.4)))).astype(np.int64)
    score = (quality + rng.normal(0.0, noise, n))[:, None]
    chosen = rng.permutation(n) < labels
    two = (Level(value=0, anchor="no"), Level(value=1, anchor="yes"))
    return LabelledScores(
        criterion=Criterion(id="c", project_id="p", name="C", question="?", kind=ScaleKind.BINARY, levels=two),
        metrics=("score",),
        case_ids=tuple(map(str, range(n))),
        clusters=np.arange(n),
        raw=score,
        turned=score,
        answered=np.ones(n, dtype=bool),
        level=np.where(chosen & (quality >= unclear), accepted, -1),
        labels={},
        probability=np.where(chosen, labels / n, np.nan),
        random=chosen,
    )


@pytest.mark.statistical
@pytest.mark.parametrize(("model", "noise"), [("logistic", 0.05), ("isotonic", 0.05), ("logistic", 5.0)])
def test_the_interval_holds_the_truth_although_the_model_is_fitted_on_the_same_labels(model, noise):
    """Each label is predicted without it; 95% less two Monte Carlo errors at 300 runs is 0.925."""
    # The mean of 1 / (1 + exp(-8 (q - 0.4))) over q from 0 to 1.
    truth = (np.log1p(np.exp(8.0 * 0.6)) - np.log1p(np.exp(-8.0 * 0.4))) / 8.0
    rng = np.random.default_rng(7)
    runs, held, widths = 300, 0, []
    chosen = CalibrationOptions(metrics=("score",), criterion_id="c")
    for _ in range(runs):
        made = cross_fitted(drawn(rng, 800, 100, noise), chosen, model)
        some = made.labelled
        found = prediction_powered_mean(made.accepted[some], made.predictions[some], made.predictions)
        held += found.estimate.low <= truth <= found.estimate.high
        widths.append((found.estimate.high - found.estimate.low) / (found.labels_only.high - found.labels_only.low))
    assert held / runs >= 0.95 - 2.0 * (0.95 * 0.05 / runs) ** 0.5
    assert np.mean(widths) < (0.85 if noise < 1.0 else 1.03)


def mean_accepted(least):
    """The mean of 1 / (1 + exp(-8 (q - 0.4))) over q from the least quality to 1."""
    area = [np.log1p(np.exp(8.0 * (end - 0.4))) / 8.0 for end in (least, 1.0)]
    return (area[1] - area[0]) / (1.0 - least)


@pytest.mark.statistical
@pytest.mark.parametrize("unclear", [0.3, 0.6])
def test_answers_that_cannot_be_judged_do_not_drag_the_share(unclear):
    """1,000 answers, 300 looked at, the worst cannot be judged: once taken for answers that nobody looked at."""
    truth, runs = mean_accepted(unclear), 120
    rng = np.random.default_rng(11)
    chosen = CalibrationOptions(metrics=("score",), criterion_id="c")
    held = {"both": 0, "alone": 0, "without": 0}
    values, labels = [], []
    for _ in range(runs):
        made = cross_fitted(drawn(rng, 1_000, 300, 0.1, unclear), chosen, "logistic")
        found, some = share_accepted(made), made.labelled
        without = prediction_powered_mean(made.accepted[some], made.predictions[some], made.predictions)
        for name, one in (("both", found.estimate), ("alone", found.labels_only), ("without", without.estimate)):
            held[name] += one.low <= truth <= one.high
        values.append(found.estimate.value)
        labels.append(found.estimate.n)
    # Two Monte Carlo errors below the nominal 95%.
    least = 0.95 - 2.0 * (0.95 * 0.05 / runs) ** 0.5
    assert held["both"] / runs >= least
    assert held["alone"] / runs >= least
    assert np.mean(values) == pytest.approx(truth, abs=0.01)
    assert np.mean(labels) == pytest.approx(300 * (1.0 - unclear), abs=5)
    # What it was before: answers without a label taken for answers that nobody looked at.
    assert held["without"] / runs < 0.8


def test_an_answer_that_nobody_could_judge_weighs_what_its_chance_says(labelled, made):
    found = labelled_scores(labelled, made.run.id, made.binary, ("groundedness",))
    answered = np.flatnonzero(found.answered)
    places = np.flatnonzero(found.labelled & found.answered)[:20]
    level, probability = found.level.copy(), found.probability.copy()
    level[places], probability[places] = -1, 0.25
    got = cross_fitted(replace(found, level=level, probability=probability), options(made), "logistic")
    among = np.searchsorted(answered, places)
    assert got.looked_at[among].all()
    assert not got.labelled[among].any()
    assert set(got.weights[among]) == {4.0}
    assert share_accepted(got).estimate.n == LABELLED - 20


@pytest.mark.slow
def test_answers_without_a_label_are_counted_beside_the_share(labelled, made):
    calibration = calibrated(labelled, made)
    case_ids = [task.case_id for task in tasks(labelled, made.round.id, RATERS[0])][:3]
    for case_id in case_ids:
        look = {"value": None, "reason": "The passages do not say."}
        adjudicate(labelled, made.run.id, case_id, made.binary.id, **look, actor=ACTOR)
    found = pass_rate(labelled, calibration.id)
    assert (found.unjudged, found.labels, found.found.estimate.n) == (3, LABELLED - 3, LABELLED - 3)
    planned = budget(labelled, calibration.id, 0.1)
    assert planned.labels == sum(stratum.labelled for stratum in planned.strata) == LABELLED
    assert f"{LABELLED - 3} of {LABELLED} so far could be judged" in planned.sentence
