"""What can be taken as a label and what cannot."""

import math

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, LabelStatus, LabelTask, Level, ScaleKind, Span
from core.labelling.rating.answers import LONGEST_COMMENT, MOST_SECONDS, MOST_SPANS, Given, as_label, as_level, is_blank

TASK = LabelTask(round_id="rnd_1", rater="zoe", case_id="c1", occurrence=1)
USEFUL = Criterion(
    id="crt_1",
    project_id="prj_1",
    name="Useful",
    question="Is it?",
    kind=ScaleKind.LIKERT,
    levels=tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3)),
    accept_from=2,
)
REMARK = Criterion(id="crt_2", project_id="prj_1", name="Remark", question="What else?", kind=ScaleKind.COMMENT)


def said(criterion=USEFUL, seconds=8.0, **given):
    given = given if criterion is REMARK or "cannot_judge" in given else {"value": 2.0, **given}
    return as_label(criterion, TASK, Given(**given), seconds=seconds, at="2026-11-21T06:00:00+00:00")


def test_a_label_names_its_task_and_holds_what_was_said():
    marked = Span(where="context 2", start=3, end=9)
    label = said(value=3, comment="  all of it \n", spans=(marked, marked))
    assert (label.round_id, label.case_id, label.rater, label.occurrence) == ("rnd_1", "c1", "zoe", 1)
    assert (label.criterion_id, label.value, label.comment, label.spans) == ("crt_1", 3.0, "all of it", (marked,))
    assert isinstance(label.value, float)


def test_who_cannot_judge_gives_no_level():
    label = said(cannot_judge=True)
    assert (label.value, label.status) == (None, LabelStatus.CANNOT_JUDGE)


@pytest.mark.parametrize("value", [0, 4, 1.5, math.nan, math.inf, -1])
def test_only_a_level_is_a_level(value):
    with pytest.raises(InvalidInput, match=r"is no level of Useful. Choose one of 1, 2, 3."):
        as_level(USEFUL, value)
    assert as_level(USEFUL, 2) == 2.0


def test_a_comment_criterion_has_no_level_to_choose():
    with pytest.raises(InvalidInput, match="Write a comment instead"):
        as_level(REMARK, 1)
    assert said(REMARK, comment="too short").value is None


def test_time_that_was_not_measured_is_0_and_a_long_absence_counts_as_an_hour():
    assert said(seconds=0).seconds == 0.0
    assert said(seconds=90_000).seconds == MOST_SECONDS == 3_600
    for wrong in (-1.0, math.nan, math.inf):
        with pytest.raises(InvalidInput, match="time on a case is"):
            said(seconds=wrong)


@pytest.mark.parametrize(
    ("where", "start", "end"),
    [("", 0, 3), ("question", 0, 3), ("context 0", 0, 3), ("context", 0, 3), ("answer", 3, 3), ("answer", -1, 3)],
)
def test_a_mark_is_a_piece_of_a_text_that_can_be_marked(where, start, end):
    with pytest.raises(InvalidInput, match="is not a range of a text"):
        said(spans=(Span(where=where, start=start, end=end),))


def test_texts_and_marks_have_limits():
    assert len(said(comment="x" * LONGEST_COMMENT).comment) == LONGEST_COMMENT
    with pytest.raises(InvalidInput, match="10,001 characters"):
        said(comment="x" * (LONGEST_COMMENT + 1))
    spans = tuple(Span(where="answer", start=n, end=n + 1) for n in range(MOST_SPANS + 1))
    assert len(said(spans=spans[1:]).spans) == MOST_SPANS
    with pytest.raises(InvalidInput, match="201 pieces"):
        said(spans=spans)


def test_only_a_comment_can_be_blank():
    assert is_blank(REMARK, Given())
    for given in (Given(cannot_judge=True), Given(value=1.0), Given(spans=(Span(where="answer", start=0, end=1),))):
        assert not is_blank(REMARK, given)
    assert not is_blank(USEFUL, Given())
