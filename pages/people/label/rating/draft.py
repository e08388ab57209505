"""What a rater has said of the case in view and what is asked next; nothing here draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.results.labels import Criterion, Label, LabelStatus, ScaleKind, Span
from core.labelling.rating.answers import Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The answers to one case so far.

    Attributes:
        given: By criterion id, as they are saved.
        order: Criteria in the order they were answered.
        active: The criterion a person turned to; empty for the first that is open.
        spans: Marked evidence, which goes with every label of the case.
        seconds: Time spent on the case before it was opened now.
        saved_at: When each answer was saved, by criterion id.
    """

    given: Mapping[str, Given]
    order: tuple[str, ...] = ()
    active: str = ""
    spans: tuple[Span, ...] = ()
    seconds: float = 0.0
    saved_at: Mapping[str, str] = field(default_factory=dict)

    def answered(self, criterion: Criterion) -> bool:
        """Whether there is a level, or that there can be none."""
        answer = self.given.get(criterion.id)
        return answer is not None and (answer.value is not None or answer.cannot_judge)


def from_labels(saved: Mapping[str, Label], *, active: str = "", spans: Sequence[Span] = ()) -> Draft:
    """The draft of a case from what is saved.

    Args:
        saved: By criterion id.
        active: The criterion a person turned to.
        spans: Marked before anything was saved.
    """
    order = sorted(saved, key=lambda criterion_id: saved[criterion_id].at)
    marked = dict.fromkeys(span for label in saved.values() for span in label.spans)
    return Draft(
        given={
            criterion_id: Given(
                value=label.value,
                cannot_judge=label.status is LabelStatus.CANNOT_JUDGE,
                comment=label.comment,
                spans=label.spans,
            )
            for criterion_id, label in saved.items()
        },
        order=tuple(order),
        active=active,
        spans=tuple(marked) if saved else tuple(spans),
        seconds=max((label.seconds for label in saved.values()), default=0.0),
        saved_at={criterion_id: label.at for criterion_id, label in saved.items()},
    )


def levelled(criteria: Sequence[Criterion]) -> list[Criterion]:
    """Those that are answered with a level."""
    return [criterion for criterion in criteria if criterion.kind is not ScaleKind.COMMENT]


def active(criteria: Sequence[Criterion], draft: Draft) -> Criterion | None:
    """The criterion the keys are for: the one a person turned to, else the first open one, else the first."""
    levelled_criteria = levelled(criteria)
    chosen = [criterion for criterion in levelled_criteria if criterion.id == draft.active]
    still = [criterion for criterion in levelled_criteria if not draft.answered(criterion)]
    return next(iter([*chosen, *still, *levelled_criteria]), None)


def complete(criteria: Sequence[Criterion], draft: Draft) -> bool:
    """Whether everything that must be answered is."""
    return all(draft.answered(criterion) for criterion in levelled(criteria))


def after(criteria: Sequence[Criterion], before: Draft, criterion_id: str) -> tuple[str, bool]:
    """What follows an answer: the criterion that is next, empty for the first open one, and whether the case is done.

    Where all were answered before, somebody looks through them again: then the next criterion follows, and the case is
    done after the last.
    """
    answers = {**before.given, criterion_id: Given(cannot_judge=True)}
    if not complete(criteria, replace(before, given=answers)):
        return "", False
    criterion_ids = [criterion.id for criterion in levelled(criteria)]
    if complete(criteria, before) and criterion_ids[-1] != criterion_id:
        return criterion_ids[criterion_ids.index(criterion_id) + 1], False
    return "", True
