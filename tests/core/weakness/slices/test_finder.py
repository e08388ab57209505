"""The slice finder."""

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.stats import grouped_means
from core.weakness.slices.finder import SliceOptions, find_slices
from core.weakness.table import Attribute, CaseTable, ScoreColumn


def attribute(name, codes, levels=None):
    count = int(codes.max()) + 1 if codes.size else 0
    return Attribute(name=name, codes=codes, levels=levels or tuple(f"{name}{number}" for number in range(count)))


def table(values, attributes, clusters=None, **score):
    values = np.asarray(values, dtype=np.float64)
    return CaseTable(
        case_ids=tuple(str(number) for number in range(values.size)),
        clusters=np.arange(values.size) if clusters is None else clusters,
        score=ScoreColumn(name="s", values=values, **score),
        attributes=tuple(attributes),
    )


def planted(seed=0, n=1_200, low=0.3, missing=0.0):
    """Three attributes; where a is 1 and b is 2 the chance of being right is `low`, else 0.85."""
    generator = np.random.default_rng(seed)
    a, b, c = (generator.integers(0, levels, n) for levels in (2, 4, 5))
    right = generator.random(n) < np.where((a == 1) & (b == 2), low, 0.85)
    values = np.where(generator.random(n) < missing, np.nan, right)
    return table(values, [attribute("a", a), attribute("b", b), attribute("c", c)])


def test_the_planted_pair_is_named_and_not_its_relatives():
    found = find_slices(planted())
    (worst,) = found.weak
    assert worst.conditions == (("a", "a1"), ("b", "b2"))
    assert worst.effect.low > 0.2
    assert worst.explained_by == ()
    assert found.slices[0] is worst
    assert found.discovery == found.held_out == 600
    assert found.tried > 40 >= found.carried == len(found.slices)
    assert found.reason == ""


def test_the_figures_are_those_of_the_held_out_half_and_cases_those_of_all():
    cases = planted(missing=0.2)
    found = find_slices(cases)
    worst = found.weak[0]
    inside = (cases.attribute("a").codes == 1) & (cases.attribute("b").codes == 2)
    assert worst.cases.tolist() == np.flatnonzero(inside).tolist()
    assert worst.n == inside.sum() > worst.scored == worst.clusters == (inside & cases.scored).sum()
    assert worst.found_n + worst.mean.n == worst.scored
    assert worst.mean.n + worst.rest.n == found.held_out
    assert worst.held_out.size == worst.mean.n
    assert cases.score.values[worst.held_out].mean() == pytest.approx(worst.mean.value)
    assert found.discovery + found.held_out + found.unscored == len(cases)
    assert worst.effect.value == pytest.approx(worst.rest.value - worst.mean.value)
    assert worst.effect.low < worst.effect.value < worst.effect.high


def test_the_same_seed_finds_the_same_and_another_halves_otherwise():
    cases = planted(n=600)
    one, again, other = (find_slices(cases, SliceOptions(seed=seed)) for seed in (1, 1, 2))
    assert [slice_.conditions for slice_ in one.slices] == [slice_.conditions for slice_ in again.slices]
    assert [slice_.effect for slice_ in one.slices] == [slice_.effect for slice_ in again.slices]
    assert [slice_.mean for slice_ in one.slices] != [slice_.mean for slice_ in other.slices]


def test_a_low_score_is_good_where_less_is_better():
    good = planted()
    flipped = table(1.0 - good.score.values, good.attributes, higher_is_better=False)
    one, other = find_slices(good).weak[0], find_slices(flipped).weak[0]
    assert other.conditions == one.conditions
    assert other.effect.value == pytest.approx(one.effect.value)
    assert other.effect.low == pytest.approx(one.effect.low)
    assert other.effect.high == pytest.approx(one.effect.high)
    assert other.p_value == pytest.approx(one.p_value)


def test_names_of_levels_and_order_of_attributes_do_not_matter():
    cases = planted()
    turned = table(cases.score.values, cases.attributes[::-1])
    assert {frozenset(one.conditions) for one in find_slices(turned).weak} == {
        frozenset(one.conditions) for one in find_slices(cases).weak
    }


def test_depth_one_and_two():
    cases = planted()
    assert {len(one.conditions) for one in find_slices(cases, SliceOptions(depth=1)).slices} == {1}
    assert max(len(one.conditions) for one in find_slices(cases, SliceOptions(depth=2)).slices) == 2


def test_a_slice_of_one_attribute_is_named_by_it_alone():
    generator = np.random.default_rng(8)
    topic, form = generator.integers(0, 4, 800), generator.integers(0, 3, 800)
    right = generator.random(800) < np.where(topic == 2, 0.4, 0.85)
    found = find_slices(table(right, [attribute("topic", topic), attribute("form", form)]))
    assert [one.conditions for one in found.weak] == [(("topic", "topic2"),)]


def test_two_slices_of_unlike_effects_are_both_named():
    generator = np.random.default_rng(18)
    a, b, c = (generator.integers(0, levels, 6_000) for levels in (3, 4, 5))
    chance = 0.85 - 0.5 * ((a == 1) & (b == 2)) - 0.2 * (c == 3)
    found = find_slices(
        table(generator.random(6_000) < chance, [attribute("a", a), attribute("b", b), attribute("c", c)])
    )
    assert [one.conditions for one in found.weak] == [(("a", "a1"), ("b", "b2")), (("c", "c3"),)]
    assert found.weak[0].effect.value > found.weak[1].effect.value


def test_two_attributes_that_split_the_cases_alike_are_one():
    cases = planted()
    # A template of its own for each level of b, numbered the other way round.
    twin = attribute("template", 3 - cases.attribute("b").codes)
    found = find_slices(table(cases.score.values, [*cases.attributes, twin]))
    assert found.same == (("b", "template"),)
    assert [one.conditions for one in found.weak] == [(("a", "a1"), ("b", "b2"))]
    assert found.weak[0].same_as == (("template", "template1"),)
    assert find_slices(cases).weak[0].same_as == ()


def test_a_finer_attribute_is_not_named_where_the_coarser_one_says_it():
    generator = np.random.default_rng(9)
    template = generator.integers(0, 12, 1_500)
    topic = template // 4
    right = generator.random(1_500) < np.where(topic == 1, 0.4, 0.85)
    found = find_slices(table(right, [attribute("template", template), attribute("topic", topic)]))
    assert [one.conditions for one in found.weak] == [(("topic", "topic1"),)]


def test_what_is_low_on_the_found_half_only_is_not_weak():
    cases = planted(low=0.85)
    found = find_slices(cases, SliceOptions(min_effect=0.0))
    assert found.carried
    assert found.weak == ()
    assert all(np.isfinite(one.p_value) and one.found_effect > 0 for one in found.slices)
    assert [one.p_value for one in found.slices] == sorted(one.p_value for one in found.slices)


def test_a_difference_below_the_least_effect_is_not_weak():
    generator = np.random.default_rng(10)
    codes = generator.integers(0, 2, 20_000)
    values = 0.6 - 0.05 * (codes == 1) + generator.normal(0, 0.1, 20_000)
    cases = table(values, [attribute("a", codes)])
    assert find_slices(cases).weak == ()
    assert len(find_slices(cases, SliceOptions(min_effect=0.04)).weak) == 1


def test_the_least_effect_of_a_score_without_bounds_is_in_standard_deviations():
    generator = np.random.default_rng(11)
    codes = generator.integers(0, 4, 4_000)
    values = 1_000.0 * (generator.normal(size=4_000) - 0.3 * (codes == 1))
    cases = table(values, [attribute("a", codes)], low=None, high=None)
    assert [one.conditions for one in find_slices(cases).weak] == [(("a", "a1"),)]
    assert find_slices(cases, SliceOptions(min_effect=0.6)).weak == ()


def test_missing_scores_make_no_slice_weak():
    generator = np.random.default_rng(12)
    codes = generator.integers(0, 3, 900)
    values = (generator.random(900) < 0.8).astype(float)
    values[(codes == 1) & (generator.random(900) < 0.9)] = np.nan
    found = find_slices(table(values, [attribute("a", codes)]))
    assert found.weak == ()
    assert found.unscored == int(np.isnan(values).sum()) > 200


def test_cases_without_the_attribute_are_in_no_slice_but_among_the_rest():
    generator = np.random.default_rng(13)
    codes = np.where(np.arange(600) < 200, 0, -1)
    right = generator.random(600) < np.where(codes == 0, 0.4, 0.9)
    (weak,) = find_slices(table(right, [attribute("a", codes)])).weak
    assert weak.conditions == (("a", "a0"),)
    assert (weak.n, weak.mean.n + weak.rest.n) == (200, 300)


def test_clusters_stay_together_and_are_counted():
    generator = np.random.default_rng(14)
    clusters = np.repeat(np.arange(150), 4)
    codes = generator.integers(0, 3, 150)[clusters]
    right = generator.random(600) < np.where(codes == 1, 0.3, 0.9)
    (weak,) = find_slices(table(right, [attribute("a", codes)], clusters)).weak
    assert weak.clusters == np.unique(clusters[codes == 1]).size
    assert weak.mean.n % 4 == 0
    alone = grouped_means(right[codes == 1].astype(float), np.zeros(weak.n, int), np.arange(weak.n), 1, low=0, high=1)
    assert weak.effect.high - weak.effect.low > alone.high[0] - alone.low[0]


def test_an_attribute_that_every_cluster_has_all_levels_of_is_searched():
    # As the forms of a question: each fact is asked in a short and a long one, three times.
    generator = np.random.default_rng(17)
    clusters = np.repeat(np.arange(120), 6)
    form = np.tile([0, 1], 360)
    topic = generator.integers(0, 3, 120)[clusters]
    right = generator.random(720) < np.where((form == 1) & (topic == 2), 0.3, 0.9)
    found = find_slices(table(right, [attribute("form", form), attribute("topic", topic)], clusters))
    assert found.left_out == ()
    assert [one.conditions for one in found.weak] == [(("form", "form1"), ("topic", "topic2"))]
    assert found.weak[0].clusters == np.unique(clusters[topic == 2]).size


@pytest.mark.parametrize(
    ("values", "attributes", "reason"),
    [
        ([], [attribute("a", np.empty(0, dtype=np.int64))], "There are no cases."),
        (np.full(90, np.nan), [attribute("a", np.arange(90) % 2)], "No case has a score."),
        (
            np.full(90, 0.7),
            [attribute("a", np.arange(90) % 2)],
            "All 90 scores are 0.7: no slice is worse than another.",
        ),
        (np.arange(90) / 90, [], "The cases have no attributes."),
        (
            np.arange(31) / 31,
            [attribute("a", np.arange(31) % 2)],
            "The search needs 32 groups of cases with a score, and there are 31.",
        ),
    ],
)
def test_why_nothing_could_be_searched(values, attributes, reason):
    found = find_slices(table(values, attributes))
    assert (found.slices, found.reason, found.tried) == ((), reason, 0)
    assert found.unscored == int(np.isnan(np.asarray(values, dtype=float)).sum())


def test_attributes_that_cannot_be_searched_say_why():
    generator = np.random.default_rng(15)
    n = 5_000
    odd = np.full(n, -1)
    values = generator.random(n)
    values[7], odd[7] = np.nan, 0
    found = find_slices(
        table(
            values,
            [
                attribute("one", np.zeros(n, dtype=np.int64)),
                attribute("own", np.arange(n)),
                attribute("same", n - 1 - np.arange(n)),
                attribute("odd", odd),
            ],
        )
    )
    reason = "no level has 8 groups of cases with a score in each half, and as many outside it"
    assert dict(found.left_out) == {
        "one": "all cases with a score have one level, one0",
        "own": reason,
        "same": reason,
        "odd": "no case with a score has it",
    }
    assert found.slices == ()
    assert found.reason == "No attribute has two levels with enough cases to be searched."


@pytest.mark.parametrize("low", [[0], [0, 1], [0, 200, 400]])
def test_a_half_whose_scores_are_all_equal(low):
    values = np.ones(600)
    values[low] = 0.0
    for seed in range(4):
        found = find_slices(table(values, [attribute("a", np.arange(600) // 200)]), SliceOptions(seed=seed))
        assert found.weak == ()


def test_five_thousand_levels_beside_a_weak_one():
    cases = planted(n=20_000)
    generator = np.random.default_rng(16)
    many = attribute("many", generator.integers(0, 5_000, 20_000))
    found = find_slices(table(cases.score.values, [many, *cases.attributes]))
    assert [one.conditions for one in found.weak] == [(("a", "a1"), ("b", "b2"))]
    assert "many" in dict(found.left_out)


def test_all_wrong_in_a_slice_has_an_interval_with_a_width():
    codes = np.repeat([0, 1], (400, 40))
    values = np.where(codes == 1, 0.0, np.arange(440) % 10 != 0)
    (weak,) = find_slices(table(values, [attribute("a", codes)])).weak
    assert weak.mean.value == 0.0
    assert weak.effect.low < weak.effect.value - 0.05


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"depth": 4}, {"most": 0}, {"q": 0.0}, {"min_effect": -1}, {"least": 1}]
)
def test_options_that_make_no_sense(wrong):
    with pytest.raises(InvalidInput) as error:
        SliceOptions(**wrong)
    assert error.value.hint
