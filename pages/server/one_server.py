"""One server a data folder: a second one would start the same work and clean up the first one's files."""

from __future__ import annotations

import atexit
import os
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from core.domain.errors import Conflict
from core.settings import settings
from core.store.locks import FOLDER, file_lock

LOCK: Final = "server.lock"

_held: Final[dict[Path, ExitStack]] = {}


def claim() -> None:
    """Makes this process the server of its data folder, until it ends; a server that was killed leaves no lock.

    Raises:
        Conflict: Another process serves the folder.
    """
    data = settings().data
    if data in _held:
        return
    lock, who = data / FOLDER / LOCK, data / FOLDER / "server.txt"
    stack = ExitStack()
    if not stack.enter_context(file_lock(lock)):
        stack.close()
        raise Conflict(
            f"The data folder {data} is served already{_holder(who)}.",
            "Use that server, stop it, or give this one a folder of its own with PLUMBLINE_DATA.",
        )
    who.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
    who.chmod(0o600)
    _held[data] = stack
    atexit.register(release)


def release() -> None:
    """Gives up every folder this process serves."""
    while _held:
        _, stack = _held.popitem()
        stack.close()


def _holder(who: Path) -> str:
    try:
        return f" by {who.read_text(encoding='utf-8')[:200]}"
    except OSError:
        return ""
