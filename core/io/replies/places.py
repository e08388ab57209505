"""Where a reply keeps its passages: the place with the surest name that holds any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from core.io.replies.inner import inner, observed
from core.io.replies.layers import is_address
from core.io.replies.passages import (
    Passage,
    by_id,
    flat,
    is_document,
    is_passage,
    is_retrieved,
    names_document,
    nested_in,
    read_passage,
    read_passages,
    side_by_side,
)
from core.io.replies.vocabulary.meanings import answer_rank, is_known_place, passages_rank
from core.io.replies.vocabulary.names import ASKED, DEEPEST, ENVELOPES, MOST_ENTERED, PASSAGES, walk, word

_TEXT_PLACES: Final = frozenset({"context", "contexts", "retrievedcontext", "retrievedcontexts", "passages"})
_ITEM = re.compile(r"\[\d+\]")
_STEPS: Final = frozenset({"steps", "actions", "observation", "trace", "traces"})
"""Names of how a system went about it: what it looked at there counts only where it names nothing else."""
_ANSWERED: Final = frozenset({"generatedtext", "completion", "generation"})
_CITING = re.compile(r"citation|reference|attribution|(?<!re)sources?(?:document|url)?$|footnote|annotation")
"""Names and kinds of what points at a document."""


def passages_in(reply: object, *, document_id: str = "") -> tuple[list[Passage], str, object]:
    """The passages of a whole reply, with the path they stand at and what stands there.

    The surest name wins, wherever it stands; of equal ones the nearest. A place without any passage is not taken, and
    one of citations without a text only where no other has any.

    Returns:
        The passages, their path, and what is at it; empty, "" and None where no place holds any.
    """
    if isinstance(reply, list) and reply and all(is_passage(item) for item in reply):
        return read_passages(reply, document_id=document_id), "$", reply
    places: dict[tuple[int, int, str], list[object]] = {}
    holders: dict[str, object] = {"$": reply}
    for depth, path, name, value in walk(reply):
        if isinstance(value, Mapping):
            holders[path] = value
        rank = _rank(name, value)
        if rank is not None:
            value = _with_its_rows(value, holders.get(path.rpartition(".")[0]))
            rank += 2 * _OTHER if _STEPS & {word(part) for part in _ITEM.sub("", path).split(".")} else 0
            # The same place in each item of a list is one: every citation has references of its own.
            places.setdefault((rank, depth, _ITEM.sub("[*]", path)), []).append(value)
    cited: tuple[list[Passage], str, object] | None = None
    for (_, _, path), values in sorted(places.items(), key=_surest):
        values = [_of_json(value) for value in values]
        passages = [passage for value in values for passage in read_passages(value, document_id=document_id)]
        if not passages:
            continue
        whole = values[0] if len(values) == 1 else [item for value in values for item in _items(value)]
        found = passages if len(values) == 1 else list(dict.fromkeys(passages)), path, whole
        if any(passage.text for passage in passages) or not _CITING.search(word(path.rpartition(".")[2])):
            return found
        cited = cited or found
    return cited or ([], "", None)


def _with_its_rows(value: object, holder: object) -> object:
    """A list of texts, or the object that has lists beside it which say what each text is from."""
    if (
        not isinstance(value, list)
        or not isinstance(holder, Mapping)
        or any(isinstance(v, Mapping) for v in flat(value))
    ):
        return value
    if any("metadata" in row for row in side_by_side(holder) if isinstance(row, Mapping)):
        return holder
    texts = [item for item in value if isinstance(item, str) and not is_address(item)]
    beside = (other for other in holder.values() if isinstance(other, list) and len(other) == len(texts))
    files = next((other for other in beside if all(isinstance(name, str) and is_address(name) for name in other)), [])
    if not files or len(texts) != len(value):
        return value
    return [{"text": text, "source": name} for text, name in zip(texts, files, strict=True)]


def _of_json(value: object) -> object:
    """A list of passages that stands in a text as JSON; any other text is a passage itself."""
    held = inner(value) if isinstance(value, str) else None
    return held if isinstance(held, list) and all(is_passage(item) for item in held) else value


_OTHER: Final = len(PASSAGES) + 2


def _surest(place: tuple[tuple[int, int, str], list[object]]) -> tuple[int, int, int]:
    """Under names that say nothing the longest of the nearest lists is what was retrieved."""
    (rank, depth, _), values = place
    return rank, depth, -sum(len(_items(value)) for value in values) if rank == _OTHER else 0


def _rank(name: str, value: object) -> int | None:
    """How surely a value is what was retrieved, 0 or less for the surest; None where it is not."""
    rank = passages_rank(name)
    items = flat(value) if isinstance(value, list) else []
    if name == "results" and any(
        isinstance(item, Mapping) and _ANSWERED & {word(key) for key in item} for item in items
    ):
        return None
    if is_known_place(name) and value and (isinstance(value, list) or _holds(name, value)):
        return rank
    # Under any other name a list of what can be nothing but passages counts, after all the names that are known.
    fits = is_retrieved if name in ENVELOPES or answer_rank(name) is not None else is_passage
    if items and (all(fits(item) for item in items) or all(is_document(item) for item in items)):
        return _OTHER if rank is None or answer_rank(name) is not None else rank
    if rank is not None and items and all(isinstance(item, Mapping) and names_document(item) for item in items):
        return rank + 1  # what passages are called, each of a document: ``used_docs`` without their texts
    return None


def passage_paths(reply: object) -> list[str]:
    """Where a reply keeps what can be nothing but passages; no text inside is an answer."""
    return [
        f"{path}[" for _, path, name, value in walk(reply) if isinstance(value, list) and _rank(name, value) is not None
    ]


def documents_cited(reply: object, *, document_id: str = "") -> tuple[list[Passage], str, object]:
    """The documents that a reply cites and quotes nothing of, in the order of their first citation.

    >>> reply = {"content": [{"type": "text", "text": "12 EUR"}, {"type": "tool_reference", "url": "https://a.example/fees"}]}
    >>> [passage.document_id for passage in documents_cited(reply)[0]]
    ['https://a.example/fees']
    """
    found = list(_cited(reply, "$"))
    passages = [
        read_passage(item, document_id=document_id)
        if item.get("type") == "resource"
        else replace(read_passage(item, document_id=document_id), text="", chunk_id="", score=None)
        for _, item in found
    ]
    passages = [passage for passage in dict.fromkeys(passages) if passage.document_id]
    return passages, _ITEM.sub("[*]", found[0][0]) if passages else "", [item for _, item in found] or None


def _cited(
    value: object, path: str, depth: int = 0, *, cites: bool = False
) -> Iterator[tuple[str, Mapping[str, object]]]:
    if depth > 2 * DEEPEST:
        return
    if isinstance(value, list):
        for place, item in enumerate(value[:MOST_ENTERED]):
            yield from _cited(item, f"{path}[{place}]", depth + 1, cites=cites)
    elif isinstance(value, Mapping):
        kind = word(str(value.get("type", "")))
        if (cites or _CITING.search(kind) or kind == "resource") and names_document(value):
            yield path, value
            return
        for name, item in value.items():
            if word(name) not in ASKED:
                called = cites or bool(_CITING.search(word(name)))
                yield from _cited(item, f"{path}.{name}", depth + 1, cites=called)


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
    return nested_in(value) is not None or bool(side_by_side(value)) or is_passage(value) or bool(by_id(value))


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
