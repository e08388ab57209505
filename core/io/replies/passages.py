"""Passages however a system writes them: texts, objects with metadata, pairs with a score, lists, citations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final

from core.io.replies.names import (
    ANSWERS,
    CHUNKS,
    DEEPEST,
    DOCUMENTS,
    FILES,
    KEYS,
    SCORES,
    TEXTS,
    TITLES,
    word,
)

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+]{1,9}://\S+|[^\s/\\][^\n]{0,200}\.(?:pdf|md|txt|docx?|html?|pptx?|xlsx?|csv)", re.IGNORECASE
)
_RANDOM = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|(?=.*[a-f])(?=.*\d)[0-9a-f]{16,}", re.IGNORECASE
)
"""Ids that an index made up: they name no document that a person knows, so whatever else names one goes before."""

_NESTED: Final = ("retrievedreferences", "citations", "sources", "documents", "chunks", "references", "hits", "matches")
_METADATA: Final = frozenset({"metadata", "meta", "docmetadata", "documentmetadata", "partmetadata", "extrainfo"})
_PARALLEL: Final = ("document", "documents", "texts", "chunks", "contexts")
_MARKS: Final = frozenset({*SCORES, *DOCUMENTS, "metadata", "meta", "filename", "node", "document", "sourcedata"})
_NAMES: Final = frozenset({"filename", "filepath", "file", "documentname", "docname"})
_SPEAKERS: Final = frozenset({"human", "ai", "system", "tool", "user", "assistant", "message", "text", "outputtext"})
_NO_PASSAGE: Final = frozenset({"relationships", "embedding", "positions", "loc", "previoustexts", "nexttexts"})


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
        return [Passage(document_id=value, named_by="text") if _ADDRESS.fullmatch(value) else Passage(text=value)]
    if isinstance(value, Mapping):
        return _from_mapping(value, document_id)
    if isinstance(value, Sequence):
        if _is_pair(value):
            rated = read_passages(value[0], document_id=document_id)
            return [replace(passage, score=_number(value[1])) for passage in rated]
        cited = [isinstance(item, Mapping) and nested_in(item) is not None for item in value]
        passages = [passage for item in value for passage in read_passages(item, document_id=document_id)]
        return list(dict.fromkeys(passages)) if any(cited) else passages
    return []


def read_passage(item: Mapping[str, object], *, document_id: str = "") -> Passage:
    """One object as a passage, however deep its parts lie."""
    layers = list(_layers(item))
    text = next(
        (text for metadata in (False, True) for name in TEXTS for text in _texts(layers, name, metadata=metadata)), ""
    )
    text = text or _longest(layers)
    own, named_by = _document(layers, document_id)
    chunk = next((value for name in CHUNKS for value in _scalars(layers, name) if value != own), "")
    score = next((number for name in SCORES for number in _numbers(layers, name)), None)
    return Passage(text=text, document_id=own, chunk_id=chunk, score=score, named_by=named_by)


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
        for _, name, value, _ in _layers(item):
            short = isinstance(value, (str, int)) and not isinstance(value, bool) and 0 < len(str(value)) <= 200
            if short and word(name) not in TEXTS:
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
    values = list(value.values())
    if values and all(is_passage(item) for item in values):  # by id
        return [found for item in values for found in read_passages(item, document_id=document_id)]
    passage = read_passage(value, document_id=document_id)
    return [passage] if passage.text or passage.document_id or passage.chunk_id else []


def _own_name(item: Mapping[str, object]) -> tuple[str, str]:
    """What names the document of an object that holds passages, by the name it stands under; nothing inside counts."""
    layers = [layer for layer in _layers(item) if layer[3] == 0]
    names = ((name, value) for wanted in (*DOCUMENTS, *FILES) for name, value in _named(layers, wanted))
    return next(names, ("", ""))


def _named(layers: _Layers, wanted: str) -> Iterator[tuple[str, str]]:
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


def side_by_side(item: Mapping[str, object]) -> list[object]:
    """Objects from lists side by side, such as ``documents``, ``metadatas`` and ``ids``; none where there are none."""
    by_word = {word(name): _flat(value) for name, value in item.items() if isinstance(value, list)}
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


def _flat(values: list[object]) -> list[object]:
    """A list in a list of one, as vector stores answer several questions at once."""
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _is_pair(value: Sequence[object]) -> bool:
    return len(value) == 2 and isinstance(value[0], Mapping) and _number(value[1]) is not None


def _layers(item: Mapping[str, object]) -> Iterator[tuple[bool, str, object, int]]:
    """The named values of an object, the nearest first: whether in its metadata, name, value, depth."""
    level: list[tuple[bool, Mapping[str, object]]] = [(False, item)]
    for depth in range(DEEPEST):
        inside: list[tuple[bool, Mapping[str, object]]] = []
        for metadata, mapping in level:
            for name, value in mapping.items():
                yield metadata, name, value, depth
                if isinstance(value, Mapping) and word(name) not in _NO_PASSAGE:
                    inside.append((metadata or word(name) in _METADATA, value))
        level = inside
        if not level:
            return


_Layers = list[tuple[bool, str, object, int]]


def _texts(layers: _Layers, wanted: str, *, metadata: bool) -> Iterator[str]:
    for within, name, value, _ in layers:
        if within is metadata and word(name) == wanted:
            text = text_of(value)
            if text.strip():
                yield text


def _longest(layers: _Layers) -> str:
    """The longest text of several words, where none has a known name; a title is none."""
    texts = [
        value for _, name, value, _ in layers if isinstance(value, str) and " " in value and word(name) not in TITLES
    ]
    return max(texts, key=len, default="")


def text_of(value: object) -> str:
    """A text, or the texts of blocks such as ``[{"type": "text", "text": "..."}]`` one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [
            part if isinstance(part, str) else next((str(part[n]) for n in ("text", "content") if part.get(n)), "")
            for part in value
            if isinstance(part, (str, Mapping))
        ]
        return "\n".join(part for part in parts if part)
    return ""


def _scalars(layers: _Layers, wanted: str) -> Iterator[str]:
    for _, name, value, _ in layers:
        scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if scalar and word(name) == wanted and str(value).strip():
            yield str(value)


def _numbers(layers: _Layers, wanted: str) -> Iterator[float]:
    for _, name, value, _ in layers:
        number = _number(value)
        if word(name) == wanted and number is not None:
            yield number


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) else None


def _document(layers: _Layers, wanted: str) -> tuple[str, str]:
    """The id of the document with the name it stood under, what says "document" first, a made-up id last."""
    if wanted:
        last = word(wanted.rpartition(".")[2])
        return next(((value, wanted) for value in _scalars(layers, last)), ("", ""))
    found = [(name, value) for name in (*DOCUMENTS, *FILES, *KEYS, *TITLES) for value in _scalars(layers, name)]
    named = [(name, value) for name, value in found if not _RANDOM.fullmatch(value)]
    if named and named[0][0] == "source" and not _ADDRESS.fullmatch(named[0][1]):
        # A word such as "knowledge" says where was searched, beside a name of the file or the document.
        named = [pair for pair in named if pair[0] in _NAMES] or named
    name, value = next(iter(named or found), ("", ""))
    return value, next((called for _, called, item, _ in layers if word(called) == name and str(item) == value), name)


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
    if "role" in names or word(str(item.get("type", ""))) in _SPEAKERS:
        return False
    passage = read_passage(item)
    known = passage.document_id or passage.chunk_id or passage.score is not None or "pagecontent" in names
    return bool(passage.text and known and names & (_MARKS | set(TEXTS)))


def is_document(item: object) -> bool:
    """Whether something is a document with the passages that were found in it."""
    return isinstance(item, Mapping) and nested_in(item) is not None and bool(_own_name(item)[1])


def is_retrieved(item: object) -> bool:
    """Whether something is a passage that a search gave: it is one, has a score or metadata, and holds no answer."""
    if not isinstance(item, Mapping) or not is_passage(item):
        return False
    names = {word(name) for name in item}
    return bool(names & (_METADATA | set(SCORES) | {"pagecontent"})) and not names & set(ANSWERS)
