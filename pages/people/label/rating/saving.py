"""Answers on their way to the store, and where the page goes then.

Those that another window got ahead of are not saved: they wait until the person keeps what is stored or replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from core.domain.errors import LabelChanged, PlumblineError
from core.domain.results.labels import LabelTask, Part
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import save_labels
from pages.kit import errors, state
from pages.people.label.rating import draft as label_draft
from pages.people.label.rating import window
from pages.people.label.rating.draft import Draft
from pages.people.label.rating.window import Work

IDLE_SECONDS: Final = 180.0
"""Without a key for longer a person has left the desk; the time beyond is not counted."""


def save(
    work: Work, task: LabelTask, before: Draft, answers: Mapping[str, Given], *, seen: Mapping[str, str] | None = None
) -> bool:
    """Saves answers and notes that this window shows them; False where they were not saved."""
    in_sight = window.shown(work, task)
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
        stay(work, task, active=next(iter(answers)))
        return False
    except PlumblineError as error:
        tell(error)
        return False
    # A second key may come before the page is drawn again: it is about the answer this window has just saved.
    stored_at = {label.criterion_id: label.at for label in saved}
    saved_at, comments = dict(in_sight.saved_at), dict(in_sight.comments)
    for criterion_id, reply in answers.items():
        if before.saved_at.get(criterion_id) == saved_at.pop(criterion_id, None) and criterion_id in stored_at:
            saved_at[criterion_id], comments[criterion_id] = stored_at[criterion_id], reply.comment
    window.show(replace(in_sight, saved_at=saved_at, comments=comments))
    return True


def pending(work: Work, task: LabelTask) -> Mapping[str, Given]:
    """Answers of this window by criterion id that were not saved, since another window saved others meanwhile."""
    answers: Mapping[str, Given] = state.note(f"pending_{work.key(task)}", {})
    return answers


def keep_stored(work: Work, task: LabelTask) -> None:
    """Drops the pending answers of this window; what is stored stays."""
    state.drop(f"pending_{work.key(task)}")
    stored = window.draft(work, task)
    _follow(work, task, stored)
    go_on(work, task, done=label_draft.complete(work.criteria, stored))


def replace_stored(work: Work, task: LabelTask) -> None:
    """Saves the pending answers of this window instead of what is stored, unless that has changed once more."""
    answers = pending(work, task)
    before = window.draft(work, task)
    if answers and save(work, task, before, answers):
        state.drop(f"pending_{work.key(task)}")
        stored = window.draft(work, task)
        _follow(work, task, stored)
        go_on(work, task, done=label_draft.complete(work.criteria, stored))


def _follow(work: Work, task: LabelTask, stored: Draft) -> None:
    """Lets the comment fields of a task say what is stored."""
    for criterion in work.criteria:
        state.retype(window.comment_key(task, criterion), stored.given.get(criterion.id, Given()).comment)


def go_on(work: Work, task: LabelTask, *, done: bool, following: str = "") -> None:
    """Opens the next case where this one is done, else the next criterion."""
    # Where words are asked for too, the case stays until Enter.
    if done and len(label_draft.levelled(work.criteria)) == len(work.criteria):
        leave(work, task)
    else:
        stay(work, task, active=following)


def stay(work: Work, task: LabelTask, *, active: str) -> None:
    """Keeps the case in view, with the keys for a criterion."""
    window.note(work, task, active=active)
    state.update(place=str(task.position + 1))


def leave(work: Work, task: LabelTask) -> None:
    """Goes on; after a practice case its feedback comes first."""
    state.drop("label_in_view")
    window.note(work, task, active="")
    state.update(place=str(task.position + 1) if task.part is Part.PRACTICE else "")


def tell(error: PlumblineError) -> None:
    """Keeps an error, which is shown beside the case."""
    state.keep("label_error", errors.text(error))
