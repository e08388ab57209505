"""The agreement of raters under one criterion."""

import json

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as peer_fleiss

from bench.mtrag import read_rows
from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.labels import Criterion, Level, ScaleKind
from core.labelling.agreement.alpha import agreement, level_of
from core.labelling.agreement.words import reading, usable
from tests.support.shared_data import shared

NAN = float("nan")
ABC = ("anna", "ben", "cleo")


def noisy(cases=80, raters=3, seed=1, noise=0.3, levels=4):
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, levels + 1, cases)
    wrong = generator.random((raters, cases)) < noise
    return np.where(wrong, generator.integers(1, levels + 1, (raters, cases)), truth).astype(float)


def report(table, raters=ABC, **options):
    return agreement(table, raters[: len(table)], **{"level": "nominal", "resamples": 200, **options})


def test_a_table_by_hand():
    # anna 0 0 1 1 1 0 1 0, ben the same but for the last two.
    anna, ben = [0, 0, 1, 1, 1, 0, 1, 0], [0, 0, 1, 1, 1, 0, 0, 1]
    found = report([anna, ben])
    # Alpha: o01 + o10 = 4, each level 8 of 16: 1 - 15 * 4 / (2 * 8 * 8).
    assert found.alpha.value == pytest.approx(1 - 15 * 4 / 128)
    # Fleiss: P = 6/8, P_e = 1/2; Cohen the same, since both have four of each.
    assert found.fleiss.estimate.value == pytest.approx(0.5)
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.same.num, pair.same.den) == ("anna", "ben", 6, 8)
    assert pair.kappa.value == pytest.approx(0.5) == found.kappa.value
    assert (found.raters, found.items, found.shared, found.labels) == (2, 8, 8, 16)
    assert found.by_rater[0].mean == 0.5
    assert found.by_rater[0].bias.value == 0.0


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_it_agrees_with_the_reference_implementations(level):
    table = noisy()
    found = report(table, level=level)
    assert found.alpha.value == pytest.approx(krippendorff.alpha(table, level_of_measurement=level))
    assert found.alphas["interval"].value == pytest.approx(krippendorff.alpha(table, level_of_measurement="interval"))
    assert found.fleiss.estimate.value == pytest.approx(peer_fleiss(aggregate_raters(table.T)[0]))
    weights = None if level == "nominal" else "quadratic"
    for pair, (a, b) in zip(found.pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        assert pair.kappa.value == pytest.approx(cohen_kappa_score(table[a], table[b], weights=weights))
    assert found.kappa.value == pytest.approx(np.mean([pair.kappa.value for pair in found.pairs]))


def test_each_rater_against_the_others():
    # cleo always says one more than anna and ben, who are equal: bias 1; anna against the mean of (same, +1): -1/2.
    base = [1, 2, 3, 1, 2, 3, 1, 2]
    found = report([base, base, [value + 1 for value in base]], level="ordinal")
    assert [rater.bias.value for rater in found.by_rater] == pytest.approx([-0.5, -0.5, 1.0])
    assert found.by_rater[2].rank_with_rest.value == pytest.approx(1.0)
    assert found.by_rater[2].kappa_with_rest.value < found.by_rater[0].kappa_with_rest.value
    assert [rater.mean for rater in found.by_rater] == pytest.approx([15 / 8, 15 / 8, 23 / 8])


def test_repeats_gold_time_and_cases_that_could_not_be_judged():
    table = [[1, 2, 1, 2, NAN, 1], [1, 2, 2, 2, 1, 1]]
    again = [[1, 2, 2, NAN, NAN, NAN], [NAN] * 6]
    seconds = [[10, 20, 40, 30, NAN, NAN], [NAN] * 6]
    gold = [1, 2, 1, NAN, NAN, 2]
    found = report(table, repeats=again, seconds=seconds, gold=gold, cannot_judge={"anna": 1})
    anna, ben = found.by_rater
    assert (anna.same_repeats.num, anna.same_repeats.den, anna.seconds, anna.cannot_judge, anna.n) == (2, 3, 25, 1, 5)
    # First 1 2 1, second 1 2 2: alike in 2/3, by chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9.
    assert anna.repeats.value == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))
    assert (ben.repeats.value, ben.repeats.method, ben.seconds, ben.cannot_judge) == (
        None,
        "no case was labelled twice",
        None,
        0,
    )
    # Against gold 1 2 1 2: anna 1 2 1 1, ben 1 2 2 1.
    assert (anna.same_gold.num, ben.same_gold.num, found.same_gold.num, found.same_gold.den) == (3, 2, 5, 8)
    assert anna.gold.value == pytest.approx(cohen_kappa_score([1, 2, 1, 1], [1, 2, 1, 2]))
    assert found.gold.value == pytest.approx((anna.gold.value + ben.gold.value) / 2)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[1, 2, 1, 2]], "only one rater labelled"),
        ([[1, 2, NAN, NAN], [NAN] * 4], "only one rater labelled"),
        ([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], "no case has labels of two raters"),
        ([[1, 2, NAN, NAN], [NAN, 1, 1, 2]], "a single case has labels of two raters"),
        ([[NAN] * 4] * 2, "there is no label"),
        ([[], []], "there is no label"),
        ([[3] * 8] * 2, "every rating is the same"),
    ],
)
def test_what_cannot_be_told_has_a_reason_and_no_number(table, why):
    found = report(table, level="ordinal")
    assert (found.alpha.value, found.alpha.low, found.alpha.high, found.alpha.method) == (None, None, None, why)
    assert found.fleiss.estimate.value is None
    assert found.kappa.value is None
    assert found.rank.value is None
    assert found.rank.n <= 2 or found.rank.method == "all values of one side are equal"
    assert found.usable == "warned"
    assert why in found.reading
    assert all(pair.kappa.value is None and pair.kappa.method for pair in found.pairs)
    json.dumps(found.as_json())


def test_no_rater_at_all():
    found = agreement([], (), level="nominal")
    assert (found.raters, found.items, found.pairs, found.alpha.method) == (0, 0, (), "there is no label")


def test_two_cases_have_a_value_but_no_interval_and_are_not_trusted():
    found = report([[1, 2], [1, 2]])
    assert (found.alpha.value, found.alpha.low, found.usable) == (1.0, None, "warned")
    assert found.reading.startswith("Too few cases (alpha 1.000, 2 cases)")


def test_pairs_who_never_overlap_stand_in_the_matrix_with_the_reason():
    whole = noisy(20)
    whole[0, 10:] = NAN
    whole[1, :10] = NAN
    pairs = {(pair.a, pair.b): pair for pair in report(whole).pairs}
    none = pairs["anna", "ben"]
    assert (none.kappa.value, none.kappa.n, none.kappa.method, none.same.den) == (None, 0, "the two share no case", 0)
    assert pairs["anna", "cleo"].same.den == 10
    assert pairs["anna", "cleo"].kappa.value is not None


def test_raters_who_do_not_agree_are_refused_and_named():
    generator = np.random.default_rng(3)
    found = report(generator.integers(0, 2, (3, 60)), cannot_judge={})
    assert found.alpha.low <= 0.0
    assert found.usable == "refused"
    assert "refused" in found.reading
    good = noisy(60, noise=0.1)
    bad = np.vstack([good[:2], generator.integers(1, 5, 60)])
    assert any(note.startswith("The agreement of cleo") for note in report(bad, level="ordinal").notes)


def test_systematic_disagreement_is_worse_than_chance():
    found = report([[0, 1] * 10, [1, 0] * 10])
    # Coincidences: all 40 unlike, 20 of each: 1 - 39 * 40 / (2 * 20 * 20).
    assert found.alpha.value == pytest.approx(1 - 39 * 40 / 800)
    assert found.usable == "refused"
    assert found.reading.startswith("Worse than chance")


def test_agreement_without_exception_is_not_taken_for_certainty():
    found = report([[1, 2] * 10] * 3)
    assert (found.alpha.low, found.usable) == (1.0, "fine")
    # 1 - .05 ** (1/20) = .139
    assert any("up to 14% of all cases may still be disputed" in note for note in found.notes)


@pytest.mark.parametrize(
    ("value", "low", "verdict", "words"),
    [
        (-0.2, -0.4, "refused", "Worse than chance"),
        (0.5, 0.0, "refused", "Not distinguishable from chance"),
        (0.666, 0.5, "warned", "Better than chance but low"),
        (0.667, 0.5, "fine", "Tentative"),
        (0.8, 0.7, "fine", "Reliable"),
    ],
)
def test_readings(value, low, verdict, words):
    alpha = Estimate(value=value, low=low, high=0.9, n=50)
    assert usable(alpha) == verdict
    assert reading(alpha).startswith(words)


def test_raters_who_agree_on_one_sided_labels_are_told_so_and_still_refused():
    first = [0.0] * 18 + [1.0, 1.0]
    second = [0.0] * 19 + [1.0]
    found = agreement([first, second], ("anna", "ben"), level="nominal", anchors={0.0: "Incorrect", 1.0: "Correct"})
    # Of 40 labels 37 and 3; 2 unlike of 40 coincidences: 1 - 39 * 2 / (2 * 37 * 3).
    assert found.alpha.value == pytest.approx(1 - 39 * 2 / (2 * 37 * 3))
    assert found.alpha.low <= 0.0
    assert found.usable == "refused"
    assert found.reading.startswith(
        "The raters agree on 19 of 20 cases that two or more labelled, but only 2 of them have a label other than "
        '"Incorrect": too few'
    )
    assert "chance" in found.reading
    assert "of the rarer kind" in found.reading
    # One such label, and alpha is below 0: no systematic disagreement either.
    found = report([[0] * 19 + [1], [0] * 20])
    assert found.alpha.value == pytest.approx(1 - 39 * 2 / (2 * 39 * 1))
    assert found.usable == "refused"
    assert "but only one of them has a label other than the most frequent one" in found.reading


def test_words_have_neither_mean_nor_order():
    found = report([[0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 2, 2]], numbers=False)
    assert set(found.alphas) == {"nominal"}
    assert found.by_rater[0].mean is None
    assert (found.rank.value, found.by_rater[0].bias.value) == (None, None)
    with pytest.raises(InvalidInput, match="words"):
        report([[0, 1], [0, 1]], numbers=False, level="ordinal")


def test_what_does_not_fit_is_refused():
    with pytest.raises(InvalidInput, match="same rater"):
        agreement([[1], [2]], ("anna", "anna"), level="nominal")
    with pytest.raises(InvalidInput, match="infinite"):
        report([[1, float("inf")], [1, 2]])
    with pytest.raises(InvalidInput, match="gold"):
        report([[1, 2], [1, 2]], gold=[1])


def test_one_seed_one_report():
    table = noisy(30)
    assert report(table, seed=3).as_json() == report(table, seed=3).as_json()
    assert report(table, seed=3).alpha != report(table, seed=4).alpha


def test_the_level_of_a_criterion():
    def of(kind, values=(0, 1)):
        levels = tuple(Level(value=value, anchor=str(value)) for value in values)
        return Criterion(id="c", project_id="p", name="Correct", question="?", kind=kind, levels=levels)

    assert level_of(of(ScaleKind.BINARY)) == "nominal"
    assert level_of(of(ScaleKind.LIKERT)) == "ordinal"
    with pytest.raises(InvalidInput, match="comment"):
        level_of(of(ScaleKind.COMMENT, ()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rating", "alpha", "verdict"),
    [("faithfulness", 0.531, "warned"), ("completeness", 0.321, "warned"), ("appropriateness", 0.073, "refused")],
)
def test_the_raters_of_mtrag(rating, alpha, verdict):
    rows = read_rows(shared("mtrag/reference_subset_with_human_evaluations.json"))
    raters = sorted({rater for row in rows for rater in row.rated[rating]})
    table = np.array([[row.rated[rating].get(rater, NAN) for row in rows] for rater in raters])
    found = agreement(table, raters, level="ordinal", criterion=rating)
    assert found.alpha.value == pytest.approx(krippendorff.alpha(table, level_of_measurement="ordinal"))
    assert found.alpha.value == pytest.approx(alpha, abs=0.0005)
    assert found.usable == verdict
    assert (found.raters, found.items, len(found.pairs)) == (7, 318, 21)
    if rating == "appropriateness":
        # One rater against the mean of the others, Spearman over all raters: .08, not to be told from nothing.
        assert found.rank.value == pytest.approx(0.076, abs=0.0005)
        assert found.rank.low < 0.0 < found.rank.high


@pytest.mark.slow
@given(st.permutations(range(12)), st.permutations(range(3)), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_neither_the_order_of_cases_nor_that_of_raters_matters(cases, raters, level):
    table = noisy(12, seed=8)
    table[0, 3] = table[1, 5] = NAN
    plain = report(table, level=level, resamples=2)
    mixed = report(table[np.ix_(raters, cases)], tuple(ABC[rater] for rater in raters), level=level, resamples=2)
    assert mixed.alpha.value == pytest.approx(plain.alpha.value)
    assert mixed.fleiss.estimate.value == pytest.approx(plain.fleiss.estimate.value)
    assert mixed.kappa.value == pytest.approx(plain.kappa.value)
    assert mixed.rank.value == pytest.approx(plain.rank.value)
    by_name = {rater.rater: rater for rater in mixed.by_rater}
    for rater in plain.by_rater:
        assert by_name[rater.rater].bias.value == pytest.approx(rater.bias.value)
        assert by_name[rater.rater].kappa_with_rest.value == pytest.approx(rater.kappa_with_rest.value)
