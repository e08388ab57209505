"""What a criterion must be before it is put to people."""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.domain.labels import Criterion, ScaleKind

MOST_LEVELS = 10
LONGEST_NAME = 80
LONGEST_TEXT = 10_000
LONGEST_ANCHOR = 500


def check(made: Criterion) -> None:
    """Refuses a criterion that cannot be put to people.

    Raises:
        InvalidInput: A text is blank or too long, the levels do not fit the kind, or every level would be accepted.
    """
    if not made.name or len(made.name) > LONGEST_NAME:
        raise InvalidInput(
            f"The name of a criterion has 1 to {LONGEST_NAME} characters; this one has {len(made.name)}.",
            "Give another name.",
        )
    for what, text in (("question", made.question), ("guidelines", made.guidelines)):
        if len(text) > LONGEST_TEXT or (what == "question" and not text):
            raise InvalidInput(
                f"The {what} of {made.name} has {len(text):,} characters.", f"Give at most {LONGEST_TEXT:,}, not none."
            )
    _check_levels(made)


def _check_levels(made: Criterion) -> None:
    values = [level.value for level in made.levels]
    if made.kind is ScaleKind.COMMENT:
        if values:
            raise InvalidInput(f"{made.name} is a comment and has levels.", "Leave the levels out.")
        return
    if values != sorted(set(values)) or any(not level.anchor for level in made.levels):
        raise InvalidInput(
            f"The levels of {made.name} are not in order, or one has no words.",
            "List each value once, lowest first, with its meaning.",
        )
    if any(len(level.anchor) > LONGEST_ANCHOR for level in made.levels):
        raise InvalidInput(
            f"The words of a level of {made.name} are too long.", f"Give at most {LONGEST_ANCHOR} characters."
        )
    if made.kind is ScaleKind.BINARY and values != [0, 1]:
        raise InvalidInput(f"The levels of {made.name} are not 0 and 1.", "Use a Likert criterion for other levels.")
    if made.kind is ScaleKind.LIKERT and not 3 <= len(values) <= MOST_LEVELS:
        raise InvalidInput(f"{made.name} has {len(values)} levels.", f"Give 3 to {MOST_LEVELS}.")
    if made.accept_from not in values[1:]:
        raise InvalidInput(
            f"{made.name} accepts from {made.accept_from}, which is not one of its levels above the lowest.",
            f"Choose one of {', '.join(map(str, values[1:]))}.",
        )
