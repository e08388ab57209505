"""Wasserstein completeness: the exact distance with its plan, and the average above it."""

import math

import pytest

from core.domain.status import Status
from core.metrics.evidence import read_plan, read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script

NAMES = ("wasserstein", "wasserstein_average")


def test_the_exact_distance_and_its_plan():
    # Passages (1,0), (3,4)/5, (0,1); answer (1,0), (0,1). Distances [[0, 1], [0.4, 0.2], [1, 0]]; rows hold 1/3,
    # columns 1/2. First to first, third to second, the middle one halved: 1/6 x 0.4 + 1/6 x 0.2 = 0.1.
    found = Script(answer=[(1, 0), (0, 1)], contexts=[[(1, 0), (3, 4)], [(0, 1)]]).score("wasserstein")
    assert found.value == pytest.approx(0.1, abs=1e-7)
    plan = read_plan(found.detail)
    assert [(flow.source, flow.to) for flow in plan] == [
        ((0, 0, 29), (0, 0, 26)),
        ((0, 30, 59), (0, 0, 26)),
        ((0, 30, 59), (0, 27, 53)),
        ((1, 0, 29), (0, 27, 53)),
    ]
    assert [flow.mass for flow in plan] == [0.333333333, 0.166666667, 0.166666667, 0.333333333]
    assert [flow.cost for flow in plan] == [0.0, 0.4, 0.2, 0.0]


def test_the_average_of_all_distances():
    # The same: (0 + 1 + 0.4 + 0.2 + 1 + 0) / 6 = 2.6 / 6; means by passage sentence 0.5, 0.3, 0.5.
    found = Script(answer=[(1, 0), (0, 1)], contexts=[[(1, 0), (3, 4)], [(0, 1)]]).score("wasserstein_average")
    assert found.value == pytest.approx(2.6 / 6, abs=1e-7)
    rows = read_sentences(found.detail)
    assert [row.value for row in rows] == [0.5, 0.3, 0.5]
    assert [row.best for row in rows] == [(0, 0, 26), (0, 27, 53), (0, 27, 53)]
    assert {(row.of, row.best_of) for row in rows} == {(Part.CONTEXTS, Part.ANSWER)}
    assert found.detail["worst"] == 0


def test_opposites_are_farthest():
    for name in NAMES:
        assert Script(answer=[(1, 0)], contexts=[[(-1, 0)]]).score(name).value == pytest.approx(2.0, abs=1e-12)


def test_identical_texts_are_at_no_distance_but_on_average_they_are():
    vectors = [(1, 0), (0, 1)]
    assert Script(answer=vectors, contexts=[vectors]).score("wasserstein").value == pytest.approx(0.0, abs=1e-12)
    # The distances are [[0, 1], [1, 0]], so 2 / 4.
    assert Script(answer=vectors, contexts=[vectors]).score("wasserstein_average").value == pytest.approx(0.5, abs=1e-7)


def test_with_one_sentence_on_a_side_both_are_the_mean():
    # 1 - 0.6, 1 - 0.8: mean 0.3
    one = Script(answer=[(1, 0)], contexts=[[(3, 4)], [(4, 3)]])
    assert [one.score(name).value for name in NAMES] == pytest.approx([0.3, 0.3], abs=1e-7)


def test_contexts_and_answer_may_change_places():
    one, other = [(1, 0), (3, 4), (0, 1)], [(-1, 2), (5, 1)]
    there = Script(answer=one, contexts=[other])
    back = Script(answer=other, contexts=[one])
    for name in NAMES:
        assert there.score(name).value == pytest.approx(back.score(name).value, abs=1e-12)


def test_the_mass_of_each_sentence_adds_up():
    found = Script(answer=[(1, 0), (0, 1), (1, 2), (2, 1), (-1, 1)], contexts=[[(1, 0), (3, 4)], [(0, 1)]]).score(
        "wasserstein"
    )
    plan = read_plan(found.detail)
    for side, share in (("source", 1 / 3), ("to", 1 / 5)):
        masses = {}
        for flow in plan:
            masses.setdefault(getattr(flow, side), []).append(flow.mass)
        assert [math.fsum(some) for some in masses.values()] == pytest.approx([share] * round(1 / share), abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_there_is_nothing_to_move_where_nothing_was_retrieved(name):
    found = Script(answer=[(1, 0)], contexts=()).score(name)
    assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "nothing retrieved")


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_answer_is_not_applicable(name):
    found = Script(answer=(), contexts=[[(1, 0)]]).score(name)
    assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "empty answer")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("changes", [{"contexts": None}, {"answer": None}])
def test_what_is_missing_is_a_reason(name, changes):
    found = Script(**{"answer": [(1, 0)], "contexts": [[(1, 0)]], **changes}).score(name)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


@pytest.mark.parametrize("name", NAMES)
def test_an_abstention_is_computed_and_marked(name):
    found = Script(answer=[(3, 4)], contexts=[[(1, 0)]], abstained=True).score(name)
    assert (found.value, found.detail["abstained"]) == (pytest.approx(0.4, abs=1e-7), True)
