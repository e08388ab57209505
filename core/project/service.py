"""Making projects, and who may do what in them."""

from __future__ import annotations

from datetime import UTC, datetime

from core.data_folder import remove_project
from core.domain.errors import Conflict, Forbidden, InvalidInput
from core.domain.identity import new_id
from core.domain.sources.projects import Project, Role
from core.settings import settings
from core.store import jobs, projects
from core.store.database import Store

ORDER = (Role.VIEWER, Role.LABELLER, Role.VALIDATOR, Role.OWNER)
"""Weakest first; a role may do all that a weaker one may."""

LONGEST_NAME = 200


def create_project(store: Store, name: str, actor: str, *, description: str = "", sample: bool = False) -> Project:
    """Makes a project and its maker the owner.

    Args:
        store: Where it is kept.
        name: Not blank, and no other project's.
        actor: Who makes it.
        description: For people.
        sample: Whether it is the sample project; there is one at most.

    Raises:
        InvalidInput: The name is blank or longer than 200 characters.
        Conflict: There is a project of that name, or a sample project already.
    """
    title = name.strip()
    if not title or len(title) > LONGEST_NAME:
        raise InvalidInput(
            f"A project's name has 1 to {LONGEST_NAME} characters; this one has {len(title)}.", "Give another name."
        )
    project = Project(
        id=new_id("prj"),
        name=title,
        description=description.strip(),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
        sample=sample,
    )
    with store.write(
        actor, "project.create", project_id=project.id, subject=project.id, detail={"name": title}
    ) as connection:
        if projects.find(connection, title) is not None:
            raise Conflict(f"There is a project called {title} already.", "Open it, or give another name.")
        if sample and projects.sample(connection) is not None:
            raise Conflict("The sample project already exists.", "Open it from the list of projects.")
        projects.put(connection, project)
        projects.set_role(connection, project.id, actor, Role.OWNER)
    return project


def delete_project(store: Store, project_id: str, *, actor: str) -> None:
    """Deletes a project with all that belongs to it, its files among them; its audit entries stay.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is not its owner.
    """
    require(store, project_id, actor, Role.OWNER)
    with store.write(actor, "project.delete", project_id=project_id, subject=project_id) as connection:
        loads = tuple(str(job.params.get("spool") or "") for job in jobs.all(connection, project_id))
        projects.remove(connection, project_id)
    remove_project(project_id, loads)


def ensure_member(store: Store, project_id: str, member: str, role: Role, *, actor: str) -> None:
    """Gives somebody a role in a project; nothing is written where they have it already.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is not an owner.
        InvalidInput: The member's name is blank.
        Conflict: It would leave the project without an owner.
    """
    require(store, project_id, actor, Role.OWNER)
    if not member.strip():
        raise InvalidInput("A member has no name.", "Give the name they sign in with.")
    with store.read() as connection:
        if projects.role_of(connection, project_id, member) is role:
            return
    with store.write(
        actor, "project.set_role", project_id=project_id, subject=member, detail={"role": role.value}
    ) as connection:
        owners = {
            name for name, member_role in projects.roles(connection, project_id).items() if member_role is Role.OWNER
        }
        if role is not Role.OWNER and owners == {member}:
            raise Conflict(f"{member} is the project's only owner.", "Make somebody else an owner first.")
        projects.set_role(connection, project_id, member, role)


def role_of(store: Store, project_id: str, actor: str) -> Role | None:
    """What an actor may do in a project; None where nothing.

    Where nobody has to sign in, the local actor is the owner of everything.

    Raises:
        NotFound: There is no such project.
    """
    present = settings()
    with store.read() as connection:
        projects.get(connection, project_id)
        if not present.require_login and actor == present.actor:
            return Role.OWNER
        return projects.role_of(connection, project_id, actor)


def allows(role: Role | None, needed: Role) -> bool:
    """Whether a role is at least the one needed.

    >>> allows(Role.OWNER, Role.VALIDATOR), allows(Role.VIEWER, Role.LABELLER), allows(None, Role.VIEWER)
    (True, False, False)
    """
    return role is not None and ORDER.index(role) >= ORDER.index(needed)


def require(store: Store, project_id: str, actor: str, needed: Role) -> None:
    """Refuses an actor whose role is too weak.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor's role does not allow it.
    """
    role = role_of(store, project_id, actor)
    if not allows(role, needed):
        standing = f"is {role.value}" if role else "has no role"
        raise Forbidden(
            f"{actor or 'Somebody without a name'} {standing} in project {project_id}; "
            f"this requires the role {needed.value}.",
            "Ask an owner of the project for the role.",
        )
