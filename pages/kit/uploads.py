"""Uploaded files for readers that want paths: gone after reading, or kept where a run reads them again."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Final

from core.data_folder import write_private
from core.domain.errors import InvalidInput

FILE: Final = "FILE"
"""The argument of a target or a judge that reads a file, which is uploaded here."""

_ENDING: Final = re.compile(r"\.[a-z0-9]{1,12}")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for the files of one upload; an error names the file as the person knows it, not where it lay."""
    with tempfile.TemporaryDirectory() as name:
        try:
            yield Path(name)
        except InvalidInput as error:
            texts = [text.replace(f"{name}/", "").replace(name, "the upload") for text in (error.message, error.hint)]
            renamed = copy(error)  # what else it carries stays
            renamed.message, renamed.hint = texts
            renamed.args = (texts[0],)
            raise renamed from error


def keep(folder: Path, name: str, data: bytes) -> Path:
    """Writes an uploaded file into a folder, named by its content and with its ending, and returns its path."""
    ending = PurePath(name).suffix.lower()
    path = folder / f"{sha256(data).hexdigest()[:16]}{ending if _ENDING.fullmatch(ending) else ''}"
    if not path.exists():
        write_private(path, data)
    return path
