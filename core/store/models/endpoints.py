"""The OpenAI-compatible services of a project."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from core.domain.errors import NotFound
from core.domain.llm import Endpoint
from core.store.codec import from_row, to_row
from core.store.tables import endpoints
from core.store.writing.upsert import put as upsert


def put(connection: Connection, endpoint: Endpoint) -> None:
    """Stores an endpoint, or replaces the one with its id."""
    upsert(connection, endpoints, [to_row(endpoint)], key=["id"])


def get(connection: Connection, endpoint_id: str) -> Endpoint:
    """The endpoint of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(endpoints).where(endpoints.c.id == endpoint_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no endpoint {endpoint_id}.", "See the Models page for those there are.")
    return from_row(Endpoint, row)


def all(connection: Connection, project_id: str) -> list[Endpoint]:
    """The endpoints of a project, oldest first."""
    query = select(endpoints).where(endpoints.c.project_id == project_id).order_by(endpoints.c.seq)
    return [from_row(Endpoint, row) for row in connection.execute(query).mappings()]


def at(connection: Connection, project_id: str, base_url: str) -> Endpoint | None:
    """The endpoint of a project with this base URL; the newest where there are several."""
    query = (
        select(endpoints)
        .where(endpoints.c.project_id == project_id, endpoints.c.base_url == base_url)
        .order_by(endpoints.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(Endpoint, row)


def remove(connection: Connection, endpoint_id: str) -> None:
    """Forgets an endpoint; the calls made to it stay.

    Raises:
        NotFound: There is none of that id.
    """
    get(connection, endpoint_id)
    connection.execute(delete(endpoints).where(endpoints.c.id == endpoint_id))
