"""The temporary files of a load, for its owner alone: uploaded bytes, and the journal of what was read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from core.data_folder import private_folder
from core.domain.errors import InvalidInput
from core.domain.identity import new_id
from core.settings import settings
from core.sources.corpora import UPLOADED
from core.sources.corpus.journal import Journal
from core.sources.corpus.uploads import save_files, uploaded_place

FILES = "files"
JOURNAL = "read.jsonl"


class Spool:
    """One load's folder in the data folder.

    Args:
        spool_id: Its name, as a job's parameters keep it.
    """

    def __init__(self, spool_id: str) -> None:
        self.id = spool_id
        self.folder = spools() / spool_id

    @classmethod
    def create(cls) -> Spool:
        """A new, empty one."""
        spool = cls(new_id("spool"))
        private_folder(spool.folder)
        return spool

    @classmethod
    def holding(cls, files: Sequence[tuple[str, bytes]]) -> Spool:
        """A new one with uploaded files in it.

        Raises:
            InvalidInput: There is no file.
        """
        if not files:
            raise InvalidInput("No file was uploaded.", "Choose one or more documents.")
        spool = cls.create()
        try:
            save_files(files, spool.folder / FILES)
        except BaseException:
            spool.remove()
            raise
        return spool

    @property
    def journal(self) -> Journal:
        """What was read so far."""
        return Journal(self.folder / JOURNAL)

    @property
    def place(self) -> Path | None:
        """The place of the uploads; None where there are none, or they were deleted."""
        files_folder = self.folder / FILES
        return uploaded_place(files_folder) if files_folder.is_dir() else None

    @property
    def location(self) -> str:
        """The location of a corpus of these uploads, so that the same archive is compared when it is uploaded again."""
        place = self.place
        return f"{UPLOADED}{place.name}" if place else ""

    @property
    def age_s(self) -> float:
        """Seconds since something was put into it."""
        try:
            return time.time() - max(path.stat().st_mtime for path in (self.folder, *self.folder.iterdir()))
        except OSError:
            return 0.0  # another process removes it just now

    def remove(self) -> None:
        """Deletes it with all that is in it; does nothing where it is deleted already."""
        shutil.rmtree(self.folder, ignore_errors=True)


def spools() -> Path:
    """The folder that holds all spools."""
    return settings().data / "spool"


def all_spools() -> list[Spool]:
    """The existing spools."""
    return [Spool(path.name) for path in spools().iterdir() if path.is_dir()] if spools().is_dir() else []
