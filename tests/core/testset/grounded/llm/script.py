"""Scripts for the scripted server: what a model answers to each purpose, told by the prompt's own words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def user(body: Mapping[str, Any]) -> str:
    """What the user's message says."""
    return str(body["messages"][-1]["content"])


def part(body: Mapping[str, Any], name: str) -> str:
    """What stands between the first markers of a name; "" where there are none."""
    found = re.search(rf"<({name}-[0-9a-f]+)>\n(.*?)\n</\1>", user(body), re.DOTALL)
    return found[2] if found else ""


def rejected(body: Mapping[str, Any]) -> list[str]:
    """The reasons that are fed back."""
    return re.findall(r"<reason-[0-9a-f]+>\n(.*?)\n</reason-[0-9a-f]+>", user(body), re.DOTALL)


def sql_script(by_tables: Mapping[str, Sequence[Sequence[str]]]) -> Callable[[dict[str, Any]], str]:
    """Answers each table set with its first list, and with the second one when something is fed back."""

    def answer(body: dict[str, Any]) -> str:
        rounds = by_tables.get(part(body, "tables").replace("\n", ", "), [[]])
        place = 1 if rejected(body) else 0
        return json.dumps({"templates": list(rounds[place]) if place < len(rounds) else []})

    return answer


def on_the_wire(server: Any) -> str:
    """Everything the server was sent."""
    return json.dumps([server.bodies, server.headers, server.probes], ensure_ascii=False)
