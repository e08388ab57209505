"""Cutting a document into the pieces that state one thing each: sentences, entries, cells of a table.

Blank lines, headings, table rows, list items and ``Key: value`` lines are borders; hard-wrapped lines are joined; the
rest is cut into sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import sentencex

HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$|\s*(?:\*\*|__)([^*_]+?):?(?:\*\*|__):?\s*$")
BOLD_LEVEL = 7
"""A line that is bold from end to end is a heading below all others."""
RULE = re.compile(r"\s*([-=*_~+|:]\s*){3,}$")
ROW = re.compile(r"\s*\|.*\|\s*$|.*\S \| \S")
ITEM = re.compile(r"\s*(?:[-*+•▪◦]|\d{1,3}[.)])\s+(?=\S)")
ENTRY = re.compile(r"\s*(?:\*\*|__)?[^\W\d_][\w /()&'’.%-]{0,48}(?:\*\*|__)?\s?:(?:\*\*|__)?\s+\S")
RECORD = re.compile(r";\s+(?=[^:;]{1,48}:\s)")
EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])")
LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
LONG_LINE = 50
"""A line shorter than this that is followed by a capital letter was not wrapped; it ends its block."""


class PassageKind(StrEnum):
    """How a passage stands in its document."""

    SENTENCE = "sentence"
    ENTRY = "entry"
    CELL = "cell"
    HEADING = "heading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One piece of a document.

    Attributes:
        text: What it says, without markup.
        kind: How it stands in the document.
        heading: The headings above it.
        row: For a cell the other cells of its row; for a row of two cells the headers.
        before: The passage before it in the same block, which a pronoun may mean.
    """

    text: str
    kind: PassageKind = PassageKind.SENTENCE
    heading: str = ""
    row: str = ""
    before: str = ""


def split_passages(text: str) -> tuple[Passage, ...]:
    r"""The passages of a text, in order.

    >>> [p.text for p in split_passages("# Harbour Street\nManager: Jane Doe\nIt opened in 2014. It has a vault.")]
    ['Harbour Street', 'Manager: Jane Doe', 'It opened in 2014.', 'It has a vault.']
    """
    return tuple(_passages(text.splitlines()))


def _passages(lines: Sequence[str]) -> Iterator[Passage]:
    headings: dict[int, str] = {}
    block: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        above = " - ".join(headings[level] for level in sorted(headings))
        if ROW.match(line):
            yield from _block(block, above)
            end = at
            while end < len(lines) and (ROW.match(lines[end]) or (end == at + 1 and _ruled(lines[end]))):
                end += 1
            yield from _table(lines[at:end], above)
            at = end
            continue
        if found := HEADING.match(line):
            yield from _block(block, above)
            level = len(found.group(1)) if found.group(1) else BOLD_LEVEL
            headings = {known: title for known, title in headings.items() if known < level}
            headings[level] = plain(found.group(2) or found.group(3) or "")
            yield Passage(text=headings[level], kind=PassageKind.HEADING, heading=above)
        elif not line.strip() or RULE.match(line):
            yield from _block(block, above)
        else:
            if block and _border(block[-1], line):
                yield from _block(block, above)
            block.append(line)
        at += 1
    yield from _block(block, " - ".join(headings[level] for level in sorted(headings)))


def plain(text: str) -> str:
    """Text without Markdown's emphasis, code and link marks."""
    return " ".join(EMPHASIS.sub(lambda found: found.group(2) or found.group(3), LINK.sub(r"\1", text)).split())


def _border(before: str, line: str) -> bool:
    """Whether a line begins something new after another line of text."""
    if ITEM.match(line) or ENTRY.match(line):
        return True
    start = line.lstrip()[:1]
    return len(before.strip()) < LONG_LINE and not start.islower()


def _block(block: list[str], heading: str) -> Iterator[Passage]:
    """The passages of consecutive lines that belong together; empties the block."""
    if not block:
        return
    first = block[0]
    text = plain(
        " ".join(line.strip() for line in [ITEM.sub("", first, count=1) if ITEM.match(first) else first, *block[1:]])
    )
    block.clear()
    if not text:
        return
    record = RECORD.split(text) if ENTRY.match(text) else []
    if len(record) > 1:
        yield from _record([part.partition(":")[::2] for part in record], heading)
        return
    kind = PassageKind.ENTRY if ENTRY.match(text) or ITEM.match(first) else PassageKind.SENTENCE
    before = ""
    for sentence in sentencex.segment("en", text):
        if said := sentence.strip():
            yield Passage(text=said, kind=kind, heading=heading, before=before)
            before = said


def _table(rows: Sequence[str], heading: str) -> Iterator[Passage]:
    """A Markdown table: the first row holds the headers where a rule follows it."""
    cells = [[plain(cell) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
    ruled = len(rows) > 1 and _ruled(rows[1])
    headers = cells[0] if ruled else []
    for row in cells[2:] if ruled else cells:
        if not any(row) or all(re.fullmatch(r":?-*:?", cell) for cell in row):
            continue
        if len(row) == 2:
            beside = "; ".join(filter(None, headers))
            yield Passage(text=f"{row[0]}: {row[1]}", kind=PassageKind.CELL, heading=heading, row=beside)
            continue
        named = [(headers[place] if place < len(headers) else "", cell) for place, cell in enumerate(row)]
        yield from _record(named, heading)


def _ruled(line: str) -> bool:
    return "|" in line and RULE.match(line) is not None


def _record(pairs: Sequence[tuple[str, str]], heading: str) -> Iterator[Passage]:
    """One passage a field, led by the row's first field so that it can be read alone."""
    named = [(key.strip(), value.strip()) for key, value in pairs]
    subject = named[0][1]
    for place, (key, value) in enumerate(named):
        if not value:
            continue
        said = f"{key}: {value}" if key else value
        beside = "; ".join(held for at, (_, held) in enumerate(named) if at != place and held)
        text = f"{subject}, {said}" if place and subject else said
        yield Passage(text=text, kind=PassageKind.CELL, heading=heading, row=beside)
