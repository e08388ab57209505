"""The tasks of a rater, one case after the other: the next task, saving labels, and undoing them.

Nothing here shows a rater the scores of a case or the labels of other raters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection

from core.domain.errors import InvalidInput, LabelChanged, NotFound
from core.domain.results.labels import Criterion, Label, LabelRound, LabelTask, ScaleKind
from core.domain.sources.projects import Role
from core.labelling.rating.answers import LONGEST_COMMENT, Given, as_label, is_blank
from core.labelling.rating.membership import open_round, rater_of, task_of
from core.labelling.rating.progress import Feedback, RaterProgress, feedback, progress
from core.project.service import require
from core.store.database import Store
from core.store.people import labels

__all__ = [
    "LONGEST_COMMENT",
    "RATER",
    "Feedback",
    "Given",
    "RaterProgress",
    "feedback",
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
    """The next task of a rater: open tasks in their order, skipped ones last; None where all are done.

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
        upcoming = labels.next_task(connection, round_id, rater, but=after)
        return upcoming or labels.next_task(connection, round_id, rater)


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
        current = labels.task(connection, round_id, rater, *before) if before else None
        if current is None or not current.done_at:
            return labels.last_done(connection, round_id, rater)
        return labels.last_done(connection, round_id, rater, before=current.done_at, position=current.position)


def labels_of_task(
    store: Store, round_id: str, rater: str, case_id: str, *, occurrence: int = 0
) -> Mapping[str, Label]:
    """The labels of one task, by criterion id; empty before it is saved."""
    with store.read() as connection:
        task_labels = labels.of_task(connection, round_id, rater, case_id, occurrence)
    return {label.criterion_id: label for label in task_labels}


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
    seen: Mapping[str, str] | None = None,
) -> tuple[Label, ...]:
    """Saves a rater's labels of a case under some criteria of the round, in one write.

    Earlier labels of the task under these criteria are replaced; the audit trail keeps them. Where a rater has the task
    open in two windows, `seen` tells whether the label that would be replaced is the one this window showed; without it
    the last to save wins. The task is done as soon as every criterion with levels is answered; comments are optional,
    and a blank comment removes an earlier one. Where a round asks for comments only, one comment completes the task.

    Args:
        store: Where the round is.
        round_id: The round.
        rater: A rater of the round.
        case_id: The case.
        occurrence: 0, or 1 for the repetition.
        given: Answers by criterion id; labels under other criteria stay.
        seconds: Time spent on the case, 0 where it was not measured.
        actor: Who is signed in.
        seen: When the labels that the rater had in view were saved, by criterion id, without those there were not yet;
            None where nobody looked.

    Returns:
        The labels of the task after the write, in the order of the round's criteria.

    Raises:
        NotFound: The round no longer exists (its run may have been deleted), or it has no such rater or task.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
        LabelChanged: A label under these criteria is not the one that was seen, and says something else.
        InvalidInput: No answer is given, a criterion is not one of the round, a value is none of its levels, or a text
            is too long.
    """
    if not given:
        raise InvalidInput(
            f"There is no answer for case {case_id}.", "Choose a level, or choose that the case cannot be judged."
        )
    project_id = _project(store, round_id, actor)
    detail: dict[str, object] = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.save", project_id=project_id, subject=round_id, detail=detail) as connection:
        criteria = _criteria_of(connection, open_round(connection, round_id, rater))
        rater_task = task_of(connection, round_id, rater, case_id, occurrence)
        if strangers := given.keys() - {criterion.id for criterion in criteria}:
            raise InvalidInput(
                f"The round does not have the criterion {min(strangers)}.", "Answer the criteria of the round."
            )
        # Taken here, where writers wait for each other: the label that is there in the end has the latest time.
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        answers = [(criterion, given[criterion.id]) for criterion in criteria if criterion.id in given]
        blank = [criterion.id for criterion, answer in answers if is_blank(criterion, answer)]
        saved = [
            as_label(criterion, rater_task, answer, seconds=seconds, at=at)
            for criterion, answer in answers
            if criterion.id not in blank
        ]
        # The audit entry is written last, so it can hold the labels.
        detail["labels"] = {label.criterion_id: _entry(label) for label in saved}
        detail["seconds"] = seconds
        if seen is not None:
            before = labels.of_task(connection, round_id, rater, case_id, occurrence)
            entries = {label.criterion_id: _entry(label) for label in before}
            same = {label.criterion_id for label in saved if _entry(label) == entries.get(label.criterion_id)}
            _unchanged(rater_task, before, given.keys() - same, seen, criteria)
        labels.put(connection, saved)
        labels.remove(connection, rater_task, blank)
        task_labels = _settle(connection, rater_task, criteria, at)
    return tuple(task_labels[criterion.id] for criterion in criteria if criterion.id in task_labels)


def skip_task(store: Store, round_id: str, rater: str, case_id: str, *, occurrence: int = 0, actor: str) -> None:
    """Skips a task until the others are done; its saved labels stay, and a task that is done stays done.

    Raises:
        NotFound: There is no such round, rater or task.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
    """
    project_id = _project(store, round_id, actor)
    detail = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.skip", project_id=project_id, subject=round_id, detail=detail) as connection:
        open_round(connection, round_id, rater)
        rater_task = task_of(connection, round_id, rater, case_id, occurrence)
        if not rater_task.done_at:
            labels.mark_task(connection, rater_task, skipped=rater_task.skipped + 1)


def undo_labels(
    store: Store,
    round_id: str,
    rater: str,
    case_id: str,
    *,
    occurrence: int = 0,
    criteria: Collection[str] | None = None,
    actor: str,
    seen: Mapping[str, str] | None = None,
) -> tuple[Label, ...]:
    """Removes a rater's labels of a task, which is then open again; the audit trail keeps them.

    Args:
        store: Where the round is.
        round_id: The round.
        rater: A rater of the round.
        case_id: The case.
        occurrence: 0, or 1 for the repetition.
        criteria: Removes only the labels under these; all of them where None.
        actor: Who is signed in.
        seen: As for `save_labels`.

    Returns:
        The removed labels.

    Raises:
        NotFound: There is no such round, rater or task, or it has no label.
        Forbidden: The actor may not label in the project.
        Conflict: The round is closed.
        LabelChanged: A label is not the one that was seen.
    """
    project_id = _project(store, round_id, actor)
    detail: dict[str, object] = {"case": case_id, "rater": rater, "occurrence": occurrence}
    with store.write(actor, "label.undo", project_id=project_id, subject=round_id, detail=detail) as connection:
        round_criteria = _criteria_of(connection, open_round(connection, round_id, rater))
        rater_task = task_of(connection, round_id, rater, case_id, occurrence)
        task_labels = labels.of_task(connection, round_id, rater, case_id, occurrence)
        withdrawn = tuple(label for label in task_labels if criteria is None or label.criterion_id in criteria)
        if not withdrawn:
            raise NotFound(f"{rater} has not labelled case {case_id} yet.", "Go on with the next case.")
        if seen is not None:
            _unchanged(rater_task, withdrawn, {label.criterion_id for label in withdrawn}, seen, round_criteria)
        detail["labels"] = {label.criterion_id: _entry(label) for label in withdrawn}
        labels.remove(connection, rater_task, [label.criterion_id for label in withdrawn])
        _settle(connection, rater_task, round_criteria, rater_task.done_at)
    return withdrawn


def _project(store: Store, round_id: str, actor: str) -> str:
    """The project of a round, in which the actor must be allowed to label."""
    with store.read() as connection:
        project_id = labels.round_of(connection, round_id).project_id
    require(store, project_id, actor, RATER)
    return project_id


def _criteria_of(connection: Connection, label_round: LabelRound) -> list[Criterion]:
    return [labels.criterion(connection, criterion_id) for criterion_id in label_round.criteria]


def _unchanged(
    rater_task: LabelTask,
    task_labels: Iterable[Label],
    criterion_ids: Collection[str],
    seen: Mapping[str, str],
    criteria: Sequence[Criterion],
) -> None:
    """Refuses to write over labels that the rater has not seen.

    Raises:
        LabelChanged: One was saved or taken back since.
    """
    saved_at = {label.criterion_id: label.at for label in task_labels}
    for criterion in criteria:
        if criterion.id in criterion_ids and saved_at.get(criterion.id, "") != seen.get(criterion.id, ""):
            act = "saved" if criterion.id in saved_at else "taken back"
            raise LabelChanged(
                f"The label of {rater_task.rater} for case {rater_task.case_id} under {criterion.name} was {act} in "
                "another window meanwhile.",
                "Look at what is stored now, then keep it or replace it.",
            )


def _settle(connection: Connection, rater_task: LabelTask, criteria: Sequence[Criterion], at: str) -> dict[str, Label]:
    """Marks a task as done or open, as its labels have it, and returns them by criterion id."""
    task_labels = labels.of_task(
        connection, rater_task.round_id, rater_task.rater, rater_task.case_id, rater_task.occurrence
    )
    by_criterion = {label.criterion_id: label for label in task_labels}
    complete = all(criterion.kind is ScaleKind.COMMENT or criterion.id in by_criterion for criterion in criteria)
    labels.mark_task(connection, rater_task, done_at=at if by_criterion and complete else "")
    return by_criterion


def _entry(label: Label) -> dict[str, object]:
    """A label as the audit trail has it."""
    marked = {"spans": [[span.where, span.start, span.end] for span in label.spans]} if label.spans else {}
    return {"value": label.value, "status": label.status.value, "comment": label.comment, **marked}
