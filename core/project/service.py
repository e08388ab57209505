"""Making projects, and who may do what in them."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

from core.data_folder import remove_project
from core.domain.errors import Conflict, Forbidden, InvalidInput
from core.domain.identity import new_id
from core.domain.sources.projects import Project, Role
from core.settings import settings
from core.store import jobs, projects
from core.store.database import Store
from core.text.display.visible import require_visible

ORDER = (Role.VIEWER, Role.LABELLER, Role.VALIDATOR, Role.OWNER)
"""Weakest first; a role may do all that a weaker one may."""

LONGEST_NAME = 200
LONGEST_DESCRIPTION = 300

SILENT_SECONDS = 60.0
"""A worker reports every second; a job of which nothing was heard for so long has none any more."""


def create_project(store: Store, name: str, actor: str, *, description: str = "", sample: bool = False) -> Project:
    """Makes a project and its maker the owner.

    Args:
        store: Where it is kept.
        name: Not blank, and no other project's.
        actor: Who makes it.
        description: For people.
        sample: Whether it is the sample project; there is one at most.

    Raises:
        InvalidInput: The name is blank or longer than 200 characters, or the description longer than 300.
        Conflict: There is a project of that name, or a sample project already.
    """
    title = _title(name)
    project = Project(
        id=new_id("prj"),
        name=title,
        description=_about(description),
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


def rename_project(store: Store, project_id: str, name: str, *, description: str | None = None, actor: str) -> Project:
    """Gives a project another name, and another description where one is given; its id stays.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is not its owner.
        InvalidInput: The name is blank or too long, or the new description is.
        Conflict: Another project has that name.
    """
    require(store, project_id, actor, Role.OWNER)
    title = _title(name)
    with store.read() as connection:
        present = projects.get(connection, project_id)
    if present.name == title and description in (None, present.description):
        return present
    told = present.description if description in (None, present.description) else _about(description or "")
    detail: dict[str, object] = {}
    with store.write(actor, "project.rename", project_id=project_id, subject=project_id, detail=detail) as connection:
        before = projects.get(connection, project_id)
        same = projects.find(connection, title)
        if same is not None and same.id != project_id:
            raise Conflict(f"There is a project called {title} already.", "Give another name.")
        after = replace(before, name=title, description=before.description if description is None else told)
        detail |= {
            field: {"before": getattr(before, field), "after": getattr(after, field)}
            for field in ("name", "description")
            if getattr(before, field) != getattr(after, field)
        }
        projects.put(connection, after)
    return after


def delete_project(store: Store, project_id: str, *, actor: str) -> None:
    """Deletes a project with all that belongs to it, its files among them; its audit entries stay.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is not its owner.
        Conflict: One of its jobs is at work, or waits for a worker.
    """
    require(store, project_id, actor, Role.OWNER)
    with store.read() as connection:
        detail = {"name": projects.get(connection, project_id).name}
    with store.write(actor, "project.delete", project_id=project_id, subject=project_id, detail=detail) as connection:
        listed = jobs.all(connection, project_id)
        working = [job for job in listed if job.state.active and time.time() - job.worker.heartbeat < SILENT_SECONDS]
        if working:
            others = f" and {len(working) - 1} more" if len(working) > 1 else ""
            raise Conflict(
                f"The job {working[0].id} ({working[0].kind.replace('_', ' ')}){others} of this project is at work.",
                "Stop it and wait until it has ended; then delete the project.",
            )
        loads = tuple(str(job.params.get("spool") or "") for job in listed)
        logs = tuple(job.log for job in listed)
        projects.remove(connection, project_id)
    remove_project(project_id, loads, logs)


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


def _title(name: str) -> str:
    title = name.strip()
    if not title:
        raise InvalidInput("The project has no name.", "Give it one, such as Loans assistant.")
    if len(title) > LONGEST_NAME:
        raise InvalidInput(
            f"The name is too long: {len(title):,} characters, where a project's name has {LONGEST_NAME} at most.",
            "Shorten it.",
        )
    require_visible(title, "a project")
    return title


def _about(description: str) -> str:
    about = description.strip()
    if len(about) > LONGEST_DESCRIPTION:
        raise InvalidInput(
            f"What is validated is told in {len(about):,} characters, where {LONGEST_DESCRIPTION} are the most.",
            "Shorten it; the purpose and the risks have a place of their own in the project.",
        )
    return about
