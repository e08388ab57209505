"""Databases, read-only: connect, read the schema, run checked SELECT statements."""

from core.sources.database.guard import SafeSelect, check_select
from core.sources.database.source import DatabaseSource, QueryResult
from core.sources.database.uploads import save_upload

__all__ = ["DatabaseSource", "QueryResult", "SafeSelect", "check_select", "save_upload"]
