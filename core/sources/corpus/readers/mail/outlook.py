"""Outlook's message files (MS-OXMSG): their properties to the MIME message that would have been sent.

Written here on olefile: python-oxmsg gives no attached mails and no bodies in RTF, and extract-msg is under the GPL.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import encoders
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.readers.mail.compressed_rtf import unpacked_rtf
from core.sources.corpus.readers.mail.message import DECRYPT, ENCRYPTED
from core.sources.corpus.readers.old_office.compound import compound
from core.sources.corpus.readers.open_formats.rtf import rtf_text

DEEPEST = 5
"""Mails attached to mails that are followed."""
MOST_ATTACHMENTS = 1_001
SUBJECT, BODY, HTML, RTF, HEADERS, CLASS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D, 0x001A
SENDER, SENDER_MAIL, SENDER_SMTP, TO, CC, SENT, RECEIVED = 0x0C1A, 0x0C1F, 0x5D01, 0x0E04, 0x0E03, 0x0039, 0x0E06
LONG_NAME, SHORT_NAME, DISPLAY_NAME, DATA, METHOD, MIME, CONTENT_ID, HIDDEN = (
    0x3707, 0x3704, 0x3001, 0x3701, 0x3705, 0x370E, 0x3712, 0x7FFE,
)  # fmt: skip
PAGE, INTERNET_PAGE = 0x3FFD, 0x3FDE
TEXT, TEXT_8, BINARY, WHOLE, TIME = 0x001F, 0x001E, 0x0102, 0x0003, 0x0040
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
EMBEDDED_MAIL = 5


@dataclass(frozen=True, slots=True)
class Storage:
    """One folder of the file: the message, an attachment, or a message in it.

    Attributes:
        file: The compound file.
        path: Names from the root.
        head: Bytes before the fixed properties.
    """

    file: Any
    path: tuple[str, ...]
    head: int

    def fixed(self) -> dict[int, tuple[int, bytes]]:
        """Type and eight bytes of each property of fixed length, by its number."""
        data = self._stream("__properties_version1.0")
        entries = (data[at : at + 16] for at in range(self.head, len(data) - 15, 16))
        return {
            struct.unpack_from("<H", entry, 2)[0]: (struct.unpack_from("<H", entry)[0], entry[8:]) for entry in entries
        }

    def number(self, tag: int) -> int:
        """A whole number; 0 where there is none."""
        kind, value = self.fixed().get(tag, (0, b""))
        return int(struct.unpack_from("<i", value)[0]) if kind == WHOLE else 0

    def moment(self, tag: int) -> datetime | None:
        """A time; None where there is none."""
        kind, value = self.fixed().get(tag, (0, b""))
        if kind != TIME:
            return None
        try:
            return EPOCH + timedelta(microseconds=struct.unpack("<Q", value)[0] // 10)
        except OverflowError:
            return None

    def text(self, tag: int, page: str = "cp1252") -> str:
        """A text; empty where there is none."""
        wide = self._stream(f"__substg1.0_{tag:04X}{TEXT:04X}")
        if wide:
            return wide.decode("utf-16-le", "replace").rstrip("\x00")
        return _decoded(self._stream(f"__substg1.0_{tag:04X}{TEXT_8:04X}"), page).rstrip("\x00")

    def binary(self, tag: int) -> bytes:
        """Bytes; none where there are none."""
        return self._stream(f"__substg1.0_{tag:04X}{BINARY:04X}")

    def inner(self, prefix: str) -> list[tuple[str, ...]]:
        """The folders directly in it whose names begin so, in order."""
        depth = len(self.path)
        names = {
            tuple(entry)
            for entry in self.file.listdir(streams=False, storages=True)
            if len(entry) == depth + 1 and tuple(entry[:depth]) == self.path and entry[depth].startswith(prefix)
        }
        return sorted(names)

    def _stream(self, name: str) -> bytes:
        place = [*self.path, name]
        return bytes(self.file.openstream(place).read()) if self.file.exists(place) else b""


def outlook_message(data: bytes) -> Message:
    """An Outlook message as MIME.

    Raises:
        UnreadableFile: It is damaged, no Outlook message, or encrypted.
    """
    with compound(data, "Outlook e-mail", "EML") as opened:
        if not opened.exists("__properties_version1.0"):
            raise UnreadableFile("it is a compound file but no Outlook e-mail", "Name it by what it is.")
        return _message(Storage(opened, (), 32), 0)


def _message(storage: Storage, depth: int) -> Message:
    kind = storage.text(CLASS).casefold()
    if kind.startswith("ipm.note.smime") and "multipartsigned" not in kind:
        raise UnreadableFile(ENCRYPTED, DECRYPT)
    pages = (f"cp{storage.number(PAGE) or 1252}", f"cp{storage.number(INTERNET_PAGE) or storage.number(PAGE) or 1252}")
    message = MIMEMultipart()
    sender = storage.text(SENDER, pages[0])
    address = storage.text(SENDER_SMTP, pages[0]) or storage.text(SENDER_MAIL, pages[0])
    if "@" in address and address.casefold() != sender.casefold():
        sender = f"{sender} <{address}>".strip()
    sent = storage.moment(SENT) or storage.moment(RECEIVED)
    heads = {
        "From": sender,
        "To": storage.text(TO, pages[0]).replace(";", ","),
        "Cc": storage.text(CC, pages[0]).replace(";", ","),
        "Subject": storage.text(SUBJECT, pages[0]),
        "Date": format_datetime(sent) if sent else _header_date(storage.text(HEADERS, pages[0])),
    }
    for name, value in heads.items():
        if cleaned := " ".join(value.replace("\x00", "").split()):
            message[name] = cleaned.encode("utf-8", "replace").decode("utf-8")
    if not message.keys():
        message["Subject"] = ""
    _add_bodies(message, storage, pages[1])
    for path in storage.inner("__attach_version1.0_")[:MOST_ATTACHMENTS]:
        _add_attachment(message, Storage(storage.file, path, 8), depth, pages[0])
    return message


def _add_bodies(message: MIMEMultipart, storage: Storage, page: str) -> None:
    plain = storage.text(BODY, page)
    html = storage.binary(HTML) or storage.text(HTML, page).encode("utf-8", "replace")
    if not plain.strip() and not html and (packed := storage.binary(RTF)):
        plain = rtf_text(unpacked_rtf(packed))[0]
    if plain.strip():
        message.attach(MIMEText(plain.encode("utf-8", "replace").decode("utf-8"), "plain", "utf-8"))
    if html:
        part = MIMEBase("text", "html")
        if storage.binary(HTML) and not re.search(rb"charset", html[:4096], re.IGNORECASE):
            html = _decoded(html, page).encode("utf-8", "replace")
            part.set_param("charset", "utf-8")
        part.set_payload(html)
        encoders.encode_base64(part)
        message.attach(part)


def _add_attachment(message: MIMEMultipart, storage: Storage, depth: int, page: str) -> None:
    name = storage.text(LONG_NAME, page) or storage.text(SHORT_NAME, page) or storage.text(DISPLAY_NAME, page)
    name = " ".join(name.replace("\x00", "").split())
    inner = (*storage.path, f"__substg1.0_{DATA:04X}000D")
    part: MIMEBase | MIMEMessage
    if storage.number(METHOD) == EMBEDDED_MAIL and storage.file.exists(list(inner)):
        nested = Storage(storage.file, inner, 24)
        if depth + 1 > DEEPEST:
            part = MIMEBase("application", "octet-stream")
            part.set_payload(b"")
        else:
            part = MIMEMessage(_message(nested, depth + 1))
    else:
        maintype, _, subtype = (storage.text(MIME, page) or "application/octet-stream").partition("/")
        safe = re.fullmatch(r"[\w.+-]+", maintype) and re.fullmatch(r"[\w.+-]+", subtype)
        kinds = (
            (maintype, subtype)
            if safe and maintype not in ("multipart", "message")
            else ("application", "octet-stream")
        )
        part = MIMEBase(*kinds)
        part.set_payload(storage.binary(DATA))
        encoders.encode_base64(part)
        if identity := " ".join(storage.text(CONTENT_ID, page).split()):
            part["Content-ID"] = f"<{identity}>".encode("ascii", "replace").decode("ascii")
    hidden = (
        struct.unpack_from("<H", storage.fixed().get(HIDDEN, (0, bytes(8)))[1])[0] if HIDDEN in storage.fixed() else 0
    )
    shown = "Content-ID" in part and bool(hidden)
    part.add_header("Content-Disposition", "inline" if shown else "attachment", filename=("utf-8", "", name))
    message.attach(part)


def _header_date(headers: str) -> str:
    match = re.search(r"^Date:[ \t]*([^\n]{1,80})", headers, re.MULTILINE | re.IGNORECASE)
    return match.group(1).strip() if match else ""


def _decoded(data: bytes, page: str) -> str:
    try:
        return data.decode("utf-8" if page == "cp65001" else page)
    except (LookupError, UnicodeDecodeError):
        return data.decode("cp1252", "replace")
