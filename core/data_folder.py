"""The data folder: whose files lie where in it, and that nobody else on the machine may read them.

    plumbline.sqlite     the store, with its -wal and -shm
    projects/<id>/       what was uploaded to a project, by kind
    jobs/ locks/ spool/  logs of workers, locks, files of loads that go on

Folders are made for their owner alone (0700), and so are files (0600), whatever the umask says. Folders of before
(`uploads/<id>`, `targets/<id>`, `recordings`, `target_files`, `judge_files`) stay where they are, since what is stored
names their files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.settings import settings

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600

PROJECTS: Final = "projects"
OF_PROJECTS: Final = (PROJECTS, "uploads", "targets")
"""Folders with one folder for each project; those after the first are of before."""

OWN: Final = frozenset({*OF_PROJECTS, "jobs", "locks", "spool", "recordings", "target_files", "judge_files"})
"""What Plumbline keeps in the data folder besides the store; anything else there was put there by the operator."""

STORE_ENDINGS: Final = ("", "-wal", "-shm", "-journal")


def project_folder(project_id: str, kind: str) -> Path:
    """The folder of a project for uploads of a kind, such as ``databases``; it is made where it is missing."""
    return private_folder(settings().data / PROJECTS / project_id / kind)


def private_folder(folder: Path) -> Path:
    """Makes a folder, and those above it that are missing, for its owner alone; returns it."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process made it just now
            path.mkdir(mode=PRIVATE_FOLDER)
            path.chmod(PRIVATE_FOLDER)
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Writes a file for its owner alone, whole or not at all; its folder is made where it is missing."""
    private_folder(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def make_private(path: Path, mode: int) -> None:
    """Takes the rights of all others away from a file or folder, where it is ours to do so; links are left alone."""
    with suppress(OSError):
        if not path.is_symlink() and path.stat().st_mode & 0o077:
            path.chmod(mode)


def protect_store(path: Path) -> None:
    """Makes the file of a store, where it is missing, for its owner alone, and takes others' rights from one there is.

    SQLite gives the files beside it, -wal and -shm, the rights of the file itself.

    Raises:
        OSError: It cannot be made.
    """
    private_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
        path.chmod(PRIVATE_FILE)
    for ending in STORE_ENDINGS:
        make_private(path.with_name(path.name + ending), PRIVATE_FILE)


def protect() -> None:
    """Takes others' rights from the data folder and from all that Plumbline keeps in it, as older versions left it."""
    root = settings().data
    if not root.is_dir():
        private_folder(root)
        return
    make_private(root, PRIVATE_FOLDER)
    for name in sorted(OWN):
        for folder, folders, files in os.walk(root / name, followlinks=False):
            make_private(Path(folder), PRIVATE_FOLDER)
            for file in (*files, *(entry for entry in folders if (Path(folder) / entry).is_symlink())):
                make_private(Path(folder) / file, PRIVATE_FILE)


def remove_project(project_id: str, spools: tuple[str, ...] = (), logs: tuple[str, ...] = ()) -> None:
    """Deletes the files of a project, those of its unfinished loads among them; a link is removed, not followed.

    Args:
        project_id: The project.
        spools: Names of the folders of its loads.
        logs: Files of its workers' output; those that do not lie among the logs of workers stay.
    """
    for log in filter(None, logs):
        if within(Path(log).parent, settings().data / "jobs") is not None:
            Path(log).unlink(missing_ok=True)
    for folder in _folders_of(project_id, spools):
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder, ignore_errors=True)


def holds(outer: Path, inner: Path) -> bool:
    """Whether a folder is another path or lies above it, by whatever name: links, ``..`` and letter case included."""
    real = inner.resolve()
    return any(_same(outer, path) for path in (real, *real.parents))


def within(path: Path, folder: Path) -> tuple[str, ...] | None:
    """The names that lead from a folder to a path, by whatever name it is given; None where it lies elsewhere."""
    real = path.resolve()
    for above in (real, *real.parents):
        if _same(above, folder):
            return real.relative_to(above).parts
    return None


def _folders_of(project_id: str, spools: tuple[str, ...]) -> Iterator[Path]:
    root = settings().data
    named = [(above, project_id) for above in OF_PROJECTS] + [("spool", name) for name in spools]
    for above, name in named:
        plain = name not in ("", ".", "..") and "/" not in name
        if plain and ((folder := root / above / name).exists() or folder.is_symlink()):
            yield folder


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one == other
