"""Heads of the audit trail, kept where whoever can change the database cannot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import select

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.identity import canonical_json
from core.store.database import Store
from core.store.tables import audit
from core.store.trail import audit as trail

KIND: Final = "plumbline audit head"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """One head.

    Attributes:
        store: Hash of the first entry, which tells one store from another.
        seq: Number of the entry.
        hash: Its hash.
        at: When it was anchored; UTC, ISO 8601.
        reason: Why, such as ``test_set.freeze``.
    """

    store: str
    seq: int
    hash: str
    at: str
    reason: str = ""

    def line(self) -> str:
        """One line of JSON, without its end."""
        return canonical_json({"kind": KIND, **asdict(self)})


def newest(store: Store, reason: str = "") -> Anchor:
    """The present head.

    Raises:
        InvalidInput: Nothing was written yet.
    """
    with store.read() as connection:
        seq, digest = trail.lock_free_head(connection)
        first = connection.execute(select(audit.c.hash).where(audit.c.seq == 1)).scalar_one_or_none()
    if not seq or first is None:
        raise InvalidInput("The audit trail has no entry yet.", "Anchor it once something was done.")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Anchor(store=first, seq=seq, hash=digest, at=at, reason=reason)


def read(path: Path) -> list[Anchor]:
    """The anchors in a file: one line of JSON each; other lines, such as those around them in a mail, are left out.

    Raises:
        UnreadableFile: It cannot be read, or no line is an anchor.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", "Give the file with the anchors.") from error
    anchors = [anchor for line in text.splitlines() if (anchor := _anchor(line.strip().removeprefix("> ")))]
    if not anchors:
        raise UnreadableFile(
            f"No line of {path.name} is an anchor.", "Give the file that audit anchor wrote, or the lines of its mails."
        )
    return anchors


def append(path: Path, anchor: Anchor) -> None:
    """Adds an anchor to a file, which is made where it is missing.

    Raises:
        OSError: It cannot be written.
    """
    with path.open("a", encoding="utf-8") as file:
        file.write(anchor.line() + "\n")


def _anchor(line: str) -> Anchor | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    if not isinstance(found, Mapping) or found.get("kind") != KIND:
        return None
    texts = {name: str(found.get(name, "")) for name in ("store", "hash", "at", "reason")}
    seq = found.get("seq")
    return Anchor(seq=seq, **texts) if isinstance(seq, int) and seq > 0 else None
