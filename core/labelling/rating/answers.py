"""A rater's answer under a criterion, and its checks before it becomes a label."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, Label, LabelStatus, LabelTask, ScaleKind, Span

LONGEST_COMMENT = 10_000
MOST_SPANS = 200
MOST_SECONDS = 3_600.0
"""Longest time that counts for one case: beyond it the rater has probably left the desk."""

_PLACE = re.compile(r"answer|reference|context [1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A rater's answer under one criterion.

    Attributes:
        value: The level; None with `cannot_judge` and for a comment.
        cannot_judge: Whether the rater cannot judge the case.
        comment: The rater's remark.
        spans: Marked evidence.
    """

    value: float | None = None
    cannot_judge: bool = False
    comment: str = ""
    spans: tuple[Span, ...] = ()


def is_blank(criterion: Criterion, answer: Given) -> bool:
    """Whether the answer to a comment criterion is empty; an answer to a criterion with levels never is.

    >>> remark = Criterion(id="c", project_id="p", name="Remark", question="?", kind=ScaleKind.COMMENT)
    >>> is_blank(remark, Given(comment=" ")), is_blank(remark, Given(comment="too short"))
    (True, False)
    """
    nothing = not (answer.comment.strip() or answer.spans or answer.cannot_judge or answer.value is not None)
    return criterion.kind is ScaleKind.COMMENT and nothing


def as_label(criterion: Criterion, task: LabelTask, answer: Given, *, seconds: float, at: str) -> Label:
    """A rater's answer as the label of a task.

    Args:
        criterion: The criterion.
        task: The rater's task.
        answer: What the rater answered.
        seconds: Time spent on the case, 0 where it was not measured; at most an hour counts.
        at: Time of the answer, UTC, ISO 8601.

    Raises:
        InvalidInput: The value is no level, a level is missing or not allowed, a text is too long, a mark lies outside
            the text, or the time is negative or infinite.
    """
    if not 0.0 <= seconds < math.inf:
        raise InvalidInput(f"The time on a case is {seconds} seconds.", "Give a time from 0; 0 if it was not measured.")
    return Label(
        round_id=task.round_id,
        case_id=task.case_id,
        criterion_id=criterion.id,
        rater=task.rater,
        occurrence=task.occurrence,
        value=_value(criterion, answer),
        status=LabelStatus.CANNOT_JUDGE if answer.cannot_judge else LabelStatus.GIVEN,
        comment=_comment(criterion, answer),
        spans=_spans(answer),
        seconds=min(float(seconds), MOST_SECONDS),
        at=at,
    )


def as_level(criterion: Criterion, value: float) -> float:
    """A value that is one of the levels of a criterion.

    Raises:
        InvalidInput: It is none of them.
    """
    if not math.isfinite(value) or value not in {level.value for level in criterion.levels}:
        levels = ", ".join(str(level.value) for level in criterion.levels)
        hint = f"Choose one of {levels}." if levels else "Write a comment instead."
        raise InvalidInput(f"{value:g} is no level of {criterion.name}.", hint)
    return float(value)


def _value(criterion: Criterion, answer: Given) -> float | None:
    if criterion.kind is ScaleKind.COMMENT or answer.cannot_judge:
        if answer.value is not None:
            state = "is a comment" if criterion.kind is ScaleKind.COMMENT else "was marked as impossible to judge"
            raise InvalidInput(
                f"{criterion.name} {state} but also has level {answer.value:g}.", "Give one or the other."
            )
        return None
    if answer.value is None:
        raise InvalidInput(
            f"{criterion.name} is not answered.", "Choose a level, or choose that the case cannot be judged."
        )
    return as_level(criterion, answer.value)


def _comment(criterion: Criterion, answer: Given) -> str:
    text = answer.comment.strip()
    if len(text) > LONGEST_COMMENT:
        raise InvalidInput(
            f"The comment on {criterion.name} has {len(text):,} characters.", f"Give at most {LONGEST_COMMENT:,}."
        )
    return text


def _spans(answer: Given) -> tuple[Span, ...]:
    if len(answer.spans) > MOST_SPANS:
        raise InvalidInput(f"{len(answer.spans)} pieces of text are marked.", f"Mark at most {MOST_SPANS}.")
    for span in answer.spans:
        if not _PLACE.fullmatch(span.where) or not 0 <= span.start < span.end:
            raise InvalidInput(
                f"The mark from {span.start} to {span.end} of {span.where or 'nothing'} is not a range of a text.",
                "Mark part of the answer, the reference or a passage.",
            )
    return tuple(dict.fromkeys(answer.spans))
