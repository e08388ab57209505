"""The same case in two windows: a later answer or decision is never saved over an earlier one unseen."""

from __future__ import annotations

import pytest

from core.domain.results.runs import Run
from core.labelling.adjudication import adjudicate, disputed, withdraw
from core.labelling.criteria import create_criterion, ensure_default_criteria
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import labels_of_task, next_task, save_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from tests.pages.clicks import captions, keys
from tests.pages.conftest import window
from tests.pages.people.test_label import click, everything, label_all
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR


@pytest.fixture
def run(store, project) -> Run:
    return scored_run.add_run(store, project.id, scored_run.rows())


@pytest.fixture
def correct(store, project):
    return ensure_default_criteria(store, project.id, actor=ACTOR)[0]


@pytest.fixture
def of(store, run, correct):
    items = [Drawn(case_id=f"case-{place}") for place in range(4)]
    return create_round(store, run.id, name="Pilot", criteria=[correct.id], raters=["Ada"], items=items, actor=ACTOR)


def label(store, of, case_id, criterion):
    return labels_of_task(store, of.id, "Ada", case_id)[criterion.id]


@pytest.fixture
def windows(data, project, of):
    """The same case of the same rater, open in two windows: two sessions of one server."""
    return [window("label", project=project.id, round=of.id, rater="Ada") for _ in range(2)]


def test_the_second_window_is_told_what_the_first_saved_and_may_keep_it(store, of, correct, windows):
    first, second = windows
    case_id = next_task(store, of.id, "Ada").case_id
    click(first, f"level_{correct.id}_1")
    second.text_area(key=f"comment_{correct.id}_1").set_value("Not what the fee table says.")
    click(second, f"level_{correct.id}_0")
    assert not second.exception
    # Nothing was written, and both answers stand there.
    assert label(store, of, case_id, correct).value == 1.0
    words = everything(second)
    assert "answered as Ada in another window" in words
    assert "UTC: **Correct" in words
    assert "Your answer here: **Incorrect**" in words
    assert "Not what the fee table says." in words
    assert not [key for key in keys(second) if key.startswith("level_")]
    click(second, "keep_stored_")
    assert (label(store, of, case_id, correct).value, label(store, of, case_id, correct).comment) == (1.0, "")
    assert "1 of 4" in captions(second)
    assert "another window" not in everything(second)


def test_the_second_window_may_replace_what_the_first_saved(store, of, correct, windows):
    first, second = windows
    case_id = next_task(store, of.id, "Ada").case_id
    click(first, f"level_{correct.id}_1")
    second.text_area(key=f"comment_{correct.id}_1").set_value("Wrong fee.")
    click(second, f"level_{correct.id}_0")
    # The first window changes its mind while the second decides: that is told too before anything is replaced.
    click(first, "back_")
    click(first, "cannot_")
    click(second, "replace_stored_")
    assert label(store, of, case_id, correct).status == "cannot_judge"
    assert "**cannot judge**" in everything(second)
    click(second, "replace_stored_")
    assert (label(store, of, case_id, correct).value, label(store, of, case_id, correct).comment) == (0.0, "Wrong fee.")


def test_the_same_answer_in_both_windows_needs_no_decision(store, of, correct, windows):
    first, second = windows
    click(first, f"level_{correct.id}_1")
    click(second, f"level_{correct.id}_1")
    assert "another window" not in everything(second)
    assert "1 of 4" in captions(second)


def test_undo_does_not_take_back_what_this_window_never_showed(store, of, correct, windows):
    first, second = windows
    case_id = next_task(store, of.id, "Ada").case_id
    click(first, f"level_{correct.id}_1")
    click(second, "undo_")
    assert label(store, of, case_id, correct).value == 1.0
    assert "was saved in another window" in everything(second)
    # Now it is in view, and is taken back.
    click(second, "undo_")
    assert labels_of_task(store, of.id, "Ada", case_id) == {}


def test_a_comment_of_another_window_is_neither_typed_away_nor_hidden(open_page, store, project, run, correct):
    words = create_criterion(store, project.id, name="Why", question="Why?", kind="comment", actor=ACTOR)
    items = [Drawn(case_id=f"case-{place}") for place in range(2)]
    asked = [correct.id, words.id]
    of = create_round(store, run.id, name="Words", criteria=asked, raters=["Ada"], items=items, actor=ACTOR)
    case_id = next_task(store, of.id, "Ada").case_id
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    given = {words.id: Given(comment="In the first passage.")}
    save_labels(store, of.id, "Ada", case_id, given=given, seconds=1, actor=ACTOR)
    # The field of this window is empty and nobody typed into it.
    click(app, f"level_{correct.id}_1")
    assert label(store, of, case_id, words).comment == "In the first passage."
    assert app.text_area(key=f"comment_{words.id}_1").value == "In the first passage."
    click(app, "save_1")
    assert label(store, of, case_id, words).comment == "In the first passage."
    assert label(store, of, case_id, correct).value == 1.0


def test_an_answer_that_came_into_view_under_the_hand_is_told_and_not_replaced_by_a_late_click(
    store, of, correct, windows
):
    first, second = windows
    case_id = next_task(store, of.id, "Ada").case_id
    late = next(button for button in second.button if (button.key or "").startswith(f"level_{correct.id}_0"))
    second.query_params["place"] = "1"
    click(first, f"level_{correct.id}_1")
    # The field is left before the button is clicked: the page is drawn again with what the first window saved.
    second.text_area(key=f"comment_{correct.id}_1").set_value("Wrong fee.").run()
    assert "answered in another window while it was open here" in everything(second)
    assert second.text_area(key=f"comment_{correct.id}_1").value == "Wrong fee."
    late.click().run()
    assert label(store, of, case_id, correct).value == 1.0
    # Now it is in view, and a person may change it.
    click(second, f"level_{correct.id}_0")
    assert (label(store, of, case_id, correct).value, label(store, of, case_id, correct).comment) == (0.0, "Wrong fee.")


def test_ones_own_changes_are_not_told_as_those_of_another_window(store, of, correct, windows):
    own, _ = windows
    click(own, f"level_{correct.id}_1")
    click(own, "back_")
    own.text_area(key=f"comment_{correct.id}_1").set_value("As the table says.").run()
    assert "another window" not in everything(own)
    click(own, "undo_")
    assert "another window" not in everything(own)
    click(own, f"level_{correct.id}_0")
    assert "another window" not in everything(own)


# Adjudication: two validators decide the same case.


@pytest.fixture
def deciders(data, project, store, run, correct):
    """Two windows with the second look at the case that Ada and Grace see differently."""
    label_all(store, run, correct)
    return [window("label", project=project.id, view="second", case="case-1") for _ in range(2)]


def decide(app, criterion, value, reason):
    app.radio(key=f"decision_value_case-1_{criterion.id}_0").set_value(value)
    app.text_area(key=f"decision_reason_case-1_{criterion.id}_0").set_value(reason)
    app.button(key=f"decision_save_case-1_{criterion.id}_0").click().run()
    assert not app.exception


def decision(store, run, criterion):
    return next(of.decided for of in disputed(store, run.id, criterion.id) if of.case_id == "case-1")


def test_a_second_decision_on_a_case_is_told_the_first_and_may_keep_it(store, run, correct, deciders):
    first, second = deciders
    decide(first, correct, "1 Correct", "The fee is right.")
    assert "while it was open here" not in everything(first)
    decide(second, correct, "0 Incorrect", "The fee is *wrong*.")
    assert decision(store, run, correct).value == 1.0
    words = everything(second)
    assert f"{ACTOR} decided this case while it was open here. Your decision here is not saved yet." in words
    assert "Decided: 1 Correct" in words
    assert "The fee is right." in words
    assert "Your decision here: 0 Incorrect" in words
    assert "The fee is *wrong*." in words
    click(second, "keep_decision_")
    assert decision(store, run, correct).value == 1.0
    assert "while it was open here" not in everything(second)
    # What stands there now is in view, and may be replaced.
    second.radio(key=f"decision_value_case-1_{correct.id}_1").set_value("0 Incorrect")
    second.text_area(key=f"decision_reason_case-1_{correct.id}_1").set_value("Read again.")
    second.button(key=f"decision_save_case-1_{correct.id}_1").click().run()
    assert decision(store, run, correct).reason == "Read again."


def test_a_second_decision_replaces_only_what_it_was_shown(store, run, correct, deciders):
    first, second = deciders
    decide(first, correct, "1 Correct", "The fee is right.")
    decide(second, correct, "0 Incorrect", "The fee is wrong.")
    # The first is withdrawn while the second person chooses: that is told before anything is saved.
    click(first, "withdraw_")
    click(second, "replace_decision_")
    assert decision(store, run, correct) is None
    assert "was withdrawn while it was open here" in everything(second)
    click(second, "replace_decision_")
    assert decision(store, run, correct).reason == "The fee is wrong."
    # The first window shows its withdrawal still; a click there withdraws nothing it has not shown.
    first.run()
    assert f"{ACTOR} decided this case while it was open here" in everything(first)


def test_a_decision_that_was_not_shown_is_not_withdrawn(store, run, correct, deciders):
    first, _ = deciders
    decide(first, correct, "1 Correct", "The fee is right.")
    stored = decision(store, run, correct)
    withdraw(store, run.id, "case-1", correct.id, actor=ACTOR, seen=stored.at)
    adjudicate(store, run.id, "case-1", correct.id, value=0.0, reason="No.", actor=ACTOR)
    click(first, "withdraw_")
    assert decision(store, run, correct).reason == "No."
    assert "meanwhile" in everything(first)
    click(first, "withdraw_")
    assert decision(store, run, correct) is None
