"""Several runs against one: the figures are those of each pair, the p-values are adjusted over all."""

from __future__ import annotations

import pytest

from core.comparison.service import compare_runs
from core.comparison.several import against
from core.domain.errors import InvalidInput, NotFound
from tests.support.runs.compared_run import add_again, add_run


@pytest.fixture
def first(store, bank):
    return add_run(store, bank[0].id)


@pytest.fixture
def others(store, first):
    """One that is wrong no more in five cases, the same once more, and one with two cases changed either way."""
    add_again(store, first, "run_best", flip=("case-3", "case-7", "case-11", "case-15", "case-19"), target="bm25")
    add_again(store, first, "run_same", target="dense")
    add_again(store, first, "run_mixed", flip=("case-3", "case-0"), target="hybrid")
    return ["run_best", "run_same", "run_mixed"]


def test_each_row_is_the_comparison_of_its_two_runs(store, first, others):
    rows = against(store, first.id, others)
    assert [row.run.id for row in rows] == others
    assert [(row.fixed, row.broken) for row in rows] == [(5, 0), (0, 0), (1, 1)]
    for row in rows:
        pair = compare_runs(store, first.id, row.run.id)
        assert row.accuracy.difference == pair.accuracy.difference
        assert row.accuracy.p_value == pair.accuracy.p_value
        assert (row.fixed, row.broken) == (len(pair.fixed), len(pair.broken))


def test_the_p_values_are_adjusted_over_the_runs(store, first, others):
    best, same, mixed = against(store, first.id, others)
    # Holm: the smallest of three is taken three times, and none is below one before it.
    assert best.accuracy.p_adjusted == pytest.approx(min(3 * best.accuracy.p_value, 1.0))
    assert best.accuracy.p_adjusted <= mixed.accuracy.p_adjusted == same.accuracy.p_adjusted == 1.0
    assert against(store, first.id, ["run_best"])[0].accuracy.p_adjusted == best.accuracy.p_value


def test_what_cannot_be_set_against_it_is_refused(store, first, others):
    with pytest.raises(InvalidInput, match="given twice"):
        against(store, first.id, [*others, "run_best"])
    with pytest.raises(InvalidInput, match="given twice"):
        against(store, first.id, [first.id])
    with pytest.raises(NotFound):
        against(store, first.id, ["run_nowhere"])
    add_again(store, first, "run_rules", judge="match")
    with pytest.raises(InvalidInput, match="differ in more than the system: judge"):
        against(store, first.id, ["run_rules"])
