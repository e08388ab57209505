"""Where a reply keeps its passages: the place with the surest name that holds any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from core.io.replies.inner import observed
from core.io.replies.names import ENVELOPES, PASSAGES, walk
from core.io.replies.passages import (
    Passage,
    is_document,
    is_passage,
    is_retrieved,
    nested_in,
    read_passages,
    side_by_side,
)

_TEXT_PLACES: Final = frozenset({"context", "contexts", "retrievedcontext", "retrievedcontexts", "passages"})
_ITEM = re.compile(r"\[\d+\]")


def passages_in(reply: object, *, document_id: str = "") -> tuple[list[Passage], str, object]:
    """The passages of a whole reply, with the path they stand at and what stands there.

    The surest name wins, wherever it stands; of equal ones the nearest. A place without any passage is not taken.

    Returns:
        The passages, their path, and what is at it; empty, "" and None where no place holds any.
    """
    if isinstance(reply, list) and reply and all(is_passage(item) for item in reply):
        return read_passages(reply, document_id=document_id), "$", reply
    places: dict[tuple[int, int, str], list[object]] = {}
    for depth, path, name, value in walk(reply):
        surely = name in PASSAGES and value and (isinstance(value, list) or _holds(name, value))
        # Under any other name a list of what can be nothing but passages counts, after all the names that are known.
        fits = is_retrieved if name in ENVELOPES else is_passage
        items = value if isinstance(value, list) else []
        other = bool(items) and (all(fits(item) for item in items) or all(is_document(item) for item in items))
        if surely or other:
            # The same place in each item of a list is one: every citation has references of its own.
            rank = PASSAGES.index(name) if surely else len(PASSAGES)
            places.setdefault((rank, depth, _ITEM.sub("[*]", path)), []).append(value)
    for (_, _, path), values in sorted(places.items(), key=lambda place: place[0][:2]):
        passages = [passage for value in values for passage in read_passages(value, document_id=document_id)]
        if passages:
            whole = values[0] if len(values) == 1 else [item for value in values for item in _items(value)]
            return passages if len(values) == 1 else list(dict.fromkeys(passages)), path, whole
    return [], "", None


def passages_observed(reply: object, *, document_id: str = "") -> tuple[list[Passage], str, object]:
    """The passages that the tools of an agent returned, where its steps are all that tells of them."""
    found = [item for step in observed(reply) for item in _items(step)]
    if not found or not all(is_passage(item) for item in found):
        return [], "", None
    return read_passages(found, document_id=document_id), "the observations of the agent's steps", found


def _holds(name: str, value: object) -> bool:
    """Whether what is no list, and stands under a name of passages, holds any."""
    if isinstance(value, str):
        return name in _TEXT_PLACES
    if not isinstance(value, Mapping):
        return False
    inner = list(value.values())
    return (
        nested_in(value) is not None
        or bool(side_by_side(value))
        or is_passage(value)
        or (bool(inner) and all(is_passage(item) for item in inner))
    )


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
