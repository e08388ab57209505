"""Profiles of projects, and every version of their acceptance criteria."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select, update

from core.domain.results.acceptance import AcceptanceCriterion
from core.domain.sources.profiles import ProjectProfile
from core.store.codec import from_row, to_row
from core.store.tables import acceptance_criteria, project_profiles
from core.store.writing.upsert import put as upsert


def profile(connection: Connection, project_id: str) -> ProjectProfile:
    """The profile of a project; an empty one where nobody wrote any."""
    query = select(project_profiles).where(project_profiles.c.project_id == project_id)
    row = connection.execute(query).mappings().one_or_none()
    return ProjectProfile() if row is None else from_row(ProjectProfile, row)


def put_profile(connection: Connection, project_id: str, given: ProjectProfile) -> None:
    """Stores the profile of a project instead of the one it had."""
    upsert(connection, project_profiles, [{"project_id": project_id, **to_row(given)}], key=["project_id"])


def versions_of(connection: Connection, project_id: str) -> list[AcceptanceCriterion]:
    """Every version of the criteria of a project, in the order they were stored."""
    query = select(acceptance_criteria).where(acceptance_criteria.c.project_id == project_id)
    rows = connection.execute(query.order_by(acceptance_criteria.c.seq)).mappings()
    return [from_row(AcceptanceCriterion, row) for row in rows]


def present(connection: Connection, project_id: str) -> list[AcceptanceCriterion]:
    """The criteria of a project as they are now, in the order they were first set."""
    newest: dict[str, AcceptanceCriterion] = {}
    for criterion in versions_of(connection, project_id):
        newest[criterion.id] = criterion
    return [criterion for criterion in newest.values() if not criterion.removed]


def add(connection: Connection, new_versions: Sequence[AcceptanceCriterion]) -> None:
    """Stores new versions behind the others."""
    if new_versions:
        connection.execute(insert(acceptance_criteria), [to_row(criterion) for criterion in new_versions])


def lock(connection: Connection, locked: Sequence[AcceptanceCriterion]) -> None:
    """Stores when and by whom some versions were locked."""
    table = acceptance_criteria.c
    for criterion in locked:
        connection.execute(
            update(acceptance_criteria)
            .where(
                table.project_id == criterion.project_id,
                table.id == criterion.id,
                table.version == criterion.version,
            )
            .values(locked_at=criterion.locked_at, locked_by=criterion.locked_by)
        )
