"""What a scripted model reads of a request: the texts between the markers, and nothing that stands in for them."""

from __future__ import annotations

import re
from typing import Any

_FENCE = re.compile(r"<([a-z_]+)-([0-9a-f]{16})>\n(.*?)\n</\1-\2>", re.DOTALL)


def fenced(body: dict[str, Any]) -> dict[str, list[str]]:
    """The fenced texts of a request by the name of their marker, in order."""
    found: dict[str, list[str]] = {}
    for message in body["messages"]:
        if message["role"] == "user":
            for name, _, text in _FENCE.findall(message["content"]):
                found.setdefault(name, []).append(text)
    return found


def outside(body: dict[str, Any]) -> str:
    """What of a request is not fenced: our own words."""
    return "\n".join(_FENCE.sub("", message["content"]) for message in body["messages"])
