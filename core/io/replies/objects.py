"""Objects of other people's libraries as plain data: mappings, lists, texts and numbers.

No library is imported: an object is known by what it has. Read are the fields of dataclasses and of pydantic models,
public attributes of other objects, and a few properties in which passages keep their text and their document.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Final

from core.domain.results.responses import Context
from core.io.replies.vocabulary.names import DEEPEST

PROPERTIES: Final = ("text", "content", "page_content", "ref_doc_id", "node_id", "doc_id", "answer", "response")
"""What may be a property and no field, such as the text of a LlamaIndex node."""

_LEFT_OUT: Final = frozenset({"embedding", "relationships", "sparse_embedding", "blob", "id_", "text_resource"})
MOST_ITEMS: Final = 100_000


class Pieces(list[object]):
    """What a generator gave, piece by piece, which is something else than a list of passages."""


def plain(thing: object, depth: int = 0) -> object:
    """An object as plain data; generators are read to their end.

    >>> from types import SimpleNamespace
    >>> plain(SimpleNamespace(page_content="The fee is 12 EUR.", metadata={"source": "fees.md"}))
    {'page_content': 'The fee is 12 EUR.', 'metadata': {'source': 'fees.md'}}
    """
    if thing is None or isinstance(thing, (str, bool, int, float)):
        return thing
    if depth > 2 * DEEPEST or isinstance(thing, (bytes, type)):
        return None
    if isinstance(thing, Context):
        return {
            "document_id": thing.document_id,
            "text": thing.text,
            "score": thing.score,
            "chunk_id": thing.chunk_id or None,
        }
    if isinstance(thing, Mapping):
        return {str(name): plain(value, depth + 1) for name, value in thing.items()}
    if isinstance(thing, (list, set, frozenset)):
        return [plain(item, depth + 1) for item in thing]
    if isinstance(thing, tuple):
        names = getattr(thing, "_fields", None)
        values = [plain(item, depth + 1) for item in thing]
        return dict(zip(names, values, strict=True)) if names else values
    if isinstance(thing, Iterator):
        return Pieces(plain(item, depth + 1) for _, item in zip(range(MOST_ITEMS), thing, strict=False))
    if not dataclasses.is_dataclass(thing) and callable(getattr(thing, "item", None)) and not hasattr(thing, "items"):
        return plain(_scalar(thing), depth + 1)
    return _fields(thing, depth)


def _scalar(thing: object) -> object:
    """The number in a scalar of an array library."""
    try:
        return thing.item()  # type: ignore[attr-defined]
    except (ValueError, TypeError, RuntimeError):
        return None


def _fields(thing: object, depth: int) -> dict[str, object]:
    if dataclasses.is_dataclass(thing):
        names = [field.name for field in dataclasses.fields(thing)]
    elif isinstance(models := getattr(type(thing), "model_fields", None), Mapping):
        names = list(models)
    else:
        names = [name for name in getattr(thing, "__dict__", {}) if not name.startswith("_")]
    values: dict[str, object] = {}
    for name in dict.fromkeys((*names, *PROPERTIES)):
        value = _value(thing, name)
        if name in _LEFT_OUT or value is None or (callable(value) and not isinstance(value, (str, Mapping))):
            continue
        read = plain(value, depth + 1)
        if read not in (None, {}):
            # A stream of an answer is kept under the name of the answer, if nothing else is.
            values["response" if isinstance(read, Pieces) and name.endswith("_gen") else name] = read
    return values


def _value(thing: object, name: str) -> object:
    try:
        return getattr(thing, name, None)
    except Exception:  # noqa: BLE001 - a property of somebody else's object may raise anything
        return None
