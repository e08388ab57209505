"""Uploaded files of projects that nothing names any more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Text, cast, select

from core.data_folder import PROJECTS, remove_project
from core.settings import settings
from core.store import tables
from core.store.database import Store

KEPT_S = 86_400.0
"""How long an upload that nothing names is kept: a person may be about to use it."""


def clean_uploads(store: Store) -> list[Path]:
    """Deletes uploads that no source, run, job or other record of their project names, and those of deleted projects.

    Files of older versions, which lie in folders of their own, are left alone.

    Returns:
        The files and folders that were deleted.
    """
    root = settings().data / PROJECTS
    if not root.is_dir():
        return []
    with store.read() as connection:
        existing = set(connection.execute(select(tables.projects.c.id)).scalars())
        deleted: list[Path] = []
        for folder in sorted(path for path in root.iterdir() if path.is_dir() and not path.is_symlink()):
            if not _old(folder):
                continue
            if folder.name not in existing:
                remove_project(folder.name)
                deleted.append(folder)
                continue
            unnamed = _unnamed(connection, folder)
            for path in unnamed:
                path.unlink(missing_ok=True)
            deleted += unnamed
    return deleted


def _unnamed(connection: Connection, folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and _old(path)]
    named = "\n".join(_texts(connection, folder.name)) if files else ""
    return [path for path in sorted(files) if path.name not in named]


def _texts(connection: Connection, project_id: str) -> Iterator[str]:
    """Whatever of a project may name a file."""
    for table, names in (
        (tables.sources, ("location",)),
        (tables.runs, ("target", "judge", "options")),
        (tables.jobs, ("params",)),
    ):
        columns = [cast(table.c[name], Text) for name in names]
        for row in connection.execute(select(*columns).where(table.c.project_id == project_id)):
            yield from (str(value) for value in row)


def _old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > KEPT_S
    except OSError:
        return False  # another process removes it just now
