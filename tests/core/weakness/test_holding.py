"""Does a score tell right from wrong inside slices?"""

import json
from dataclasses import asdict

import numpy as np
import pytest
from scipy.stats import norm

from core.domain.errors import InvalidInput
from core.stats.ranks.auc import auc
from core.weakness.holding import score_within, scores_within
from core.weakness.table import Attribute, CaseTable, ScoreColumn


def corpora(seed=0, n=400, gap=1.5, signal=0.0, shares=(0.9, 0.4)):
    """Two corpora that differ in scores by `gap` and in the share of right answers."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 2, n)
    right = generator.random(n) < np.array(shares)[codes]
    score = gap * (codes == 0) + signal * right + generator.normal(size=n)
    return score, right.astype(float), Attribute(name="corpus", codes=codes, levels=("easy", "hard"))


def test_two_pooled_corpora_make_a_score_look_good():
    score, right, corpus = corpora()
    found = score_within(score, right, np.arange(400), corpus)
    assert found.verdict == "comes from differences between levels"
    assert found.pooled.low > 0.6
    assert found.within.low < 0.5 < found.within.high
    assert found.lost.low > 0
    assert found.share > 0.7
    assert [level.level for level in found.levels] == ["easy", "hard"]
    assert all(level.auc.low < 0.5 < level.auc.high for level in found.levels)
    assert found.sentence.startswith("The discrimination comes from differences between levels: AUC 0.5")
    json.dumps(asdict(found), allow_nan=False)


def test_a_score_that_works_inside_both_holds():
    score, right, corpus = corpora(signal=1.5, gap=0.5)
    found = score_within(score, right, np.arange(400), corpus)
    assert found.verdict == "holds"
    assert found.within.low > 0.7
    assert "inside the levels too" in found.sentence


def test_a_little_inside_and_most_from_between():
    score, right, corpus = corpora(n=4_000, gap=3.0, signal=0.3)
    found = score_within(score, right, np.arange(4_000), corpus)
    assert found.within.low > 0.5
    assert found.verdict == "comes from differences between levels"
    assert found.sentence.startswith("Most of the score's discrimination")


def two_corpora(aucs, n=200, seed=0, rate=0.6):
    """Corpora of n cases in which a normal score has the given areas."""
    generator = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(aucs)), n)
    right = generator.random(codes.size) < rate
    apart = np.sqrt(2.0) * norm.ppf(aucs)
    score = generator.normal(size=codes.size) + apart[codes] * right
    return score, right.astype(float), Attribute(name="corpus", codes=codes, levels=tuple("abcdefgh"[: len(aucs)]))


def test_a_score_that_works_in_one_corpus_and_not_in_the_other_does_not_hold():
    # Rank correlations with the verdict of about .43 and .07: areas of .75 and .54.
    score, right, corpus = two_corpora((0.75, 0.54))
    found = score_within(score, right, np.arange(400), corpus)
    assert found.within.low > 0.5
    assert found.verdict == "holds in some levels only"
    assert found.equality.p_value < 0.05
    assert found.equality.spread > 0.1
    # Whatever is said of levels carries the interval of each, the least first.
    for level in found.levels:
        assert f"{level.level} {level.auc.value:.2f} [{level.auc.low:.2f}, {level.auc.high:.2f}]" in found.sentence
    assert found.sentence.index(" b 0.") < found.sentence.index(" a 0.")


def test_with_few_cases_a_level_that_may_tell_nothing_is_no_proof_that_it_holds():
    score, right, corpus = two_corpora((0.78, 0.55), n=40, seed=5)
    found = score_within(score, right, np.arange(80), corpus)
    assert found.within.low > 0.5
    assert found.equality.p_value > 0.05
    assert found.verdict == "not shown in every level"
    assert "not shown in every level" in found.sentence


def test_a_score_that_works_in_all_levels_though_not_equally_holds_and_says_so():
    score, right, corpus = two_corpora((0.95, 0.75), n=300)
    found = score_within(score, right, np.arange(600), corpus)
    assert (found.verdict, found.equality.p_value < 0.05) == ("holds", True)
    assert "though not equally well" in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aucs", "n", "some", "held"),
    # 150 runs: the Monte Carlo error of a share near .9 is .024, that of .03 is .014.
    [((0.75, 0.54), 200, (0.84, 1.0), (0.0, 0.16)), ((0.7, 0.7), 100, (0.0, 0.07), (0.87, 1.0))],
)
def test_how_often_each_verdict_is_right(aucs, n, some, held):
    runs = (two_corpora(aucs, n=n, seed=seed) for seed in range(150))
    verdicts = [score_within(score, right, np.arange(2 * n), corpus).verdict for score, right, corpus in runs]
    assert some[0] <= verdicts.count("holds in some levels only") / 150 <= some[1]
    assert held[0] <= verdicts.count("holds") / 150 <= held[1]


def test_the_test_of_equal_areas_is_adjusted_over_attributes():
    score, right, corpus = two_corpora((0.72, 0.56), n=110, seed=1)
    alone = score_within(score, right, np.arange(220), corpus)
    generator = np.random.default_rng(5)
    others = [Attribute(name=f"x{place}", codes=generator.integers(0, 2, 220), levels=("u", "v")) for place in range(9)]
    table = CaseTable(
        case_ids=tuple(map(str, range(220))),
        clusters=np.arange(220),
        score=ScoreColumn(name="s", values=score, low=None, high=None, higher_is_better=True),
        attributes=(corpus, *others),
    )
    found = scores_within(table, right, [attribute.name for attribute in table.attributes])
    assert found[0].equality == alone.equality
    assert alone.p_adjusted == alone.equality.p_value < found[0].p_adjusted
    assert [holding.attribute for holding in found] == ["corpus", *(f"x{place}" for place in range(9))]


def test_noise_is_no_better_than_chance():
    score, right, corpus = corpora(seed=3, gap=0.0)
    assert score_within(score, right, np.arange(400), corpus).verdict == "no better than chance"


def test_a_score_that_works_inside_and_not_over_all_cases_holds():
    # The hard corpus has the higher scores.
    score, right, corpus = corpora(gap=-2.0, signal=1.5)
    found = score_within(score, right, np.arange(400), corpus)
    assert found.verdict == "holds"
    assert found.pooled.value < found.within.value
    assert found.lost.high < 0


def test_the_figures_are_those_of_the_areas_by_themselves():
    score, right, corpus = corpora(seed=4, signal=0.7)
    score = np.round(score, 1)
    found = score_within(score, right, np.arange(400), corpus)
    assert found.pooled.value == pytest.approx(auc(score, right == 1))
    areas, pairs = [], []
    for number, level in enumerate(found.levels):
        inside = corpus.codes == number
        assert level.auc.value == pytest.approx(auc(score[inside], right[inside] == 1))
        assert (level.right, level.wrong) == ((inside & (right == 1)).sum(), (inside & (right == 0)).sum())
        areas.append(level.auc.value)
        pairs.append(level.right * level.wrong)
    assert found.within.value == pytest.approx(np.average(areas, weights=pairs))
    assert found.pairs_inside == pytest.approx(sum(pairs) / (found.right * found.wrong))
    assert found.lost.value == pytest.approx(found.pooled.value - found.within.value)
    assert found.share == pytest.approx(found.lost.value / (found.pooled.value - 0.5))


def test_a_score_where_less_means_right():
    score, right, corpus = corpora(seed=5, signal=1.0)
    one = score_within(score, right, np.arange(400), corpus)
    other = score_within(-score, right, np.arange(400), corpus, higher_is_better=False)
    assert (other.pooled, other.within, other.verdict) == (one.pooled, one.within, one.verdict)


def test_missing_scores_verdicts_and_levels_are_counted_and_left_out():
    score, right, corpus = corpora(seed=6)
    codes = corpus.codes.copy()
    score[:30], right[20:50], codes[45:70] = np.nan, np.nan, -1
    found = score_within(score, right, np.arange(400), Attribute(name="corpus", codes=codes, levels=corpus.levels))
    assert (found.unscored, found.outside) == (50, 20)
    assert found.right + found.wrong == found.pooled.n == 330


def test_clusters_widen_the_intervals():
    score, right, corpus = corpora(seed=7, n=100, signal=0.5)
    many = [np.repeat(one, 5) for one in (score, right, corpus.codes)]
    wide = Attribute(name="corpus", codes=many[2], levels=corpus.levels)
    alone = score_within(many[0], many[1], np.arange(500), wide)
    together = score_within(many[0], many[1], np.repeat(np.arange(100), 5), wide)
    single = score_within(score, right, np.arange(100), corpus)
    assert together.within.value == alone.within.value == pytest.approx(single.within.value)
    width = together.within.high - together.within.low
    assert width > 1.8 * (alone.within.high - alone.within.low)
    assert width == pytest.approx(single.within.high - single.within.low, rel=0.1)


def level_of(found, name):
    return next(level.auc for level in found.levels if level.level == name)


def test_levels_without_both_kinds_and_with_few_cases_say_so():
    score = np.concatenate([np.linspace(0, 1, 40), [0.2, 0.9, 0.5], [0.1, 0.2, 0.3, 0.4]])
    right = np.concatenate([np.arange(40) % 3 > 0, [0, 1, 1], [1, 1, 1, 1]]).astype(float)
    codes = np.repeat([0, 1, 3], (40, 3, 4))
    attribute = Attribute(name="t", codes=codes, levels=("many", "few", "empty", "right"))
    found = score_within(score, right, np.arange(47), attribute)
    assert [level.level for level in found.levels] == ["many", "few", "right"]
    assert level_of(found, "many").low is not None
    assert (level_of(found, "few").value, level_of(found, "few").low) == (1.0, None)
    assert level_of(found, "few").method == "fewer than 5 clusters of one kind, no interval"
    assert (level_of(found, "right").value, level_of(found, "right").method) == (None, "all cases are right")
    assert level_of(found, "right").n == 4


def test_a_perfect_score_has_an_interval_with_a_width():
    right = np.repeat([0.0, 1.0], 20)
    codes = np.tile([0, 1], 20)
    found = score_within(right, right, np.arange(40), Attribute(name="t", codes=codes, levels=("a", "b")))
    assert (found.pooled.value, found.within.value, found.verdict) == (1.0, 1.0, "holds")
    assert 0.7 < found.within.low < 0.95
    assert found.within.high == 1.0


def test_a_constant_score_tells_nothing():
    _, right, corpus = corpora(seed=8)
    found = score_within(np.full(400, 0.7), right, np.arange(400), corpus)
    assert (found.pooled.value, found.within.value, found.verdict) == (0.5, 0.5, "no better than chance")
    assert found.within.low < 0.5 < found.within.high
    assert found.share is None


@pytest.mark.parametrize(
    ("score", "right", "codes", "sentence"),
    [
        ([np.nan] * 20, [0, 1] * 10, [0, 1] * 10, "no cases with a score both among"),
        ([0.1, 0.9] * 10, [1] * 20, [0, 1] * 10, "no cases with a score both among"),
        ([0.1, 0.9] * 10, [0, 1] * 10, [0, 1] * 10, "No level of t has both right and wrong cases"),
        ([0.1, 0.9] * 10, [0, 1] * 10, [0] * 20, "All cases have one level of t"),
        ([0.1, 0.9, 0.3, 0.4], [0, 1, 1, 0], [0, 0, 1, 1], "There are too few cases to decide"),
        ([], [], [], "no cases with a score both among"),
        ([0.1, 0.9] * 10, [0, 1] * 10, [-1] * 20, "no cases with a score both among"),
    ],
)
def test_too_few(score, right, codes, sentence):
    attribute = Attribute(name="t", codes=np.array(codes, dtype=np.int64), levels=("a", "b"))
    found = score_within(np.array(score), np.array(right, dtype=float), np.arange(len(score)), attribute)
    assert found.verdict == "too few"
    assert sentence in found.sentence


def test_five_thousand_levels():
    generator = np.random.default_rng(9)
    codes = generator.integers(0, 5_000, 20_000)
    attribute = Attribute(name="t", codes=codes, levels=tuple(str(number) for number in range(5_000)))
    right = (generator.random(20_000) < 0.6).astype(float)
    found = score_within(right + generator.normal(size=20_000), right, np.arange(20_000), attribute)
    assert found.verdict == "holds"
    assert found.within.value == pytest.approx(0.76, abs=0.02)
    assert found.pairs_inside < 0.001


def test_what_cannot_be_compared():
    score, right, corpus = corpora()
    with pytest.raises(InvalidInput, match="differ in number"):
        score_within(score[1:], right, np.arange(400), corpus)
    with pytest.raises(InvalidInput, match="neither right nor wrong"):
        score_within(score, right / 2, np.arange(400), corpus)
