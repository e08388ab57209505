"""The files of a folder, archives, mailboxes and e-mails unpacked; what cannot be opened is given with its reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.domain.errors import UnreadableFile
from core.domain.sources.documents import SkippedFile
from core.sources.corpus.attachments import MAILS, Attachment, attached_files
from core.sources.corpus.containers.archives import ARCHIVE, Member, members
from core.sources.corpus.containers.mailboxes import MAILBOX, messages

LARGER = 10
"""How many times as large as a file an archive or a mailbox may be."""


@dataclass(frozen=True, slots=True)
class File:
    """One file by its path inside the corpus.

    Attributes:
        path: Where it lies; one in an archive or in an e-mail has that one's path before its own.
        data: Its bytes.
        mail: The path of the e-mail it is attached to, or empty.
        notes: What is odd about it, one line each.
    """

    path: str
    data: bytes
    mail: str = ""
    notes: tuple[str, ...] = ()

    @property
    def ending(self) -> str:
        """Of its name, such as ``.pdf``."""
        return Path(self.path).suffix


def files(place: Path, *, max_file_bytes: int, max_files: int) -> Iterator[File | SkippedFile]:
    """The files of a folder or of an archive by path, or the one file itself; one at a time is in memory.

    Files of an archive inside a folder have the archive's name before theirs; archives inside archives stay closed.
    A mailbox is its mails, and what is attached to an e-mail follows it, with the e-mail's path before its name.
    Hidden files are no documents, links to folders are not followed, links to files outside the folder are refused.

    Args:
        place: The folder, archive or file.
        max_file_bytes: Larger files are left out.
        max_files: Files beyond this number are left out.
    """
    root = place if place.is_dir() else place.parent
    paths = paths_of(place)
    alone = place.is_file() and place.suffix.casefold() == ARCHIVE
    count = 0
    for path in paths:
        relative = _relative(path, root)
        opened = _opened(path, root, max_file_bytes * (LARGER if path.suffix.casefold() in (ARCHIVE, MAILBOX) else 1))
        inside: Iterator[File | SkippedFile] = iter([File(relative, opened)] if isinstance(opened, bytes) else [opened])
        if isinstance(opened, bytes) and path.suffix.casefold() == ARCHIVE:
            inside = _unpacked(relative, opened, "" if alone else f"{relative}/", max_file_bytes)
        for file in _with_attachments(_with_mails(inside, max_file_bytes), max_file_bytes):
            count += 1
            yield file if count <= max_files else SkippedFile(path=file.path, reason=_beyond(max_files))


def one_file(place: Path, name: str, *, max_file_bytes: int) -> bytes | None:
    """One file of a folder or an archive by its path in there; None where there is none that can be opened."""
    if place.is_dir():
        opened = _opened(place / name, place, max_file_bytes) if (place / name).is_file() else None
        return opened if isinstance(opened, bytes) else None
    if place.suffix.casefold() != ARCHIVE:
        return None
    archive = _opened(place, place.parent, LARGER * max_file_bytes)
    if not isinstance(archive, bytes):
        return None
    try:
        member = next(members(archive, max_file_bytes=max_file_bytes, only=name), None)
    except UnreadableFile:
        return None
    return member.data if isinstance(member, Member) else None


def _with_mails(found: Iterator[File | SkippedFile], limit: int) -> Iterator[File | SkippedFile]:
    """The files, with the mails of a mailbox in its place."""
    for file in found:
        if not isinstance(file, File) or file.ending.casefold() != MAILBOX:
            yield file
            continue
        try:
            for name, data in messages(file.data):
                path = f"{file.path}/{name}"
                large = len(data) > limit
                yield _too_large(path, data, limit) if large else File(path, data, file.mail, file.notes)
        except UnreadableFile as error:
            yield SkippedFile(path=file.path, reason=error.told)


def _too_large(path: str, data: bytes, limit: int) -> SkippedFile:
    return SkippedFile(path=path, reason=f"it has {len(data):,} bytes, more than {limit:,}")


def _with_attachments(found: Iterator[File | SkippedFile], limit: int) -> Iterator[File | SkippedFile]:
    for file in found:
        yield file
        if isinstance(file, File) and file.ending.casefold() in MAILS:
            for attached in attached_files(file.path, file.data, max_file_bytes=limit):
                if isinstance(attached, Attachment):
                    yield File(attached.path, attached.data, attached.mail, attached.notes)
                else:
                    yield attached


def _unpacked(name: str, data: bytes, before: str, max_file_bytes: int) -> Iterator[File | SkippedFile]:
    try:
        for member in members(data, max_file_bytes=max_file_bytes):
            path = f"{before}{member.path}"
            if isinstance(member, SkippedFile):
                yield SkippedFile(path=path, reason=member.reason)
            elif path.casefold().endswith(ARCHIVE):
                yield SkippedFile(path=path, reason="an archive inside an archive is not unpacked")
            elif not member.data.strip():
                yield SkippedFile(path=path, reason="it is empty")
            else:
                yield File(path, member.data)
    except UnreadableFile as error:
        yield SkippedFile(path=name, reason=error.told)


def _beyond(most: int) -> str:
    return f"only the first {most:,} files are read"


def paths_of(place: Path) -> list[Path]:
    """The files of a folder that may be documents, by path, none of them opened; or the one file itself."""
    if not place.is_dir():
        return [place]
    root = place
    paths: list[Path] = []
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths.extend(Path(folder) / name for name in names if not name.startswith((".", "~$")))
    return sorted(paths, key=lambda path: _relative(path, root))


def _relative(path: Path, root: Path) -> str:
    # a name that is not valid text on this machine must still be shown and stored
    return path.relative_to(root).as_posix().encode("utf-8", "replace").decode("utf-8")


def _opened(path: Path, root: Path, limit: int) -> bytes | SkippedFile:
    try:
        return _bytes(path, root, limit)
    except UnreadableFile as error:
        return SkippedFile(path=_relative(path, root), reason=error.told)


def _bytes(path: Path, root: Path, limit: int) -> bytes:
    try:
        if not path.resolve(strict=True).is_relative_to(root.resolve()):
            raise UnreadableFile("it is a link to a file outside the folder", "")
        if not path.is_file():
            raise UnreadableFile("it is no regular file", "")
        size = path.stat().st_size
        if size > limit:
            raise UnreadableFile(f"it has {size:,} bytes, more than {limit:,}", "")
        data = path.read_bytes()
    except (OSError, RuntimeError) as error:  # a ring of links is a RuntimeError
        reason = getattr(error, "strerror", None) or "it is a ring of links"
        raise UnreadableFile(f"it cannot be opened ({reason})", "") from None
    if not data.strip():
        raise UnreadableFile("it is empty", "")
    return data
