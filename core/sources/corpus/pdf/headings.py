"""Headings of a PDF: lines that are set larger, bolder or otherwise than the body, or begin as parts of a report do."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.sources.documents import Heading

LONGEST = 120
"""Characters; a longer line is a sentence."""
LARGER = 0.5
"""Points above the body's size from which on type is larger."""
RAISED = 0.8
"""Of the body's size; smaller type was raised."""
MARKS = re.compile(r"(?:[®™©*†‡\s]|\(\d{1,2}\))+")
PARTS = (
    re.compile(r"(?:PART|Part|CHAPTER|Chapter) (?:[IVXLC]+|\d+)(?:[.:]? ?[—–-]? ?[A-Z]|$)"),
    re.compile(r"(?:ITEM|Item|Section|SECTION|Article|ARTICLE) \d+[A-Z]?[.:]? ?[—–-]? ?[A-Z“\"]"),
    re.compile(r"(?:NOTE|Note) \d+ ?[—–:-] ?\S"),
)
"""Lines that head a part in any typeface, the highest first."""
STYLED = len(PARTS) + 1
"""Level of the highest heading that is recognised by its typeface in a document that has such parts."""
LOWEST = 9
COMPANY = re.compile(r"\b(?:Inc|Corp|Ltd|Co|plc|Bros)\.$")
FIGURES = re.compile(r"[\d$€£%(][\d.,\s$€£%()—–-]*$")


@dataclass(frozen=True, slots=True)
class Style:
    """How a line is set: size in points, and whether it is bold or italic throughout."""

    size: float
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; `style` is None where it changes within the line.

    `start` is its place in the text of the layer, -1 where places in the text are not places in the layer.
    """

    text: str
    style: Style | None
    start: int = -1


def styled_lines(layer: Any) -> list[Line]:
    """The lines of a page's text layer, in reading order.

    Args:
        layer: A ``PdfTextPage`` of pypdfium2.
    """
    text = str(layer.get_text_range())
    exact = len(text) == layer.count_chars()  # otherwise places in the text are not places in the layer
    lines, at = [], 0
    for whole in re.split(r"\r\n|\r|\n", text):
        lines.append(Line(whole, _style(layer, whole, at), at) if exact else Line(whole, None))
        at += len(whole)
        at += 2 if text.startswith("\r\n", at) else 1
    while lines and not lines[-1].text.strip():
        lines.pop()
    return lines


def find_headings(text: str, starts: Sequence[int], pages: Sequence[Sequence[Line]]) -> tuple[Heading, ...]:
    """The headings in the text of a document, with their levels.

    A line heads what follows where it is short, ends no sentence, and is set throughout in larger type than the body or
    in bold or italics of its size; or where it begins like a part, an item or a note of a report. Larger type is a
    higher level, and bold is above italics.

    Args:
        text: The document's text.
        starts: Where each page begins in it.
        pages: The lines of each page, in the same order.
    """
    body = body_style(pages)
    numbered = [(line, _part(line.text)) for page in pages for line in page]
    heads = [(line.text, part) for line, part in numbered if part]
    styles = _styles(pages, body)
    base = STYLED if heads else 1
    levels = {style: min(base + rank, LOWEST) for rank, style in enumerate(styles)}
    return tuple(_placed(text, starts, pages, levels))


def _placed(
    text: str, starts: Sequence[int], pages: Sequence[Sequence[Line]], levels: dict[Style, int]
) -> Iterator[Heading]:
    ends = [*starts[1:], len(text)]
    for page, at, end in zip(pages, starts, ends, strict=True):
        place = at
        for line in page:
            heading_text = line.text.strip()
            level = _part(heading_text) or (levels.get(line.style, 0) if line.style and _short(heading_text) else 0)
            begin = text.find(heading_text, place, end) if heading_text else -1
            if begin < 0:
                continue
            place = begin + len(heading_text)
            if level:
                yield Heading(start=begin, end=place, level=level)


def is_marker(line: Line, body: Style) -> bool:
    """Whether a line is nothing but raised signs, such as marks of footnotes, that were torn from their words."""
    raised = line.style is None or line.style.size < RAISED * body.size
    return raised and MARKS.fullmatch(line.text) is not None


def _part(text: str) -> int:
    """The level of a line that begins like a part of a report, 0 for others and for lines of a table of contents."""
    if len(text) > LONGEST or text.endswith((".", ",", ";")) or re.search(r"[\s.]\d+$", text[8:]):
        return 0
    return next((level for level, part in enumerate(PARTS, start=1) if part.match(text)), 0)


def _short(text: str) -> bool:
    ends = text.endswith((".", ",", ";", ":")) and not COMPANY.search(text)
    return len(text) <= LONGEST and not ends and _worded(text)


def _worded(text: str) -> bool:
    letters = sum(sign.isalpha() for sign in text)
    return letters >= 2 and letters * 2 > len(text.replace(" ", "")) and not FIGURES.match(text)


def body_style(pages: Sequence[Sequence[Line]]) -> Style:
    """The style in which most of the text is set."""
    counts: Counter[Style] = Counter()
    for page in pages:
        for line in page:
            if line.style is not None:
                counts[line.style] += len(line.text)
    return counts.most_common(1)[0][0] if counts else Style(0.0, False, False)


def _styles(pages: Sequence[Sequence[Line]], body: Style) -> list[Style]:
    """The styles of headings, the highest first."""
    used = {line.style for page in pages for line in page if line.style is not None and _short(line.text.strip())}
    heads = [
        style
        for style in used
        if style.size > body.size + LARGER
        or (style.size > body.size - LARGER and ((style.bold, style.italic) > (body.bold, body.italic)))
    ]
    return sorted(heads, key=lambda style: (-style.size, not style.bold, style.italic))


def _style(layer: Any, line: str, at: int) -> Style | None:
    """The style of a line where its first, middle and last characters share it."""
    places = [place for place, sign in enumerate(line) if not sign.isspace()]
    if not places:
        return None
    styles = {_at(layer, at + places[part]) for part in (0, len(places) // 2, len(places) - 1)}
    return styles.pop() if len(styles) == 1 else None


def _at(layer: Any, place: int) -> Style:
    import pypdfium2.raw as raw

    name = ctypes.create_string_buffer(256)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(layer.raw, place, name, 256, ctypes.byref(flags))
    font = name.value.decode("utf-8", "replace").casefold()
    size = round(float(raw.FPDFText_GetFontSize(layer.raw, place)), 1)
    return Style(size, "bold" in font or "black" in font, "italic" in font or "oblique" in font)
