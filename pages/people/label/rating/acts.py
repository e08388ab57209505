"""What a key does while labelling: each act is in the store before the page is drawn again.

The acts are callbacks: they run before the page, so a key costs one run and not two. An error of `core` is kept and
shown beside the case, which stays in view with everything that was said.
"""

from __future__ import annotations

from dataclasses import replace

from core.domain.errors import LabelChanged, PlumblineError
from core.domain.results.labels import Criterion, LabelTask, Part, ScaleKind
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import previous_task, skip_task, tasks, undo_labels
from pages.kit import state
from pages.people.label import reading
from pages.people.label.rating import draft as label_draft
from pages.people.label.rating import saving, window
from pages.people.label.rating.draft import Draft
from pages.people.label.rating.window import Work
from pages.people.label.reading import Piece


def answer(work: Work, task: LabelTask, criterion: Criterion, value: float | None, changes: int = 0) -> None:
    """Answers a criterion, with None for "cannot judge"; the last answer leads to the next case.

    Args:
        work: Whose part of which round.
        task: The case.
        criterion: What is answered.
        value: The level.
        changes: How often another window had changed the case when the button was drawn.
    """
    if window.late(work, task) or changes != window.shown(work, task).changes:
        return
    before = window.draft(work, task)
    following, done = label_draft.after(work.criteria, before, criterion.id)
    reply = Given(value=value, cannot_judge=value is None, comment=_typed(task, criterion, before), spans=before.spans)
    if saving.save(work, task, before, {criterion.id: reply}):
        saving.go_on(work, task, done=done, following=following)


def save(work: Work, task: LabelTask) -> None:
    """Keeps what was typed and goes on."""
    if not window.late(work, task) and keep_comments(work, task):
        saving.leave(work, task)


def keep_comments(work: Work, task: LabelTask) -> bool:
    """Saves what was typed beside answers that are there; words before an answer are saved with it."""
    before = window.draft(work, task)
    in_sight = window.shown(work, task)
    answers = {}
    for criterion in work.criteria:
        saved_answer = before.given.get(criterion.id)
        typed = _typed(task, criterion, before)
        unanswered = saved_answer is None or criterion.id not in in_sight.saved_at
        # What another window saved meanwhile was not typed away here.
        if typed in (in_sight.comments.get(criterion.id, ""), (saved_answer or Given()).comment) or (
            unanswered and criterion.kind is not ScaleKind.COMMENT
        ):
            continue
        answers[criterion.id] = replace(saved_answer or Given(), comment=typed)
    if not answers:
        return True
    saving.stay(work, task, active=before.active)
    return saving.save(work, task, before, answers)


def typed(work: Work, task: LabelTask) -> None:
    """Keeps what was typed in a field that was left."""
    keep_comments(work, task)


def turn_to(work: Work, task: LabelTask, criterion: Criterion) -> None:
    """Makes a criterion the one the keys are for."""
    keep_comments(work, task)
    saving.stay(work, task, active=criterion.id)


def mark(work: Work, task: LabelTask, texts: tuple[Piece, ...]) -> None:
    """Marks words as evidence, or takes a mark off."""
    marking = reading.mark(texts, work.key(task))
    if marking is None:
        return
    span, remove = marking
    before = window.draft(work, task)
    spans = reading.with_mark(before.spans, span, remove=remove)
    levelled_ids = {criterion.id for criterion in label_draft.levelled(work.criteria)}
    answers = {
        criterion_id: replace(reply, spans=spans)
        for criterion_id, reply in before.given.items()
        if criterion_id in levelled_ids
    }
    saving.stay(work, task, active=before.active)
    if answers:
        # The levels and words are those that are stored; only marks change.
        saving.save(work, task, before, answers, seen=before.saved_at)
    else:
        window.note(work, task, spans=spans)


def skip(work: Work, task: LabelTask) -> None:
    """Puts the case off until the others are done; what was said of it stays."""
    if window.late(work, task):
        return
    try:
        skip_task(work.store, work.round.id, work.rater, task.case_id, occurrence=task.occurrence, actor=work.actor)
    except PlumblineError as error:
        saving.tell(error)
        return
    state.update(place="")


def undo(work: Work, task: LabelTask) -> None:
    """Takes the last answer back: of this case, else of the case that was saved last, which opens again."""
    if window.late(work, task):
        return
    try:
        last = task
        order = window.draft(work, task).order
        if not order:
            label_task = previous_task(work.store, work.round.id, work.rater)
            if label_task is None or label_task.part is Part.PRACTICE:
                return
            last, order = label_task, window.draft(work, label_task).order
        in_sight = window.shown(work, task)
        undo_labels(
            work.store,
            work.round.id,
            work.rater,
            last.case_id,
            occurrence=last.occurrence,
            criteria=order[-1:],
            actor=work.actor,
            seen=in_sight.saved_at if last is task else None,
        )
    except PlumblineError as error:
        saving.tell(error)
        if isinstance(error, LabelChanged):
            saving.stay(work, last, active=order[-1])
        return
    if last is task:
        window.show(replace(in_sight, saved_at={key: at for key, at in in_sight.saved_at.items() if key != order[-1]}))
    saving.stay(work, last, active=order[-1])


def previous(work: Work, task: LabelTask) -> None:
    """Opens the case that was saved before this one."""
    _open(previous_task(work.store, work.round.id, work.rater, before=(task.case_id, task.occurrence)))


def last(work: Work) -> None:
    """Opens the case that was saved last."""
    _open(previous_task(work.store, work.round.id, work.rater))


def following(work: Work, task: LabelTask) -> None:
    """Opens the case that was saved after this one, else the next open one."""
    done = sorted(
        (label_task.done_at, label_task.position)
        for label_task in tasks(work.store, work.round.id, work.rater)
        if label_task.done_at
    )
    later = [place for place in done if task.done_at and place > (task.done_at, task.position)]
    state.update(place=str(later[0][1] + 1) if later else "")


def _open(task: LabelTask | None) -> None:
    if task is not None:
        state.update(place=str(task.position + 1))


def _typed(task: LabelTask, criterion: Criterion, before: Draft) -> str:
    """What stands in the comment field now; what is saved where the field is not drawn."""
    typed = state.typed(window.comment_key(task, criterion))
    return (before.given.get(criterion.id, Given()).comment if typed is None else typed).strip()
