"""XML that marks up prose, such as help pages: headings, paragraphs, lists and tables without the names of marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.sources.corpus.readers.open_formats.safe_xml import local
from core.sources.corpus.tabular.tables import table_lines

FEWEST_MIXED = 2
SHARE_MIXED = 0.05
"""Of the elements with text, those with marked words inside, from which a file is prose."""
HIGHEST = 6
_TITLES = frozenset({"title", "head", "heading", "h1", "h2", "h3", "h4", "h5", "h6"})
_ITEMS = frozenset({"item", "li", "listitem", "step", "member"})
_ROWS = frozenset({"tr", "row"})
_HIDDEN = frozenset({"script", "style", "indexterm"})
_AROUND_ROWS = _ROWS | {"thead", "tbody", "tfoot", "tgroup", "title", "caption", "colgroup", "col", "colspec", "table"}
_CODE = frozenset({"screen", "programlisting", "code-block", "pre", "literallayout", "synopsis"})
_BLOCKS = frozenset({"p", "para", "simpara", "note", "tip", "warning", "caution", "table", "list", "steps", "section"})


def is_prose(root: Any) -> bool:
    """Whether a file marks words inside sentences, as text does and records do not."""
    mixed = worded = 0
    for element in root.iter():
        if not local(element):
            continue
        own = bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)
        worded += own
        mixed += own and any(local(child) for child in element)
    return mixed >= FEWEST_MIXED and mixed >= SHARE_MIXED * worded


def prose_blocks(root: Any) -> Iterator[str]:
    """The blocks of a text, in reading order; attributes belong to the markup and are left out."""
    yield from _blocks(root, 1)


def _blocks(element: Any, level: int) -> Iterator[str]:
    titled = any(local(child).casefold() in _TITLES for child in element if local(child))
    for child in element:
        name = local(child).casefold()
        if not name or name in _HIDDEN:
            continue
        if name in _TITLES:
            if words := _words(child):
                yield f"{'#' * min(level, HIGHEST)} {words}"
        elif name in _ITEMS:
            yield from _item(child, level + 1)
        elif _holds_rows(child):
            yield from _table(child, level)
        elif name in _CODE:
            yield f"```\n{''.join(child.itertext()).strip()}\n```"
        elif _holds_blocks(child):
            if own := " ".join((child.text or "").split()):
                yield own
            yield from _blocks(child, level + 1 if titled else level)
        elif words := _words(child):
            yield words
        if (tail := " ".join((child.tail or "").split())) and not _inline(element):
            yield tail


def _item(element: Any, level: int) -> Iterator[str]:
    if not _holds_blocks(element):
        if words := _words(element):
            yield f"- {words}"
        return
    first, *rest = list(_blocks(element, level)) or [""]
    if first:
        yield first if first.startswith(("#", "|", "```", "- ")) else f"- {first}"
    yield from rest


def _table(element: Any, level: int) -> Iterator[str]:
    for child in element:
        if local(child).casefold() in _TITLES and (words := _words(child)):
            yield f"{'#' * min(level + 1, HIGHEST)} {words}"
    rows = [
        [_words(cell) for cell in row if local(cell)]
        for row in element.iter()
        if local(row).casefold() in _ROWS and any(local(cell) for cell in row)
    ]
    width = max(map(len, rows), default=0)
    lines = table_lines([[*row, *[""] * (width - len(row))] for row in rows], headed=True) if width else []
    if lines:
        yield "\n".join(lines)


def _holds_rows(element: Any) -> bool:
    """Whether an element is a table: rows, and parts around rows, and nothing else."""
    parts = {local(part).casefold() for part in element if local(part)}
    return bool(parts) and parts <= _AROUND_ROWS and any(local(part).casefold() in _ROWS for part in element.iter())


def _holds_blocks(element: Any) -> bool:
    """Whether an element has parts of a page, and not only marked words."""
    return any(
        local(child).casefold() in _BLOCKS | _TITLES | _ITEMS | _ROWS | _CODE or _holds_blocks(child)
        for child in element
        if local(child)
    ) or (not _inline(element) and any(local(child) for child in element))


def _inline(element: Any) -> bool:
    own = (element.text or "").strip() or any((child.tail or "").strip() for child in element)
    return bool(own)


def _words(element: Any) -> str:
    text = " ".join("".join(_texts(element)).split())
    return re.sub(r"\s+([.,;:!?)])", r"\1", text)


def _texts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if local(child) and local(child).casefold() not in _HIDDEN:
            yield from _texts(child)
        yield child.tail or ""
