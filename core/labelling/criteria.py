"""Criteria: the questions that raters answer about a case; each is defined once in a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.results.labels import Criterion, LabelRule, Level, ScaleKind
from core.domain.sources.projects import Role
from core.labelling.criterion_checks import LONGEST_NAME, LONGEST_TEXT, check
from core.project.service import require
from core.store import projects
from core.store.codec import to_row
from core.store.database import Store
from core.store.people import labels

__all__ = [
    "CORRECT",
    "FAITHFUL",
    "KEEPER",
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "change_criterion",
    "create_criterion",
    "ensure_default_criteria",
    "list_criteria",
]

Choice = TypeVar("Choice", bound=StrEnum)

KEEPER = Role.VALIDATOR
"""The role that may define criteria and rounds."""

YES_NO = (Level(value=0, anchor="No"), Level(value=1, anchor="Yes"))

CORRECT = {
    "name": "Correct",
    "question": "Is the answer correct?",
    "kind": ScaleKind.BINARY,
    "levels": (Level(value=0, anchor="Incorrect"), Level(value=1, anchor="Correct")),
    "accept_from": 1,
    "guidelines": "Correct: it says what the reference says, in whatever words. Incorrect: it says something else, "
    "leaves out what was asked for, or declines although the reference holds an answer. An honest decline is correct "
    "where the reference holds none; where it does, the person who asked got no answer, whatever the passages hold.",
}
FAITHFUL = {
    "name": "Faithful",
    "question": "Does the answer say only what the passages say?",
    "kind": ScaleKind.LIKERT,
    "levels": (
        Level(value=1, anchor="Mostly invented"),
        Level(value=2, anchor="Important parts are invented"),
        Level(value=3, anchor="Small parts are not in the passages"),
        Level(value=4, anchor="All of it is in the passages"),
    ),
    "accept_from": 3,
    "guidelines": "Look at the passages only, not at what you know. An answer that declines claims nothing and is "
    "faithful.",
}


def create_criterion(
    store: Store,
    project_id: str,
    *,
    name: str,
    question: str,
    kind: ScaleKind | str,
    levels: Sequence[Level] = (),
    accept_from: int = 1,
    rule: LabelRule | str = LabelRule.MAJORITY,
    guidelines: str = "",
    actor: str,
) -> Criterion:
    """Adds a criterion after the project's existing ones.

    Args:
        store: Where the project is.
        project_id: The project.
        name: A short name that no other criterion of the project has.
        question: The question as raters read it.
        kind: Binary, Likert or comment.
        levels: Values with their meaning, lowest first: 0 and 1 for a binary criterion (No and Yes where none are
            given), 3 to 10 whole numbers for Likert, none for a comment.
        accept_from: The lowest level that counts as accepted.
        rule: How several labels become one.
        guidelines: Shown beside each case.
        actor: Who.

    Raises:
        Forbidden: The actor is no validator of the project.
        InvalidInput: A text is blank or too long, the levels do not fit the kind, or there is no such kind or rule.
        Conflict: The project has a criterion of that name, in whatever letter case, retired ones among them.
    """
    require(store, project_id, actor, KEEPER)
    scale = _member(ScaleKind, kind, "kind")
    criterion = Criterion(
        id=new_id("crt"),
        project_id=project_id,
        name=name.strip(),
        question=question.strip(),
        kind=scale,
        levels=_levels(scale, levels),
        accept_from=accept_from,
        rule=_member(LabelRule, rule, "rule"),
        guidelines=guidelines.strip(),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    check(criterion)
    with store.write(
        actor, "criterion.create", project_id=project_id, subject=criterion.id, detail={"name": criterion.name}
    ) as connection:
        projects.get(connection, project_id)
        criteria = labels.criteria_of(connection, project_id)
        _refuse_same_name(criterion, criteria)
        criterion = replace(criterion, position=1 + max((item.position for item in criteria), default=-1))
        labels.put_criterion(connection, criterion)
    return criterion


def change_criterion(
    store: Store,
    criterion_id: str,
    *,
    actor: str,
    name: str | None = None,
    question: str | None = None,
    guidelines: str | None = None,
    rule: LabelRule | str | None = None,
    accept_from: int | None = None,
    anchors: Sequence[str] | None = None,
    retired: bool | None = None,
) -> Criterion:
    """Changes the given fields of a criterion and leaves the others.

    Once a criterion has labels, its question and its anchors cannot change, since raters answered them as worded; the
    rule and the acceptance may change, since they interpret the labels and do not alter them.

    Raises:
        NotFound: There is no such criterion.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A text is blank or too long, or the values do not fit.
        Conflict: The name is taken, or labels were given under the question or the anchors.
    """
    with store.read() as connection:
        before_change = labels.criterion(connection, criterion_id)
    require(store, before_change.project_id, actor, KEEPER)
    requested: dict[str, object] = {
        "name": None if name is None else name.strip(),
        "question": None if question is None else question.strip(),
        "guidelines": None if guidelines is None else guidelines.strip(),
        "rule": None if rule is None else _member(LabelRule, rule, "rule"),
        "accept_from": accept_from,
        "retired": retired,
    }
    if not _changes(before_change, requested, anchors):
        return before_change
    detail: dict[str, object] = {}
    with store.write(
        actor, "criterion.change", project_id=before_change.project_id, subject=criterion_id, detail=detail
    ) as connection:
        # Read here, where writers wait for each other: two people who change different things both get them.
        old = labels.criterion(connection, criterion_id)
        changes = _changes(old, requested, anchors)
        changed = replace(old, **changes)  # type: ignore[arg-type]
        check(changed)
        if changes.keys() & {"question", "levels"} and labels.is_labelled(connection, old.id):
            raise Conflict(
                f"{old.name} already has labels for its present wording.",
                "Add a new criterion with the new wording, and retire this one.",
            )
        _refuse_same_name(changed, labels.criteria_of(connection, old.project_id))
        before, after = to_row(old), to_row(changed)
        detail["changed"] = {key: {"from": before[key], "to": after[key]} for key in sorted(changes)}
        labels.put_criterion(connection, changed)
    return changed


def list_criteria(store: Store, project_id: str, *, retired: bool = False) -> tuple[Criterion, ...]:
    """The criteria of a project in their order, without the retired ones unless asked for."""
    with store.read() as connection:
        return tuple(item for item in labels.criteria_of(connection, project_id) if retired or not item.retired)


def ensure_default_criteria(store: Store, project_id: str, *, actor: str) -> tuple[Criterion, ...]:
    """Adds "Correct" (yes or no) and "Faithful" (four levels) where the project has no criterion.

    Returns:
        The criteria of the project that are not retired.

    Raises:
        NotFound: There is no such project.
        Forbidden: There is none, and the actor is no validator of the project.
    """
    if not list_criteria(store, project_id, retired=True):
        for defaults in (CORRECT, FAITHFUL):
            # Somebody else may press the same button.
            with suppress(Conflict):
                create_criterion(store, project_id, actor=actor, **defaults)  # type: ignore[arg-type]
    return list_criteria(store, project_id)


def _member(kind: type[Choice], value: Choice | str, name: str) -> Choice:
    try:
        return kind(value)
    except ValueError:
        raise InvalidInput(
            f"There is no {name} {value!r}.", f"Choose one of {', '.join(member.value for member in kind)}."
        ) from None


def _levels(kind: ScaleKind, levels: Sequence[Level]) -> tuple[Level, ...]:
    cleaned = tuple(Level(value=level.value, anchor=level.anchor.strip()) for level in levels)
    return YES_NO if kind is ScaleKind.BINARY and not cleaned else cleaned


def _changes(old: Criterion, requested: Mapping[str, object], anchors: Sequence[str] | None) -> dict[str, object]:
    targets = {**requested, "levels": None if anchors is None else _renamed(old, anchors)}
    return {key: new for key, new in targets.items() if new is not None and new != getattr(old, key)}


def _renamed(old: Criterion, anchors: Sequence[str]) -> tuple[Level, ...]:
    if len(anchors) != len(old.levels):
        raise InvalidInput(
            f"{old.name} has {len(old.levels)} levels, and there are {len(anchors)} anchors.",
            "Give one anchor a level.",
        )
    pairs = zip(old.levels, anchors, strict=True)
    return tuple(Level(value=level.value, anchor=anchor.strip()) for level, anchor in pairs)


def _refuse_same_name(criterion: Criterion, existing: Sequence[Criterion]) -> None:
    if any(item.id != criterion.id and item.name.casefold() == criterion.name.casefold() for item in existing):
        raise Conflict(f"The project has a criterion called {criterion.name} already.", "Give another name.")
