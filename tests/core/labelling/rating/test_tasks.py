"""One case after the other: what comes next, what is saved at once, what is taken back."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import delete

from core.domain.errors import Conflict, Forbidden, InvalidInput, LabelChanged, NotFound
from core.domain.results.labels import LabelStatus, Level, Part, Span
from core.labelling.criteria import change_criterion, create_criterion
from core.labelling.rating.tasks import (
    Given,
    labels_of_task,
    next_task,
    previous_task,
    save_labels,
    skip_task,
    task,
    tasks,
    undo_labels,
)
from core.labelling.rounds import close_round, create_round
from core.labelling.sampling.records import Drawn
from core.project.service import delete_project
from core.store import tables
from core.store.database import Store
from core.store.trail import audit
from tests.support.stores import sqlite_url

YES, NO = Given(value=1.0), Given(value=0.0)
FOUR = tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3, 4))


@pytest.fixture
def remark(store, run):
    return create_criterion(store, run.project_id, name="Remark", question="What?", kind="comment", actor="val").id


@pytest.fixture
def begin(store, run):
    """Starts a round for zoe and bo on so many cases."""

    def make(*criteria, cases=4, **fields):
        items = fields.pop("items", [Drawn(case_id=f"c{number}") for number in range(cases)])
        given = {"name": "First", "raters": ["zoe", "bo"], "actor": "val", **fields}
        return create_round(store, run.id, criteria=criteria, items=items, **given).id

    return make


@pytest.fixture
def save(store):
    def make(round_id, case_id, given, *, rater="zoe", seconds=5.0, actor="lab", **fields):
        return save_labels(store, round_id, rater, case_id, given=given, seconds=seconds, actor=actor, **fields)

    return make


def order(store, round_id, rater="zoe"):
    return [(one.case_id, one.occurrence) for one in tasks(store, round_id, rater)]


def trail(store, action):
    """Details of the audit entries of an action, oldest first."""
    with store.read() as connection:
        found = audit.entries(connection, limit=None)
    return [json.loads(entry.detail) for entry in reversed(found) if entry.action == action]


def test_tasks_come_one_after_the_other_until_all_are_done(store, correct, begin, save):
    made = begin(correct)
    seen = []
    while (one := next_task(store, made, "zoe")) is not None:
        seen.append((one.case_id, one.occurrence))
        save(made, one.case_id, {correct: YES})
    assert seen == order(store, made)
    assert sorted(case_id for case_id, _ in seen) == ["c0", "c1", "c2", "c3"]
    assert all(one.done_at for one in tasks(store, made, "zoe"))
    assert not any(one.done_at for one in tasks(store, made, "bo"))


def test_after_a_task_another_comes_unless_it_is_the_only_one_left(store, correct, begin, save):
    made = begin(correct, cases=2)
    first, second = order(store, made)
    assert next_task(store, made, "zoe", after=first).case_id == second[0]
    save(made, second[0], {correct: YES})
    assert next_task(store, made, "zoe", after=first).case_id == first[0]


def test_what_is_put_off_comes_last_and_what_was_put_off_twice_after_that(store, correct, begin, save):
    made = begin(correct, cases=3)
    a, b, c = (case_id for case_id, _ in order(store, made))
    for case_id in (a, a, b):
        skip_task(store, made, "zoe", case_id, actor="lab")
    seen = []
    while (one := next_task(store, made, "zoe")) is not None:
        seen.append(one.case_id)
        save(made, one.case_id, {correct: NO})
    assert seen == [c, b, a]


def test_putting_off_a_task_that_is_done_leaves_it_done(store, correct, begin, save):
    made = begin(correct)
    save(made, "c1", {correct: YES})
    skip_task(store, made, "zoe", "c1", actor="lab")
    found = task(store, made, "zoe", "c1")
    assert found.done_at
    assert found.skipped == 0


def test_each_answer_is_saved_at_once_and_the_task_is_done_with_the_last(store, correct, useful, remark, begin, save):
    made = begin(correct, useful, remark)
    (first,) = save(made, "c2", {correct: NO})
    assert (first.criterion_id, first.value, first.status) == (correct, 0.0, LabelStatus.GIVEN)
    assert task(store, made, "zoe", "c2").done_at == ""
    assert next_task(store, made, "zoe", after=None).case_id == order(store, made)[0][0]
    both = save(made, "c2", {useful: Given(value=3)}, seconds=9.0)
    assert [(one.criterion_id, one.value, one.seconds) for one in both] == [(correct, 0.0, 5.0), (useful, 3.0, 9.0)]
    # The comment is optional: the task is done without one.
    assert task(store, made, "zoe", "c2").done_at == both[1].at
    assert [one.criterion_id for one in save(made, "c2", {remark: Given(comment=" too long ")})] == [
        correct,
        useful,
        remark,
    ]
    assert labels_of_task(store, made, "zoe", "c2")[remark].comment == "too long"


def test_a_blank_comment_takes_the_comment_away_and_nothing_else(store, correct, remark, begin, save):
    made = begin(correct, remark)
    save(made, "c0", {correct: YES, remark: Given(comment="short")})
    left = save(made, "c0", {remark: Given(comment="  ")})
    assert [one.criterion_id for one in left] == [correct]
    assert task(store, made, "zoe", "c0").done_at
    assert trail(store, "label.save")[0]["labels"][remark]["comment"] == "short"


def test_a_round_of_comments_only_is_done_with_a_comment_not_with_a_blank(store, remark, begin, save):
    made = begin(remark)
    assert save(made, "c0", {remark: Given()}) == ()
    assert task(store, made, "zoe", "c0").done_at == ""
    save(made, "c0", {remark: Given(comment="fine")})
    assert task(store, made, "zoe", "c0").done_at
    save(made, "c0", {remark: Given()})
    assert task(store, made, "zoe", "c0").done_at == ""
    (unclear,) = save(made, "c1", {remark: Given(cannot_judge=True)})
    assert unclear.status is LabelStatus.CANNOT_JUDGE
    assert task(store, made, "zoe", "c1").done_at


def test_who_cannot_judge_has_answered(store, correct, begin, save):
    made = begin(correct)
    (label,) = save(made, "c0", {correct: Given(cannot_judge=True, comment="cut off")})
    assert (label.value, label.status, label.comment) == (None, LabelStatus.CANNOT_JUDGE, "cut off")
    assert task(store, made, "zoe", "c0").done_at


def test_of_two_browsers_the_last_save_wins_and_both_are_in_the_trail(tmp_path, store, correct, begin, save):
    made = begin(correct)
    marked = Span(where="answer", start=0, end=6)
    with Store.open(sqlite_url(tmp_path)) as other:
        save(made, "c0", {correct: replace(YES, spans=(marked,), comment="at home")}, seconds=30.0)
        save_labels(other, made, "zoe", "c0", given={correct: NO}, seconds=4.0, actor="val")
    (label,) = labels_of_task(store, made, "zoe", "c0").values()
    assert (label.value, label.spans, label.comment, label.seconds) == (0.0, (), "", 4.0)
    home, work = trail(store, "label.save")
    assert home["labels"][correct] == {
        "value": 1.0,
        "status": "given",
        "comment": "at home",
        "spans": [["answer", 0, 6]],
    }
    assert work["labels"][correct] == {"value": 0.0, "status": "given", "comment": ""}
    with store.read() as connection:
        assert audit.verify(connection).ok


def test_an_undone_task_is_next_again_in_its_place(store, correct, useful, begin, save):
    made = begin(correct, useful)
    first, second = (case_id for case_id, _ in order(store, made)[:2])
    for case_id in (first, second):
        save(made, case_id, {correct: YES, useful: Given(value=2)})
    back = undo_labels(store, made, "zoe", first, actor="lab")
    assert {one.criterion_id: one.value for one in back} == {correct: 1.0, useful: 2.0}
    assert labels_of_task(store, made, "zoe", first) == {}
    assert next_task(store, made, "zoe").case_id == first
    assert labels_of_task(store, made, "zoe", second)
    assert trail(store, "label.undo")[0]["labels"][useful]["value"] == 2.0
    with pytest.raises(NotFound, match="has not labelled"):
        undo_labels(store, made, "zoe", first, actor="lab")


def test_one_answer_can_be_taken_back_alone(store, correct, useful, remark, begin, save):
    made = begin(correct, useful, remark)
    save(made, "c0", {correct: YES, useful: Given(value=2), remark: Given(comment="so")})
    undo_labels(store, made, "zoe", "c0", criteria=[remark], actor="lab")
    assert task(store, made, "zoe", "c0").done_at
    (back,) = undo_labels(store, made, "zoe", "c0", criteria=[useful], actor="lab")
    assert back.value == 2.0
    assert task(store, made, "zoe", "c0").done_at == ""
    assert [one.value for one in labels_of_task(store, made, "zoe", "c0").values()] == [1.0]


def test_the_way_back_goes_by_what_was_saved_last(store, correct, begin, save):
    made = begin(correct)
    assert previous_task(store, made, "zoe") is None
    saved = ["c2", "c0", "c3"]
    for case_id in saved:
        save(made, case_id, {correct: YES})
    back, shown = [], previous_task(store, made, "zoe")
    while shown is not None:
        back.append(shown.case_id)
        shown = previous_task(store, made, "zoe", before=(shown.case_id, shown.occurrence))
    assert back == ["c3", "c0", "c2"]
    # From a task that is not saved yet the way back leads to the last one saved.
    assert previous_task(store, made, "zoe", before=("c1", 0)).case_id == "c3"
    assert previous_task(store, made, "bo") is None


def test_a_repetition_is_a_task_of_its_own(store, correct, begin, save):
    made = begin(correct, cases=8, repeat_share=0.25)
    again = [case_id for case_id, occurrence in order(store, made) if occurrence]
    assert len(again) == 2
    case_id = again[0]
    save(made, case_id, {correct: YES})
    save(made, case_id, {correct: NO}, occurrence=1)
    assert labels_of_task(store, made, "zoe", case_id)[correct].value == 1.0
    assert labels_of_task(store, made, "zoe", case_id, occurrence=1)[correct].value == 0.0
    undo_labels(store, made, "zoe", case_id, occurrence=1, actor="lab")
    assert labels_of_task(store, made, "zoe", case_id)[correct].value == 1.0


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Given(value=2.0), "2 is no level of Correct. Choose one of 0, 1."),
        (Given(value=0.5), "0.5 is no level"),
        (Given(value=float("nan")), "nan is no level"),
        (Given(value=1.0, cannot_judge=True), "impossible to judge but also has level 1"),
        (Given(), "is not answered"),
        (Given(comment="well"), "is not answered"),
    ],
)
def test_what_is_no_answer_is_refused_and_nothing_is_stored(store, correct, useful, begin, save, said, words):
    made = begin(correct, useful)
    with pytest.raises(InvalidInput, match=words):
        save(made, "c0", {useful: Given(value=4), correct: said})
    assert labels_of_task(store, made, "zoe", "c0") == {}
    assert trail(store, "label.save") == []


def test_a_comment_has_no_level(remark, begin, save):
    made = begin(remark)
    with pytest.raises(InvalidInput, match="Remark is a comment but also has level 1"):
        save(made, "c0", {remark: Given(value=1.0, comment="so")})


def test_a_criterion_of_another_round_and_nothing_at_all_are_refused(correct, useful, begin, save):
    made = begin(correct)
    with pytest.raises(InvalidInput, match=f"does not have the criterion {useful}"):
        save(made, "c0", {useful: Given(value=4)})
    with pytest.raises(InvalidInput, match="There is no answer"):
        save(made, "c0", {})


def test_a_closed_round_takes_nothing_and_gives_nothing_back_until_it_is_open_again(store, correct, begin, save):
    made = begin(correct)
    save(made, "c0", {correct: YES})
    close_round(store, made, actor="val")
    with pytest.raises(Conflict, match="First is closed"):
        save(made, "c0", {correct: NO})
    with pytest.raises(Conflict, match="First is closed"):
        undo_labels(store, made, "zoe", "c0", actor="lab")
    with pytest.raises(Conflict, match="First is closed"):
        skip_task(store, made, "zoe", "c1", actor="lab")
    assert labels_of_task(store, made, "zoe", "c0")[correct].value == 1.0
    close_round(store, made, closed=False, actor="val")
    save(made, "c0", {correct: NO})
    assert labels_of_task(store, made, "zoe", "c0")[correct].value == 0.0


def test_only_raters_of_the_round_have_tasks_and_only_their_own(store, correct, begin, save):
    made = begin(correct, raters=["zoe", "bo"], overlap=1)
    others = [case_id for case_id, _ in order(store, made, "bo")]
    for call in (next_task, tasks):
        with pytest.raises(NotFound, match="eve is not a rater of round First"):
            call(store, made, "eve")
    with pytest.raises(NotFound, match="Nobody is not a rater"):
        save(made, others[0], {correct: YES}, rater="")
    with pytest.raises(NotFound, match=f"Case {others[0]} is not among the tasks of zoe"):
        save(made, others[0], {correct: YES})
    with pytest.raises(NotFound, match="a second time"):
        save(made, order(store, made)[0][0], {correct: YES}, occurrence=1)
    with pytest.raises(NotFound):
        task(store, made, "zoe", "c99")


def test_a_viewer_and_a_stranger_may_not_label_and_a_labeller_may_for_a_rater_of_the_round(correct, begin, save):
    made = begin(correct)
    for actor in ("vic", "eve"):
        with pytest.raises(Forbidden):
            save(made, "c0", {correct: YES}, actor=actor)
    (label,) = save(made, "c0", {correct: YES}, actor="lab")
    assert label.rater == "zoe"


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["run", "project"])
def test_a_label_after_the_run_was_deleted_is_told_why_it_cannot_be_kept(store, run, correct, begin, save, gone):
    made = begin(correct)
    save(made, "c0", {correct: YES})
    if gone == "project":
        delete_project(store, run.project_id, actor="ada")
    else:
        with store.write("ada", "run.delete") as connection:
            connection.execute(delete(tables.runs).where(tables.runs.c.id == run.id))
    for call in (
        lambda: save(made, "c1", {correct: YES}),
        lambda: skip_task(store, made, "zoe", "c1", actor="lab"),
        lambda: undo_labels(store, made, "zoe", "c0", actor="lab"),
        lambda: next_task(store, made, "zoe"),
    ):
        with pytest.raises(NotFound) as told:
            call()
        assert "deleted with its run" in told.value.hint


def test_a_round_goes_on_asking_a_criterion_that_was_retired(store, correct, begin, save):
    made = begin(correct)
    change_criterion(store, correct, retired=True, actor="val")
    assert save(made, "c0", {correct: YES})[0].value == 1.0


def test_practice_comes_first_in_one_order_for_all(store, correct, begin):
    practice = [Drawn(case_id=one, part=Part.PRACTICE, gold={correct: 1.0}) for one in ("c7", "c2")]
    made = begin(correct, items=[*(Drawn(case_id=f"c{number}") for number in (0, 1, 3, 4)), *practice])
    for rater in ("zoe", "bo"):
        assert order(store, made, rater)[:2] == [("c7", 0), ("c2", 0)]


def test_a_label_that_another_window_saved_meanwhile_is_not_replaced_unseen(store, correct, useful, begin, save):
    made = begin(correct, useful)
    case_id = order(store, made)[0][0]
    first = save(made, case_id, {correct: YES}, seen={})[0]
    # The second window still shows the case without a label.
    with pytest.raises(LabelChanged, match=r"The label of zoe for case c. under Correct was saved in another window"):
        save(made, case_id, {correct: NO}, seen={})
    assert labels_of_task(store, made, "zoe", case_id)[correct] == first
    # What it says under another criterion, or in the same words, needs no decision.
    save(made, case_id, {useful: Given(value=3.0)}, seen={})
    again = save(made, case_id, {correct: YES}, seen={})[0]
    # Who saw what is stored may replace it; the trail keeps what was there.
    assert save(made, case_id, {correct: NO}, seen={correct: again.at})[0].value == 0.0
    assert [said["labels"][correct]["value"] for said in trail(store, "label.save") if correct in said["labels"]] == [
        1.0,
        1.0,
        0.0,
    ]


def test_a_label_that_another_window_took_back_or_saved_is_not_undone_unseen(store, correct, begin, save):
    made = begin(correct)
    case_id = order(store, made)[0][0]
    old = save(made, case_id, {correct: YES})[0]
    new = save(made, case_id, {correct: NO})[0]
    with pytest.raises(LabelChanged, match="saved in another window"):
        undo_labels(store, made, "zoe", case_id, actor="lab", seen={correct: old.at})
    assert undo_labels(store, made, "zoe", case_id, actor="lab", seen={correct: new.at}) == (new,)
    with pytest.raises(LabelChanged, match="taken back in another window"):
        save(made, case_id, {correct: YES}, seen={correct: new.at})
