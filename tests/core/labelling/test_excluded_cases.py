"""Cases that a person took out of the test set after people labelled them."""

import pytest

from core.labelling.adjudication import disputed
from core.labelling.one_label import one_labels, ratings_table
from core.labelling.rating.progress import progress
from core.labelling.rating.tasks import Given, save_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.testset import testsets


@pytest.fixture
def made(store, run, correct):
    """Anna and Ben differ on c0, c1 and c2; Cleo labelled c1 only."""
    made = create_round(
        store,
        run.id,
        name="First",
        criteria=[correct],
        raters=["anna", "ben", "cleo"],
        items=[Drawn(case_id=f"c{number}") for number in range(3)],
        overlap=3,
        actor="val",
    )
    for rater, case_id, value in (
        ("anna", "c0", 1),
        ("ben", "c0", 0),
        ("anna", "c1", 1),
        ("ben", "c1", 0),
        ("cleo", "c1", 1),
        ("anna", "c2", 1),
        ("ben", "c2", 0),
    ):
        save_labels(store, made.id, rater, case_id, given={correct: Given(value=value)}, seconds=2, actor="lab")
    return made


def exclude(store, run, case_id):
    with store.write("val", "case.exclude") as connection:
        testsets.exclude(connection, run.test_set_id, case_id, "the question is broken")


def test_what_was_excluded_is_no_label_no_rating_and_no_dispute(store, run, made):
    (criterion,) = made.criteria
    exclude(store, run, "c1")
    assert [one.case_id for one in one_labels(store, run.id, criterion)] == ["c0", "c2"]
    assert [one.case_id for one in disputed(store, run.id, criterion)] == ["c0", "c2"]
    table = ratings_table(store, run.id, criterion)
    assert table.case_ids == ("c0", "c2")
    # Cleo labelled the excluded case only: she would stand in every table of raters without a rating.
    assert table.raters == ("anna", "ben")
    assert table.values.tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_what_is_put_back_counts_again(store, run, made):
    (criterion,) = made.criteria
    exclude(store, run, "c1")
    with store.write("val", "case.include") as connection:
        testsets.include(connection, run.test_set_id, "c1")
    assert ratings_table(store, run.id, criterion).raters == ("anna", "ben", "cleo")
    assert [one.value for one in one_labels(store, run.id, criterion)] == [None, 1.0, None]


def test_where_every_labelled_case_is_excluded_there_is_nothing(store, run, made):
    (criterion,) = made.criteria
    for case_id in ("c0", "c1", "c2"):
        exclude(store, run, case_id)
    assert one_labels(store, run.id, criterion) == ()
    table = ratings_table(store, run.id, criterion)
    assert (table.case_ids, table.raters, table.values.shape) == ((), (), (0, 0))


def test_the_work_of_raters_still_counts_as_done(store, run, made):
    exclude(store, run, "c1")
    assert [(one.rater, one.done, one.of) for one in progress(store, made.id)] == [
        ("anna", 3, 3),
        ("ben", 3, 3),
        ("cleo", 1, 3),
    ]
