"""Refused destinations in the audit trail: who wanted to call what, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.domain.errors import DestinationRefused
from core.store.database import Store

ACTION = "destination.refuse"


@contextmanager
def recorded(store: Store, project_id: str, actor: str) -> Iterator[None]:
    """Leaves an audit entry where what is done inside wants to call a host that may not be called.

    Args:
        store: Where the trail is.
        project_id: The project it is done in.
        actor: Who does it.

    Raises:
        DestinationRefused: As it was raised inside; one that was recorded before is not recorded again.
    """
    try:
        yield
    except DestinationRefused as error:
        if not error.recorded:
            error.recorded = True
            detail = {"reason": error.message}
            with store.write(actor, ACTION, project_id=project_id, subject=error.host[:200], detail=detail):
                pass
        raise
