"""The parts of a document in order: headings, tables and paragraphs by their places, with the headings above."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.sources.documents import Document, Heading
from core.text.blocks import BOLD_LEVEL, Block, BlockKind, blocks, plain

FEWEST_ROWS = 3
"""Lines of figures from which on they are a table."""
LONGEST_LABEL = 90
"""Characters; a longer line without figures is no header and no label of a table."""
MOST_LABELS = 2
"""Lines without figures within a table, one below the other."""
MOST_HEADERS = 20
FIGURE = re.compile(r"[($€£+-]*\d{1,3}(?:,?\d{3})*(?:\.\d+)?\)?%?\)?|[$€£—–%-]|\)%?")
MONEY = re.compile(r"[,.()%$€£]")
YEAR = re.compile(r"(?:19|20)\d\d")
BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
CALLED = "Table: "
"""Begins the line above a table's rows, with its title and units."""
_RULE_ONLY = re.compile(r"[\s|:=+-]*")


class PartKind(StrEnum):
    """The kind of a part."""

    HEADING = "heading"
    TABLE = "table"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a document.

    Attributes:
        kind: What it is.
        start: Where it begins in the text, marks of lists, headings and tables included.
        end: Where it ends, exclusive.
        section: The headings above it, its own included for a heading.
    """

    kind: PartKind
    start: int
    end: int
    section: tuple[str, ...] = ()


def parts(document: Document) -> tuple[Part, ...]:
    r"""The parts of a document: together they hold every word of its text.

    Headings are the marked ones, or those of the document's outline. Rows of a table that stand below each other are
    one part, and so are the lines of a block of code. In a PDF, which marks no table, three or more lines that end with
    figures are one, with the short lines above them that head its columns.

    >>> document = Document(id="", title="", text="# A\n\nOne.\n\n## B\n| c | d |")
    >>> [(part.kind.value, part.section) for part in parts(document)]
    [('heading', ('A',)), ('prose', ('A',)), ('heading', ('A', 'B')), ('table', ('A', 'B'))]
    """
    text = document.text
    outlined = [(heading.start, heading.end, heading.level) for heading in document.outline]
    tables = list(_figure_tables(text, document.outline)) if document.format == "pdf" else []
    fixed = sorted(
        [*((start, end, level) for start, end, level in outlined), *((start, end, 0) for start, end in tables)]
    )
    places: list[tuple[PartKind, int, int, int]] = []
    at = 0
    for start, end, level in fixed:
        places += _between(text, at, start)
        places.append((PartKind.HEADING if level else PartKind.TABLE, start, end, level))
        at = end
    places += _between(text, at, len(text))
    return tuple(_with_sections(text, places))


def _with_sections(text: str, places: Iterable[tuple[PartKind, int, int, int]]) -> Iterator[Part]:
    above: dict[int, str] = {}
    for kind, start, end, level in places:
        if kind is PartKind.HEADING:
            above = {depth: title for depth, title in above.items() if depth < level}
            above[level] = plain(text[start:end].strip().strip("#").strip()) or text[start:end].strip()
        yield Part(kind, start, end, tuple(above[level] for level in sorted(above)))


def _between(text: str, start: int, end: int) -> Iterator[tuple[PartKind, int, int, int]]:
    """The parts of a stretch of text, as Markdown marks them."""
    if not text[start:end].strip():
        return
    stretch = text[start:end]
    rows: list[tuple[int, int]] = []
    kind = BlockKind.PROSE
    for block in blocks(stretch):
        begin, stop = _line(stretch, block)
        joins = block.kind is kind and rows and _RULE_ONLY.fullmatch(stretch, rows[-1][1], begin)
        if rows and not (joins and "\n\n" not in stretch[rows[-1][1] : begin]):
            yield PartKind.TABLE, start + rows[0][0], start + rows[-1][1], 0
            rows = []
        kind = block.kind
        if block.kind in (BlockKind.ROW, BlockKind.CODE):
            rows.append((begin, stop))
        elif block.kind is BlockKind.HEADING:
            yield PartKind.HEADING, start + begin, start + stop, _level(stretch[begin : block.start])
        elif stretch.startswith(CALLED, begin) and stretch.startswith("\n|", stop):
            rows, kind = [(begin, stop)], BlockKind.ROW  # what a table is called is one part with its rows
        else:
            yield PartKind.PROSE, start + begin, start + stop, 0
    if rows:
        yield PartKind.TABLE, start + rows[0][0], start + rows[-1][1], 0


def _line(text: str, block: Block) -> tuple[int, int]:
    """The block with the marks before and behind it on its lines; a line ends where `str.splitlines` ends it."""
    begin, stop = block.start, block.end
    while begin and text[begin - 1] not in BREAKS:
        begin -= 1
    while stop < len(text) and text[stop] not in BREAKS:
        stop += 1
    begin += len(text[begin : block.start]) - len(text[begin : block.start].lstrip())
    return begin, block.end + len(text[block.end : stop].rstrip())


def _level(mark: str) -> int:
    return mark.count("#") or BOLD_LEVEL


def _figure_tables(text: str, outline: Sequence[Heading]) -> Iterator[tuple[int, int]]:
    """The places of tables in the text of a PDF, where each row is a line that ends with figures."""
    heads = {heading.start for heading in outline}
    lines = [match.span() for match in re.finditer(r"[^\n]+", text)]
    kinds = [_kind(text, span, heads) for span in lines]
    for place in range(len(kinds) - 1, 0, -1):
        if kinds[place] == "label" and kinds[place - 1] == "text" and text[lines[place - 1][1] - 1] not in ".:;":
            kinds[place] = "text"  # the end of a sentence that was wrapped
    at = table_end = 0
    while at < len(lines):
        if kinds[at] != "figures":
            at += 1
            continue
        last, rows = _run(kinds, at)
        if rows >= FEWEST_ROWS:
            first = at
            while first > max(table_end, at - MOST_HEADERS) and kinds[first - 1] == "label":
                first -= 1
            yield lines[first][0], lines[last][1]
            table_end = last + 1
        at = last + 1


def _run(kinds: Sequence[str], at: int) -> tuple[int, int]:
    """The last line of figures that hangs together with the one at a place, and how many there are."""
    last, rows, place = at, 1, at + 1
    while place < len(kinds) and place - last <= MOST_LABELS + 1:
        if kinds[place] == "figures":
            last, rows = place, rows + 1
        elif kinds[place] != "label":
            break
        place += 1
    return last, rows


def _kind(text: str, span: tuple[int, int], heads: set[int]) -> str:
    line = text[slice(*span)].strip()
    if not line or span[0] in heads or line.startswith(("| ", CALLED)):
        return "end"
    words = line.split()
    behind = 0
    while behind < len(words) and FIGURE.fullmatch(words[-1 - behind]) and not YEAR.fullmatch(words[-1 - behind]):
        behind += 1
    digits = [word for word in words[len(words) - behind :] if any(sign.isdigit() for sign in word)]
    if len(digits) > 1 or (len(line) <= LONGEST_LABEL and digits and (behind > 1 or MONEY.search(digits[0]))):
        return "figures"
    return "label" if len(line) <= LONGEST_LABEL and not line.endswith((".", ";")) else "text"
