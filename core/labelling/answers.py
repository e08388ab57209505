"""What a rater says under a criterion, and when it can be taken as a label."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from core.domain.errors import InvalidInput
from core.domain.labels import Criterion, Label, LabelStatus, LabelTask, ScaleKind, Span

LONGEST_COMMENT = 10_000
MOST_SPANS = 200
MOST_SECONDS = 3_600.0
"""Time on one case beyond which somebody has left the desk; longer times count as this."""

_PLACE = re.compile(r"answer|reference|context [1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a rater says under one criterion.

    Attributes:
        value: The level; None with `cannot_judge` and for a comment.
        cannot_judge: That the case cannot be judged.
        comment: In the rater's words.
        spans: Marked evidence.
    """

    value: float | None = None
    cannot_judge: bool = False
    comment: str = ""
    spans: tuple[Span, ...] = ()


def is_blank(criterion: Criterion, said: Given) -> bool:
    """Whether nothing is said under a comment; a criterion with levels is never left blank.

    >>> remark = Criterion(id="c", project_id="p", name="Remark", question="?", kind=ScaleKind.COMMENT)
    >>> is_blank(remark, Given(comment=" ")), is_blank(remark, Given(comment="too short"))
    (True, False)
    """
    nothing = not (said.comment.strip() or said.spans or said.cannot_judge or said.value is not None)
    return criterion.kind is ScaleKind.COMMENT and nothing


def as_label(criterion: Criterion, task: LabelTask, said: Given, *, seconds: float, at: str) -> Label:
    """What was said as a label of a task.

    Args:
        criterion: What was asked.
        task: Whose and of which case.
        said: The answer.
        seconds: Time spent on the case, 0 where it was not measured; at most an hour counts.
        at: When, UTC, ISO 8601.

    Raises:
        InvalidInput: The value is no level, there is none where there should be or one where there should not, a text
            is too long, a mark is no piece of a text, or the time is no time.
    """
    if not 0.0 <= seconds < math.inf:
        raise InvalidInput(f"{seconds} seconds is no time spent on a case.", "Give 0 where it was not measured.")
    return Label(
        round_id=task.round_id,
        case_id=task.case_id,
        criterion_id=criterion.id,
        rater=task.rater,
        occurrence=task.occurrence,
        value=_value(criterion, said),
        status=LabelStatus.CANNOT_JUDGE if said.cannot_judge else LabelStatus.GIVEN,
        comment=_comment(criterion, said),
        spans=_spans(said),
        seconds=min(float(seconds), MOST_SECONDS),
        at=at,
    )


def as_level(criterion: Criterion, value: float) -> float:
    """A value that is one of the levels of a criterion.

    Raises:
        InvalidInput: It is none of them.
    """
    if not math.isfinite(value) or value not in {level.value for level in criterion.levels}:
        shown = ", ".join(str(level.value) for level in criterion.levels)
        hint = f"Choose one of {shown}." if shown else "Write a comment instead."
        raise InvalidInput(f"{value:g} is no level of {criterion.name}.", hint)
    return float(value)


def _value(criterion: Criterion, said: Given) -> float | None:
    if criterion.kind is ScaleKind.COMMENT or said.cannot_judge:
        if said.value is not None:
            what = "is a comment" if criterion.kind is ScaleKind.COMMENT else "was marked as impossible to judge"
            raise InvalidInput(f"{criterion.name} {what}, and has the level {said.value:g}.", "Give one or the other.")
        return None
    if said.value is None:
        raise InvalidInput(f"{criterion.name} is not answered.", "Choose a level, or that it cannot be judged.")
    return as_level(criterion, said.value)


def _comment(criterion: Criterion, said: Given) -> str:
    text = said.comment.strip()
    if len(text) > LONGEST_COMMENT:
        raise InvalidInput(
            f"The comment on {criterion.name} has {len(text):,} characters.", f"Give at most {LONGEST_COMMENT:,}."
        )
    return text


def _spans(said: Given) -> tuple[Span, ...]:
    if len(said.spans) > MOST_SPANS:
        raise InvalidInput(f"{len(said.spans)} pieces of text are marked.", f"Mark at most {MOST_SPANS}.")
    for span in said.spans:
        if not _PLACE.fullmatch(span.where) or not 0 <= span.start < span.end:
            raise InvalidInput(
                f"The mark from {span.start} to {span.end} of {span.where or 'nothing'} is no piece of a text.",
                "Mark a piece of the answer, the reference or a passage.",
            )
    return tuple(dict.fromkeys(said.spans))
