"""One case after the other: what a rater is asked next, what they say, and taking it back.

Nothing here tells a rater what machines or other raters say of a case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection

from core.domain.errors import InvalidInput, NotFound
from core.domain.labels import Criterion, Label, LabelItem, LabelRound, LabelTask, ScaleKind
from core.domain.projects import Role
from core.labelling.answers import LONGEST_COMMENT, Given, as_label, is_blank
from core.labelling.places import open_round, rater_of, task_of
from core.labelling.progress import Feedback, RaterProgress, feedback, progress
from core.project.service import require
from core.store import labels
from core.store.database import Store

__all__ = [
    "LONGEST_COMMENT",
    "RATER",
    "Feedback",
    "Given",
    "RaterProgress",
    "feedback",
    "item_of",
    "labels_of_task",
    "next_task",
    "previous_task",
    "progress",
    "save_labels",
    "skip_task",
    "task",
    "tasks",
    "undo_labels",
]

RATER = Role.LABELLER
"""The role that may label."""


def next_task(store: Store, round_id: str, rater: str, *, after: tuple[str, int] | None = None) -> LabelTask | None:
    """What the rater is asked next: undone tasks in their order, those put off last; None where all is done.

    Args:
        store: Where the round is.
        round_id: The round.
        rater: Who.
        after: Case and occurrence that should not come again at once, unless it is the only one left.

    Raises:
        NotFound: There is no such round, or it has no such rater.
    """
    with store.read() as connection:
        rater_of(labels.round_of(connection, round_id), rater)
        found = labels.next_task(connection, round_id, rater, but=after)
        return found or labels.next_task(connection, round_id, rater)


def task(store: Store, round_id: str, rater: str, case_id: str, occurrence: int = 0) -> LabelTask:
    """One task of a rater.

    Raises:
        NotFound: There is no such round, rater or task.
    """
    with store.read() as connection:
        rater_of(labels.round_of(connection, round_id), rater)
        return task_of(connection, round_id, rater, case_id, occurrence)


def tasks(store: Store, round_id: str, rater: str) -> tuple[LabelTask, ...]:
    """Every task of a rater, in the rater's order.

    Raises:
        NotFound: There is no such round or rater.
    """
    with store.read() as connection:
        rater_of(labels.round_of(connection, round_id), rater)
        return tuple(labels.tasks(connection, round_id, rater))


def previous_task(
    store: Store, round_id: str, rater: str, *, before: tuple[str, int] | None = None
) -> LabelTask | None:
    """The task a rater saved last, or the one saved before a given saved task; None where there is none."""
    with store.read() as connection:
        shown = labels.task(connection, round_id, rater, *before) if before else None
        if shown is None or not shown.done_at:
            return labels.last_done(connection, round_id, rater)
        return labels.last_done(connection, round_id, rater, before=shown.done_at, position=shown.position)


def item_of(store: Store, round_id: str, case_id: str) -> LabelItem:
    """Why a case is in a round, and its gold labels where it is for practice.

    Raises:
        NotFound: The round does not have it.
    """
    with store.read() as connection:
        return labels.item(connection, round_id, case_id)


def labels_of_task(
    store: Store, round_id: str, rater: str, case_id: str, *, occurrence: int = 0
) -> Mapping[str, Label]:
    """What the rater said in one task, by criterion id; empty before it is saved."""
    with store.read() as connection:
        found = labels.of_task(connection, round_id, rater, case_id, occurrence)
    return {label.criterion_id: label for label in found}


def save_labels(
    store: Store,
    round_id: str,
    rater: str,
    case_id: str,
    *,
    occurrence: int = 0,
    given: Mapping[str, Given],
    seconds: float,
    actor: str,
) -> tuple[Label, ...]:
    """Saves what a rater says of a case under some criteria of the round, in one write.

    What the rater said under them in this task before is replaced; the audit trail keeps it. Of two browsers the last
    to save wins. The task is done as soon as every criterion with levels is answered; comments are optional, and a
    blank one takes an earlier comment away. Where a round asks for comments only, one comment does.

    Args:
        store: Where the round is.
        round_id: The round.
        rater: A rater of the round.
        case_id: The case.
        occurrence: 0, or 1 for the repetition.
        given: By criterion id; what was said under other criteria stays.
        seconds: Time spent on the case, 0 where it was not measured.
        actor: Who is signed in.

    Returns:
        What the task holds now, in the order of the round's criteria.

    Raises:
        NotFound: The round is gone (with its run, say), or the rater or the task is not of it.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
        InvalidInput: Nothing is given, a criterion is not of the round, a value is none of its levels, or a text is too
            long.
    """
    if not given:
        raise InvalidInput(f"Nothing is said of case {case_id}.", "Choose a level, or that it cannot be judged.")
    project_id = _project(store, round_id, actor)
    detail: dict[str, object] = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.save", project_id=project_id, subject=round_id, detail=detail) as connection:
        asked = _asked(connection, open_round(connection, round_id, rater))
        known = task_of(connection, round_id, rater, case_id, occurrence)
        if strangers := given.keys() - {criterion.id for criterion in asked}:
            raise InvalidInput(
                f"The round does not ask the criterion {min(strangers)}.", "Answer the criteria of the round."
            )
        # Taken here, where writers wait for each other: the label that is there in the end has the latest time.
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        said = [(criterion, given[criterion.id]) for criterion in asked if criterion.id in given]
        blank = [criterion.id for criterion, one in said if is_blank(criterion, one)]
        made = [
            as_label(criterion, known, one, seconds=seconds, at=at)
            for criterion, one in said
            if criterion.id not in blank
        ]
        # The audit entry is written last, so it can hold what was said.
        detail["labels"] = {label.criterion_id: _entry(label) for label in made}
        detail["seconds"] = seconds
        labels.put(connection, made)
        labels.remove(connection, known, blank)
        there = _settle(connection, known, asked, at)
    return tuple(there[criterion.id] for criterion in asked if criterion.id in there)


def skip_task(store: Store, round_id: str, rater: str, case_id: str, *, occurrence: int = 0, actor: str) -> None:
    """Puts a task off until the others are done; what was saved of it stays, and a task that is done stays done.

    Raises:
        NotFound: There is no such round, rater or task.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
    """
    project_id = _project(store, round_id, actor)
    detail = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.skip", project_id=project_id, subject=round_id, detail=detail) as connection:
        open_round(connection, round_id, rater)
        known = task_of(connection, round_id, rater, case_id, occurrence)
        if not known.done_at:
            labels.mark_task(connection, known, skipped=known.skipped + 1)


def undo_labels(
    store: Store,
    round_id: str,
    rater: str,
    case_id: str,
    *,
    occurrence: int = 0,
    criteria: Collection[str] | None = None,
    actor: str,
) -> tuple[Label, ...]:
    """Takes back what a rater said in a task, which is then to be done again; the audit trail keeps it.

    Args:
        store: Where the round is.
        round_id: The round.
        rater: A rater of the round.
        case_id: The case.
        occurrence: 0, or 1 for the repetition.
        criteria: Takes back only what was said under these; all of it where None.
        actor: Who is signed in.

    Returns:
        What was taken back.

    Raises:
        NotFound: There is no such round, rater or task, or nothing was said.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
    """
    project_id = _project(store, round_id, actor)
    detail: dict[str, object] = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.undo", project_id=project_id, subject=round_id, detail=detail) as connection:
        asked = _asked(connection, open_round(connection, round_id, rater))
        known = task_of(connection, round_id, rater, case_id, occurrence)
        said = labels.of_task(connection, round_id, rater, case_id, occurrence)
        back = tuple(label for label in said if criteria is None or label.criterion_id in criteria)
        if not back:
            raise NotFound(f"{rater} has said nothing of case {case_id} yet.", "Go on with the next case.")
        detail["labels"] = {label.criterion_id: _entry(label) for label in back}
        labels.remove(connection, known, [label.criterion_id for label in back])
        _settle(connection, known, asked, known.done_at)
    return back


def _project(store: Store, round_id: str, actor: str) -> str:
    """The project of a round, in which the actor must be allowed to label."""
    with store.read() as connection:
        project_id = labels.round_of(connection, round_id).project_id
    require(store, project_id, actor, RATER)
    return project_id


def _asked(connection: Connection, found: LabelRound) -> list[Criterion]:
    return [labels.criterion(connection, criterion_id) for criterion_id in found.criteria]


def _settle(connection: Connection, known: LabelTask, asked: Sequence[Criterion], at: str) -> dict[str, Label]:
    """Marks a task as done or open, as its labels have it, and returns them by criterion id."""
    found = labels.of_task(connection, known.round_id, known.rater, known.case_id, known.occurrence)
    there = {label.criterion_id: label for label in found}
    answered = all(criterion.kind is ScaleKind.COMMENT or criterion.id in there for criterion in asked)
    labels.mark_task(connection, known, done_at=at if there and answered else "")
    return there


def _entry(label: Label) -> dict[str, object]:
    """A label as the audit trail has it."""
    marked = {"spans": [[span.where, span.start, span.end] for span in label.spans]} if label.spans else {}
    return {"value": label.value, "status": label.status.value, "comment": label.comment, **marked}
