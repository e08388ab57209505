"""The named values of an object, however deep they lie, and what they say: a text, a document, a score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Final

from core.domain.sources.document_places import without_place
from core.io.replies.vocabulary.meanings import FILE_NAMES, TEXT_NAMES, TITLE_NAMES, is_file_name
from core.io.replies.vocabulary.names import DEEPEST, DOCUMENTS, KEYS, PASSAGE_IDS, word

Layers = list[tuple[bool, str, object, int]]
"""The named values of an object, the nearest first: whether in its metadata, name, value, depth."""

METADATA: Final = frozenset({"metadata", "meta", "docmetadata", "documentmetadata", "partmetadata", "extrainfo"})

_ENDINGS: Final = "pdf|md|mdx|txt|docx?|html?|pptx?|xlsx?|csv|rtf|odt|rst|adoc|epub|eml|msg"
_FILE = re.compile(rf"[^\s/\\][^\n]{{0,200}}\.(?:{_ENDINGS})(?:[#?]\S*)?", re.IGNORECASE)
_ADDRESS = re.compile(rf"[a-z][a-z0-9+]{{1,9}}://\S+|{_FILE.pattern}", re.IGNORECASE)
_RANDOM = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|(?=.*[a-f])(?=.*\d)[0-9a-f]{16,}"
    r"|[a-z]+[_-]?\d+:\d+|\d{1,2}|blob",
    re.IGNORECASE,
)
"""Ids that an index made up: they name no document that a person knows, so whatever else names one goes before."""

_NAMES: Final = frozenset({"filename", "filepath", "file", "documentname", "docname"})
_NOT_INSIDE: Final = frozenset({"relationships", "embedding", "positions", "loc", "previoustexts", "nexttexts"})


def is_address(text: str) -> bool:
    """Whether a text is nothing but an address or the name of a file.

    A place within it may follow.

    >>> is_address("https://help.example/fees"), is_address("Fees 2025.pdf (p. 2)"), is_address("The fee is 12 EUR.")
    (True, True, False)
    """
    return bool(_ADDRESS.fullmatch(text) or _ADDRESS.fullmatch(without_place(text)))


def layers_of(item: Mapping[str, object]) -> Layers:
    """The named values of an object, the nearest first."""
    found: Layers = []
    level: list[tuple[bool, Mapping[str, object]]] = [(False, item)]
    for depth in range(DEEPEST):
        inside: list[tuple[bool, Mapping[str, object]]] = []
        for metadata, mapping in level:
            for name, value in mapping.items():
                found.append((metadata, name, value, depth))
                if isinstance(value, Mapping) and word(name) not in _NOT_INSIDE:
                    inside.append((metadata or word(name) in METADATA, value))
        level = inside
        if not level:
            break
    return found


def text_in(layers: Layers) -> str:
    """The text of a passage: under the surest name, outside of metadata first; else the longest of several words."""
    named = (
        text
        for metadata in (False, True)
        for wanted in TEXT_NAMES
        for within, name, value, _ in layers
        if within is metadata and word(name) == wanted and (text := text_of(value)).strip()
    )
    return next((text for text in named if not is_address(text)), "") or _longest(layers)


def _longest(layers: Layers) -> str:
    """The longest text of several words, where none has a known name; neither a title nor an address is one."""
    texts = [
        value
        for _, name, value, _ in layers
        if isinstance(value, str) and " " in value.strip() and word(name) not in TITLE_NAMES and not is_address(value)
    ]
    return max(texts, key=len, default="")


def extracts_in(layers: Layers) -> str:
    """The texts in a list of extracts, for an object that has none itself."""
    lists = (
        value for _, _, value, _ in layers if isinstance(value, list) and all(isinstance(v, Mapping) for v in value)
    )
    return next((text for value in lists if (text := text_of(value))), "")


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


def scalars(layers: Layers, wanted: str) -> Iterator[str]:
    """The texts and numbers under a name."""
    for _, name, value, _ in layers:
        scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if scalar and word(name) == wanted and str(value).strip():
            yield str(value)


def numbers(layers: Layers, wanted: str) -> Iterator[float]:
    """The numbers under a name."""
    for _, name, value, _ in layers:
        number = number_in(value)
        if word(name) == wanted and number is not None:
            yield number


def number_in(value: object) -> float | None:
    """A finite number, or None."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) else None


def document_in(layers: Layers, wanted: str = "") -> tuple[str, str]:
    """The id of the document with the name it stood under, what says "document" first, a made-up id last.

    After the known names comes whatever reads as the name of a file, under any name: a title such as ``leave.pdf`` says
    more than an id that an index or a search made up.
    """
    if wanted:
        last = word(wanted.rpartition(".")[2])
        return next(((value, wanted) for value in scalars(layers, last)), ("", ""))
    found = [(name, value) for name in (*DOCUMENTS, *FILE_NAMES) for value in scalars(layers, name)]
    found += [
        (word(name), str(value[0]))
        for metadata, name, value, _ in layers
        if metadata
        and word(name) in PASSAGE_IDS
        and isinstance(value, list)
        and len(value) == 1
        and isinstance(value[0], (str, int))
    ]
    texts = [(word(name), value) for _, name, value, _ in layers if isinstance(value, str) and value.strip()]
    found += [(name, value) for name, value in texts if is_file_name(name)]
    files = [(name, value) for name, value in texts if _FILE.fullmatch(value)]
    keys = [(name, value) for name in KEYS for value in scalars(layers, name)]
    # The key of a part begins with its file: ``leave.pdf#3``.
    own = [pair for pair in files if any(key.startswith(pair[1]) for _, key in keys)]
    found += sorted(own, key=lambda pair: len(pair[1])) + keys + files
    found += [(name, value) for name, value in texts if is_address(value)]
    found += [(name, value) for name in TITLE_NAMES for value in scalars(layers, name)]
    named = [(name, value) for name, value in found if not _RANDOM.fullmatch(value)]
    if named and named[0][0] == "source" and not is_address(named[0][1]):
        # A word such as "knowledge" says where was searched, beside a name of the file or the document.
        named = [pair for pair in named if pair[0] in _NAMES or is_address(pair[1])] or named
    name, value = next(iter(named or found), ("", ""))
    return value, next((called for _, called, item, _ in layers if word(called) == name and str(item) == value), name)
