"""Uploaded files as a folder that `load_corpus` reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from core.sources.corpus.containers.archives import ARCHIVE

LONGEST_NAME = 120


def save_files(files: Sequence[tuple[str, bytes]], folder: Path) -> None:
    """Writes uploaded files into a new folder that nobody else on the machine may list or read.

    Args:
        files: Name and bytes of each file, as the browser sent them. Only the last part of a name is used.
        folder: The new folder.

    Raises:
        FileExistsError: It is there already.
    """
    folder.mkdir(mode=0o700)
    folder.chmod(0o700)
    for name, data in _distinct(sorted((file_name(name), data) for name, data in files)):
        opened = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "wb") as file:
            file.write(data)


def uploaded_place(folder: Path) -> Path:
    """What to load of an upload: the folder, or an archive that is alone in it, so that its files keep their paths."""
    entries = list(folder.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].suffix.casefold() == ARCHIVE else folder


def file_name(name: str) -> str:
    r"""A name that stays inside its folder and is visible there.

    >>> file_name("../../etc/passwd"), file_name("C:\\docs\\Fees 2024.md"), file_name("..")
    ('passwd', 'Fees 2024.md', 'file')
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    visible = "".join(sign for sign in last if sign.isprintable()).strip().lstrip(".")
    stem, dot, ending = visible.rpartition(".")
    if len(visible) > LONGEST_NAME:
        visible = (
            f"{stem[: LONGEST_NAME - len(ending) - 1]}.{ending}" if dot and len(ending) < 10 else visible[:LONGEST_NAME]
        )
    return visible or "file"


def _distinct(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Two files of one name are both kept: the second gets a number."""
    used_names: set[str] = set()
    distinct = []
    for name, data in files:
        stem, dot, ending = name.rpartition(".")
        free, number = name, 2
        while free.casefold() in used_names:
            free = f"{stem} {number}.{ending}" if dot else f"{name} {number}"
            number += 1
        used_names.add(free.casefold())
        distinct.append((free, data))
    return distinct
