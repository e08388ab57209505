"""Checks of a criterion before raters see it."""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, ScaleKind
from core.text.display.visible import require_visible

MOST_LEVELS = 10
LONGEST_NAME = 80
LONGEST_TEXT = 10_000
LONGEST_ANCHOR = 500


def check(criterion: Criterion) -> None:
    """Refuses a criterion that raters cannot answer.

    Raises:
        InvalidInput: A text is blank or too long, the levels do not fit the kind, or every level would be accepted.
    """
    if not criterion.name or len(criterion.name) > LONGEST_NAME:
        raise InvalidInput(
            f"The name of a criterion has 1 to {LONGEST_NAME} characters; this one has {len(criterion.name):,}.",
            "Give another name.",
        )
    require_visible(criterion.name, "a criterion")
    for field, text in (("question", criterion.question), ("guidelines", criterion.guidelines)):
        if len(text) > LONGEST_TEXT or (field == "question" and not text):
            raise InvalidInput(
                f"The {field} of {criterion.name} has {len(text):,} characters.",
                f"Give 1 to {LONGEST_TEXT:,}.",
            )
    _check_levels(criterion)


def _check_levels(criterion: Criterion) -> None:
    values = [level.value for level in criterion.levels]
    if criterion.kind is ScaleKind.COMMENT:
        if values:
            raise InvalidInput(f"{criterion.name} is a comment and has levels.", "Leave the levels out.")
        return
    if values != sorted(set(values)) or any(not level.anchor for level in criterion.levels):
        raise InvalidInput(
            f"The levels of {criterion.name} are not in order, or one has no description.",
            "List each value once, lowest first, with its meaning.",
        )
    if any(len(level.anchor) > LONGEST_ANCHOR for level in criterion.levels):
        raise InvalidInput(
            f"The description of a level of {criterion.name} is too long.", f"Give at most {LONGEST_ANCHOR} characters."
        )
    if criterion.kind is ScaleKind.BINARY and values != [0, 1]:
        raise InvalidInput(
            f"The levels of {criterion.name} are not 0 and 1.", "Use a Likert criterion for other levels."
        )
    if criterion.kind is ScaleKind.LIKERT and not 3 <= len(values) <= MOST_LEVELS:
        raise InvalidInput(f"{criterion.name} has {len(values)} levels.", f"Give 3 to {MOST_LEVELS}.")
    if criterion.accept_from not in values[1:]:
        raise InvalidInput(
            f"{criterion.name} accepts from {criterion.accept_from}, which is not one of its levels above the lowest.",
            f"Choose one of {', '.join(map(str, values[1:]))}.",
        )
