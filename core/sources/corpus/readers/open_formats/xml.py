"""XML files of any kind: names of elements as headings and labels, lists of equal records as tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.readers.html import read_html
from core.sources.corpus.readers.open_formats.safe_xml import local, xml_root
from core.sources.corpus.readers.open_formats.xml_prose import is_prose, prose_blocks
from core.sources.corpus.tabular.tables import table_lines

TITLES = ("title", "name", "subject", "headline")
FEWEST_ROWS = 2
MOST_COLUMNS = 40
LONGEST_CELL = 300
"""Characters; records with longer values are told one by one."""
HIGHEST = 6
ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)


@reads("xml", ".xml", version=2)
def read_xml(data: bytes) -> tuple[Parsed, ...]:
    """One document: an element with parts is a heading, one with text a line ``name: text``.

    Neighbours of one name whose parts are plain values are the rows of a table. A file that marks words inside
    sentences is read as the prose it marks up, without its attributes. Entities are never expanded, and
    nothing outside the file is opened. A page of XHTML is read as a page.
    """
    root = xml_root(data, "XML file")
    if local(root).casefold() == "html":
        return read_html(data)
    title = next((" ".join((child.text or "").split()) for child in root if local(child).casefold() in TITLES), "")
    text = "\n\n".join(prose_blocks(root) if is_prose(root) else _element(root, 1))
    if not text.strip():
        raise UnreadableFile("it holds no text", "")
    notes = ("left out: entities that it declares; they are not expanded",) if ENTITY.search(data[:100_000]) else ()
    return (Parsed(text=text, title=title, notes=notes),)


def _element(element: Any, level: int) -> Iterator[str]:
    """The blocks of an element with parts."""
    heading = _spoken(local(element))
    own = [f"{_spoken(name)}: {value}" for name, value in _attributes(element)]
    yield f"{'#' * min(level, HIGHEST)} {heading}"
    if own:
        yield "\n".join(own)
    if _mixed(element):
        yield _flat(element)
        return
    lines: list[str] = []
    for group in _groups(element):
        table = _table(group)
        if lines and (table or not all(_plain(item) for item in group)):
            yield "\n".join(lines)
            lines = []
        if table:
            if len(list(element)) > len(group):
                yield f"{'#' * min(level + 1, HIGHEST)} {_spoken(local(group[0]))}"
            yield "\n".join(table)
            continue
        for item in group:
            if _plain(item):
                lines += _line(item)
            else:
                yield from _element(item, level + 1)
    if lines:
        yield "\n".join(lines)


def _groups(element: Any) -> Iterator[list[Any]]:
    """The parts of an element, neighbours of one name together."""
    group: list[Any] = []
    for child in element:
        if not local(child):
            continue
        if group and local(group[0]) != local(child):
            yield group
            group = []
        group.append(child)
    if group:
        yield group


def _table(group: list[Any]) -> list[str]:
    """Equal records as the rows of a table; none where they are not plain, or long."""
    if len(group) < FEWEST_ROWS or not all(len(item) or item.attrib for item in group):
        return []
    names: dict[str, None] = {}
    rows: list[dict[str, str]] = []
    for item in group:
        row = dict(_attributes(item))
        if not len(item) and _flat(item):
            row[local(item)] = _flat(item)
        for child in item:
            if not local(child):
                continue
            if len(child) or child.attrib or local(child) in row or len(child.text or "") > LONGEST_CELL:
                return []
            row[local(child)] = _flat(child)
        if len(item) and (item.text or "").strip():
            return []
        names.update(dict.fromkeys(row))
        rows.append(row)
        if len(names) > MOST_COLUMNS:
            return []
    heads = list(names)
    return table_lines(
        [[_spoken(name) for name in heads], *([row.get(name, "") for name in heads] for row in rows)], headed=True
    )


def _plain(element: Any) -> bool:
    return not any(local(child) for child in element) or _mixed(element)


def _line(element: Any) -> Iterator[str]:
    text = _flat(element)
    marks = ", ".join(f"{_spoken(name)} {value}" for name, value in _attributes(element))
    if text or marks:
        label = f"{_spoken(local(element))} ({marks})" if marks and text else _spoken(local(element))
        yield f"{label}: {text or marks}"


def _mixed(element: Any) -> bool:
    """Whether an element is a paragraph: text with marked words in it."""
    if not len(element):
        return False
    own = (element.text or "").strip() or any((child.tail or "").strip() for child in element)
    return bool(own)


def _attributes(element: Any) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        plain = name.rpartition("}")[2]
        text = " ".join(value.split())
        if text and plain not in ("schemaLocation", "noNamespaceSchemaLocation", "type", "space") and len(text) < 2_000:
            yield plain, text


def _flat(element: Any) -> str:
    return " ".join("".join(_texts(element)).split())


def _texts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""


def _spoken(name: str) -> str:
    """An element's name as words: ``accountNumber`` and ``account_number`` are "account number".

    >>> _spoken("accountNumber"), _spoken("IBAN"), _spoken("fee-rate_2")
    ('account number', 'IBAN', 'fee rate 2')
    """
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", name)
    words = re.split(r"[\s_.-]+", parted)
    return " ".join(
        word if word.isupper() or place == 0 else word[:1].lower() + word[1:]
        for place, word in enumerate(words)
        if word
    )
