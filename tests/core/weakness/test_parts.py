"""Figures of parts: what is counted, what is tested, what is called weak."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.weakness import (
    Attribute,
    CaseTable,
    ScoreColumn,
    WeaknessOptions,
    attribute_of,
    bivariate,
    marginal,
)

NAN = float("nan")


def table(
    values: list[float] | np.ndarray,
    *,
    clusters: list[int] | None = None,
    score: dict | None = None,
    **attributes: list,
) -> CaseTable:
    n = len(values)
    return CaseTable(
        case_ids=tuple(f"c{place}" for place in range(n)),
        clusters=np.array(clusters or range(n), dtype=np.int64),
        score=ScoreColumn(name="score", values=np.array(values, dtype=np.float64), **(score or {})),
        attributes=tuple(attribute_of(name, found) for name, found in attributes.items()),
    )


def many(weak: int = 30, sound: int = 90) -> CaseTable:
    """Half of the weak topic's answers are right, nine of ten of the others."""
    values = [float(place % 2) for place in range(weak)] + [float(place % 10 > 0) for place in range(sound)]
    return table(values, topic=["loans"] * weak + ["cards", "fees", "branches"] * (sound // 3))


def test_a_level_that_is_clearly_lower_is_weak_and_comes_first() -> None:
    found = marginal(many(), "topic")
    levels = found.attribute.levels
    assert levels[found.worst_first[0]] == "loans"
    assert [levels[place] for place in np.flatnonzero(found.levels.weak)] == ["loans"]
    place = levels.index("loans")
    assert found.levels.mean[place] == 0.5
    assert found.levels.rest[place] == 0.9
    assert found.levels.effect[place] == pytest.approx(0.4)
    assert found.levels.low[place] < 0.5 < found.levels.high[place]
    assert found.levels.p_value[place] <= found.levels.p_adjusted[place] < 0.01
    assert found.tested == 4


def test_where_less_is_better_high_values_are_weak() -> None:
    values = [0.6 + place % 3 / 10 for place in range(30)] + [place % 3 / 10 for place in range(60)]
    found = marginal(
        table(values, score={"higher_is_better": False}, topic=["loans"] * 30 + ["cards", "fees"] * 30), "topic"
    )
    assert [found.attribute.levels[place] for place in np.flatnonzero(found.levels.weak)] == ["loans"]
    assert found.attribute.levels[found.worst_first[0]] == "loans"


def test_a_difference_too_small_to_matter_is_not_weak_however_sure_it_is() -> None:
    values = [0.80] * 200 + [0.85] * 200
    values = [value + 0.001 * (place % 5) for place, value in enumerate(values)]
    cases = table(values, topic=["loans"] * 200 + ["cards"] * 200)
    found = marginal(cases, "topic").levels
    assert not found.weak.any()
    assert found.small.tolist() == [False, True], "it is told all the same"
    assert marginal(cases, "topic", WeaknessOptions(min_effect=0.04)).levels.weak.tolist() == [False, True]


def test_few_semantic_groups_are_not_tested_however_many_cases_they_have() -> None:
    values = [0.0] * 40 + [1.0] * 40
    clusters = [place // 10 for place in range(40)] + list(range(100, 140))
    found = marginal(table(values, clusters=clusters, topic=["loans"] * 40 + ["cards"] * 40), "topic")
    place = found.attribute.levels.index("loans")
    assert found.levels.clusters[place] == 4
    assert np.isnan(found.levels.p_value[place])
    assert not found.levels.weak.any()


def test_cases_without_a_score_are_counted_and_never_make_a_level_weak() -> None:
    values = [NAN] * 25 + [1.0] * 5 + [1.0] * 30
    found = marginal(table(values, topic=["loans"] * 30 + ["cards"] * 30), "topic")
    place = found.attribute.levels.index("loans")
    assert (found.levels.n[place], found.levels.scored[place]) == (30, 5)
    assert not found.levels.weak.any()


def test_levels_without_any_score_come_last_and_have_no_figure() -> None:
    found = marginal(table([NAN] * 10 + [1.0, 0.0] * 10, topic=["a"] * 10 + ["b"] * 20), "topic")
    assert found.worst_first.tolist() == [1, 0]
    assert np.isnan([found.levels.mean[0], found.levels.low[0], found.levels.p_value[0]]).all()


@pytest.mark.parametrize("values", [[NAN] * 40, [0.7] * 40, [1.0] * 40], ids=["no score", "constant", "all right"])
def test_scores_that_say_nothing_make_nothing_weak(values: list[float]) -> None:
    cases = table(values, topic=["a", "b"] * 20, kind=["x", "x", "y", "y"] * 10)
    assert not marginal(cases, "topic").levels.weak.any()
    found = bivariate(cases, "topic", "kind")
    assert not found.cells.weak.any()
    assert not found.compound.any()


def test_one_level_has_nothing_to_be_compared_with() -> None:
    found = marginal(table([0.0, 1.0] * 20, topic=["a"] * 40), "topic")
    assert found.tested == 0
    assert found.levels.mean.tolist() == [0.5]
    assert np.isnan(found.levels.rest).all()


def test_cases_that_lack_the_attribute_are_counted_and_left_out() -> None:
    found = marginal(table([1.0, 0.0, 0.0, 1.0], topic=["a", None, "", "b"]), "topic")
    assert found.outside == 2
    assert found.levels.n.tolist() == [1, 1]
    assert found.levels.rest.tolist() == [1.0, 1.0]


def test_five_thousand_levels_are_tested_together() -> None:
    draw = np.random.default_rng(0)
    codes = np.repeat(np.arange(5000), 6)
    values = (draw.random(codes.size) < 0.9).astype(np.float64)
    values[codes == 17] = 0.0
    cases = CaseTable(
        case_ids=tuple(map(str, range(codes.size))),
        clusters=np.arange(codes.size),
        score=ScoreColumn(name="score", values=values),
        attributes=(
            Attribute(name="document", codes=codes, levels=tuple(map(str, range(5000)))),
            Attribute(name="kind", codes=codes % 2, levels=("x", "y")),
        ),
    )
    assert np.flatnonzero(marginal(cases, "document").levels.weak).tolist() == [17]
    found = bivariate(cases, "document", "kind")
    assert found.row[found.cells.weak].tolist() == [17]
    assert found.row.size == 5000, "pairs without a case are no cells"


def test_a_threshold_turns_a_score_into_a_share() -> None:
    score = ScoreColumn(name="f", values=np.array([0.2, 0.5, 0.9, NAN]))
    assert score.passes(0.5).values.tolist()[:3] == [0.0, 1.0, 1.0]
    assert np.isnan(score.passes(0.5).values[3])
    less = ScoreColumn(name="f", values=np.array([0.2, 0.5, 0.9]), higher_is_better=False)
    assert less.passes(0.5).values.tolist() == [1.0, 1.0, 0.0]


def test_a_score_without_bounds_measures_effects_in_its_own_spread() -> None:
    draw = np.random.default_rng(1)
    values = np.concatenate([100 * draw.standard_normal(60), 100 * draw.standard_normal(60) - 150])
    found = marginal(
        table(values, score={"low": None, "high": None}, topic=["a"] * 60 + ["b"] * 60),
        "topic",
        WeaknessOptions(min_effect=1.0),
    )
    assert found.levels.weak.tolist() == [False, True]


@pytest.mark.parametrize(
    "options", [{"q": 0.0}, {"q": 1.0}, {"q": NAN}, {"min_effect": -0.1}, {"min_effect": NAN}, {"least": 1}]
)
def test_odd_options_are_refused_by_name(options: dict) -> None:
    with pytest.raises(InvalidInput):
        WeaknessOptions(**options)


def test_an_attribute_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(InvalidInput, match="no attribute colour") as error:
        marginal(many(), "colour")
    assert "topic" in error.value.hint
    with pytest.raises(InvalidInput, match="Both attributes"):
        bivariate(many(), "topic", "topic")


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.sampled_from([0.0, 0.25, 1.0, NAN])), max_size=60
    )
)
def test_every_case_is_in_one_cell_and_figures_stay_in_their_range(cases: list[tuple[str, str, float]]) -> None:
    rows = table([case[2] for case in cases], one=[case[0] for case in cases], two=[case[1] for case in cases])
    found = bivariate(rows, "one", "two")
    assert found.cells.n.sum() == len(cases)
    assert found.cells.scored.sum() == sum(not np.isnan(case[2]) for case in cases)
    for figure in (found.cells.mean, found.cells.low, found.cells.high, found.shrunken, found.explained):
        there = figure[~np.isnan(figure)]
        assert ((there >= 0) & (there <= 1)).all()
    for p_value in (found.cells.p_value, found.cells.p_adjusted, found.p_compound):
        there = p_value[~np.isnan(p_value)]
        assert ((there >= 0) & (there <= 1)).all()
    assert not (found.compound & ~found.cells.weak).any()
    turned = bivariate(rows, "two", "one")
    assert sorted(turned.cells.mean[~np.isnan(turned.cells.mean)]) == pytest.approx(
        sorted(found.cells.mean[~np.isnan(found.cells.mean)])
    )
    assert turned.cells.weak.sum() == found.cells.weak.sum()
