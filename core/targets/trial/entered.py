"""What a person last entered for the system under test: kept beside the project's targets, to be there after a reload.

Only settings that were checked are kept, and those hold no secret: a secret is a reference ``${NAME}``.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.data_folder import write_private
from core.domain.errors import PlumblineError
from core.targets.over_http.config import HttpConfig
from core.targets.over_http.file import MAX_BYTES, dump_config, parse_config

_TARGET, _HTTP = "target", "http"
LONGEST: Final = 2 * MAX_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """The system under test as it was last chosen.

    Attributes:
        target: The kind of target, empty where none was chosen.
        config: The settings of a system over HTTP; None where none were entered.
    """

    target: str = ""
    config: HttpConfig | None = None


def keep_entered(folder: Path, actor: str, entered: Entered) -> None:
    """Keeps what a person entered, in place of what was kept before; nothing is written where it is the same.

    Args:
        folder: The folder of the project's targets.
        actor: Who entered it; others see what they entered themselves.
        entered: What was entered.
    """
    if entered == read_entered(folder, actor):
        return
    document = {_TARGET: entered.target, _HTTP: dump_config(entered.config) if entered.config else ""}
    write_private(_path(folder, actor), json.dumps(document).encode())


def read_entered(folder: Path, actor: str) -> Entered:
    """What a person entered last; nothing where that cannot be read any more."""
    path = _path(folder, actor)
    try:
        if path.stat().st_size > LONGEST:
            return Entered()
        document = json.loads(path.read_bytes())
        target, http = str(document[_TARGET]), str(document[_HTTP])
    except (OSError, ValueError, KeyError, TypeError):
        return Entered()
    try:
        config = parse_config(http.encode(), path.name) if http else None
    except PlumblineError:  # a host that may no longer be called, or a file that is no longer there
        config = None
    return Entered(target=target, config=config)


def _path(folder: Path, actor: str) -> Path:
    return folder / f"entered-{hashlib.sha256(actor.encode()).hexdigest()[:16]}.json"
