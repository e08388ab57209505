"""What a key does while labelling: each act is in the store before the page is drawn again.

The acts are callbacks: they run before the page, so a key costs one run and not two. An error of `core` is kept and
shown beside the case, which stays in view with everything that was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.errors import LabelChanged, PlumblineError
from core.domain.results.labels import Criterion, LabelRound, LabelTask, Part, ScaleKind
from core.labelling.answers import Given
from core.labelling.tasks import labels_of_task, previous_task, save_labels, skip_task, tasks, undo_labels
from core.store.database import Store
from pages.kit import errors, state
from pages.people.label import draft as label_draft
from pages.people.label import reading
from pages.people.label.draft import Draft
from pages.people.label.reading import Piece

IDLE_SECONDS: Final = 180.0
"""Without a key for longer a person has left the desk; the time beyond is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Somebody's part of a round.

    Attributes:
        criteria: What is asked, in order.
        actor: Who is signed in; the rater where people sign in.
    """

    store: Store
    round: LabelRound
    rater: str
    criteria: tuple[Criterion, ...]
    actor: str

    def key(self, task: LabelTask) -> str:
        """Names one task of one rater: what was said of it is never taken for another."""
        return f"{self.round.id}_{self.rater}_{task.position}"


def comment_key(task: LabelTask, criterion: Criterion) -> str:
    """The key of a comment field."""
    return f"comment_{criterion.id}_{task.position + 1}"


def draft(work: Work, task: LabelTask) -> Draft:
    """What was said of a task so far, as it is saved."""
    saved = labels_of_task(work.store, work.round.id, work.rater, task.case_id, occurrence=task.occurrence)
    noted = state.note(f"draft_{work.key(task)}", {})
    return label_draft.from_labels(saved, active=noted.get("active", ""), spans=noted.get("spans", ()))


def in_view(work: Work, task: LabelTask, drawn: Draft) -> None:
    """Notes which case is drawn, and with which answers.

    A key that was meant for the case before comes too late and does nothing; one that would replace an answer that is
    not the drawn one does nothing either (`_save`). A comment field that nobody typed into follows what is saved.
    """
    earlier = shown(work, task)
    for criterion in work.criteria:
        key = comment_key(task, criterion)
        saved = drawn.given.get(criterion.id, Given()).comment
        words = state.typed(key)
        if words is None or (saved != words and words.strip() == earlier.comments.get(criterion.id, "")):
            state.retype(key, saved)
    changed = not _late(work, task) and earlier.saved_at != drawn.saved_at
    state.keep("label_in_view", work.key(task))
    comments = {criterion_id: reply.comment for criterion_id, reply in drawn.given.items()}
    _show(replace(earlier, saved_at=drawn.saved_at, comments=comments, changes=earlier.changes + changed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The answers to a case as this window shows them.

    Attributes:
        task: The key of the task they are of.
        saved_at: When each was saved, by criterion id.
        comments: By criterion id.
        changes: How often another window changed them while they were in view here.
    """

    task: str
    saved_at: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    changes: int = 0


def shown(work: Work, task: LabelTask) -> Shown:
    """What is in view of a task; nothing where another task is."""
    nothing = Shown(task=work.key(task))
    noted: Shown = state.note("label_shown", nothing)
    return noted if noted.task == nothing.task else nothing


def _show(what: Shown) -> None:
    state.keep("label_shown", what)


def _late(work: Work, task: LabelTask) -> bool:
    return bool(state.note("label_in_view") != work.key(task))


def answer(work: Work, task: LabelTask, criterion: Criterion, value: float | None, changes: int = 0) -> None:
    """Answers a criterion, with None for "cannot judge"; the last answer leads to the next case.

    Args:
        work: Whose part of which round.
        task: The case.
        criterion: What is answered.
        value: The level.
        changes: How often another window had changed the case when the button was drawn.
    """
    if _late(work, task) or changes != shown(work, task).changes:
        return
    before = draft(work, task)
    following, done = label_draft.after(work.criteria, before, criterion.id)
    reply = Given(value=value, cannot_judge=value is None, comment=_typed(task, criterion, before), spans=before.spans)
    if _save(work, task, before, {criterion.id: reply}):
        _go_on(work, task, done=done, following=following)


def _go_on(work: Work, task: LabelTask, *, done: bool, following: str = "") -> None:
    # Where words are asked for too, the case stays until Enter.
    if done and len(label_draft.levelled(work.criteria)) == len(work.criteria):
        _leave(work, task)
    else:
        _stay(work, task, active=following)


def save(work: Work, task: LabelTask) -> None:
    """Keeps what was typed and goes on."""
    if not _late(work, task) and keep_comments(work, task):
        _leave(work, task)


def keep_comments(work: Work, task: LabelTask) -> bool:
    """Saves what was typed beside answers that are there; words before an answer are saved with it."""
    before = draft(work, task)
    in_sight = shown(work, task)
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
    _stay(work, task, active=before.active)
    return _save(work, task, before, answers)


def typed(work: Work, task: LabelTask) -> None:
    """Keeps what was typed in a field that was left."""
    keep_comments(work, task)


def turn_to(work: Work, task: LabelTask, criterion: Criterion) -> None:
    """Makes a criterion the one the keys are for."""
    keep_comments(work, task)
    _stay(work, task, active=criterion.id)


def mark(work: Work, task: LabelTask, texts: tuple[Piece, ...]) -> None:
    """Marks words as evidence, or takes a mark off."""
    marking = reading.mark(texts, work.key(task))
    if marking is None:
        return
    span, remove = marking
    before = draft(work, task)
    spans = reading.with_mark(before.spans, span, remove=remove)
    levelled_ids = {criterion.id for criterion in label_draft.levelled(work.criteria)}
    answers = {
        criterion_id: replace(reply, spans=spans)
        for criterion_id, reply in before.given.items()
        if criterion_id in levelled_ids
    }
    _stay(work, task, active=before.active)
    if answers:
        # The levels and words are those that are stored; only marks change.
        _save(work, task, before, answers, seen=before.saved_at)
    else:
        _note(work, task, spans=spans)


def skip(work: Work, task: LabelTask) -> None:
    """Puts the case off until the others are done; what was said of it stays."""
    if _late(work, task):
        return
    try:
        skip_task(work.store, work.round.id, work.rater, task.case_id, occurrence=task.occurrence, actor=work.actor)
    except PlumblineError as error:
        _tell(error)
        return
    state.update(place="")


def undo(work: Work, task: LabelTask) -> None:
    """Takes the last answer back: of this case, else of the case that was saved last, which opens again."""
    if _late(work, task):
        return
    try:
        last = task
        order = draft(work, task).order
        if not order:
            label_task = previous_task(work.store, work.round.id, work.rater)
            if label_task is None or label_task.part is Part.PRACTICE:
                return
            last, order = label_task, draft(work, label_task).order
        in_sight = shown(work, task)
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
        _tell(error)
        if isinstance(error, LabelChanged):
            _stay(work, last, active=order[-1])
        return
    if last is task:
        _show(replace(in_sight, saved_at={key: at for key, at in in_sight.saved_at.items() if key != order[-1]}))
    _stay(work, last, active=order[-1])


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


def pending(work: Work, task: LabelTask) -> Mapping[str, Given]:
    """Answers of this window by criterion id that were not saved, since another window saved others meanwhile."""
    answers: Mapping[str, Given] = state.note(f"pending_{work.key(task)}", {})
    return answers


def keep_stored(work: Work, task: LabelTask) -> None:
    """Drops the pending answers of this window; what is stored stays."""
    state.drop(f"pending_{work.key(task)}")
    stored = draft(work, task)
    _follow(work, task, stored)
    _go_on(work, task, done=label_draft.complete(work.criteria, stored))


def replace_stored(work: Work, task: LabelTask) -> None:
    """Saves the pending answers of this window instead of what is stored, unless that has changed once more."""
    answers = pending(work, task)
    before = draft(work, task)
    if answers and _save(work, task, before, answers):
        state.drop(f"pending_{work.key(task)}")
        stored = draft(work, task)
        _follow(work, task, stored)
        _go_on(work, task, done=label_draft.complete(work.criteria, stored))


def _follow(work: Work, task: LabelTask, stored: Draft) -> None:
    """Lets the comment fields of a task say what is stored."""
    for criterion in work.criteria:
        state.retype(comment_key(task, criterion), stored.given.get(criterion.id, Given()).comment)


def _save(
    work: Work, task: LabelTask, before: Draft, answers: Mapping[str, Given], *, seen: Mapping[str, str] | None = None
) -> bool:
    in_sight = shown(work, task)
    try:
        saved = save_labels(
            work.store,
            work.round.id,
            work.rater,
            task.case_id,
            occurrence=task.occurrence,
            given=answers,
            seconds=state.spent(work.key(task), idle=IDLE_SECONDS, before=before.seconds),
            actor=work.actor,
            seen=in_sight.saved_at if seen is None else seen,
        )
    except LabelChanged:
        state.keep(f"pending_{work.key(task)}", dict(answers))
        _stay(work, task, active=next(iter(answers)))
        return False
    except PlumblineError as error:
        _tell(error)
        return False
    # A second key may come before the page is drawn again: it is about the answer this window has just saved.
    stored_at = {label.criterion_id: label.at for label in saved}
    saved_at, comments = dict(in_sight.saved_at), dict(in_sight.comments)
    for criterion_id, reply in answers.items():
        if before.saved_at.get(criterion_id) == saved_at.pop(criterion_id, None) and criterion_id in stored_at:
            saved_at[criterion_id], comments[criterion_id] = stored_at[criterion_id], reply.comment
    _show(replace(in_sight, saved_at=saved_at, comments=comments))
    return True


def _stay(work: Work, task: LabelTask, *, active: str) -> None:
    _note(work, task, active=active)
    state.update(place=str(task.position + 1))


def _leave(work: Work, task: LabelTask) -> None:
    """Goes on; after a practice case its feedback comes first."""
    state.drop("label_in_view")
    _note(work, task, active="")
    state.update(place=str(task.position + 1) if task.part is Part.PRACTICE else "")


def _note(work: Work, task: LabelTask, **changes: object) -> None:
    name = f"draft_{work.key(task)}"
    state.keep(name, {**state.note(name, {}), **changes})


def _typed(task: LabelTask, criterion: Criterion, before: Draft) -> str:
    """What stands in the comment field now; what is saved where the field is not drawn."""
    typed = state.typed(comment_key(task, criterion))
    return (before.given.get(criterion.id, Given()).comment if typed is None else typed).strip()


def _tell(error: PlumblineError) -> None:
    state.keep("label_error", errors.text(error))
