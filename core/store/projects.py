"""Projects and the roles actors have in them."""

from __future__ import annotations

from sqlalchemy import Connection, Select, delete, func, select

from core.domain.errors import NotFound
from core.domain.sources.projects import Project, Role
from core.store import tables
from core.store.codec import from_row, to_row
from core.store.tables import members, projects
from core.store.writing.upsert import put as upsert


def put(connection: Connection, project: Project) -> None:
    """Stores a project, or replaces the one with its id."""
    upsert(connection, projects, [to_row(project)], key=["id"])


def get(connection: Connection, project_id: str) -> Project:
    """The project of that id.

    Raises:
        NotFound: There is none.
    """
    project = _first(connection, select(projects).where(projects.c.id == project_id))
    if project is None:
        raise NotFound(f"There is no project {project_id}.", "Choose one from the list of projects.")
    return project


def all(connection: Connection) -> list[Project]:
    """Every project, oldest first."""
    return [from_row(Project, row) for row in connection.execute(_ordered()).mappings()]


def find(connection: Connection, name: str) -> Project | None:
    """The oldest project of that name, whatever its letter case."""
    return _first(connection, _ordered().where(func.lower(projects.c.name) == name.strip().lower()))


def sample(connection: Connection) -> Project | None:
    """The sample project, where it is installed."""
    return _first(connection, _ordered().where(projects.c.sample))


def remove(connection: Connection, project_id: str) -> None:
    """Deletes a project with all that belongs to it; its audit entries stay.

    Raises:
        NotFound: There is none.
    """
    get(connection, project_id)
    # Runs point at test sets and corpora without a cascade, so that nothing in use is deleted by itself.
    for table in (tables.runs, tables.test_sets, tables.sql_templates, tables.sources):
        connection.execute(delete(table).where(table.c.project_id == project_id))
    connection.execute(delete(projects).where(projects.c.id == project_id))


def set_role(connection: Connection, project_id: str, actor: str, role: Role) -> None:
    """Gives an actor a role in a project, instead of the one they had.

    Raises:
        NotFound: There is no such project.
    """
    get(connection, project_id)
    row = {"project_id": project_id, "actor": actor, "role": role.value}
    upsert(connection, members, [row], key=["project_id", "actor"])


def role_of(connection: Connection, project_id: str, actor: str) -> Role | None:
    """The role of an actor in a project, None where they have none."""
    role = connection.execute(
        select(members.c.role).where(members.c.project_id == project_id, members.c.actor == actor)
    ).scalar_one_or_none()
    return None if role is None else Role(role)


def roles(connection: Connection, project_id: str) -> dict[str, Role]:
    """The members of a project with their roles, by name."""
    rows = connection.execute(
        select(members.c.actor, members.c.role).where(members.c.project_id == project_id).order_by(members.c.actor)
    )
    return {row.actor: Role(row.role) for row in rows}


def _ordered() -> Select[tuple[object, ...]]:
    return select(projects).order_by(projects.c.seq)


def _first(connection: Connection, query: Select[tuple[object, ...]]) -> Project | None:
    row = connection.execute(query.limit(1)).mappings().one_or_none()
    return None if row is None else from_row(Project, row)
