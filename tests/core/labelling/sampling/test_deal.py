"""Who labels what in which order."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.results.labels import LabelRound, Part
from core.labelling.sampling.deal import APART, deal, newcomer


def a_round(raters=3, **options):
    return LabelRound(
        id="rnd_1",
        project_id="prj_1",
        run_id="run_1",
        name="First",
        criteria=("crt_1",),
        raters=tuple(f"r{number}" for number in range(raters)),
        **options,
    )


def drawn(number, practice=0, targeted=0):
    parts = [Part.PRACTICE] * practice + [Part.TARGETED] * targeted + [Part.RANDOM] * (number - targeted)
    return [(f"c{place:04}", part) for place, part in enumerate(parts)]


def hands(tasks):
    """The cases of each rater that are no practice, first times only."""
    found = {}
    for task in tasks:
        if task.part is not Part.PRACTICE and task.occurrence == 0:
            found.setdefault(task.rater, []).append(task.case_id)
    return found


def gaps(tasks, rater="r0"):
    """Tasks between the two times of each case that comes twice."""
    order = [task for task in tasks if task.rater == rater]
    first = {task.case_id: task.position for task in order if task.occurrence == 0}
    return [task.position - first[task.case_id] - 1 for task in order if task.occurrence == 1]


def test_six_cases_for_two_of_three_raters_are_four_each():
    # 6 cases x 2 raters = 12 tasks, 12 / 3 = 4 a rater.
    found = hands(deal(a_round(3, overlap=2), drawn(6)))
    assert {rater: len(cases) for rater, cases in found.items()} == {"r0": 4, "r1": 4, "r2": 4}
    assert set(Counter(case for cases in found.values() for case in cases).values()) == {2}


def test_a_share_of_the_cases_is_seen_by_several_and_the_rest_by_one():
    # A fifth of 50 cases for 3 raters, the others for one: 10 x 3 + 40 = 70 tasks, 70 / 5 = 14 a rater.
    found = hands(deal(a_round(5, overlap=3, overlap_share=0.2), drawn(50)))
    assert [len(cases) for cases in found.values()] == [14] * 5
    seen = Counter(case for cases in found.values() for case in cases)
    assert Counter(seen.values()) == {3: 10, 1: 40}


@pytest.mark.parametrize(("raters", "overlap"), [(2, 2), (3, 3), (4, 2), (6, 3), (4, 4), (6, 2), (1, 1), (5, 2)])
def test_nobody_has_a_case_twice_even_where_the_overlap_divides_the_raters(raters, overlap):
    found = hands(deal(a_round(raters, overlap=overlap, overlap_share=0.7), drawn(23)))
    for cases in found.values():
        assert len(set(cases)) == len(cases)


def test_every_two_raters_meet():
    """Dealt in turns, the first and the third of four raters never had a case in common."""
    # 60 cases x 1 pair over 6 pairs of raters is 10 each.
    found = hands(deal(a_round(4, overlap=2), drawn(60)))
    met = [len(set(found[one]) & set(found[other])) for one, other in combinations(found, 2)]
    assert sum(met) == 60
    assert min(met) >= 8


@given(
    raters=st.integers(1, 9),
    cases=st.integers(0, 40),
    practice=st.integers(0, 3),
    overlap=st.integers(1, 9),
    overlap_share=st.floats(0, 1),
    repeat_share=st.floats(0, 1),
    seed=st.integers(0, 2**63 - 1),
)
def test_loads_are_alike_and_every_case_comes_to_its_raters(
    raters, cases, practice, overlap, overlap_share, repeat_share, seed
):
    made = a_round(
        raters, overlap=min(overlap, raters), overlap_share=overlap_share, repeat_share=repeat_share, seed=seed
    )
    tasks = deal(made, drawn(cases, practice))
    found = hands(tasks)
    loads = [len(found.get(rater, [])) for rater in made.raters]
    assert max(loads) - min(loads) <= 1
    shared = round(overlap_share * cases)
    assert sum(loads) == shared * made.overlap + (cases - shared)
    assert {case for hand in found.values() for case in hand} == {case for case, _ in drawn(cases, practice)[practice:]}
    keys = [(task.rater, task.case_id, task.occurrence) for task in tasks]
    assert len(set(keys)) == len(keys)
    for rater in made.raters:
        own = [task for task in tasks if task.rater == rater]
        assert [task.position for task in own] == list(range(len(own)))
        assert [task.case_id for task in own[:practice]] == [case for case, _ in drawn(cases, practice)[:practice]]
        hand = len(found.get(rater, []))
        again = gaps(tasks, rater)
        assert len(again) == round(repeat_share * hand)
        # With n cases there are n - 1 others to come between.
        assert all(gap >= min(APART, hand - 1) for gap in again)


@pytest.mark.parametrize(
    ("cases", "share", "least"), [(100, 0.1, 5), (100, 1.0, 5), (6, 1.0, 5), (3, 1.0, 2), (3, 0.4, 2)]
)
def test_a_case_comes_again_late_enough_whatever_the_seed(cases, share, least):
    """Put in one after the other, the last repetition of a short hand could follow its first time directly."""
    for seed in range(50):
        again = gaps(deal(a_round(1, overlap=1, repeat_share=share, seed=seed), drawn(cases)))
        assert len(again) == round(share * cases)
        assert min(again) >= least


def test_the_only_case_comes_twice_in_a_row_as_nothing_can_come_between():
    assert gaps(deal(a_round(1, overlap=1, repeat_share=1.0), drawn(1))) == [0]


def test_repetitions_come_all_over_the_hand_and_not_in_the_order_of_the_first_times():
    tasks = deal(a_round(1, overlap=1, repeat_share=0.2, seed=4), drawn(100))
    places = [task.position for task in tasks if task.occurrence]
    # 20 of 120 tasks; they are not piled up at the end.
    assert len(places) == 20
    assert sum(place < 60 for place in places) >= 3
    order = {task.case_id: task.position for task in tasks if not task.occurrence}
    firsts = [order[task.case_id] for task in tasks if task.occurrence]
    assert firsts != sorted(firsts)


def test_practice_comes_first_once_and_in_the_order_given():
    tasks = deal(
        a_round(2, overlap=2, repeat_share=1.0), [("z", Part.PRACTICE), ("b", Part.RANDOM), ("a", Part.PRACTICE)]
    )
    for rater in ("r0", "r1"):
        own = [(task.case_id, task.occurrence) for task in tasks if task.rater == rater]
        assert own == [("z", 0), ("a", 0), ("b", 0), ("b", 1)]


def test_tasks_keep_why_the_case_is_there():
    tasks = deal(a_round(2, overlap=2, repeat_share=0.5), drawn(8, practice=2, targeted=3))
    parts = dict(drawn(8, practice=2, targeted=3))
    assert all(task.part is parts[task.case_id] for task in tasks)
    assert {task.part for task in tasks} == set(Part)


def test_one_seed_is_one_deal_and_another_seed_another():
    first, again, other = (deal(a_round(3, overlap=2, repeat_share=0.1, seed=seed), drawn(30)) for seed in (7, 7, 8))
    assert first == again
    assert hands(first)["r0"] != hands(other)["r0"]


def test_every_rater_has_an_order_of_their_own():
    found = hands(deal(a_round(4, overlap=4), drawn(30)))
    assert len({tuple(cases) for cases in found.values()}) == 4
    assert len({frozenset(cases) for cases in found.values()}) == 1


def test_a_hundred_raters_share_a_thousand_cases():
    # 1,000 cases x 5 raters over 100 raters is 50 each.
    found = hands(deal(a_round(100, overlap=5), drawn(1_000)))
    assert len(found) == 100
    assert {len(cases) for cases in found.values()} == {50}


def test_more_raters_than_cases_leaves_some_without_one():
    found = hands(deal(a_round(5, overlap=1), drawn(2)))
    assert sorted(len(cases) for cases in found.values()) == [1, 1]


def test_a_newcomer_gets_as_much_as_the_busiest_of_what_was_seen_least():
    # 10 cases: 4 seen by both raters, 6 by one; 7 each. The newcomer gets 7: the 6 and one of the 4.
    old = a_round(2, overlap=2, overlap_share=0.4, repeat_share=0.2)
    tasks = deal(old, drawn(10, practice=2))
    known = {rater: [task for task in tasks if task.rater == rater] for rater in old.raters}
    seen = Counter(case for cases in hands(tasks).values() for case in cases)
    found = newcomer(a_round(3, overlap=2, overlap_share=0.4, repeat_share=0.2), known)
    assert {task.rater for task in found} == {"r2"}
    assert [task.case_id for task in found[:2]] == ["c0000", "c0001"]
    hand = hands(found)["r2"]
    assert Counter(seen[case] for case in hand) == {1: 6, 2: 1}
    # A fifth of 7 is 1.4: one case comes again.
    assert len(gaps(found, "r2")) == 1
    assert [task.position for task in found] == list(range(2 + 7 + 1))


def test_a_newcomer_s_tasks_do_not_hang_on_the_order_in_which_a_database_gives_them_out():
    old = a_round(2, overlap=2)
    tasks = deal(old, drawn(20))
    known = {rater: [task for task in tasks if task.rater == rater] for rater in old.raters}
    turned = {rater: known[rater][::-1] for rater in reversed(old.raters)}
    assert newcomer(a_round(3, overlap=2), known) == newcomer(a_round(3, overlap=2), turned)


def test_a_newcomer_to_a_round_of_practice_has_practice_only():
    old = a_round(1, overlap=1)
    known = {"r0": deal(old, [("b", Part.PRACTICE), ("a", Part.PRACTICE)])}
    assert [task.case_id for task in newcomer(a_round(2, overlap=1), known)] == ["b", "a"]
