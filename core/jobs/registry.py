"""The kinds of jobs there are: one decorated function each."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.errors import Conflict, InvalidInput
from core.jobs.context import JobContext

JobFunction = Callable[[JobContext], bool | None]
"""Does a job's work. Returns True when all of it is done and False when it left early because it was asked to
stop; with None, a job that saw the wish to stop counts as stopped."""

_kinds: dict[str, JobFunction] = {}


def job(kind: str) -> Callable[[JobFunction], JobFunction]:
    """Registers the function that does jobs of a kind.

    Args:
        kind: A short stable name; it is stored with each job.

    Raises:
        Conflict: Another function has the name.
    """

    def register(function: JobFunction) -> JobFunction:
        known = _kinds.get(kind)
        if known is not None and _origin(known) != _origin(function):
            raise Conflict(f"Two functions are registered as job {kind}: {_origin(known)} and {_origin(function)}.")
        _kinds[kind] = function
        return function

    return register


def function_of(kind: str) -> JobFunction:
    """The function of a kind.

    Raises:
        InvalidInput: None is registered.
    """
    try:
        return _kinds[kind]
    except KeyError:
        known = ", ".join(kinds()) or "none"
        raise InvalidInput(
            f"This version has no job of the kind {kind}; it knows {known}.", "Start it with the version that made it."
        ) from None


def kinds() -> list[str]:
    """The registered kinds, in name order."""
    return sorted(_kinds)


def _origin(function: JobFunction) -> str:
    return f"{function.__module__}.{function.__qualname__}"
