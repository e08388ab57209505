"""Templates of documents' names, such as ``{table}-{key:02}``: written by people, or read off the names there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.domain.errors import InvalidInput
from core.knowledge.matching import words
from core.knowledge.matching.records import Named, Records

TRIED = 3
"""Templates of one table that are compared with every name."""
_MARKS = re.compile(r"\{table\}|\{key(?::0(\d))?\}|\*")
_TOKENS = re.compile(r"\d+|[^\W\d_]+")
LONGEST = 200
HOW = "Write it like {table}-{key:02}.md: {key} once, {table} where the table's name stands, * for anything."


def compiled(template: str, table: str) -> re.Pattern[str]:
    """What a name must look like; the key is the group ``key``.

    ``{table}`` stands for the table's name in the singular or plural, ``{key:02}`` for a number of at least two digits,
    ``*`` for anything. Letter case does not count; folders and the ending of the file need not be written.

    >>> compiled("{table}-{key:02}", "products").fullmatch("kb/product-01.md")["key"]
    '01'

    Raises:
        InvalidInput: It has no key or several, more than two ``*``, or is too long.
    """
    marks = list(_MARKS.finditer(template))
    keys = sum(mark[0].startswith("{key") for mark in marks)
    if keys != 1 or sum(mark[0] == "*" for mark in marks) > 2 or len(template) > LONGEST:
        raise InvalidInput(f"The template {template[:LONGEST]!r} cannot be used.", HOW)
    names = "|".join(r"[\s_-]?".join(map(re.escape, name.split(" "))) for name in words.table_names(table))
    parts, end = [], 0
    for mark in marks:
        parts.append(re.escape(template[end : mark.start()]))
        end = mark.end()
        if mark[0] == "{table}":
            parts.append(f"(?:{names})")
        elif mark[0] == "*":
            parts.append(".*")
        else:
            parts.append(rf"(?P<key>\d{{{mark[1]},}})" if mark[1] else r"(?P<key>[^/]+?)")
    parts.append(re.escape(template[end:]))
    folders = "" if "/" in template else "(?:.*/)?"
    return re.compile(rf"{folders}{''.join(parts)}(?:\.[^\W_]{{1,5}})?", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class _Seen:
    """How often a template fits, and how its keys are written."""

    documents: int = 0
    widths: set[int] = field(default_factory=set)
    padded: bool = False

    def add(self, key: str) -> None:
        self.documents += 1
        self.widths.add(len(key) if key.isdigit() else 0)
        self.padded = self.padded or (len(key) > 1 and key.isdigit() and key.startswith("0"))


def read_off(records: Sequence[Records], documents: Iterable[Named]) -> Iterator[tuple[Records, str]]:
    """The templates that the names of documents follow, the most frequent of each table first.

    Each name is taken apart once: where a part of it is a key, the rest is the template.
    """
    tables_of: dict[str, list[int]] = {}
    for place, table in enumerate(records):
        for key in dict.fromkeys(table.keys):
            tables_of.setdefault(key, []).append(place)
    spoken = [_called(table.table) for table in records]
    seen: dict[tuple[int, str], _Seen] = {}
    for document in documents:
        found: dict[tuple[int, str], str] = {}
        for name in document.names:
            for head, key, tail in _parts(words.without_ending(name), tables_of):
                for place in tables_of[words.key(key)]:
                    for template in _shapes(head, tail, spoken[place]):
                        found.setdefault((place, template), key)
        for shape, key in found.items():
            seen.setdefault(shape, _Seen()).add(key)
    of_table: dict[int, list[tuple[str, _Seen]]] = {}
    for (place, template), counted in seen.items():
        of_table.setdefault(place, []).append((template, counted))
    for place, templates in sorted(of_table.items()):
        templates.sort(key=lambda item: (-item[1].documents, item[0].count("*"), "{table}" not in item[0], item[0]))
        for template, counted in templates[:TRIED]:
            yield records[place], _padded(template, counted)


def _padded(template: str, counted: _Seen) -> str:
    width = min(counted.widths)
    return template.replace("{key}", f"{{key:0{width}}}") if counted.padded and 1 < width < 10 else template


def _parts(name: str, keys: dict[str, list[int]]) -> Iterator[tuple[str, str, str]]:
    """The parts of a name that may be a key, with what stands around them: at an end of it, or a number."""
    base = words.last_part(name)
    folder = name[: len(name) - len(base)]
    tokens = [token.span() for token in _TOKENS.finditer(base)]
    windows = {(begin, tokens[-1][1]) for begin, _ in tokens[-4:]} if tokens else set()
    windows |= {(tokens[0][0], end) for _, end in tokens[:4]}
    windows |= {span for span in tokens if base[span[0]].isdigit()}
    for begin, end in sorted(windows):
        if words.key(base[begin:end]) in keys:
            yield base[:begin], base[begin:end], base[end:]
            if folder:
                yield f"{folder}{base[:begin]}", base[begin:end], base[end:]


def _called(table: str) -> re.Pattern[str]:
    names = "|".join(name.replace(" ", r"[ _-]?") for name in words.table_names(table) if re.fullmatch(r"[\w ]+", name))
    return re.compile(rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])", re.IGNORECASE) if names else re.compile(r"(?!)")


def _shapes(head: str, tail: str, called: re.Pattern[str]) -> Iterator[str]:
    if "{" in head + tail or "}" in head + tail or "*" in head + tail:
        return  # a template cannot say such a name
    head, tail = called.sub("{table}", head, count=1).casefold(), called.sub("{table}", tail, count=1).casefold()
    if (head + tail).count("{table}") > 1:
        return
    yield f"{head}{{key}}{tail}"
    if tail and not tail[0].isalnum() and tail[0] != "{":
        yield f"{head}{{key}}{tail[0]}*"
    if head and not head[-1].isalnum() and head[-1] != "}":
        yield f"*{head[-1]}{{key}}{tail}"
