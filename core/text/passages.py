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

from core.text.aligned import with_borders
from core.text.blocks import BOLD_LEVEL, ENTRY, HEADING, ITEM, ROW, RULE, plain, ruled, starts_block

NUMBERED = re.compile(r"\b(?:Vol|No|Nos|Nr|Art|Sec|Fig|Ch|Chap|App|Eq|Pt|pp?|vol|no|sec|fig|ch)\.$")
"""An abbreviation before a number at the end of what was taken for a sentence."""

NEXT_HEADING = " - "
"""Between the headings that a passage stands under."""

RECORD = re.compile(r";\s+(?=[^:;]{1,48}:\s)")


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
    return tuple(_passages(with_borders(text.splitlines())))


def _passages(lines: Sequence[str]) -> Iterator[Passage]:
    headings: dict[int, str] = {}
    block: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        above = NEXT_HEADING.join(headings[level] for level in sorted(headings))
        if ROW.match(line):
            yield from _block(block, above)
            end = at
            while end < len(lines) and (ROW.match(lines[end]) or (end == at + 1 and ruled(lines[end]))):
                end += 1
            yield from _table(lines[at:end], above)
            at = end
            continue
        if match := HEADING.match(line):
            yield from _block(block, above)
            level = len(match.group(1)) if match.group(1) else BOLD_LEVEL
            headings = {depth: title for depth, title in headings.items() if depth < level}
            headings[level] = plain(match.group(2) or match.group(3) or "")
            yield Passage(text=headings[level], kind=PassageKind.HEADING, heading=above)
        elif not line.strip() or RULE.match(line):
            yield from _block(block, above)
        else:
            if block and starts_block(block[-1], line):
                yield from _block(block, above)
            block.append(line)
        at += 1
    yield from _block(block, NEXT_HEADING.join(headings[level] for level in sorted(headings)))


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
    for sentence in _sentences(text):
        yield Passage(text=sentence, kind=kind, heading=heading, before=before)
        before = sentence


def _sentences(text: str) -> list[str]:
    """Sentences, those joined again that were cut after an abbreviation: what follows is in small letters or numbered.

    >>> _sentences("The chair of Oceano Ltda. is Ana. See Vol. 2 of it. Done.")
    ['The chair of Oceano Ltda. is Ana.', 'See Vol. 2 of it.', 'Done.']
    """
    sentences: list[str] = []
    for sentence in filter(None, (segment.strip() for segment in sentencex.segment("en", text))):
        goes_on = sentence[0].islower() or (sentence[0].isdigit() and sentences and NUMBERED.search(sentences[-1]))
        if sentences and sentences[-1].endswith(".") and goes_on:
            sentences[-1] += f" {sentence}"
        else:
            sentences.append(sentence)
    return sentences


def _table(rows: Sequence[str], heading: str) -> Iterator[Passage]:
    """A Markdown table: the first row holds the headers where a rule follows it."""
    cells = [[plain(cell) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
    headed = len(rows) > 1 and ruled(rows[1])
    headers = cells[0] if headed else []
    for row in cells[2:] if headed else cells:
        if not any(row) or all(re.fullmatch(r":?-*:?", cell) for cell in row):
            continue
        if len(row) == 2:
            beside = "; ".join(filter(None, headers))
            yield Passage(text=f"{row[0]}: {row[1]}", kind=PassageKind.CELL, heading=heading, row=beside)
            continue
        fields = [(headers[place] if place < len(headers) else "", cell) for place, cell in enumerate(row)]
        yield from _record(fields, heading)


def _record(pairs: Sequence[tuple[str, str]], heading: str) -> Iterator[Passage]:
    """One passage a field, led by the row's first field so that it can be read alone."""
    fields = [(key.strip(), value.strip()) for key, value in pairs]
    subject = fields[0][1]
    for place, (key, value) in enumerate(fields):
        if not value:
            continue
        entry = f"{key}: {value}" if key else value
        beside = "; ".join(other for at, (_, other) in enumerate(fields) if at != place and other)
        text = f"{subject}, {entry}" if place and subject else entry
        yield Passage(text=text, kind=PassageKind.CELL, heading=heading, row=beside)
