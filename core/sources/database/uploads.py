"""Uploaded SQLite files."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

from core.data_folder import private_folder
from core.domain.errors import UnreadableFile
from core.sources.database.address import read_address
from core.sources.database.readers.sqlite import check_header
from core.sources.database.sandbox.reader import SandboxedReader

LARGEST_UPLOAD = 500_000_000


def save_upload(data: bytes, folder: Path, name: str) -> str:
    """Stores an uploaded SQLite file under a name made from its content and returns its address.

    Args:
        data: The file's bytes.
        folder: Where uploads are kept; it is created.
        name: The file's own name; only letters, digits, dots and dashes of it are kept.

    Returns:
        ``sqlite:///...``; the same content gives the same address.

    Raises:
        UnreadableFile: The file is empty, too large, damaged or no SQLite database.
        QueryStopped: Reading its schema takes more memory than a query may have.
    """
    file_name = Path(name.replace("\\", "/")).name or "upload"
    check_header(data[:100], file_name)
    if len(data) > LARGEST_UPLOAD:
        raise UnreadableFile(
            f"{file_name} has {len(data) // 1_000_000} MB; uploads may have {LARGEST_UPLOAD // 1_000_000}.",
            "Put the file on the server and give its address.",
        )
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(file_name).stem).strip("-")[:40] or "upload"
    target = (folder / f"{stem}-{hashlib.sha256(data).hexdigest()[:16]}.sqlite").resolve()
    private_folder(folder)
    if not target.exists():
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            _look(temporary)  # a damaged file is refused before it gets its name
            Path(temporary).replace(target)
        except UnreadableFile as error:
            raise UnreadableFile(error.message.replace(Path(temporary).name, file_name), error.hint) from error
        finally:
            Path(temporary).unlink(missing_ok=True)
    return f"sqlite:///{target}"


def _look(path: str) -> None:
    """Has a worker read the file's schema: what stands in it may be made to harm the process that opens it."""
    reader = SandboxedReader(read_address(f"sqlite:///{path}"))
    try:
        reader.tables()
    finally:
        reader.close()
