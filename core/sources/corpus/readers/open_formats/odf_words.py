"""The text of one paragraph of OpenDocument."""

from __future__ import annotations

from typing import Any

from core.sources.corpus.readers.open_formats.safe_xml import local

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
UNSEEN = frozenset({"annotation", "annotation-end", "tracked-changes", "table", "note-citation", "desc", "title",
                    "event-listeners", "glue-point", "object", "plugin", "image"})  # fmt: skip
LONGEST_BLANK = 1_000


def words(element: Any) -> str:
    r"""What a person reads of a paragraph: blanks and line ends as they are marked, foot notes in brackets."""
    parts: list[str] = []
    _add(element, parts, 0)
    return "".join(parts)


def _add(element: Any, parts: list[str], depth: int) -> None:
    if element.text:
        parts.append(element.text.replace("\n", " "))
    for child in element:
        name = local(child)
        if name == "s":
            count = child.get(f"{TEXT}c", "1")
            parts.append(" " * min(int(count) if count.isdecimal() and len(count) < 6 else 1, LONGEST_BLANK))
        elif name == "tab":
            parts.append(" ")
        elif name == "line-break":
            parts.append("\n")
        elif name == "note":
            inner: list[str] = []
            _add(child, inner, depth + 1)
            parts.append(f" ({' '.join(''.join(inner).split())})")
        elif not name:  # a reference to an entity, which stays as it is written
            parts.append(child.text or "")
        elif name not in UNSEEN and depth < 100:
            _add(child, parts, depth + 1)
            if name in ("p", "h"):
                parts.append("\n")
        if child.tail:
            parts.append(child.tail.replace("\n", " "))
