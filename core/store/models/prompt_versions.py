"""Prompts a project edited: every version stays; at most one of a prompt is in use."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from core.domain.errors import NotFound
from core.store.codec import from_row, to_row
from core.store.tables import prompt_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptVersion:
    """One version of a prompt.

    Attributes:
        text: The whole file, header included.
        note: Why it was made.
        in_use: Whether new calls of the project are made from it.
    """

    project_id: str
    prompt_id: str
    version: str
    text: str
    hash: str
    note: str = ""
    in_use: bool = False
    created_at: str = ""
    created_by: str = ""


def in_use(connection: Connection, project_id: str, prompt_id: str) -> PromptVersion | None:
    """The version new calls are made from; None for the built-in one."""
    query = select(prompt_versions).where(
        prompt_versions.c.project_id == project_id,
        prompt_versions.c.prompt_id == prompt_id,
        prompt_versions.c.in_use.is_(True),
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(PromptVersion, row)


def add(connection: Connection, version: PromptVersion) -> None:
    """Stores a version; versions are never changed, only chosen.

    Raises:
        Conflict: There is one of that name, or no such project.
    """
    connection.execute(insert(prompt_versions).values({**to_row(version), "in_use": False}))
    if version.in_use:
        choose(connection, version.project_id, version.prompt_id, version.version)


def choose(connection: Connection, project_id: str, prompt_id: str, version: str) -> None:
    """Puts a version in use, "" for the built-in one; the others of the prompt go out of use.

    Raises:
        NotFound: There is no such version.
    """
    ours = (prompt_versions.c.project_id == project_id, prompt_versions.c.prompt_id == prompt_id)
    connection.execute(update(prompt_versions).where(*ours).values(in_use=False))
    if not version:
        return
    statement = update(prompt_versions).where(*ours, prompt_versions.c.version == version).values(in_use=True)
    if not connection.execute(statement).rowcount:
        raise NotFound(f"The prompt {prompt_id} has no version {version} here.", "Choose one of the Models page.")


def all(connection: Connection, project_id: str, prompt_id: str | None = None) -> list[PromptVersion]:
    """The versions a project has made, oldest first; of one prompt where it is named."""
    query = select(prompt_versions).where(prompt_versions.c.project_id == project_id).order_by(prompt_versions.c.seq)
    if prompt_id is not None:
        query = query.where(prompt_versions.c.prompt_id == prompt_id)
    return [from_row(PromptVersion, row) for row in connection.execute(query).mappings()]
