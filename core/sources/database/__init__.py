"""Databases, read-only: connect, read the schema, run checked SELECT statements in a process of their own.

The names below are imported when they are first asked for: the process that runs the statements is below this package
and starts in a tenth of the time without the parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.sources.database.guard import SafeSelect, check_select
    from core.sources.database.source import DatabaseSource, QueryResult
    from core.sources.database.uploads import save_upload

__all__ = ["DatabaseSource", "QueryResult", "SafeSelect", "check_select", "save_upload"]

_PLACES = {
    "DatabaseSource": "source",
    "QueryResult": "source",
    "SafeSelect": "guard",
    "check_select": "guard",
    "save_upload": "uploads",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
