"""What is attached to an e-mail, as files that have its path before their names; mails in mails are followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from pathlib import PurePosixPath

from core.domain.errors import UnreadableFile
from core.domain.sources.documents import SkippedFile
from core.sources.corpus.containers.archives import ARCHIVE, Member, members
from core.sources.corpus.readers.mail.message import MAX_ATTACHMENTS, Attached, attachments, parse_message
from core.sources.corpus.readers.mail.outlook import outlook_message

MAILS = {".eml": parse_message, ".msg": outlook_message}
"""Endings of e-mails, and how their parts are read."""
DEEPEST = 5
"""Mails attached to mails that are opened."""
MAX_BYTES = 500_000_000
"""Of all that is attached to one mail, what its attachments hold included."""
MOST_FILES = 5 * MAX_ATTACHMENTS


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attached file.

    Attributes:
        path: The mail's path, then its own name.
        data: Its bytes.
        mail: The path of the mail that it is attached to.
        notes: What is odd about it.
    """

    path: str
    data: bytes
    mail: str
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Budget:
    """What may still be opened of one mail."""

    bytes: int = MAX_BYTES
    files: int = MOST_FILES


def attached_files(path: str, data: bytes, *, max_file_bytes: int) -> Iterator[Attachment | SkippedFile]:
    """The files attached to an e-mail, those of attached mails and archives included; nothing is written to a folder.

    A mail that cannot be read has none: the reason is told when its turn comes as a document.

    Args:
        path: The mail's path.
        data: The mail.
        max_file_bytes: Larger attachments are refused.
    """
    yield from _attached(path, data, max_file_bytes, 1, _Budget())


def _attached(path: str, data: bytes, limit: int, depth: int, budget: _Budget) -> Iterator[Attachment | SkippedFile]:
    for item in _listed(path, data):
        if isinstance(item, SkippedFile):
            yield SkippedFile(path=f"{path}/{item.path}", reason=item.reason)
            continue
        inner = f"{path}/{item.name}"
        ending = PurePosixPath(item.name).suffix.casefold()
        budget.files -= 1
        budget.bytes -= len(item.data)
        if reason := _refusal(item.data, limit, budget):
            yield SkippedFile(path=inner, reason=reason)
        elif ending == ARCHIVE:
            yield from _unpacked(inner, path, item.data, limit, budget)
        elif ending in MAILS and depth >= DEEPEST:
            reason = f"mails lie in one another more than {DEEPEST} deep; save the inner ones as files"
            yield SkippedFile(path=inner, reason=reason)
        else:
            yield Attachment(inner, item.data, path, (item.remark,) if item.remark else ())
            if ending in MAILS:
                yield from _attached(inner, item.data, limit, depth + 1, budget)


def _listed(path: str, data: bytes) -> Iterator[Attached | SkippedFile]:
    try:
        message: Message = MAILS[PurePosixPath(path).suffix.casefold()](data)
        yield from attachments(message)
    except UnreadableFile:
        return
    except Exception as error:  # noqa: BLE001 - a hostile mail fails with whatever its parts provoke
        yield SkippedFile(
            path="attachments", reason=f"they cannot be read ({type(error).__name__}); save them as files"
        )


def _unpacked(name: str, mail: str, data: bytes, limit: int, budget: _Budget) -> Iterator[Attachment | SkippedFile]:
    try:
        for member in members(data, max_file_bytes=limit):
            inner = f"{name}/{member.path}"
            if not isinstance(member, Member):
                yield SkippedFile(path=inner, reason=member.reason)
                continue
            budget.files -= 1
            budget.bytes -= len(member.data)
            if inner.casefold().endswith(ARCHIVE):
                yield SkippedFile(
                    path=inner, reason="an archive inside an archive is not unpacked; attach it by itself"
                )
            elif reason := _refusal(member.data, limit, budget):
                yield SkippedFile(path=inner, reason=reason)
            else:
                yield Attachment(inner, member.data, mail)
            if budget.bytes < 0:
                return
    except UnreadableFile as error:
        yield SkippedFile(path=name, reason=error.told)


def _refusal(data: bytes, limit: int, budget: _Budget) -> str:
    if budget.files < 0:
        return f"more than {MOST_FILES:,} files are attached to one mail; save it as a file of its own"
    if budget.bytes < 0:
        return f"what is attached to one mail has more than {MAX_BYTES:,} bytes; save it as a file of its own"
    if not data.strip():
        return "it is empty"
    if len(data) > limit:
        return f"it has {len(data):,} bytes, more than {limit:,}"
    return ""
