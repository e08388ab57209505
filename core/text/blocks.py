"""How lines of a text hang together: headings, tables, list items, entries, wrapped lines; and Markdown's marks."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$|\s*(?:\*\*|__)([^*_]+?):?(?:\*\*|__):?\s*$")
BOLD_LEVEL = 7
"""A line that is bold from end to end is a heading below all others."""
RULE = re.compile(r"\s*([-=*_~+|:]\s*){3,}$")
ROW = re.compile(r"\s*\|.*\|\s*$|.*\S \| \S")
ITEM = re.compile(r"\s*(?:[-*+•▪◦]|\d{1,3}[.)])\s+(?=\S)")
ENTRY = re.compile(r"\s*(?:\*\*|__)?[^\W\d_][\w /()&'’.%-]{0,48}(?:\*\*|__)?\s?:(?:\*\*|__)?\s+\S")
EMPHASIS = re.compile(
    r"(\*\*|__)(?=\S)((?:(?!\1).)+?)(?<=\S)\1|`(?=\S)([^`]+?)(?<=\S)`|(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"
)
"""What is marked must not hold the mark itself: otherwise a long line of opening marks would cost its square."""
LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})[^`]*$")
QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
MONTH = re.compile(r"(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-zä]{0,6}\b")
"""German, where the day has a full stop: "3. Mai" is neither a list item nor the end of a sentence."""
CELL_BORDER = re.compile(r"(?<!\\)\|")
LONGEST_MARKED = 2_000
"""A line of more characters is no heading and no rule."""
LONG_LINE = 50
"""A line shorter than this that is followed by a capital letter was not wrapped; it ends its block."""


def plain(text: str) -> str:
    """Text without Markdown's emphasis, code and link marks."""
    return " ".join(EMPHASIS.sub(lambda match: match.group(match.lastindex or 0), LINK.sub(r"\1", text)).split())


def starts_block(before: str, line: str) -> bool:
    """Whether a line begins something new after another line of text."""
    if ITEM.match(line) or ENTRY.match(line):
        return True
    start = line.lstrip()[:1]
    return len(before.strip()) < LONG_LINE and not start.islower()


def ruled(line: str) -> bool:
    """Whether a line is the rule below the headers of a table."""
    return "|" in line and RULE.match(line) is not None


class BlockKind(StrEnum):
    """What a block is."""

    PROSE = "prose"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that belong together, by their place in the text.

    Attributes:
        start: Of its first word; the marks of a heading, a quote or a list item stand before it.
        end: Behind its last character that is not blank.
        cells: Of the row of a table, their places.
    """

    kind: BlockKind
    start: int
    end: int
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line without its break and the quote marks before it."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())


def blocks(text: str) -> Iterator[Block]:
    r"""The blocks of a text, in order; blank lines and rules are none.

    >>> [(block.kind.value, block.start, block.end) for block in blocks("# A\n- one\n  goes on\n\nTwo")]
    [('heading', 2, 3), ('prose', 6, 19), ('prose', 21, 24)]
    """
    lines = _lines(text)
    wrapped: list[_Line] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = FENCE.match(line.text)
        row = not fence and ROW.match(line.text)
        short = len(line.text) <= LONGEST_MARKED
        heading = HEADING.match(line.text) if short and not row and not fence else None
        ends = fence or row or heading or not line.text.strip() or (short and RULE.match(line.text))
        if wrapped and (ends or starts_block(wrapped[-1].text, line.text)):
            yield _prose(wrapped)
            wrapped = []
        if fence:
            at = yield from _code(lines, at, fence.group(1))
            continue
        if row:
            at = yield from _table(lines, at)
            continue
        if heading:
            # A line in bold may be an answer of several sentences.
            group, kind = (2, BlockKind.HEADING) if heading.group(1) else (3, BlockKind.PROSE)
            yield Block(kind=kind, start=line.start + heading.start(group), end=line.start + heading.end(group))
        elif not ends:
            wrapped.append(line)
        at += 1
    if wrapped:
        yield _prose(wrapped)


def _lines(text: str) -> list[_Line]:
    lines, at = [], 0
    for whole in text.splitlines(keepends=True):
        line = whole.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
        quote = QUOTE.match(line)
        mark = quote.end() if quote else 0
        lines.append(_Line(start=at + mark, text=line[mark:]))
        at += len(whole)
    return lines


def _prose(lines: Sequence[_Line]) -> Block:
    first = lines[0]
    item = ITEM.match(first.text)
    mark = (
        item.end() if item and not MONTH.match(first.text, item.end()) else len(first.text) - len(first.text.lstrip())
    )
    return Block(kind=BlockKind.PROSE, start=first.start + mark, end=lines[-1].end)


def _code(lines: Sequence[_Line], at: int, fence: str) -> Generator[Block, None, int]:
    """The lines up to the closing fence, or to the end where there is none; returns the place behind it."""
    for place in range(at + 1, len(lines)):
        line = lines[place]
        content = line.text.strip()
        if content.startswith(fence) and not content.strip(fence[0]):
            return place + 1
        if content:
            lead = len(line.text) - len(line.text.lstrip())
            yield Block(kind=BlockKind.CODE, start=line.start + lead, end=line.end)
    return len(lines)


def _table(lines: Sequence[_Line], at: int) -> Generator[Block, None, int]:
    """The rows of a table, headers among them; returns the place behind it."""
    place = at
    while place < len(lines) and (ROW.match(lines[place].text) or (place == at + 1 and ruled(lines[place].text))):
        line = lines[place]
        if not RULE.match(line.text):
            cells = tuple(_cells(line))
            yield Block(kind=BlockKind.ROW, start=cells[0][0], end=cells[-1][1], cells=cells)
        place += 1
    return place


def _cells(line: _Line) -> Iterator[tuple[int, int]]:
    """The places of the cells of a row, blank ones as empty places, without the marks at its ends."""
    lead = len(line.text) - len(line.text.lstrip())
    start, end = line.start + lead, line.end
    row = line.text.strip()
    if row.startswith("|"):
        start, row = start + 1, row[1:]
    if row.endswith("|") and not row.endswith("\\|"):
        end, row = end - 1, row[:-1]
    at = start
    for cell in CELL_BORDER.split(row):
        inner = cell.strip()
        begin = at + (len(cell) - len(cell.lstrip()) if inner else 0)
        yield begin, begin + len(inner)
        at += len(cell) + 1
