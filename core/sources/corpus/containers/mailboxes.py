"""Mailboxes (mbox) as the mails in them. Parted in memory: the standard library reads them from a path only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.errors import UnreadableFile

MAILBOX = ".mbox"
_BEGINS = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\d{4}[^\r\n]*\r?\n(?=[\w-]+:|>?From )")
"""The line before a mail: "From", who sent it, and when; a head must follow, so that prose is none."""
_MASKED = re.compile(rb"^>(?=>*From )", re.MULTILINE)


def messages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The mails of a mailbox with a name each, in their order, as they were sent.

    Args:
        data: The mailbox.

    Raises:
        UnreadableFile: It holds no mail.
    """
    places = [match.span() for match in _BEGINS.finditer(data)]
    if not places:
        raise UnreadableFile(
            "it is no mailbox: no mail begins in it", "Export it again as mbox, or save its mails as .eml files."
        )
    ends = [start for start, _ in places[1:]] + [len(data)]
    for number, ((_, begin), end) in enumerate(zip(places, ends, strict=True), 1):
        yield f"{number:05}.eml", _MASKED.sub(b"", data[begin:end])
