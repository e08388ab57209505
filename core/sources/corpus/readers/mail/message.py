"""A MIME message to what a person reads of it: head, body, and its attachments by name."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime

from core.domain.errors import UnreadableFile
from core.domain.sources.documents import SkippedFile
from core.sources.corpus.decoding import decode_told
from core.sources.corpus.metadata import fields

MAX_ATTACHMENTS = 1_000
"""Of one mail; what is beyond is counted, not read."""
MAX_PARTS = 20_000
RECIPIENTS = 5
"""Named one by one; the others are counted."""
STUB = 5
"""A plain body with less than one word for so many of the HTML body is a stub of it."""
SIGNATURES = frozenset({"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"})
SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
NAMELESS = {"message/rfc822": ".eml", "text/plain": ".txt", "text/html": ".html"}
PACKED = "Outlook's own packing (TNEF) is not read. Ask for the mail with plain attachments."
ENCRYPTED = "it is encrypted"
DECRYPT = "Open it in the mail program and save it without encryption."


@dataclass(frozen=True, slots=True)
class Attached:
    """One attachment.

    Attributes:
        name: Its last part as the mail gives it, with an ending.
        data: Its bytes.
        remark: What is odd about its name, or empty.
    """

    name: str
    data: bytes
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a mail, and lines on what was doubtful about it."""

    text: str
    notes: tuple[str, ...]


def parse_message(data: bytes) -> Message:
    """The parts of a MIME message.

    Raises:
        UnreadableFile: It is no message, or its parts lie in one another without end.
    """
    try:
        message = BytesParser(policy=compat32).parsebytes(data)
    except RecursionError:
        raise UnreadableFile("mails lie in one another too deep in it", "Save the inner mails as files.") from None
    if not any(name.casefold() in ("from", "to", "subject", "date", "received") for name in message):
        raise UnreadableFile("it is no e-mail: it has none of the usual heads", "Save it as .eml from a mail program.")
    return message


def header(message: Message, name: str) -> str:
    """A head's text, its encoded words (RFC 2047) decoded; empty where it is not there."""
    value = message.get(name)
    return "" if value is None else _decoded_words(str(value))


def head_fields(message: Message) -> dict[str, str]:
    """Sender, receivers, day and subject, as a document's metadata."""
    sent = header(message, "date")
    try:
        moment = parsedate_to_datetime(sent).isoformat() if sent else ""
    except (ValueError, TypeError, OverflowError):
        moment = ""
    addressed = {name: _few(header(message, name)) for name in ("from", "to", "cc")}
    return fields({**addressed, "date": moment, "sent": moment or sent, "subject": header(message, "subject")[:200]})


def body_of(message: Message) -> Body:
    """The text a person reads: the plain one, or the HTML one where the plain one is missing or a stub.

    Raises:
        UnreadableFile: It is encrypted.
    """
    if message.get_content_type() in SEALED | {"multipart/encrypted"}:
        smime = str(message.get_param("smime-type") or "")
        if smime != "signed-data":
            raise UnreadableFile(ENCRYPTED, DECRYPT)
    plain, html = (_first(message, kind) for kind in ("text/plain", "text/html"))
    texts = [_text(part) for part in plain]
    text = "\n\n".join(item.text for item in texts if item.text)
    notes = tuple(dict.fromkeys(note for item in texts for note in item.notes))
    if html:
        from core.sources.corpus.readers.html import read_html

        pages = [read_html(_page(part))[0] for part in html]
        page = "\n\n".join(parsed.text for parsed in pages)
        if len(text.split()) * STUB < len(page.split()):
            stub = ("its plain text is a stub; its HTML is read",) if text else ()
            return Body(page, (*stub, *dict.fromkeys(note for parsed in pages for note in parsed.notes)))
    return Body(text, notes)


def attachments(message: Message) -> Iterator[Attached | SkippedFile]:
    """The attachments in their order; one that cannot be read is given by name with the reason.

    Pictures that the text shows, and signatures, are no attachments.
    """
    names: set[str] = set()
    shown = {id(part) for kind in ("text/plain", "text/html") for part in _first(message, kind)}
    count = 0
    for part in _leaves(message):
        kind = part.get_content_type()
        if id(part) in shown or kind in SIGNATURES or _inline_picture(part):
            continue
        count += 1
        if count > MAX_ATTACHMENTS:
            continue
        stated = _decoded_words(part.get_filename() or "")
        name = _distinct(_name(part, stated, count), names)
        if kind in TNEF or name.casefold() == "winmail.dat":
            yield SkippedFile(path=name, reason=PACKED)
            continue
        remark = "" if not _leads_away(stated) else f"the mail names it {stated[:100]}; only the last part is used"
        yield Attached(name, _bytes(part), remark)
    if count > MAX_ATTACHMENTS:
        reason = f"only the first {MAX_ATTACHMENTS:,} of {count:,} attachments are read"
        yield SkippedFile(path="further attachments", reason=reason)


def pictures(message: Message) -> int:
    """How many pictures its text shows."""
    return sum(_inline_picture(part) for part in _leaves(message))


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order; those of an attached mail are its own."""
    waiting, walked = [message], 0
    while waiting and walked < MAX_PARTS:
        part = waiting.pop()
        walked += 1
        inner = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inner, list):
            waiting.extend(child for child in inner[::-1] if isinstance(child, Message))
        else:
            yield part


def _first(message: Message, kind: str) -> list[Message]:
    """The parts of a kind that are the mail's text, not attached to it."""
    return [
        part
        for part in _leaves(message)
        if part.get_content_type() == kind
        and part.get_content_disposition() != "attachment"
        and not (part.get_filename() and part.get_content_disposition() is not None)
    ]


def _text(part: Message) -> Body:
    data = _bytes(part)
    charset = part.get_content_charset()
    if charset:
        try:
            return Body(data.decode(charset).replace("\r\n", "\n").replace("\x00", "").strip(), ())
        except (LookupError, UnicodeDecodeError, ValueError):
            text, notes = decode_told(data.replace(b"\x00", b""))
            return Body(text.strip(), (f"it declares the encoding {charset[:40]} and is not in it", *notes))
    text, notes = decode_told(data.replace(b"\x00", b""))
    return Body(text.strip(), notes)


def _page(part: Message) -> bytes:
    """An HTML body in UTF-8, and so declared: the mail's own word on its encoding counts before the page's."""
    data, charset = _bytes(part), part.get_content_charset()
    if not charset:
        return data
    try:
        text = data.decode(charset)
    except (LookupError, UnicodeDecodeError, ValueError):
        return data
    return f'<meta charset="utf-8">{text}'.encode("utf-8", "replace")


def _bytes(part: Message) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        if isinstance(inner, list):
            return inner[0].as_bytes() if inner and isinstance(inner[0], Message) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _inline_picture(part: Message) -> bool:
    related = part.get("content-id") is not None and part.get_content_disposition() != "attachment"
    return part.get_content_maintype() == "image" and (related or part.get_content_disposition() == "inline")


def _name(part: Message, stated: str, count: int) -> str:
    kind = part.get_content_type()
    last = re.split(r"[/\\]", stated)[-1]
    name = "".join(sign for sign in last if sign.isprintable()).strip().lstrip(".")[:120]
    if kind == "message/rfc822" and not name.casefold().endswith((".eml", ".msg")):
        payload = part.get_payload()
        inner = payload[0] if isinstance(payload, list) and payload else None
        subject = header(inner, "subject") if isinstance(inner, Message) else ""
        stem = name or " ".join(re.sub(r"[^\w .-]+", " ", subject).split()).strip(" .")[:80] or f"mail {count}"
        return f"{stem}.eml"
    ending = NAMELESS.get(kind) or mimetypes.guess_extension(kind) or ""
    if not name:
        return f"attachment {count}{ending}"
    return name if "." in name else name + ending


def _distinct(name: str, names: set[str]) -> str:
    stem, dot, ending = name.rpartition(".")
    free, number = name, 2
    while free.casefold() in names:
        free = f"{stem} {number}.{ending}" if dot else f"{name} {number}"
        number += 1
    names.add(free.casefold())
    return free


def _leads_away(stated: str) -> bool:
    return bool(re.search(r"[/\\]", stated))


def _decoded_words(value: str) -> str:
    value = value.replace("\n", " ").replace("\r", " ")
    try:
        text = str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        text = value
    try:  # eight-bit heads, which nobody may send and many do
        text = text.encode("ascii", "surrogateescape").decode("utf-8")
    except UnicodeError:
        text = text.encode("utf-8", "replace").decode("utf-8")
    return " ".join(text.replace("\x00", "").split())


def _few(addresses: str) -> str:
    """The first of many receivers, and how many more there are."""
    listed = re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", addresses) if len(addresses) < 20_000 else [addresses[:150]]
    names = [" ".join(item.split()) for item in listed if item.strip()]
    kept: list[str] = []
    for name in names[:RECIPIENTS]:
        if len(", ".join([*kept, name])) > 170:
            break
        kept.append(name)
    kept = kept or [name[:150] for name in names[:1]]
    more = len(names) - len(kept)
    return ", ".join(kept) + (f" and {more:,} more" if more else "")
