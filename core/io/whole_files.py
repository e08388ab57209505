"""A file that is there as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from core.domain.errors import InvalidInput


def write_whole(path: Path, text: str) -> None:
    """Writes a text; an existing file is replaced only when the new one is complete.

    Raises:
        InvalidInput: The file cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror or error}.", "Choose another file.") from error
    finally:
        unfinished.unlink(missing_ok=True)
