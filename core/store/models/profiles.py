"""What models at endpoints take, as it was found out and set."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select

from core.domain.identity import content_hash
from core.domain.model_profiles import Profile
from core.store.codec import from_row, to_row
from core.store.models.calls import of_project
from core.store.tables import model_profiles
from core.store.writing.upsert import put as upsert


def id_of(project_id: str, base_url: str, model: str, api_version: str) -> str:
    """The id of a profile; who finds out something about the same model writes the same row."""
    return f"profile_{content_hash([project_id, base_url, model, api_version])[:20]}"


def put(connection: Connection, profile: Profile) -> None:
    """Stores a profile, or replaces the one of the same model."""
    row = {**to_row(profile), "project_id": profile.project_id or None}
    upsert(connection, model_profiles, [row], key=["id"])


def of_model(
    connection: Connection, project_id: str, base_url: str, model: str, api_version: str = ""
) -> Profile | None:
    """The profile of a model, or None where nothing is known of it."""
    profile_id = id_of(project_id, base_url, model, api_version)
    row = connection.execute(select(model_profiles).where(model_profiles.c.id == profile_id)).mappings().one_or_none()
    return None if row is None else _profile(row)


def all(connection: Connection, project_id: str, base_url: str = "") -> list[Profile]:
    """The profiles of a project, of one endpoint where its address is given, by address and model."""
    query = select(model_profiles).where(of_project(model_profiles, project_id))
    if base_url:
        query = query.where(model_profiles.c.base_url == base_url)
    rows = connection.execute(query).mappings()
    return sorted((_profile(row) for row in rows), key=lambda profile: (profile.base_url, profile.model))


def remove(connection: Connection, profile_id: str) -> None:
    """Forgets a profile; the next call finds out anew."""
    connection.execute(delete(model_profiles).where(model_profiles.c.id == profile_id))


def _profile(row: Any) -> Profile:
    return from_row(Profile, {**row, "project_id": row["project_id"] or ""})
