"""Setting, changing and locking the acceptance criteria of a project; every version stays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from core.criteria.figures import figure_named
from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.results.acceptance import AcceptanceCriterion, Bound, Direction
from core.domain.sources.projects import Role
from core.project.service import require
from core.store import acceptance as stored
from core.store.database import Store

Choice = TypeVar("Choice", Direction, Bound)

LONGEST_NOTE = 1_000
MOST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionChange:
    """One version of a criterion beside the one before.

    Attributes:
        before: None for the first version.
        after: As it was set; with ``removed`` where it was taken away.
        was_locked: Whether the version before was locked, so that the change needed a reason.
    """

    before: AcceptanceCriterion | None
    after: AcceptanceCriterion

    @property
    def was_locked(self) -> bool:
        """Whether a locked version was changed."""
        return self.before is not None and self.before.locked


def criterion(
    metric: str,
    threshold: float,
    *,
    direction: Direction | str = Direction.AT_LEAST,
    bound: Bound | str = Bound.ESTIMATE,
    note: str = "",
    id: str = "",
) -> AcceptanceCriterion:
    """A criterion to be saved, checked.

    Args:
        metric: A figure of :data:`core.criteria.figures.FIGURES`, or the name of a metric.
        threshold: In the unit of the metric.
        direction: ``at_least`` or ``at_most``.
        bound: ``estimate``; ``lower bound`` with at least, ``upper bound`` with at most.
        note: Why this threshold.
        id: Of the criterion it changes; empty for a new one.

    Raises:
        InvalidInput: There is no such figure, the threshold is outside its range, or the bound is that of the other
            direction.
    """
    figure = figure_named(metric)
    way, compared = _one_of("direction", str(direction), Direction), _one_of("bound", str(bound), Bound)
    wrong = Bound.UPPER if way is Direction.AT_LEAST else Bound.LOWER
    if compared is wrong:
        raise InvalidInput(
            f"The {wrong.value} of {figure.label} cannot be {way.words} a threshold: it is the favourable end.",
            f"Compare the {(Bound.LOWER if way is Direction.AT_LEAST else Bound.UPPER).value}, or the estimate.",
        )
    value = float(threshold)
    outside = (figure.low is not None and value < figure.low) or (figure.high is not None and value > figure.high)
    if not math.isfinite(value) or outside:
        ends = [f"{end:g}" for end in (figure.low, figure.high) if end is not None]
        raise InvalidInput(
            f"{value:g} is no threshold for {figure.label}.",
            f"Give a number from {ends[0]} to {ends[1]}." if len(ends) == 2 else "Give a number.",
        )
    text = note.strip()
    if len(text) > LONGEST_NOTE:
        raise InvalidInput(f"The note has {len(text):,} characters.", f"Use at most {LONGEST_NOTE:,}.")
    return AcceptanceCriterion(
        id=id, project_id="", metric=figure.name, bound=compared, threshold=value, direction=way, note=text
    )


def criteria(store: Store, project_id: str) -> tuple[AcceptanceCriterion, ...]:
    """The acceptance criteria of a project as they are now, in the order they were first set."""
    with store.read() as connection:
        return tuple(stored.present(connection, project_id))


def save_criteria(
    store: Store, project_id: str, wanted: Sequence[AcceptanceCriterion], *, actor: str, reason: str = ""
) -> tuple[AcceptanceCriterion, ...]:
    """Makes these the criteria of a project; a criterion that is not among them is removed.

    One that says the same as before stays as it is, lock and time included. Any other becomes a new version, which is
    not locked: old and new go to the audit trail, and the old version stays.

    Args:
        store: Where the project is.
        project_id: The project.
        wanted: From :func:`criterion`; one with an id changes the criterion of that id, one without is new.
        actor: Who.
        reason: Why; needed where a locked criterion is changed or removed.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of the project.
        InvalidInput: Two say the same of one figure, there are too many, or a locked one changes without a reason.
        Conflict: One has the id of a criterion that was removed meanwhile.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    checked = [
        criterion(one.metric, one.threshold, direction=one.direction, bound=one.bound, note=one.note, id=one.id)
        for one in wanted
    ]
    _refuse_twins(checked)
    if _unchanged(criteria(store, project_id), checked):
        return criteria(store, project_id)
    detail: dict[str, object] = {}
    with store.write(actor, "criteria.change", project_id=project_id, subject=project_id, detail=detail) as connection:
        before = {one.id: one for one in stored.present(connection, project_id)}
        unknown = next((one.id for one in checked if one.id and one.id not in before), "")
        if unknown:
            raise Conflict(f"There is no criterion {unknown} any more.", "Load the page again; it was removed.")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        new = [
            replace(
                one,
                id=one.id or new_id("crt"),
                project_id=project_id,
                version=before[one.id].version + 1 if one.id else 1,
                set_at=at,
                set_by=actor,
                reason=reason.strip() if one.id else "",
            )
            for one in checked
            if not one.id or one.says() != before[one.id].says()
        ]
        taken = {one.id for one in checked}
        gone = [
            replace(
                one,
                version=one.version + 1,
                set_at=at,
                set_by=actor,
                reason=reason.strip(),
                locked_at="",
                locked_by="",
                removed=True,
            )
            for one in before.values()
            if one.id not in taken
        ]
        broken = [before[one.id] for one in (*new, *gone) if one.id in before and before[one.id].locked]
        if broken and not reason.strip():
            raise InvalidInput(
                f"The criterion on {figure_named(broken[0].metric).label} is locked.",
                "Say why it is changed; the reason is kept beside the old and the new threshold.",
            )
        stored.add(connection, [*new, *gone])
        detail |= {
            "set": [_told(before.get(one.id), one) for one in new],
            "removed": [_told(before[one.id], None) for one in gone],
            "reason": reason.strip(),
        }
        return tuple(stored.present(connection, project_id))


def lock_criteria(store: Store, project_id: str, *, actor: str) -> tuple[AcceptanceCriterion, ...]:
    """Locks every criterion that is not locked yet, and says when; a change needs a reason from now on.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The project has no criterion.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    there = criteria(store, project_id)
    if not there:
        raise InvalidInput("There is no criterion to lock.", "Set the acceptance criteria first.")
    if all(one.locked for one in there):
        return there
    detail: dict[str, object] = {}
    with store.write(actor, "criteria.lock", project_id=project_id, subject=project_id, detail=detail) as connection:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        locked = [
            replace(one, locked_at=at, locked_by=actor)
            for one in stored.present(connection, project_id)
            if not one.locked
        ]
        stored.lock(connection, locked)
        detail["locked"] = [_told(None, one)["after"] for one in locked]
        return tuple(stored.present(connection, project_id))


def criteria_changes(store: Store, project_id: str) -> tuple[CriterionChange, ...]:
    """Every version of every criterion beside the one before, oldest first."""
    with store.read() as connection:
        every = stored.versions_of(connection, project_id)
    newest: dict[str, AcceptanceCriterion] = {}
    changes = []
    for one in every:
        changes.append(CriterionChange(before=newest.get(one.id), after=one))
        newest[one.id] = one
    return tuple(changes)


def in_words(one: AcceptanceCriterion) -> str:
    """A criterion as a sentence without its subject's article.

    >>> in_words(criterion("accuracy", 0.9, bound="lower bound"))
    'Accuracy: lower bound at least 0.9'
    >>> in_words(criterion("knowledge_gap", 0.05, direction="at_most"))
    'Wrong through a knowledge gap: at most 0.05'
    """
    what = "" if one.bound is Bound.ESTIMATE else f"{one.bound.value} "
    return f"{figure_named(one.metric, known=False).label}: {what}{one.direction.words} {one.threshold:g}"


def _told(before: AcceptanceCriterion | None, after: AcceptanceCriterion | None) -> dict[str, object]:
    def said(one: AcceptanceCriterion | None) -> dict[str, object] | None:
        if one is None:
            return None
        parts = {"metric": one.metric, "bound": one.bound.value, "direction": one.direction.value}
        return {"id": one.id, "version": one.version, **parts, "threshold": one.threshold, "note": one.note}

    return {"before": said(before), "after": said(after)}


def _unchanged(before: Sequence[AcceptanceCriterion], wanted: Sequence[AcceptanceCriterion]) -> bool:
    return {one.id: one.says() for one in before} == {one.id: one.says() for one in wanted} and len(before) == len(
        wanted
    )


def _refuse_twins(wanted: Sequence[AcceptanceCriterion]) -> None:
    if len(wanted) > MOST:
        raise InvalidInput(f"{len(wanted)} criteria are too many to decide by.", f"Set at most {MOST}.")
    seen: set[tuple[object, ...]] = set()
    for one in wanted:
        key = (one.metric, one.bound, one.direction)
        if key in seen:
            raise InvalidInput(
                f"Two criteria compare the {one.bound.value} of {figure_named(one.metric).label}.",
                "Keep one of the two.",
            )
        seen.add(key)


def _one_of(what: str, value: str, kind: type[Choice]) -> Choice:
    try:
        return kind(value)
    except ValueError:
        listed = ", ".join(item.value for item in kind)
        raise InvalidInput(f"{value!r} is no {what} of a criterion.", f"Use one of: {listed}.") from None
