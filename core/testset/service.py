"""Test sets inside a project: build, exclude, freeze, delete."""

from __future__ import annotations

from datetime import UTC, datetime

from core.domain.cases import TestSet, cases_hash
from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.projects import Role
from core.domain.templates import TemplateStatus
from core.project.service import require
from core.sources.service import open_database, project_database
from core.store import templates, testsets
from core.store.database import Store
from core.testset.grounded.instantiate import instantiate


def build_test_set(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    balanced: bool = True,
    limit: int | None = None,
    seed: int = 0,
) -> TestSet:
    """Fills the approved templates with the database's values and stores the cases as a draft test set.

    Args:
        store: Where the project lives.
        project_id: The project.
        actor: Who does it.
        name: Of the test set; an existing name gets the next version.
        balanced: Whether every group has the same number of questions in each form.
        limit: The most questions wanted, sampled by SQL template; None for all.
        seed: Of the sample.

    Raises:
        InvalidInput: No SQL template or no wording is approved, or no question came out.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        sql_templates = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
        versions = [other.version for other in testsets.all(connection, project_id) if other.name == name]
    if not sql_templates or not texts:
        missing = "SQL template" if not sql_templates else "text template"
        raise InvalidInput(f"No {missing} is approved yet.", "Approve at least one on the Templates page.")
    with open_database(source) as database:
        made = instantiate(database, sql_templates, texts, balanced=balanced, limit=limit, seed=seed)
        fingerprint = database.schema.fingerprint
    if not made.cases:
        reasons = ", ".join(f"{reason} {count}" for reason, count in made.drops.items())
        raise InvalidInput(f"The approved templates make no question ({reasons}).", "Approve other templates.")
    test_set = TestSet(
        id=new_id("ts"),
        project_id=project_id,
        name=name,
        version=max(versions, default=0) + 1,
        options={
            "balanced": balanced,
            "limit": limit,
            "seed": seed,
            "source_id": source.id,
            "source_fingerprint": fingerprint,
        },
        counts=made.counts,
        drops=made.drops,
    )
    with store.write(
        actor, "test_set.build", project_id=project_id, subject=test_set.id, detail={"cases": len(made.cases)}
    ) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, made.cases)
    return test_set


def freeze_test_set(store: Store, test_set_id: str, *, actor: str) -> TestSet:
    """Freezes a test set: hashes its cases that are not excluded; from then on it never changes.

    Raises:
        Conflict: It is frozen already.
        InvalidInput: Every case is excluded.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        cases = testsets.cases(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if not cases:
        raise InvalidInput(f"Test set {test_set.name} has no case left.", "Include at least one case again.")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with store.write(
        actor, "test_set.freeze", project_id=test_set.project_id, subject=test_set_id, detail={"cases": len(cases)}
    ) as connection:
        testsets.freeze(connection, test_set_id, cases_hash(cases), at)
        return testsets.get(connection, test_set_id)


def exclude_case(store: Store, test_set_id: str, case_id: str, reason: str, *, actor: str) -> None:
    """Takes a case out of a draft test set; the reason is kept. An empty reason puts it back.

    Raises:
        Conflict: The test set is frozen.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    action = "test_set.exclude" if reason.strip() else "test_set.include"
    with store.write(
        actor, action, project_id=test_set.project_id, subject=case_id, detail={"reason": reason.strip()}
    ) as connection:
        if reason.strip():
            testsets.exclude(connection, test_set_id, case_id, reason.strip())
        else:
            testsets.include(connection, test_set_id, case_id)


def delete_test_set(store: Store, test_set_id: str, *, actor: str) -> None:
    """Deletes a draft test set with its cases.

    Raises:
        Conflict: It is frozen; runs stand on it.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if test_set.frozen:
        raise Conflict(f"Test set {test_set.name} v{test_set.version} is frozen.", "A frozen test set is kept.")
    with store.write(actor, "test_set.delete", project_id=test_set.project_id, subject=test_set_id) as connection:
        testsets.delete(connection, test_set_id)
