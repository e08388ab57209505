"""Texts as they can be stored and sent."""

from __future__ import annotations


def storable(text: str) -> str:
    """A text as every store can keep it."""
    return sendable(text).replace("\0", "\ufffd")


def sendable(text: str) -> str:
    """A text as it can be sent; what cannot be is half of a pair, which no text should hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text
