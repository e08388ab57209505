"""What is asked next, marks that touch, the time spent, and the marks of the workflow."""

from __future__ import annotations

import pytest

from core.domain.results.labels import Criterion, Label, LabelStatus, Level, ScaleKind, Span
from core.labelling.criteria import ensure_default_criteria
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import next_task, save_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from pages.kit import state, workflow
from pages.people.label import reading
from pages.people.label.rating import draft
from pages.people.label.rating.draft import Draft
from pages.people.label.reading import Piece
from pages.people.label.setup import view as setup_view
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR

YES_NO = (Level(value=0, anchor="No"), Level(value=1, anchor="Yes"))


def criterion(name: str, kind: ScaleKind = ScaleKind.BINARY) -> Criterion:
    levels = () if kind is ScaleKind.COMMENT else YES_NO
    return Criterion(id=name, project_id="p", name=name, question=f"{name}?", kind=kind, levels=levels)


A, B, WORDS = criterion("a"), criterion("b"), criterion("words", ScaleKind.COMMENT)
ASKED = (A, WORDS, B)
SAID = Given(value=1.0)


def test_the_first_open_criterion_is_asked_unless_a_person_turned_to_another():
    assert draft.active(ASKED, Draft(given={})) is A
    assert draft.active(ASKED, Draft(given={"a": SAID})) is B
    assert draft.active(ASKED, Draft(given={"a": SAID}, active="a")) is A
    assert draft.active((WORDS,), Draft(given={})) is None


def test_a_case_is_done_with_its_last_answer_in_any_order():
    assert draft.after(ASKED, Draft(given={}), "b") == ("", False)
    assert draft.after(ASKED, Draft(given={"b": Given(cannot_judge=True)}), "a") == ("", True)


def test_looking_through_a_labelled_case_again_goes_from_one_criterion_to_the_next():
    both = Draft(given={"a": SAID, "b": SAID})
    assert draft.after(ASKED, both, "a") == ("b", False)
    assert draft.after(ASKED, both, "b") == ("", True)


def test_a_comment_alone_answers_nothing():
    assert not draft.complete(ASKED, Draft(given={"a": Given(comment="hm"), "b": SAID}))
    assert draft.complete((WORDS,), Draft(given={}))


def test_what_is_saved_comes_back_in_the_order_it_was_said():
    def saved(name: str, at: str, **more: object) -> Label:
        return Label(round_id="r", case_id="c", criterion_id=name, rater="Ada", at=at, **more)  # type: ignore[arg-type]

    span = Span(where="answer", start=0, end=2)
    made = draft.from_labels(
        {
            "b": saved("b", "2026-01-01T00:00:02", status=LabelStatus.CANNOT_JUDGE, seconds=7.0, spans=(span,)),
            "a": saved("a", "2026-01-01T00:00:01", value=0.0, seconds=3.0),
        }
    )
    assert made.order == ("a", "b")
    assert (made.seconds, made.spans) == (7.0, (span,))
    assert (made.given["a"].value, made.given["b"].cannot_judge) == (0.0, True)


def test_marks_that_touch_become_one_and_others_stay():
    first, second = Span(where="answer", start=0, end=4), Span(where="answer", start=9, end=12)
    other = Span(where="context 1", start=0, end=4)
    bridge = Span(where="answer", start=4, end=9)
    joined = reading.with_mark([first, second, other], bridge, remove=False)
    assert joined == (Span(where="answer", start=0, end=12), other)
    assert reading.with_mark(joined, Span(where="answer", start=0, end=12), remove=True) == (other,)


def test_marks_of_several_raters_are_drawn_once_and_those_outside_the_text_not_at_all():
    piece = Piece(where="answer", kind="answer", title="Answer", text="0123456789")
    spans = [Span(where="answer", start=start, end=end) for start, end in ((5, 8), (0, 3), (2, 4), (9, 11))]
    assert reading._places(piece, spans) == [[0, 4], [5, 8]]


@pytest.mark.parametrize(("kind", "values"), [("binary", [0, 1]), ("likert", [1, 2]), ("comment", [])])
def test_lines_become_levels(kind, values):
    levels = setup_view.levels_of(kind, " No \n\nYes\n")
    assert [level.value for level in levels] == values
    assert setup_view.accept_from(levels, 2) == (values[1] if values else 1)
    assert setup_view.accept_from(levels, 9) == (values[-1] if values else 1)


def test_time_away_from_the_desk_does_not_count():
    clock = state.tick(None, "one", 100.0, idle=180)
    clock = state.tick(clock, "one", 110.0, idle=180)
    # Fifteen minutes away, of which three count; then another case, and back with what the first took before.
    clock = state.tick(clock, "one", 1_000.0, idle=180)
    assert clock[1] == 10.0 + 180.0
    clock = state.tick(clock, "two", 1_001.0, idle=180)
    assert clock[1] == 0.0
    assert state.tick(clock, "one", 1_004.0, idle=180, before=190.0)[1] == 190.0


@pytest.mark.slow
def test_the_sidebar_says_what_labelling_waits_for_and_when_it_is_done(store, project):
    assert workflow.steps(store, project.id)["label"].waits_for == "needs a finished run"
    assert workflow.steps(store, project.id)["calibrate"].waits_for == "needs labels"
    run = scored_run.add_run(store, project.id, scored_run.rows())
    asked = ensure_default_criteria(store, project.id, actor=ACTOR)[0]
    assert workflow.steps(store, project.id)["label"].mark is workflow.Mark.READY
    made = create_round(
        store, run.id, name="Pilot", criteria=[asked.id], raters=["Ada"], items=[Drawn(case_id="case-0")], actor=ACTOR
    )
    task = next_task(store, made.id, "Ada")
    save_labels(store, made.id, "Ada", task.case_id, given={asked.id: Given(value=1.0)}, seconds=1, actor=ACTOR)
    found = workflow.steps(store, project.id)
    assert found["label"].mark is workflow.Mark.DONE
    assert found["label"].note == "1 label in 1 round."
    assert found["calibrate"].mark is workflow.Mark.READY
