"""Uploaded files for readers that want paths: laid out in a folder that is gone afterwards, and out of the messages."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.domain.errors import InvalidInput


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for the files of one upload; an error names the file as the person knows it, not where it lay."""
    with tempfile.TemporaryDirectory() as name:
        try:
            yield Path(name)
        except InvalidInput as error:
            known = [text.replace(f"{name}/", "").replace(name, "the upload") for text in (error.message, error.hint)]
            raise type(error)(*known) from error
