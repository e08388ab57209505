"""Both stages together: what is reported, what is refused, and what is promised."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from core.calibration.decisions import ErrorKind, Threshold, ThresholdBy
from core.calibration.double import calibrate, draws_for
from core.calibration.report import Decision, Report
from core.calibration.sets.conformal import finite_quantile
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.store.codec import from_row, to_row

NAN = float("nan")


def run(seed=0, n=600, labelled=300, levels=2):
    """A score and labels of the first cases of a run."""
    generator = np.random.default_rng(seed)
    score = generator.random(n)
    level = np.clip(((score + generator.normal(0, 0.2, n)) * levels).astype(int), 0, levels - 1).astype(float)
    level[labelled:] = NAN
    return score, level


def quick(*arguments, **options):
    """A calibration without the comparison of models and with few draws."""
    return calibrate(*arguments, **{"method": "logistic", "resamples": 20, **options})


def codes(found):
    return {one.code for one in found.report.cautions}


@pytest.mark.slow
def test_every_label_is_used_once():
    found = calibrate(*run())
    n = found.report.n
    assert (n.cases, n.labelled, n.fit, n.conformal, n.test) == (600, 300, 120, 90, 90)
    assert [int((found.parts == part).sum()) for part in ("fit", "conformal", "test", "")] == [120, 90, 90, 300]
    assert found.report.coverage.den == sum(one.n for one in found.report.sets) == 90
    assert sum(one.n for one in found.report.sets_all) == sum(one.n for one in found.report.decisions_all) == 600


def test_the_figures_can_be_counted_again():
    score, label = run(1)
    found = quick(score, label)
    applied, test = found.apply(score), found.parts == "test"
    truth = label[test].astype(int)
    assert found.report.coverage.num == applied.sets[test][np.arange(90), truth].sum()
    assert found.report.figure("brier").after.value == pytest.approx(np.square(applied.accepted[test] - truth).mean())
    assert found.report.figure("brier").before.value == pytest.approx(np.square(score[test] - truth).mean())
    held = found.parts == "conformal"
    missed = 1.0 - applied.probabilities[held][np.arange(90), label[held].astype(int)]
    # k = ceil(91 * .9) = 82
    assert found.report.quantiles[0].value == pytest.approx(np.sort(missed)[81])
    errors = found.report.errors
    assert errors.type_1.num == int((applied.accepted[test][truth == 0] >= 0.5).sum())
    assert errors.type_2.num == int((applied.accepted[test][truth == 1] < 0.5).sum())
    by_set = {one.levels: one.n for one in found.report.sets}
    decided = {one.decision: one for one in found.report.decisions}
    assert decided[Decision.ACCEPT].n == by_set[(1,)]
    assert decided[Decision.REJECT].n == by_set[(0,)]
    assert decided[Decision.HUMAN].n == by_set[(0, 1)] + by_set[()]
    accepts = np.array([one is Decision.ACCEPT for one in applied.decisions]) & test
    assert decided[Decision.ACCEPT].wrong.num == int((label[accepts] == 0).sum())


def test_the_report_is_plain_data():
    groups = ["a", "b"] * 300
    for changes in ({}, {"groups": groups, "method": "isotonic"}, {"alpha": 0.001, "names": ["groundedness"]}):
        report = quick(*run(2), **changes).report
        row = to_row(report)
        assert from_row(Report, json.loads(json.dumps(row, allow_nan=False))) == report
        json.dumps(report.as_json(), allow_nan=False)


def test_a_case_without_a_score_gets_nothing():
    score, label = run(3)
    score[[0, 1, 500]] = NAN
    found = quick(score, label)
    applied = found.apply(score)
    assert np.isnan(applied.accepted[[0, 1, 500]]).all()
    assert not applied.sets[[0, 1, 500]].any()
    assert [applied.decisions[place] for place in (0, 500)] == [None, None]
    assert (found.report.n.scored, found.report.n.labelled_unscored) == (597, 2)
    assert "unscored" in codes(found)
    assert sum(one.n for one in found.report.decisions_all) == 597


@pytest.mark.slow
def test_several_scores_and_levels():
    score, label = run(4, levels=4)
    other = np.random.default_rng(4).normal(5, 2, 600)
    for method in ("lac", "aps"):
        found = quick(
            np.stack([score, other], axis=1),
            label,
            levels=4,
            accept_from=2,
            conformal=method,
            names=["s", "o"],
            method="auto" if method == "lac" else "ordinal",
        )
        assert found.report.choice.model in ("ordinal", "boosting")
        applied = found.apply(np.stack([score, other], axis=1))
        assert applied.accepted == pytest.approx(applied.probabilities[:, 2:].sum(axis=1))
        assert found.report.reading.startswith("the mean of the scores")
        assert found.report.curve == ()
        within = [row[2:].any() and not row[:2].any() for row in applied.sets]
        assert [one is Decision.ACCEPT for one in applied.decisions] == within
    with pytest.raises(InvalidInput, match="takes 2 scores"):
        found.apply(score)


def test_a_score_outside_0_to_1_is_read_by_its_range():
    score, label = run(5)
    assert quick(score, label).report.reading == "the score itself, which lies between 0 and 1"
    found = quick(score * 10 - 3, label)
    assert "brought to 0 to 1" in found.report.reading
    assert found.report.figure("ece").before.value <= 1.0
    # Both stages only see the order and distances of scores: the sets are the same.
    assert (found.apply(score * 10 - 3).sets == quick(score, label).apply(score).sets).all()


def test_groups_have_their_own_quantile_where_labels_allow():
    score, label = run(6)
    groups = np.array(["common"] * 600, dtype=object)
    groups[::20] = "rare"
    found = quick(score, label, groups=groups.tolist())
    kinds = {one.group: one for one in found.report.quantiles}
    assert list(kinds) == ["(all)", "common", "rare"]
    assert (kinds["common"].own, kinds["rare"].own) == (True, False)
    assert kinds["rare"].value == kinds["(all)"].value
    assert "too_few_in_group" in codes(found)
    assert sum(one.coverage.den for one in found.report.coverage_by_group) == 90
    assert found.report.expected_low is None


def test_too_few_labels_for_alpha_name_every_level_and_say_so():
    found = quick(*run(7, labelled=60), alpha=0.05)
    # 18 labels in the conformal part, and 19 are needed.
    assert (found.report.n.conformal, found.report.quantiles[0].value) == (18, None)
    assert "too_few" in codes(found)
    assert {one.levels: one.n for one in found.report.sets_all} == {(0,): 0, (1,): 0, (0, 1): 600, (): 0}
    assert {one.decision.value: one.n for one in found.report.decisions_all} == {"accept": 0, "reject": 0, "human": 600}


@pytest.mark.parametrize(
    ("score", "label", "error", "said"),
    [
        (np.full(100, 0.7), [0, 1] * 50, InvalidInput, "the same score"),
        (np.linspace(0, 1, 100), [1] * 100, InvalidInput, "one level"),
        (np.linspace(0, 1, 100), [0, 1, 0, 1, 1] + [NAN] * 95, InsufficientData, "30 labelled cases"),
        (np.linspace(0, 1, 100), [NAN] * 100, InsufficientData, "labelled cases with a score"),
        (np.full(100, NAN), [0, 1] * 50, InsufficientData, "labelled cases with a score"),
        (np.linspace(0, 1, 100), [0.5] * 100, InvalidInput, "not one of the levels"),
        (np.linspace(0, 1, 100), [0, 1] * 40, InvalidInput, "differ in number"),
        (np.linspace(0, 1, 100), [0] * 99 + [1], InsufficientData, "rarest level"),
    ],
)
def test_what_gives_no_right_number_is_refused(score, label, error, said):
    with pytest.raises(error, match=said) as caught:
        quick(score, label)
    assert caught.value.hint


def test_a_level_that_nobody_gave_is_refused():
    score, label = run(8, levels=3)
    label[label == 1] = 2
    with pytest.raises(InvalidInput, match="No case has the level 1"):
        quick(score, label, levels=3)
    with pytest.raises(InvalidInput, match="accepted from level 0"):
        quick(score, label, levels=3, accept_from=0)


def test_raters_who_do_not_agree_are_refused_unless_one_insists():
    alpha = Estimate(value=0.2, low=-0.1, high=0.5, n=40)
    with pytest.raises(InvalidInput, match="not distinguishable from chance"):
        quick(*run(9), agreement=alpha)
    found = quick(*run(9), agreement=alpha, insist=True)
    assert found.report.insisted
    assert found.report.agreement == alpha
    assert "agreement_insisted" in codes(found)
    low = quick(*run(9), agreement=Estimate(value=0.5, low=0.3, high=0.7, n=40))
    assert "agreement_low" in codes(low)
    assert not low.report.insisted
    good = quick(*run(9), agreement=Estimate(value=0.9, low=0.8, high=0.95, n=40))
    assert not {"agreement_low", "agreement_unknown"} & codes(good)


def test_ties_and_directions_are_told():
    score, label = run(10)
    assert "ties" in codes(quick(np.round(score, 1), label))
    assert "ties" not in codes(quick(score, label))
    assert "wrong_direction" in codes(quick(1.0 - score, label))
    assert "unrelated" in codes(quick(np.random.default_rng(0).random(600), label))
    constant = np.stack([score, np.ones(600)], axis=1)
    assert "constant_score" in codes(quick(constant, label))


def test_labels_that_are_no_random_draw_are_noticed():
    score, label = run(11, labelled=600)
    label[score < 0.3] = NAN
    found = quick(score, label)
    assert "populations_differ" in codes(found)
    (check,) = found.report.populations
    assert check.shift > 0.2
    assert "populations_differ" not in codes(quick(*run(11)))


def test_targeted_cases_need_their_chances():
    score, label = run(12)
    drawn = np.arange(600) < 150
    assert "no_weights" in codes(quick(score, label, random=drawn))
    found = quick(score, label, random=drawn, weights=np.full(600, 2.0))
    assert "no_weights" not in codes(found)
    assert (found.report.n.targeted, found.report.n.random) == (150, 150)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Threshold(by=ThresholdBy.COST, false_accept=5.0), "lowest cost"),
        (Threshold(by=ThresholdBy.BOUND, most_wrong=0.3), "wrong among the accepted at most 30.0%"),
        (Threshold(by=ThresholdBy.BOUND, kind=ErrorKind.TYPE_1, most_wrong=0.3), "that people reject at most 30.0%"),
        (Threshold(by=ThresholdBy.BOUND, most_wrong=0.001), "none can be promised"),
    ],
)
def test_a_threshold_is_chosen_on_the_conformal_part(rule, said):
    found = quick(*run(13), threshold=rule).report
    assert said in found.threshold_how
    assert (found.errors is None) == (found.threshold is None)
    if found.errors is not None:
        assert found.errors.accepted.den == found.n.test


def test_the_same_seed_gives_the_same_report():
    assert quick(*run(14), seed=3).report == quick(*run(14), seed=3).report


@pytest.mark.statistical
@pytest.mark.parametrize(("n", "alpha"), [(60, 0.1), (150, 0.2), (200, 0.05)])
def test_coverage_of_the_test_part_is_beta_binomial(n, alpha):
    """120 whole calibrations of continuous scores: the mean coverage keeps to its exact expectation, k / (m + 1)."""
    shares, generator = [], np.random.default_rng(n)
    for seed in range(120):
        score = generator.random(n)
        label = (generator.random(n) < score**2).astype(float)
        if min(label.sum(), n - label.sum()) < 12:
            continue
        report = quick(score, label, alpha=alpha, seed=seed).report
        shares.append((report.coverage.num, report.coverage.den, report.n.conformal))
    hits, den, m = (np.array(column) for column in zip(*shares, strict=True))
    k = finite_quantile(np.zeros(m[0]), alpha).k
    law = stats.betabinom(int(den[0]), k, int(m[0]) + 1 - k)
    error = float(law.std()) / math.sqrt(len(hits))
    assert abs(hits.mean() - law.mean()) <= 3.3 * error
    # And single calibrations spread as they should: about 95 of 100 within the central band.
    low, high = law.ppf([0.025, 0.975])
    assert ((hits >= low) & (hits <= high)).mean() >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / len(hits))


@pytest.mark.statistical
def test_isotonic_steps_cover_at_least_what_is_promised():
    generator = np.random.default_rng(5)
    hits = den = 0
    for seed in range(100):
        score = generator.random(200)
        label = (generator.random(200) < score).astype(float)
        report = quick(score, label, method="isotonic", seed=seed).report
        hits, den = hits + report.coverage.num, den + report.coverage.den
    # Calibrations scatter too: beta-binomial variance for 60 and 60 cases.
    law = stats.betabinom(60, 55, 6)
    assert hits / den >= 0.9 - 3.3 * float(law.std()) / 60 / 10


@pytest.mark.statistical
def test_a_targeted_draw_is_put_right_by_its_weights():
    """Doubtful cases are labelled ten times as often, with labels that a logistic curve cannot follow.

    The least squares of probabilities against the truth over the whole run is smaller with weights than without.
    """
    generator = np.random.default_rng(7)
    weighted, plain = [], []
    for seed in range(40):
        score = generator.random(2_000)
        truth = np.where(score < 0.5, 0.1, np.where(score < 0.6, 0.9, 0.5))
        label = (generator.random(2_000) < truth).astype(float)
        drawn = generator.random(2_000) < 0.05
        targeted = (generator.random(2_000) < 0.5) & (score > 0.45) & (score < 0.6) & ~drawn
        label[~(drawn | targeted)] = NAN
        chance = 0.05 + 0.95 * 0.5 * ((score > 0.45) & (score < 0.6))
        options = {"random": drawn, "seed": seed}
        for errors, weights in ((weighted, 1.0 / chance), (plain, None)):
            found = quick(score, label, weights=weights, **options)
            errors.append(abs(found.apply(score).accepted.mean() - truth.mean()))
    # The mean probability of the run is off by chance alone with weights, by the draw without.
    assert np.mean(weighted) < 0.75 * np.mean(plain)


@pytest.mark.statistical
def test_sets_of_a_targeted_draw_keep_their_promise():
    generator = np.random.default_rng(8)
    covered = []
    for seed in range(60):
        score = generator.random(3_000)
        truth = (generator.random(3_000) < score).astype(float)
        drawn = generator.random(3_000) < 0.06
        targeted = (generator.random(3_000) < 0.3) & (np.abs(score - 0.5) < 0.1)
        label = np.where(drawn | targeted, truth, NAN)
        found = quick(score, label, random=drawn, seed=seed)
        rest = np.isnan(label)
        covered.append(found.apply(score).sets[rest][np.arange(int(rest.sum())), truth[rest].astype(int)].mean())
    assert np.mean(covered) == pytest.approx(0.9, abs=0.02)


@pytest.mark.statistical
def test_each_group_is_covered_where_a_score_means_something_else_in_one():
    """Coverage by group over 60 calibrations: both keep the promise with quantiles of their own, not with one."""
    generator = np.random.default_rng(9)
    hits = {(own, group): [] for own in (True, False) for group in ("easy", "hard")}
    groups = np.where(np.arange(500) % 3 == 0, "hard", "easy").tolist()
    for seed in range(60):
        score = generator.random(500)
        hard = np.array(groups) == "hard"
        label = (generator.random(500) < np.where(hard, 0.5, 1 / (1 + np.exp(-12 * (score - 0.5))))).astype(float)
        for own in (True, False):
            found = quick(score, label, groups=groups if own else None, seed=seed)
            test = found.parts == "test"
            sets = found.apply(score, groups if own else None).sets
            held = sets[np.arange(500), label.astype(int)]
            for group in ("easy", "hard"):
                hits[own, group].append(held[test & (hard == (group == "hard"))].mean())
            if own:
                by = {one.group: one.coverage.value for one in found.report.coverage_by_group}
                assert by["hard"] == pytest.approx(hits[True, "hard"][-1])
    for group in ("easy", "hard"):
        scatter = np.std(hits[True, group], ddof=1) / 60**0.5
        assert np.mean(hits[True, group]) >= 0.9 - 2 * scatter
    assert np.mean(hits[False, "hard"]) < 0.85


@pytest.mark.statistical
def test_sources_of_alike_cases_are_covered():
    """Sources of four alike cases: coverage of new sources over 80 calibrations, 30 sources in the conformal part."""
    generator = np.random.default_rng(10)
    sources, covered = np.repeat(np.arange(100), 4), []
    for seed in range(80):
        score = np.repeat(generator.random(100), 4)
        label = (np.repeat(generator.random(100), 4) < score).astype(float)
        found = quick(score, label, clusters=sources, seed=seed).report
        assert found.expected_low is None
        covered.append(found.coverage.value)
    assert np.mean(covered) >= 0.9 - 2 * np.std(covered, ddof=1) / 80**0.5


def test_undecided_cases_are_counted_and_old_reports_still_load():
    found = quick(*run(), undecided=68).report
    assert found.n.undecided == 68
    (caution,) = [one for one in found.cautions if one.code == "undecided"]
    # 300 labelled and 68 without one label.
    assert "68 of 368" in caution.text
    row = to_row(found)
    assert from_row(Report, row) == found
    del row["n"]["undecided"]
    assert from_row(Report, row).n.undecided == 0


def test_a_group_of_many_cases_and_few_sources_is_told():
    score, level = run()
    place = np.arange(600)
    groups = ["few" if one % 2 else "many" for one in place]
    # The odd cases come from 12 sources, of which the conformal part gets about 4; the others stand alone.
    clusters = np.where(place % 2, place % 24, 1000 + place)
    found = quick(score, level, groups=groups, clusters=clusters).report
    few = next(one for one in found.quantiles if one.group == "few")
    assert (few.own, few.n >= 9) == (False, True)
    (caution,) = [one for one in found.cautions if one.code == "too_few_in_group"]
    assert f"few ({few.n} of " in caution.text
    assert "many" not in caution.text


def test_full_sets_of_aps_send_to_lac():
    generator = np.random.default_rng(0)
    score = generator.random(300)
    # Noise: the less probable level is the true one in far more than a tenth of the cases.
    level = generator.integers(0, 2, 300).astype(float)
    found = quick(score, level, conformal="aps").report
    assert found.quantiles[0].value == 1.0
    assert any(one.code == "full_sets" and "LAC" in one.remedy for one in found.cautions)


@pytest.mark.slow
def test_the_work_on_many_cases_is_bounded_and_told():
    # 5,000,000 / 20,000 = 250; 5,000,000 / 200,000 = 25, and 200 there are at least; never more than asked for.
    assert [draws_for(cases, 500) for cases in (0, 300, 10_000, 20_000, 200_000)] == [500, 500, 500, 250, 200]
    assert draws_for(200_000, 20) == 20
    told = []
    score, level = run(n=60_000, labelled=60_000)
    found = calibrate(score, level, resamples=2, progress=told.append).report
    # 0.4 * 60,000 = 24,000 labels to fit, more than 20,000.
    assert (found.n.fit, found.choice.repeats) == (24_000, 1)
    assert told[0] == "Choosing a model on 24,000 labels"
    assert told[-1] == "Testing on 18,000 labels, 2 draws"
