"""A passage in stretches: the words that support a question apart from the others, with rows of tables kept whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_ROW: Final = re.compile(r"[ \t]*\|.+\|[ \t]*")
_RULE: Final = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of a passage.

    Attributes:
        text: Its words; rows of a table have its heads above them.
        lit: Whether they support the question.
    """

    text: str
    lit: bool

    @property
    def has_table(self) -> bool:
        """Whether a table is among its words."""
        return any(True for _ in _tables(self.text))


def stretches(text: str, parts: Sequence[tuple[int, int]]) -> Iterator[Stretch]:
    """The passage in the order of its text; a part in the row of a table stands for the row.

    Args:
        text: The passage.
        parts: Places of the supporting words; those that begin in an earlier one are left out.
    """
    tables = list(_tables(text))
    at = 0
    for start, end in sorted(_whole(text, place, tables) for place in parts):
        if start < at:
            continue
        yield from _stretch(text, at, start, tables, lit=False)
        yield from _stretch(text, start, end, tables, lit=True)
        at = end
    yield from _stretch(text, at, len(text), tables, lit=False)


def _tables(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each table begins, where its first row begins below the heads, and where it ends."""
    lines = [(match.start(), match.end(), match[0]) for match in re.finditer(r"[^\n]+", text)]
    for place, ((start, end, head), (below, _, rule)) in enumerate(pairwise(lines)):
        if below != end + 1 or not _ROW.fullmatch(head) or not _RULE.fullmatch(rule):
            continue
        last = place + 1
        while last + 1 < len(lines) and lines[last + 1][0] == lines[last][1] + 1 and _ROW.fullmatch(lines[last + 1][2]):
            last += 1
        yield start, lines[place + 1][1] + 1, lines[last][1]


def _whole(text: str, place: tuple[int, int], tables: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    start, end = place
    if not any(first <= start < last for _, first, last in tables):
        return place
    line_end = text.find("\n", max(end - 1, start))
    return text.rfind("\n", 0, start) + 1, line_end if line_end >= 0 else len(text)


def _stretch(
    text: str, start: int, end: int, tables: Sequence[tuple[int, int, int]], *, lit: bool
) -> Iterator[Stretch]:
    for begin, first, last in tables:
        if begin <= start and first <= start < last and text[start:end].strip():
            head = text[begin:first]  # the heads, for rows that are parted from them
            yield Stretch(text=f"{head}{text[start:end].strip()}", lit=lit)
            return
        if begin < end <= first:
            end = begin  # heads without a row below them
    if words := text[start:end].strip():
        yield Stretch(text=words, lit=lit)
