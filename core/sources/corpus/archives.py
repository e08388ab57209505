"""Zip archives: their members as files, with every way in which one can do harm refused by name."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.domain.documents import SkippedFile
from core.domain.errors import UnreadableFile

MAX_MEMBERS = 50_000
MAX_UNPACKED = 1_000_000_000
"""Bytes of all members together."""
MAX_RATIO = 200
"""A member that unpacks to more times its packed size is made to fill memory."""
SMALL = 1_000_000
"""Bytes; smaller members may be packed as tightly as they like."""
STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, unpacked in memory; nothing is ever written to a folder."""

    path: str
    data: bytes


def members(data: bytes, *, max_file_bytes: int, only: str = "") -> Iterator[Member | SkippedFile]:
    """The files of a zip archive by path; one that is refused comes as its path with the reason.

    Hidden files and folders are passed over, as in a folder.

    Args:
        data: The archive.
        max_file_bytes: Larger members are refused.
        only: The path of the one member wanted; all when empty.

    Raises:
        UnreadableFile: It is damaged or no zip archive, or holds too much.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError):
        raise UnreadableFile("it is damaged or no zip archive", "Pack it again.") from None
    with archive:
        listed = [member for member in archive.infolist() if not member.is_dir() and not _hidden(member.filename)]
        if len(listed) > MAX_MEMBERS:
            raise UnreadableFile(f"it holds {len(listed):,} files, more than {MAX_MEMBERS:,}", "Split it.")
        total = sum(member.file_size for member in listed)
        if total > MAX_UNPACKED:
            raise UnreadableFile(f"it unpacks to {total:,} bytes, more than {MAX_UNPACKED:,}", "Split it.")
        wanted = [member for member in listed if only in ("", member.filename)]
        for member in sorted(wanted, key=lambda member: member.filename):
            yield _member(archive, member, max_file_bytes)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> Member | SkippedFile:
    path = member.filename.encode("utf-8", "replace").decode("utf-8")
    if reason := _refusal(member, limit):
        return SkippedFile(path=path, reason=reason)
    try:
        return Member(path, _unpacked(archive, member, limit))
    except UnreadableFile as error:
        return SkippedFile(path=path, reason=error.message)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return SkippedFile(path=path, reason="it is damaged in its archive, or packed in a way that is not read")
    except Exception as error:  # noqa: BLE001 - decompressors raise errors of their own on damaged data
        return SkippedFile(path=path, reason=f"it is damaged in its archive ({type(error).__name__})")


def _refusal(member: zipfile.ZipInfo, limit: int) -> str:
    name = member.filename
    if name.startswith(("/", "\\")) or ".." in PurePosixPath(name.replace("\\", "/")).parts or name[1:2] == ":":
        return "its path leads out of its archive"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "it is a link"
    if member.flag_bits & 0x1:
        return "it needs a password"
    if member.file_size > limit:
        return f"it has {member.file_size:,} bytes, more than {limit:,}"
    if member.file_size > max(SMALL, MAX_RATIO * member.compress_size):
        return f"it unpacks to {member.file_size:,} bytes from {member.compress_size:,}, as no document does"
    return ""


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    """Its bytes, read step by step: what an archive says of a size need not be true."""
    parts, size = [], 0
    with archive.open(member) as opened:
        while part := opened.read(STEP):
            size += len(part)
            if size > limit:
                raise UnreadableFile(f"it has more than {limit:,} bytes", "")
            parts.append(part)
    return b"".join(parts)


def _hidden(name: str) -> bool:
    parts = [part for part in name.replace("\\", "/").split("/") if part not in (".", "..")]
    return any(part.startswith((".", "~$")) for part in parts) or parts[:1] == ["__MACOSX"]
