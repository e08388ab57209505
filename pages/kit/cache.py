"""What pages read of the store, kept until a thing it was read from is written.

`read` makes a function of the store a cached one: ``@cache.read("runs", "scores")`` names the kinds of things it reads
(`core.store.writing.versions`), and its result stands until one of them is written in the project or run that its
parameters name. Nothing stale is shown, and what others write meanwhile empties nothing. `constant` is for what never
changes once it is stored. `shared` keeps what is too large to be copied. The tests of the pages watch every cached read
and fail where it reads a kind it does not name.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Concatenate, Final, ParamSpec, TypeVar

import streamlit as st

from core.settings import settings
from core.store import tables
from core.store.database import Store
from core.store.writing import versions
from core.store.writing.versions import Kind

Given = ParamSpec("Given")
Result = TypeVar("Result")

OWNERS: Final = {
    "run_id": tables.runs,
    "test_set_id": tables.test_sets,
    "calibration_id": tables.calibrations,
    "source_id": tables.sources,
    "model_id": tables.topic_models,
}
"""Parameters besides ``project_id`` that say whose things a function reads; without any it reads of all projects."""

declared: Final[ContextVar[frozenset[Kind] | None]] = ContextVar("declared", default=None)
"""The kinds that the cached read at work names; None outside, and within what is `constant`."""

_project_of: Final[dict[tuple[str, str, str], str]] = {}
"""Projects of things by store, parameter and id; a thing stays in its project."""


@st.cache_resource(show_spinner=False)
def _store(url: str) -> Store:
    return Store.open(url)


def store() -> Store:
    """The store of this server, opened and migrated once a process."""
    return _store(settings().database_url)


def forget() -> None:
    """Empties every cache; for tests that change the store underneath."""
    st.cache_data.clear()
    st.cache_resource.clear()
    _project_of.clear()


def read(
    *kinds: Kind, max_entries: int = 64
) -> Callable[[Callable[Concatenate[Store, Given], Result]], Callable[Concatenate[Store, Given], Result]]:
    """Keeps what a function reads until one of these kinds of things is written.

    The function takes the store first. Its other parameters are what the result depends on besides: ids, filters,
    options. Those named as in `OWNERS`, or ``project_id``, say whose things it reads; one that begins with an
    underscore decides nothing. The result must pickle, and every caller gets a copy of its own.

    Args:
        *kinds: All that the function reads of the store, itself or through other cached reads.
        max_entries: Results that are kept; the oldest goes first.
    """
    return _decorator(frozenset(kinds), max_entries)


def shared(
    *kinds: Kind, max_entries: int = 4
) -> Callable[[Callable[Concatenate[Store, Given], Result]], Callable[Concatenate[Store, Given], Result]]:
    """Like `read`, for large frozen records: every caller gets the same object, and nobody may change it.

    A copy of the rows of 100,000 cases for every drawing takes longer than to read them.
    """
    return _decorator(frozenset(kinds), max_entries, copies=False)


def constant(
    *, max_entries: int = 64
) -> Callable[[Callable[Concatenate[Store, Given], Result]], Callable[Concatenate[Store, Given], Result]]:
    """Like `read`, for what never changes once it is stored; its parameters alone decide the result."""
    return _decorator(None, max_entries)


def _decorator(
    kinds: frozenset[Kind] | None, max_entries: int, *, copies: bool = True
) -> Callable[[Callable[Concatenate[Store, Given], Result]], Callable[Concatenate[Store, Given], Result]]:
    def decorate(compute: Callable[Concatenate[Store, Given], Result]) -> Callable[Concatenate[Store, Given], Result]:
        signature = inspect.signature(compute)
        names = list(signature.parameters)[1:]
        owner = next((name for name in ("project_id", *OWNERS) if name in names), "")

        def result(_compute: Callable[[], Result], url: str, version: Hashable, keys: tuple[object, ...]) -> Result:
            with _declaring(kinds):
                return _compute()

        # Streamlit keeps results by the function's name and text, which here are the same for every function.
        result.__module__ = f"{inspect.getsourcefile(compute)}:{compute.__code__.co_firstlineno}"
        result.__qualname__ = compute.__qualname__

        @functools.cache
        def results() -> Callable[[Callable[[], Result], str, Hashable, tuple[object, ...]], Result]:
            # Made when it is first wanted: a module of cached reads can be imported where nothing is served.
            keep = st.cache_data if copies else st.cache_resource
            return keep(max_entries=max_entries, show_spinner=False)(result)

        def cached(store: Store, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
            bound = signature.bind(store, *args, **kwargs)
            bound.apply_defaults()
            keys = tuple(bound.arguments[name] for name in names if not name.startswith("_"))
            version = None if kinds is None else _version(store, kinds, owner, bound.arguments.get(owner, ""))
            return results()(lambda: compute(store, *args, **kwargs), store.url, version, keys)

        cached.__doc__, cached.__name__, cached.__qualname__ = compute.__doc__, compute.__name__, compute.__qualname__
        cached.__module__ = compute.__module__
        return cached

    return decorate


def _version(store: Store, kinds: frozenset[Kind], owner: str, thing_id: str) -> Hashable:
    """What grows with every write of these kinds in the project or the run that is read."""
    key = (store.url, owner, thing_id)
    with store.read() as connection:
        project_id = thing_id if owner == "project_id" else _project_of.get(key, "")
        if not project_id and owner:
            project_id = versions.project_of(connection, OWNERS[owner], thing_id)
            if project_id:
                _project_of[key] = project_id
        run_id = thing_id if owner == "run_id" else ""
        return project_id, versions.number(connection, kinds, project_id=project_id, run_id=run_id)


@contextmanager
def _declaring(kinds: frozenset[Kind] | None) -> Iterator[None]:
    before = declared.set(kinds)
    try:
        yield
    finally:
        declared.reset(before)
