"""Addresses of web services as texts: of which form they are, and how they are shown. `core.net.gate` admits them."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit


def split_address(url: str) -> SplitResult:
    """The parts of the address of a web service.

    Raises:
        ValueError: It has a blank or a character that cannot be seen, is not HTTP, or has no host or no usable port;
            the message goes on after "it" and repeats nothing of the address.
    """
    if any(letter.isspace() or not letter.isprintable() for letter in url):
        raise ValueError("has a blank or a character that cannot be seen")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is not an address") from None
    if parts.scheme.lower() not in ("http", "https") or not host:
        raise ValueError("is not the address of a web service")
    return parts


def host_of(url: str) -> str:
    """Host and port of an address, without what it may carry besides; "" where it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    return f"{parts.hostname or ''}{f':{port}' if port else ''}"


def shown(address: str) -> str:
    """An address without what may be a secret in it, for messages.

    >>> shown("https://ada:pw@rag.bank.example/ask?key=pw")
    'https://rag.bank.example/ask'
    """
    bare = re.sub(r"[?#].*", "", address, flags=re.DOTALL)
    return re.sub(r"(://)[^/]*@(?=[^/]*(/|$))", r"\1", bare)


def redirected_to(location: str) -> str:
    """Where a redirect leads, for messages: its host, or the path on the same one; "" where it does not say.

    No redirect is followed: it could lead to a host that may not be called, and would take the secrets along.
    """
    where = urlsplit(location)
    return where.hostname or where.path[:100]
