"""JSON that a reply carries as text, and names that a log wrote flat: both as the data they stand for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from core.io.replies.vocabulary.names import DEEPEST, word

_FLAT: Final = re.compile(r"(?:attributes\.)?((?:retrieval|output|reranker|embedding)\..+)")
"""Names of OpenInference, whose parts an export may write as one: ``retrieval.documents.0.document.content``."""

_WRAPPED: Final = frozenset({"text", "json", "data"})
"""Names of the one value in a block that wraps it."""

LONGEST: Final = 5_000_000


def inner(text: str) -> object:
    """The object, or the list of objects, that a text is the JSON of; None where it is a text like any other.

    >>> inner('{"answer": "12 EUR"}'), inner("[1] says so"), inner('["a"]')
    ({'answer': '12 EUR'}, None, None)
    """
    plain = text.strip().removeprefix("\ufeff")
    if plain[:1] not in ("{", "[") or plain[-1:] not in ("}", "]") or len(plain) > LONGEST:
        return None
    try:
        value = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, Mapping):
        return value or None
    return value if value and all(isinstance(item, Mapping) for item in value) else None


def opened(value: object, depth: int = 0) -> object:
    """A reply with all JSON in its texts read, and flat names parted.

    A block around one such text, such as ``{"type": "text", "text": "{...}"}``, is what the text holds.

    >>> opened({"statusCode": 200, "body": '{"answer": "12 EUR"}'})
    {'statusCode': 200, 'body': {'answer': '12 EUR'}}
    """
    if depth > 2 * DEEPEST:
        return value
    if isinstance(value, str):
        found = inner(value)
        return value if found is None else opened(found, depth + 1)
    if isinstance(value, list):
        return [opened(item, depth + 1) for item in value]
    if not isinstance(value, Mapping):
        return value
    read = {name: opened(item, depth + 1) for name, item in _parted(value).items()}
    for name in value:
        block = word(str(value.get("type", ""))) in _WRAPPED and word(name) in _WRAPPED
        if block and isinstance(value[name], str) and isinstance(read.get(name), Mapping):
            return read[name]
    return read


def tabled(value: object, depth: int = 0) -> object:
    """A reply with each table, which names its columns once, as a list of objects.

    >>> tabled({"columns": ["doc", "text"], "rows": [["fees.md", "12 EUR"]]})
    {'rows': [{'doc': 'fees.md', 'text': '12 EUR'}]}
    """
    if depth > DEEPEST:
        return value
    if isinstance(value, list):
        return [tabled(item, depth + 1) for item in value]
    if not isinstance(value, Mapping):
        return value
    columns = value.get("columns")
    for name in ("rows", "data"):
        rows = value.get(name)
        if not isinstance(columns, list) or not isinstance(rows, list) or not rows:
            continue
        if all(isinstance(row, list) and len(row) == len(columns) for row in rows):
            named = [{str(column): cell for column, cell in zip(columns, row, strict=True)} for row in rows]
            return {key: named if key == name else item for key, item in value.items() if key != "columns"}
    return {name: tabled(item, depth + 1) for name, item in value.items()}


def observed(value: object, depth: int = 0) -> Iterator[object]:
    """What the tools of an agent returned, in the order of its steps, as its log keeps it (``observation``)."""
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping):
        for name, item in value.items():
            if word(name) == "observation":
                yield item
            else:
                yield from observed(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from observed(item, depth + 1)


def _parted(value: Mapping[str, object]) -> Mapping[str, object]:
    flat = {name: match[1] for name in value if (match := _FLAT.fullmatch(str(name)))}
    if not flat:
        return value
    parted: dict[str, object] = {name: item for name, item in value.items() if name not in flat}
    for name, path in flat.items():
        steps = path.split(".")
        here = parted
        for step in steps[:-1]:
            there = here.setdefault(step, {})
            if not isinstance(there, dict):
                break
            here = there
        else:
            here[steps[-1]] = value[name]
    return {name: _listed(item) for name, item in parted.items()}


def _listed(value: object) -> object:
    """Mappings whose names are places, as lists."""
    if not isinstance(value, dict):
        return value
    read = {name: _listed(item) for name, item in value.items()}
    if read and all(isinstance(name, str) and name.isdigit() for name in read):
        return [read[name] for name in sorted(read, key=int)]
    return read
