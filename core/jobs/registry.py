"""The kinds of jobs there are: one decorated function each, found by reading the engine's own source."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from core.domain.errors import Conflict, InvalidInput
from core.jobs.context import JobContext

JobFunction = Callable[[JobContext], bool | None]
"""Does a job's work. Returns True when all of it is done and False when it left early because it was asked to
stop; with None, a job that saw the wish to stop counts as stopped."""

ENGINE = __name__.partition(".jobs.")[0]
"""The package whose modules are read; its name differs where the engine is installed under another."""

MARK = re.compile(rb"^@job\(", re.MULTILINE)
"""What a module holds that registers a kind."""

_kinds: dict[str, JobFunction] = {}


def job(kind: str) -> Callable[[JobFunction], JobFunction]:
    """Registers the function that does jobs of a kind.

    Args:
        kind: A short stable name; it is stored with each job.

    Raises:
        Conflict: Another function has the name.
    """

    def register(function: JobFunction) -> JobFunction:
        registered = _kinds.get(kind)
        if registered is not None and _origin(registered) != _origin(function):
            raise Conflict(
                f"Two functions are registered as job {kind}: {_origin(registered)} and {_origin(function)}."
            )
        _kinds[kind] = function
        return function

    return register


def function_of(kind: str) -> JobFunction:
    """The function of a kind; what other kinds need is not imported for it.

    Raises:
        InvalidInput: None is registered.
    """
    named = re.compile(rf"""["']{re.escape(kind)}["']""")
    for module, text in _sources().items():
        if kind not in _kinds and named.search(text):
            importlib.import_module(module)
    if kind not in _kinds:
        load_kinds()
    try:
        return _kinds[kind]
    except KeyError:
        raise InvalidInput(
            f"This version has no job of the kind {kind}; it knows {', '.join(kinds())}.",
            "Start it with the version that made it.",
        ) from None


def kinds() -> list[str]:
    """Every kind there is, in name order."""
    load_kinds()
    return sorted(_kinds)


@cache
def load_kinds() -> None:
    """Imports each module of the engine that registers a kind."""
    for module in _sources():
        importlib.import_module(module)


@cache
def _sources() -> dict[str, str]:
    """The modules of the engine that register kinds, with their text.

    They are found by their decorator, so that none can be left out of a list and fail in a worker only; the engine's
    rooms above this one stay unknown to it.
    """
    folder = Path(*importlib.import_module(ENGINE).__path__)
    sources = {path: path.read_bytes() for path in sorted(folder.rglob("*.py"))}
    return {
        ".".join((ENGINE, *path.relative_to(folder).with_suffix("").parts)): source.decode("utf-8")
        for path, source in sources.items()
        if MARK.search(source)
    }


def _origin(function: JobFunction) -> str:
    return f"{function.__module__}.{function.__qualname__}"
