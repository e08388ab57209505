"""Versions of a test set: the next one from the database as it is now, and what differs between two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.testset.cases import TestCase, TestSet
from core.store.database import Store
from core.store.testset import testsets
from core.testset.service import build_test_set


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedAnswer:
    """A question that both versions have, with other answers.

    Attributes:
        case_id: The same in both.
        question: The same in both.
        before: The reference answers of the older version.
        after: Those of the newer one.
    """

    case_id: str
    question: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """What differs between two versions of a test set; cases that a person excluded do not count.

    Attributes:
        kept: Questions with the same answers in both.
        moved: Questions of both whose answers differ, in the newer version's order.
        added: Questions of the newer version alone.
        gone: Questions of the older version alone.
    """

    kept: int
    moved: tuple[MovedAnswer, ...]
    added: tuple[TestCase, ...]
    gone: tuple[TestCase, ...]


def differences(before: Sequence[TestCase], after: Sequence[TestCase]) -> Differences:
    """Compares two versions case by case.

    A case's id comes from its template, its values and its wording, so the same question of the same row has the same
    id in every version; answers are compared as sets, since any of them will do.

    Args:
        before: The older version's cases that are not excluded.
        after: The newer version's.
    """
    old, new = {case.case_id: case for case in before}, {case.case_id: case for case in after}
    both = [(old[name], case) for name, case in new.items() if name in old]
    moved = tuple(
        MovedAnswer(
            case_id=now.case_id, question=now.question, before=then.reference_answers, after=now.reference_answers
        )
        for then, now in both
        if set(then.reference_answers) != set(now.reference_answers)
    )
    return Differences(
        kept=len(both) - len(moved),
        moved=moved,
        added=tuple(case for name, case in new.items() if name not in old),
        gone=tuple(case for name, case in old.items() if name not in new),
    )


def other_versions(store: Store, test_set: TestSet) -> list[TestSet]:
    """The other versions of a test set, the newest first."""
    with store.read() as connection:
        named = [one for one in testsets.all(connection, test_set.project_id) if one.name == test_set.name]
    return sorted((one for one in named if one.id != test_set.id), key=lambda one: -one.version)


def build_plan(test_set: TestSet) -> dict[str, Any]:
    """How a test set was built, as `build_test_set` takes it."""
    options = test_set.options
    limit = options.get("limit")
    return {
        "name": test_set.name,
        "grounded": "source_id" in options,
        "documents": options.get("documents") is True,
        "balanced": options.get("balanced") is not False,
        "limit": None if limit is None else int(str(limit)),
        "seed": int(str(options.get("seed") or 0)),
    }


def next_version(
    store: Store,
    test_set: TestSet,
    *,
    actor: str,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TestSet:
    """Builds the next version of a test set as a draft, with the same settings.

    The database, the templates and the questions are read as they are now; what a person excluded stays excluded.

    Raises:
        As `build_test_set`.
    """
    return build_test_set(
        store,
        test_set.project_id,
        actor=actor,
        follows=test_set.id,
        progress=progress,
        should_stop=should_stop,
        **build_plan(test_set),
    )
