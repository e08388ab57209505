"""Refused destinations in the audit trail: who wanted to call what, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

from core.domain.errors import DestinationRefused, PlumblineError
from core.net.gate.policy import watching
from core.store.database import Store

ACTION = "destination.refuse"
MOST_WATCHED = 100
"""Different refusals of one piece of work that the trail gets; a name may lead elsewhere each time."""


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
            _write(store, project_id, actor, error)
        raise


@contextmanager
def watched(store: Store, project_id: str, actor: str) -> Iterator[None]:
    """The same for a process that does one piece of work: refusals that it goes on after are recorded as well.

    A run asks a thousand cases, and a name that leads elsewhere in the middle of it is the reason of each case; the
    trail gets each such refusal once, when it happens.
    """
    seen: set[str] = set()
    # The event loop that connects does not wait for the trail.
    with ThreadPoolExecutor(1, thread_name_prefix="refusals") as writer:

        def hear(error: DestinationRefused) -> None:
            error.recorded = True
            if error.message not in seen and len(seen) < MOST_WATCHED:
                seen.add(error.message)
                writer.submit(_write_or_go_on, store, project_id, actor, error)

        with watching(hear), recorded(store, project_id, actor):
            yield


def _write(store: Store, project_id: str, actor: str, error: DestinationRefused) -> None:
    detail = {"reason": error.message}
    with store.write(actor, ACTION, project_id=project_id, subject=error.host[:200], detail=detail):
        pass


def _write_or_go_on(store: Store, project_id: str, actor: str, error: DestinationRefused) -> None:
    with suppress(PlumblineError):  # the case has the reason; the next write of the run meets what is wrong here
        _write(store, project_id, actor, error)
