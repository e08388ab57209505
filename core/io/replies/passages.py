"""Passages however a system writes them: texts, objects with metadata, pairs with a score, lists, citations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.io.replies.layers import (
    METADATA,
    Layers,
    document_in,
    extracts_in,
    is_address,
    layers_of,
    number_in,
    numbers,
    scalars,
    text_in,
)
from core.io.replies.vocabulary.meanings import FILE_NAMES, SCORE_NAMES, TEXT_NAMES, answer_rank
from core.io.replies.vocabulary.names import CHUNKS, DEEPEST, DOCUMENTS, KEYS, TITLES, word

_NESTED: Final = ("retrievedreferences", "citations", "sources", "documents", "chunks", "references", "hits", "matches")
_PARALLEL: Final = ("document", "documents", "texts", "chunks", "contexts")
_MARKS: Final = frozenset({*SCORE_NAMES, *DOCUMENTS, "metadata", "meta", "filename", "node", "document", "sourcedata"})
_DOCUMENT_NAMES: Final = frozenset({*DOCUMENTS, *FILE_NAMES})
_OWNERS: Final = frozenset({"document", "doc", "file", "source"})
"""Names of an object that says which document passages beside it are from."""
_RECORDS: Final = frozenset({"attributes", "fields", "properties", "payload", "entity", "record", "item", "tooloutput"})
"""Names under which a store keeps what a record of it holds."""
_SPEAKERS: Final = frozenset({"human", "ai", "system", "tool", "user", "assistant", "message", "text", "outputtext"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One passage.

    Attributes:
        text: What it says, or empty.
        document_id: What names its document, or empty.
        chunk_id: What names the passage itself, or empty.
        score: The retriever's own score; a distance is none.
        named_by: The name under which the document's id stood, or empty.
    """

    text: str = ""
    document_id: str = ""
    chunk_id: str = ""
    score: float | None = None
    named_by: str = ""


def read_passages(value: object, *, document_id: str = "") -> list[Passage]:
    """The passages of a value; none where it holds none.

    Args:
        value: Plain data: texts, lists, mappings.
        document_id: Name of what is to be taken for the id of a document, such as ``policy_no``; where it is empty the
            usual names are tried, those that say "document" first, then files and addresses, then plain ids.

    >>> read_passages([{"page_content": "The fee is 12 EUR.", "metadata": {"source": "fees.md"}}])[0].document_id
    'fees.md'
    """
    if isinstance(value, str):
        if not value.strip():
            return []
        return [Passage(document_id=value, named_by="text") if is_address(value) else Passage(text=value)]
    if isinstance(value, Mapping):
        return _from_mapping(value, document_id)
    if isinstance(value, Sequence):
        if _is_pair(value):
            rated = read_passages(value[0], document_id=document_id)
            return [replace(passage, score=number_in(value[1])) for passage in rated]
        cited = [isinstance(item, Mapping) and nested_in(item) is not None for item in value]
        passages = [passage for item in value for passage in read_passages(item, document_id=document_id)]
        return list(dict.fromkeys(passages)) if any(cited) else passages
    return []


def read_passage(item: Mapping[str, object], *, document_id: str = "") -> Passage:
    """One object as a passage, however deep its parts lie."""
    layers = layers_of(item)
    own, named_by = document_in(layers, document_id)
    chunk = next((value for name in CHUNKS for value in scalars(layers, name) if value != own), "")
    score = next((number for name in SCORE_NAMES for number in numbers(layers, name)), None)
    return Passage(text=text_in(layers), document_id=own, chunk_id=chunk, score=score, named_by=named_by)


def unread_id(item: Mapping[str, object]) -> object:
    """What stands where the id of a passage's document should, and can be none, such as a list; None for nothing."""
    return next((value for name, value in item.items() if word(name) in DOCUMENTS and value is not None), None)


def names_of_ids(items: object) -> dict[str, str]:
    """Every name in passages that could be that of their document, with its first value; for a person to choose."""
    found: dict[str, str] = {}
    passages = items if isinstance(items, list) else [items]
    for item in passages:
        if not isinstance(item, Mapping):
            continue
        for _, name, value, _ in layers_of(item):
            short = isinstance(value, (str, int)) and not isinstance(value, bool) and 0 < len(str(value)) <= 200
            if short and word(name) not in TEXT_NAMES:
                found.setdefault(name, str(value))
    return found


def _from_mapping(value: Mapping[str, object], document_id: str) -> list[Passage]:
    nested = nested_in(value)
    if nested is not None:
        named_by, own = _own_name(value)
        parts = read_passages(nested, document_id=document_id)
        if document_id or not own:
            return parts
        return [part if part.document_id else replace(part, document_id=own, named_by=named_by) for part in parts]
    if any(word(name) in _NESTED and item == [] for name, item in value.items()) and not is_passage(value):
        return []  # a citation of nothing; what text it has is the answer's
    cited = value.get("file_citation")
    if isinstance(cited, Mapping):  # the text beside it is the mark in the answer
        return read_passages(cited, document_id=document_id)
    parallel = side_by_side(value)
    if parallel:
        return [passage for item in parallel for passage in read_passages(item, document_id=document_id)]
    keyed = by_id(value)
    if keyed:
        found = ((own, read_passages(item, document_id=document_id)) for own, item in keyed)
        return [
            part if document_id or part.document_id or not own else replace(part, document_id=own, named_by="title")
            for own, parts in found
            for part in parts
        ]
    passage = read_passage(value, document_id=document_id)
    if not passage.text:
        passage = replace(passage, text=extracts_in(layers_of(value)))
    return [passage] if passage.text or passage.document_id or passage.chunk_id else []


def _own_name(item: Mapping[str, object]) -> tuple[str, str]:
    """What names the document of an object that holds passages, by the name it stands under."""
    layers = [layer for layer in layers_of(item) if layer[3] == 0]
    names = ((name, value) for wanted in (*DOCUMENTS, *FILE_NAMES) for name, value in _named(layers, wanted))
    if (found := next(names, None)) is not None:
        return found
    inside = next((value for name, value in item.items() if word(name) in _OWNERS and isinstance(value, Mapping)), None)
    if inside is None:
        return "", ""
    layers = layers_of(inside)
    value, name = document_in(layers)
    if value:
        return name, value
    return next(((name, own) for name in (*KEYS, *TITLES) for own in scalars(layers, name)), ("", ""))


def _named(layers: Layers, wanted: str) -> Iterator[tuple[str, str]]:
    return (
        (name, str(value)) for _, name, value, _ in layers if isinstance(value, (str, int)) and word(name) == wanted
    )


def nested_in(item: Mapping[str, object]) -> object | None:
    """What an object cites, where it is a citation and no passage; the text of one is a part of the answer."""
    by_word = {word(name): value for name, value in item.items()}
    for name in _NESTED:
        value = by_word.get(name)
        if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
            return value
        if name in ("chunks", "hits") and isinstance(value, Mapping) and value:
            return value
    if is_passage(item):
        return None
    lists = (value for value in item.values() if isinstance(value, list) and value)
    return next((value for value in lists if all(is_passage(entry) for entry in value)), None)


def by_id(item: Mapping[str, object], own: str = "", depth: int = 0) -> list[tuple[str, object]]:
    """Passages whose names are their ids, such as ``{"p1": {"text": ...}}``, below names that say nothing.

    Returns:
        Each with what names the document above it, or an empty text; nothing where there are none.
    """
    values = [value for value in item.values() if isinstance(value, Mapping)]
    if depth > DEEPEST or not values:
        return []
    if len(values) == len(item) and all(is_passage(value) for value in values):
        return [(own, value) for value in values]
    if not depth and is_passage(item):
        return []
    here = [layer for layer in layers_of(item) if layer[3] == 0]
    own = document_in(here)[0] or own
    return [found for value in values for found in by_id(value, own, depth + 1)]


def side_by_side(item: Mapping[str, object]) -> list[object]:
    """Objects from lists side by side, such as ``documents``, ``metadatas`` and ``ids``; none where there are none."""
    by_word = {word(name): flat(value) for name, value in item.items() if isinstance(value, list)}
    texts = next((by_word[name] for name in _PARALLEL if name in by_word), [])
    if not texts or not all(isinstance(text, str) for text in texts):
        return []
    beside = {name: values for name, values in by_word.items() if len(values) == len(texts)}
    rows: list[object] = []
    for place, text in enumerate(texts):
        row: dict[str, object] = {"text": text}
        for name, values in beside.items():
            if name not in _PARALLEL:
                row[name.removesuffix("s") if name != "ids" else "id"] = values[place]
        rows.append(row)
    return rows


def flat(values: list[object]) -> list[object]:
    """A list in a list of one, as vector stores answer several questions at once."""
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _is_pair(value: Sequence[object]) -> bool:
    return len(value) == 2 and isinstance(value[0], Mapping) and number_in(value[1]) is not None


def most_named_by(passages: Sequence[Passage]) -> str:
    """The name under which most ids of documents stood, or empty."""
    names = Counter(passage.named_by for passage in passages if passage.named_by)
    return names.most_common(1)[0][0] if names else ""


def is_passage(item: object) -> bool:
    """Whether something can be nothing but a passage: it has a text and an id or a score, and nobody says it."""
    if isinstance(item, list):
        return _is_pair(item)
    if not isinstance(item, Mapping):
        return False
    names = {word(name) for name in item}
    if names & {"role", "logprob"} or word(str(item.get("type", ""))) in _SPEAKERS:
        return False
    passage = read_passage(item)
    known = passage.document_id or passage.chunk_id or passage.score is not None or "pagecontent" in names
    if not passage.text or not known:
        return False
    if names & (_MARKS | set(TEXT_NAMES)):
        return True
    held = [value for name, value in item.items() if word(name) in _RECORDS and isinstance(value, Mapping)]
    return is_address(passage.document_id) or any(is_passage(value) for value in held)


def names_document(item: Mapping[str, object]) -> bool:
    """Whether an object names a document: by an address, a file, or an id or a title of what is called a document."""
    layers = layers_of(item)
    if any(isinstance(value, str) and is_address(value) for _, _, value, _ in layers):
        return True
    return any(
        bool(value) and isinstance(value, (str, int)) and not isinstance(value, bool) and word(name) in _DOCUMENT_NAMES
        for _, name, value, _ in layers
    )


def is_document(item: object) -> bool:
    """Whether something is a document with the passages that were found in it."""
    return isinstance(item, Mapping) and nested_in(item) is not None and bool(_own_name(item)[1])


def is_retrieved(item: object) -> bool:
    """Whether something is a passage that a search gave: it is one, has a score or metadata, and holds no answer."""
    if not isinstance(item, Mapping) or not is_passage(item):
        return False
    names = {word(name) for name in item}
    searched = names & (METADATA | set(SCORE_NAMES) | {"pagecontent"})
    return bool(searched) and all(answer_rank(name) is None for name in names)
