"""How far raters are, and what practice tells them."""

import pytest

from core.domain.errors import NotFound
from core.domain.results.labels import Part
from core.labelling.criteria import create_criterion
from core.labelling.rating.progress import Feedback, feedback, progress, unfinished_rounds
from core.labelling.rating.tasks import Given, save_labels, skip_task, tasks, undo_labels
from core.labelling.rounds import close_round, create_round
from core.labelling.sampling.records import Drawn
from core.store.results import runs
from tests.support.runs.answered_run import answered_run


@pytest.fixture
def criteria(store):
    run = answered_run(store)
    return [
        create_criterion(store, run.project_id, name=name, question="Is it?", kind="binary", actor="val").id
        for name in ("Correct", "Useful")
    ]


@pytest.fixture
def made(store, criteria):
    """Two practice cases (the second with one right answer only) and four cases for zoe and bo."""
    correct, useful = criteria
    practice = [
        Drawn(case_id="c8", part=Part.PRACTICE, gold={correct: 1.0, useful: 0.0}, explanation="It names the fee."),
        Drawn(case_id="c9", part=Part.PRACTICE, gold={correct: 0.0}),
    ]
    items = [*practice, *(Drawn(case_id=f"c{number}") for number in range(4))]
    return create_round(
        store, "run_1", name="First", criteria=criteria, raters=["zoe", "bo"], items=items, actor="val"
    ).id


def save(store, made, case_id, *values, rater="zoe", seconds=5.0, criteria):
    given = {
        criterion: Given(cannot_judge=True) if value is None else Given(value=value)
        for criterion, value in zip(criteria, values, strict=False)
    }
    save_labels(store, made, rater, case_id, given=given, seconds=seconds, actor="lab")


def of(store, made, rater="zoe"):
    return next(one for one in progress(store, made) if one.rater == rater)


def test_nobody_has_done_anything_at_first(store, made):
    assert [(one.rater, one.done, one.of, one.practice_done, one.practice_of) for one in progress(store, made)] == [
        ("zoe", 0, 4, 0, 2),
        ("bo", 0, 4, 0, 2),
    ]
    assert of(store, made).median_seconds is None
    assert (of(store, made).practice_right, of(store, made).practice_answers) == (0, 0)


def test_practice_and_cases_are_counted_apart(store, made, criteria):
    save(store, made, "c8", 1, 1, seconds=60.0, criteria=criteria)  # right, wrong
    save(store, made, "c9", 0, 1, criteria=criteria)  # right; nothing is said about the second criterion
    for case_id, seconds in (("c0", 4.0), ("c1", 10.0), ("c2", 6.0)):
        save(store, made, case_id, 1, 1, seconds=seconds, criteria=criteria)
    found = of(store, made)
    assert (found.done, found.of, found.practice_done, found.practice_of) == (3, 4, 2, 2)
    assert (found.practice_right, found.practice_answers) == (2, 3)
    assert found.median_seconds == 6.0  # of 4, 10 and 6; the minute of practice does not count
    assert of(store, made, "bo").done == 0


def test_half_a_case_is_not_done_and_time_not_measured_does_not_count(store, made, criteria):
    save(store, made, "c0", 1, seconds=8.0, criteria=criteria)
    save(store, made, "c1", 1, 1, seconds=0.0, criteria=criteria)
    assert of(store, made).done == 1
    assert of(store, made).median_seconds == 8.0


def test_what_is_put_off_counts_until_it_is_done(store, made, criteria):
    for case_id in ("c0", "c1", "c1"):
        skip_task(store, made, "zoe", case_id, actor="lab")
    assert of(store, made).skipped == 2
    save(store, made, "c1", 1, 1, criteria=criteria)
    assert (of(store, made).skipped, of(store, made).done) == (1, 1)
    undo_labels(store, made, "zoe", "c1", actor="lab")
    assert (of(store, made).skipped, of(store, made).done) == (2, 0)


def test_practice_tells_what_was_right_once_it_is_done_and_only_to_who_did_it(store, made, criteria):
    correct, useful = criteria
    assert feedback(store, made, "zoe", "c8") is None
    save(store, made, "c8", 1, criteria=criteria)
    assert feedback(store, made, "zoe", "c8") is None  # one answer of two
    save(store, made, "c8", 1, None, criteria=criteria)
    assert feedback(store, made, "zoe", "c8") == Feedback(
        gold={correct: 1.0, useful: 0.0}, explanation="It names the fee.", right={correct: True, useful: False}
    )
    assert feedback(store, made, "bo", "c8") is None


def test_a_case_that_counts_tells_nothing(store, made, criteria):
    save(store, made, "c0", 1, 1, criteria=criteria)
    assert feedback(store, made, "zoe", "c0") is None


def test_a_round_or_a_rater_that_is_not_there_is_told(store, made):
    with pytest.raises(NotFound):
        progress(store, "rnd_9")
    with pytest.raises(NotFound, match="eve is not a rater"):
        feedback(store, made, "eve", "c8")
    assert len(tasks(store, made, "zoe")) == 6


def test_a_case_that_comes_twice_is_one_case(store, criteria):
    items = [Drawn(case_id=f"c{number}") for number in range(4)]
    twice = create_round(
        store, "run_1", name="Twice", criteria=criteria, raters=["zoe"], items=items, repeat_share=0.5, actor="val"
    ).id
    (pace,) = progress(store, twice)
    assert (pace.of, pace.again, pace.cases, pace.cases_done) == (6, 2, 4, 0)
    for task in tasks(store, twice, "zoe"):
        given = dict.fromkeys(criteria, Given(value=1.0))
        save_labels(
            store, twice, "zoe", task.case_id, occurrence=task.occurrence, given=given, seconds=1.0, actor="lab"
        )
    (pace,) = progress(store, twice)
    assert (pace.done, pace.again_done, pace.cases_done) == (6, 2, 4)


def test_a_round_waits_until_every_rater_has_finished(store, made, criteria):
    with store.read() as connection:
        project_id = runs.get(connection, "run_1").project_id
    (waiting,) = unfinished_rounds(store, project_id)
    assert waiting.id == made
    close_round(store, made, actor="val")
    assert unfinished_rounds(store, project_id) == ()
    close_round(store, made, closed=False, actor="val")
    for rater in ("zoe", "bo"):
        assert unfinished_rounds(store, project_id, "run_1")
        for task in tasks(store, made, rater):
            save(store, made, task.case_id, 1.0, 1.0, rater=rater, criteria=criteria)
    assert unfinished_rounds(store, project_id, "run_1") == ()
