"""What one window shows of a case that somebody labels: whose part of which round, and the answers in view.

Another window may save other answers meanwhile; what stood here decides what a key of this window is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.domain.results.labels import Criterion, LabelRound, LabelTask
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import labels_of_task
from core.store.database import Store
from pages.kit import state
from pages.people.label.rating import draft as label_draft
from pages.people.label.rating.draft import Draft


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
    not the drawn one does nothing either (`saving.save`). A comment field that nobody typed into follows what is saved.
    """
    earlier = shown(work, task)
    for criterion in work.criteria:
        key = comment_key(task, criterion)
        saved = drawn.given.get(criterion.id, Given()).comment
        words = state.typed(key)
        if words is None or (saved != words and words.strip() == earlier.comments.get(criterion.id, "")):
            state.retype(key, saved)
    changed = not late(work, task) and earlier.saved_at != drawn.saved_at
    state.keep("label_in_view", work.key(task))
    comments = {criterion_id: reply.comment for criterion_id, reply in drawn.given.items()}
    show(replace(earlier, saved_at=drawn.saved_at, comments=comments, changes=earlier.changes + changed))


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


def show(what: Shown) -> None:
    """Notes what is in view from now on."""
    state.keep("label_shown", what)


def late(work: Work, task: LabelTask) -> bool:
    """Whether a key was meant for a case that is no longer in view."""
    return bool(state.note("label_in_view") != work.key(task))


def note(work: Work, task: LabelTask, **changes: object) -> None:
    """Notes of a task what is not in the store: the criterion the keys are for, marks before an answer."""
    name = f"draft_{work.key(task)}"
    state.keep(name, {**state.note(name, {}), **changes})
