"""Zip archives: their members as files; every harmful kind of member is refused by name."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path, PurePosixPath

from core.domain.errors import UnreadableFile
from core.domain.sources.documents import SkippedFile

ARCHIVE = ".zip"
MAX_MEMBERS = 50_000
MAX_UNPACKED = 1_000_000_000
"""Bytes of all members together."""
MAX_RATIO = 200
"""A member that unpacks to more times its packed size is refused: it would fill memory."""
SMALL = 1_000_000
"""Bytes; smaller members may be packed as tightly as they like."""
STEP = 1 << 20
MAX_DIRECTORY = 200 * MAX_MEMBERS
"""Bytes of an archive's table of contents; a larger one would fill memory before a member is read."""
END, LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x07"
END_BYTES = 22
TAIL = 70_000
"""Bytes; an archive's end with the longest remark lies in so many."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, unpacked in memory; nothing is ever written to a folder."""

    path: str
    data: bytes


def members(data: bytes, *, max_file_bytes: int, only: str = "") -> Iterator[Member | SkippedFile]:
    """The files of a zip archive by path; a refused one is given as its path with the reason.

    Hidden files and folders are skipped, as in a folder.

    Args:
        data: The archive.
        max_file_bytes: Larger members are refused.
        only: The path of the one member wanted; all when empty.

    Raises:
        UnreadableFile: It is damaged or no zip archive, or holds too much.
    """
    check_directory(data, len(data))
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception:  # noqa: BLE001 - a damaged table of contents fails with whatever its numbers provoke
        raise UnreadableFile("it is damaged or no zip archive", "Pack it again.") from None
    with archive:
        listed = [member for member in archive.infolist() if _is_file(member) and not _hidden(member.filename)]
        if len(listed) > MAX_MEMBERS:
            raise UnreadableFile(f"it holds {len(listed):,} files, more than {MAX_MEMBERS:,}", "Split it.")
        total = sum(member.file_size for member in listed)
        if total > MAX_UNPACKED:
            raise UnreadableFile(f"it unpacks to {total:,} bytes, more than {MAX_UNPACKED:,}", "Split it.")
        selected = [member for member in listed if only in ("", member.filename)]
        for member in sorted(selected, key=lambda member: member.filename):
            yield _member(archive, member, max_file_bytes)


def check_directory(data: bytes, length: int) -> None:
    """Refuses an archive by the size of its table of contents, which would be read whole.

    Args:
        data: The archive, or its last `TAIL` bytes.
        length: Bytes of the whole archive.

    Raises:
        UnreadableFile: It is larger than that of any archive of documents.
    """
    at = len(data) - END_BYTES if data[-END_BYTES:].startswith(END) and data.endswith(b"\0\0") else data.rfind(END)
    if at < 0:
        return
    size = int.from_bytes(data[at + 12 : at + 16], "little")
    if data[max(0, at - 20) : at].startswith(LOCATOR_64):
        wide = data[max(0, at - 76) : at]
        size = int.from_bytes(wide[40:48], "little")
    if MAX_DIRECTORY < size <= length:  # beyond the length it is damaged, and refused as that
        raise UnreadableFile(f"its table of contents has {size:,} bytes, more than {MAX_DIRECTORY:,}", "Split it.")


def unpacked_sizes(path: Path) -> list[int]:
    """The stated sizes of an archive's members, none of them unpacked; empty where they cannot be read."""
    try:
        with path.open("rb") as opened:
            length = opened.seek(0, SEEK_END)
            opened.seek(max(0, length - TAIL))
            check_directory(opened.read(), length)
            with zipfile.ZipFile(opened) as archive:
                return [member.file_size for member in archive.infolist() if _is_file(member)]
    except Exception:  # noqa: BLE001 - as above; the reason is reported when the archive is read
        return []


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> Member | SkippedFile:
    path = member.filename.encode("utf-8", "replace").decode("utf-8")
    if reason := _refusal(member, limit):
        return SkippedFile(path=path, reason=reason)
    try:
        return Member(path, _unpacked(archive, member, limit))
    except UnreadableFile as error:
        return SkippedFile(path=path, reason=error.told)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return SkippedFile(path=path, reason="it is damaged in its archive, or packed in a way that is not read")
    except Exception as error:  # noqa: BLE001 - decompressors raise errors of their own on damaged data
        return SkippedFile(path=path, reason=f"it is damaged in its archive ({type(error).__name__})")


def _refusal(member: zipfile.ZipInfo, limit: int) -> str:
    name = member.filename
    if not name:
        return "it has no name in its archive"
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
    """Its bytes, read step by step: the size that an archive states need not be true."""
    parts, size = [], 0
    with archive.open(member) as opened:
        while part := opened.read(STEP):
            size += len(part)
            if size > limit:
                raise UnreadableFile(f"it has more than {limit:,} bytes", "")
            parts.append(part)
    return b"".join(parts)


def _is_file(member: zipfile.ZipInfo) -> bool:
    return not member.filename.endswith("/")  # ZipInfo.is_dir fails where there is no name


def _hidden(name: str) -> bool:
    parts = [part for part in name.replace("\\", "/").split("/") if part not in (".", "..")]
    return any(part.startswith((".", "~$")) for part in parts) or parts[:1] == ["__MACOSX"]
