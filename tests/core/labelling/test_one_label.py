"""Several labels become one: by the rule, over all rounds, with the chance of the case to be there."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.results.labels import (
    Adjudication,
    Criterion,
    Label,
    LabelRule,
    Level,
    Part,
    RoundOrigin,
    ScaleKind,
)
from core.labelling.adjudication import adjudicate
from core.labelling.criteria import change_criterion, create_criterion
from core.labelling.one_label import one_label, one_labels, ratings_table
from core.labelling.rating.tasks import Given, save_labels, tasks, undo_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.people import labels
from tests.support.runs.answered_run import answered_run

FOUR = tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3, 4))


def useful(rule=LabelRule.MAJORITY):
    return Criterion(
        id="c",
        project_id="p",
        name="Useful",
        question="?",
        kind=ScaleKind.LIKERT,
        levels=FOUR,
        accept_from=3,
        rule=rule,
    )


def look(value):
    return Adjudication(
        run_id="run_1", case_id="c0", criterion_id="c", value=value, reason="so", actor="val", at="2026-11-21"
    )


@pytest.mark.parametrize(
    ("values", "majority", "median", "mean", "adjudicated"),
    [
        ([3], (3.0, "one rater"), (3.0, "one rater"), (3.0, "one rater"), (3.0, "one rater")),
        ([3, 3], (3.0, "all 2 agree"), (3.0, "all 2 agree"), (3.0, "mean of 2"), (3.0, "all 2 agree")),
        ([1, 4], (None, "tie"), (None, "tie"), (2.5, "mean of 2"), (None, "raters differ")),
        # Both accept: there is nothing to tie about.
        ([3, 4], (3.0, "majority of 2"), (3.0, "median of 2"), (3.5, "mean of 2"), (None, "raters differ")),
        ([1, 4, 4], (4.0, "majority of 3"), (4.0, "median of 3"), (3.0, "mean of 3"), (None, "raters differ")),
        # Three raters, three levels: one accepts, two do not.
        ([1, 2, 4], (2.0, "majority of 3"), (2.0, "median of 3"), (7 / 3, "mean of 3"), (None, "raters differ")),
        ([1, 1, 4, 4], (None, "tie"), (None, "tie"), (2.5, "mean of 4"), (None, "raters differ")),
        ([1, 2, 3, 3], (None, "tie"), (None, "tie"), (2.25, "mean of 4"), (None, "raters differ")),
        ([2, 3, 4, 4], (4.0, "majority of 4"), (3.0, "median of 4"), (3.25, "mean of 4"), (None, "raters differ")),
        ([1, 1, 2, 2, 4], (2.0, "majority of 5"), (2.0, "median of 5"), (2.0, "mean of 5"), (None, "raters differ")),
        # Most gave 1, but more accept than not.
        ([1, 1, 3, 4, 4], (4.0, "majority of 5"), (3.0, "median of 5"), (2.6, "mean of 5"), (None, "raters differ")),
        ([], (None, "cannot judge"), (None, "cannot judge"), (None, "cannot judge"), (None, "cannot judge")),
    ],
)
def test_each_rule_makes_one_label_or_says_why_not(values, majority, median, mean, adjudicated):
    assert one_label(useful(LabelRule.MAJORITY), values) == majority
    assert one_label(useful(LabelRule.MEDIAN), values) == median
    assert one_label(useful(LabelRule.MEAN), values) == (pytest.approx(mean[0]), mean[1])
    assert one_label(useful(LabelRule.ADJUDICATED), values) == adjudicated


@pytest.mark.slow
@given(values=st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1, max_size=7))
def test_median_and_majority_accept_what_more_than_half_of_the_raters_accept(values):
    accepting = sum(value >= 3 for value in values)
    expected = None if 2 * accepting == len(values) else 2 * accepting > len(values)
    for rule in (LabelRule.MEDIAN, LabelRule.MAJORITY):
        value, _ = one_label(useful(rule), values)
        assert (None if value is None else value >= 3) == expected
    # An odd number of raters never ties.
    assert expected is not None or len(values) % 2 == 0


@given(
    values=st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1, max_size=7),
    rule=st.sampled_from(list(LabelRule)),
    data=st.data(),
)
def test_one_label_lies_among_the_labels_whoever_comes_first(values, rule, data):
    value, why = one_label(useful(rule), values)
    assert (value, why) == one_label(useful(rule), data.draw(st.permutations(values)))
    assert value is None or min(values) <= value <= max(values)
    if len(set(values)) == 1:
        assert value == values[0]
    if rule is not LabelRule.MEAN:
        assert value is None or value in values
    if rule in (LabelRule.MAJORITY, LabelRule.MEDIAN):
        # A level that more than half of the raters gave always wins.
        assert all(value == level for level in values if values.count(level) * 2 > len(values))


@pytest.mark.parametrize("rule", list(LabelRule))
def test_a_second_look_stands_above_every_rule(rule):
    assert one_label(useful(rule), [1, 1, 1], adjudication=look(4.0)) == (4.0, "adjudicated")
    assert one_label(useful(rule), [1, 1, 1], adjudication=look(None)) == (None, "adjudicated: cannot judge")


def test_who_cannot_judge_has_no_vote_unless_they_are_more():
    assert one_label(useful(), [3], cannot_judge=1) == (3.0, "one rater")
    assert one_label(useful(), [3], cannot_judge=2) == (None, "cannot judge")
    assert one_label(useful(LabelRule.MEAN), [3, 4], cannot_judge=2) == (3.5, "mean of 2")


def test_another_rule_can_be_tried_without_changing_the_criterion():
    assert one_label(useful(), [1, 4], rule=LabelRule.MEAN) == (2.5, "mean of 2")


@pytest.fixture
def criterion(useful):
    return useful


@pytest.fixture
def begin(store, run, criterion):
    """Starts a round of three raters who all see every case: {case: chance}, or the items."""

    def make(items, **fields):
        if isinstance(items, dict):
            items = [Drawn(case_id=case_id, probability=chance) for case_id, chance in items.items()]
        given = {"name": new_id("rnd"), "criteria": [criterion], "raters": ["ann", "ben", "cy"], "overlap": 3, **fields}
        return create_round(store, run.id, items=items, actor="val", **given).id

    return make


@pytest.fixture
def save(store, criterion):
    """Saves what ann, ben and cy say of a case; None cannot judge, "-" says nothing."""

    def make(round_id, case_id, *values, occurrence=0, seconds=5.0):
        for rater, value in zip(("ann", "ben", "cy"), values, strict=False):
            if value == "-":
                continue
            said = Given(cannot_judge=True) if value is None else Given(value=value)
            save_labels(
                store,
                round_id,
                rater,
                case_id,
                occurrence=occurrence,
                given={criterion: said},
                seconds=seconds,
                actor="lab",
            )

    return make


def by_case(store, criterion, **options):
    return {one.case_id: one for one in one_labels(store, "run_1", criterion, **options)}


def test_labels_of_a_round_come_in_the_order_of_the_test_set(store, criterion, begin, save):
    made = begin({"c10": 0.5, "c2": 0.5, "c0": 0.5, "c5": 0.5})
    save(made, "c10", 1, 1, 4)
    save(made, "c2", 1, 4)
    save(made, "c0", 3, None, "-")
    found = one_labels(store, "run_1", criterion)
    assert [(one.case_id, one.value, one.why, one.ratings) for one in found] == [
        ("c0", 3.0, "one rater", 1),
        ("c2", None, "tie", 2),
        ("c10", 1.0, "majority of 3", 3),
    ]
    # Three of the four cases that were drawn with a chance of a half are labelled so far.
    assert all(one.random and one.probability == 0.375 and not one.simulated and one.at for one in found)


def test_the_rule_of_the_criterion_counts_unless_another_is_asked_for(store, criterion, begin, save):
    save(begin({"c0": 1.0}), "c0", 1, 4)
    assert by_case(store, criterion, rule="mean")["c0"].value == 2.5
    change_criterion(store, criterion, rule="adjudicated", actor="val")
    assert by_case(store, criterion)["c0"].why == "raters differ"
    with pytest.raises(InvalidInput, match="'mode' is not a rule"):
        one_labels(store, "run_1", criterion, rule="mode")


def test_practice_and_repetitions_do_not_count(store, criterion, begin, save):
    items = [Drawn(case_id="c9", part=Part.PRACTICE, gold={criterion: 4.0}), Drawn(case_id="c0"), Drawn(case_id="c1")]
    made = begin(items, repeat_share=1.0)
    save(made, "c9", 1, 1, 1)
    save(made, "c0", 4, 4, 4)
    save(made, "c0", 1, 1, 1, occurrence=1)
    save(made, "c1", 2, 2, 2, occurrence=1)
    assert {case_id: one.value for case_id, one in by_case(store, criterion).items()} == {"c0": 4.0}


def test_a_rater_of_two_rounds_has_one_vote_the_latest(store, criterion, begin, save):
    first, second = begin({"c0": 0.5}), begin({"c0": 0.5})
    save(second, "c0", 4, 4)
    save(first, "c0", 1, 1, 1)
    # ann and ben said 4 and then 1; cy only 1.
    assert (by_case(store, criterion)["c0"].value, by_case(store, criterion)["c0"].ratings) == (1.0, 3)
    save(second, "c0", 3)
    assert by_case(store, criterion)["c0"].why == "majority of 3"  # ann 3 now, ben and cy 1


def test_the_chance_runs_over_all_rounds_with_labels(store, criterion, begin, save):
    # Round 1 draws by chance .2; round 2 says of every case what it would have been; round 3 nothing of the others;
    # round 4 draws by chance .3 but nobody has labelled yet, and round 5 asks something else.
    listed = [0.5] * 12
    listed[1] = 0.25
    first = begin({"c0": 0.2, "c1": 0.2}, design={"random_probability": 0.2})
    second = begin({"c0": 0.5, "c2": 0.5}, design={"probabilities": listed})
    third = begin([Drawn(case_id="c3", part=Part.TARGETED, probability=0.9)])
    begin({"c0": 0.3})
    other = create_criterion(store, "prj_1", name="Other", question="Is it?", kind="binary", actor="val").id
    begin({"c1": 0.7}, criteria=[other])
    for made, case_id in ((first, "c0"), (first, "c1"), (second, "c0"), (second, "c2"), (third, "c3")):
        save(made, case_id, 3, 3, 3)
    found = by_case(store, criterion)
    assert found["c0"].probability == pytest.approx(1 - 0.8 * 0.5, abs=1e-15)
    assert found["c1"].probability == pytest.approx(1 - 0.8 * 0.75, abs=1e-15)
    assert found["c2"].probability == pytest.approx(1 - 0.8 * 0.5, abs=1e-15)
    assert found["c3"].probability == pytest.approx(1 - 0.8 * 0.5 * 0.1, abs=1e-15)
    assert {case_id: one.random for case_id, one in found.items()} == {
        "c0": True,
        "c1": True,
        "c2": True,
        "c3": False,
    }


def test_a_design_that_does_not_fit_the_cases_is_not_used(store, criterion, begin, save):
    first = begin({"c0": 0.2})
    second = begin({"c1": 0.5}, design={"probabilities": [0.9, 0.9], "random_probability": 0.1})
    save(first, "c0", 3)
    save(second, "c1", 3)
    assert by_case(store, criterion)["c0"].probability == pytest.approx(1 - 0.8 * 0.9, abs=1e-15)
    assert by_case(store, criterion)["c1"].probability == 0.5


def test_the_chance_of_a_single_round_is_kept_to_the_last_digit(store, criterion, begin, save):
    made = begin({"c0": 0.1, "c1": 1 / 3, "c2": 1e-9})
    for case_id in ("c0", "c1", "c2"):
        save(made, case_id, 3)
    assert [one.probability for one in by_case(store, criterion).values()] == [0.1, 1 / 3, 1e-9]


def test_a_targeted_round_takes_nothing_from_the_random_share(store, criterion, begin, save):
    targeted = begin([Drawn(case_id=one, part=Part.TARGETED, probability=0.9) for one in ("c0", "c1")])
    save(targeted, "c0", 3, 3, 3)
    save(targeted, "c1", 3, 3, 3)
    assert not any(one.random for one in by_case(store, criterion).values())
    drawn = begin({"c0": 0.5, "c1": 0.5, "c2": 0.5})
    save(drawn, "c0", 3)
    found = by_case(store, criterion)
    # c1 was drawn at random too, but its label is there because of the targeted draw; once the round gets to it, it
    # is random. Counted before, it would make the random share lean towards what the targeted round liked.
    assert (found["c0"].random, found["c1"].random) == (True, False)
    save(drawn, "c1", None)
    assert by_case(store, criterion)["c1"].random


def test_the_random_share_is_not_tilted_by_what_a_targeted_round_labelled_first(store):
    # 400 cases, of which the targeted round labels the 100 with the lowest quality; the random round draws 200 and
    # raters have come to the first 50. With every case that is both drawn and labelled counted as random the share
    # would hold about 50 more of the lowest quarter: (12.5 + 37.5) / 87.5 = .57 of it in place of .25.
    run = answered_run(store, 401)
    made = create_criterion(store, run.project_id, name="Right", question="Is it?", kind="binary", actor="val").id
    rng = np.random.default_rng(3)
    low = {f"c{number}" for number in range(100)}

    def begin(cases, part, chance):
        items = [Drawn(case_id=case_id, part=part, probability=chance) for case_id in cases]
        return create_round(
            store,
            run.id,
            name=new_id("rnd"),
            criteria=[made],
            raters=["ann"],
            items=items,
            overlap=1,
            seed=7,
            actor="val",
        ).id

    def label(round_id, cases):
        with store.write("lab", "label.save") as connection:
            labels.put(
                connection,
                [
                    Label(round_id=round_id, case_id=one, criterion_id=made, rater="ann", value=1.0, at="2026-11-21")
                    for one in cases
                ],
            )

    label(begin(sorted(low), Part.TARGETED, 1.0), sorted(low))
    drawn = [f"c{number}" for number in rng.permutation(400)[:200].tolist()]
    second = begin(drawn, Part.RANDOM, 0.5)
    label(second, [one.case_id for one in tasks(store, second, "ann")][:50])
    random = [one.case_id for one in one_labels(store, run.id, made) if one.random]
    assert len(random) == 50
    assert sum(case_id in low for case_id in random) / 50 == pytest.approx(0.25, abs=0.13)  # two standard errors


def test_a_second_look_counts_also_after_its_labels_were_taken_back(store, criterion, begin, save):
    made = begin({"c0": 0.5, "c1": 0.5})
    save(made, "c0", 1, 4)
    save(made, "c1", 2)
    adjudicate(store, "run_1", "c0", criterion, value=3, reason="The fee is named.", actor="val")
    for rater in ("ann", "ben"):
        undo_labels(store, made, rater, "c0", actor="lab")
    found = by_case(store, criterion)["c0"]
    assert (found.value, found.why, found.ratings, found.adjudicated) == (3.0, "adjudicated", 0, True)
    assert (found.random, found.probability) == (False, 0.5)
    # Also where it is all there is of the round.
    undo_labels(store, made, "ann", "c1", actor="lab")
    assert [(one.case_id, one.probability) for one in one_labels(store, "run_1", criterion)] == [("c0", 0.25)]


def test_machines_that_play_raters_are_marked(store, criterion, begin, save):
    save(begin({"c0": 1.0, "c1": 1.0}, origin=RoundOrigin.SIMULATED), "c0", 3, 3)
    save(begin({"c1": 1.0}), "c1", 3, 3)
    assert {case_id: one.simulated for case_id, one in by_case(store, criterion).items()} == {"c0": True, "c1": False}
    assert ratings_table(store, "run_1", criterion).simulated == {"ann", "ben"}


def test_nothing_labelled_is_nothing_and_what_has_no_levels_is_refused(store, run, criterion):
    assert one_labels(store, run.id, criterion) == ()
    table = ratings_table(store, run.id, criterion)
    assert (table.case_ids, table.raters, table.values.shape) == ((), (), (0, 0))
    remark = create_criterion(store, run.project_id, name="Remark", question="What?", kind="comment", actor="val").id
    for call in (one_labels, ratings_table):
        with pytest.raises(InvalidInput, match="Remark is a comment"):
            call(store, run.id, remark)
        with pytest.raises(NotFound):
            call(store, run.id, "crt_9")
        with pytest.raises(NotFound):
            call(store, "run_9", criterion)


def test_the_table_has_every_rating_with_its_time_and_repetition(store, criterion, begin, save):
    made = begin({"c3": 1.0, "c2": 1.0, "c0": 1.0}, repeat_share=1.0)
    save(made, "c3", 1, 2, seconds=7.0)
    save(made, "c3", 1, 3, occurrence=1)
    save(made, "c2", 4, "-", None, seconds=0.0)
    table = ratings_table(store, "run_1", criterion)
    assert (table.case_ids, table.raters) == (("c2", "c3"), ("ann", "ben", "cy"))
    nan = math.nan
    np.testing.assert_array_equal(table.values, [[4.0, 1.0], [nan, 2.0], [nan, nan]])
    np.testing.assert_array_equal(table.repeats, [[nan, 1.0], [nan, 3.0], [nan, nan]])
    np.testing.assert_array_equal(table.seconds, [[nan, 7.0], [nan, 7.0], [nan, nan]])
    np.testing.assert_array_equal(table.cannot_judge, [[False, False], [False, False], [True, False]])
    np.testing.assert_array_equal(table.clusters, [0, 0])  # c2 and c3 are of one group
    assert table.simulated == frozenset()
