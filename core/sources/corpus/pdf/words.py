"""Words of a page with their places, as PDFium sees them, and the lines that are drawn on the page."""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

MARK = re.compile(r"(?:(?:\(\w{1,2}\))+|\d{1,2}|[a-z]|[*†‡§®™©]{1,3})[,;]?")
"""What stands raised behind a word: the mark of a footnote or of a trade name."""
RAISED = 0.85
"""Of the size of the word before; a mark that is set smaller was raised."""
MOST_MARKS = 1_000
"""Marks of a page that are looked at."""
JUMP = 0.5
"""Of the type's size; characters farther apart belong to different words, blank or not."""
THIN = 2.5
"""Points; a drawn shape that is thinner is a rule."""
MOST_OBJECTS = 20_000
"""Drawn objects of a page that are looked at; a map or a plan has more, and no tables."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place.

    Attributes:
        text: As in the text layer.
        x0: Left edge in points from the left of the page as it is seen.
        x1: Right edge.
        y: Baseline in points from the top; that of the word before for a raised mark.
        size: Of the type, in points.
        bold: Whether the type is bold.
        start: Where it begins in the text of the layer.
        end: Where it ends there, exclusive.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line or a filled box, by its edges in points from the top left of the page as it is seen."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def flat(self) -> bool:
        """Whether it is a horizontal line."""
        return self.y1 - self.y0 <= THIN < self.x1 - self.x0

    @property
    def upright(self) -> bool:
        """Whether it is a vertical line."""
        return self.x1 - self.x0 <= THIN < self.y1 - self.y0


@dataclass(frozen=True, slots=True)
class View:
    """How the coordinates of a page become points from the top left of the page as it is seen."""

    left: float
    bottom: float
    right: float
    top: float
    turned: int

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """A place of the page, seen."""
        if self.turned == 90:
            return y - self.bottom, x - self.left
        if self.turned == 180:
            return self.right - x, y - self.bottom
        if self.turned == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y


def view_of(page: Any) -> View:
    """The view of a page of pypdfium2."""
    left, bottom, right, top = page.get_cropbox()
    return View(left, bottom, right, top, int(page.get_rotation()))


def page_words(layer: Any, text: str, view: View) -> list[Word]:
    """The words of a page that are written from left to right, in the order of the text layer.

    Args:
        layer: A ``PdfTextPage`` of pypdfium2.
        text: Its text, one sign for each character of the layer.
        view: Of the page.
    """
    words: list[Word] = []
    for start, end in _spans(layer, text, view):
        word = _word(layer, text, view, start, end)
        if word is None:
            continue
        words.append(word)
    return _lowered(words)


def page_rules(page: Any, view: View) -> list[Rule]:
    """The straight lines and filled boxes of a page; none where it holds more drawn objects than a table needs."""
    import pypdfium2.raw as raw

    count = raw.FPDFPage_CountObjects(page.raw)
    if count > MOST_OBJECTS:
        return []
    rules = []
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for place in range(count):
        drawn = raw.FPDFPage_GetObject(page.raw, place)
        if raw.FPDFPageObj_GetType(drawn) != raw.FPDF_PAGEOBJ_PATH:
            continue
        if not raw.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
            continue
        ends = (view.seen(left.value, bottom.value), view.seen(right.value, top.value))
        (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*ends, strict=True))
        rules.append(Rule(x0, y0, x1, y1))
    return rules


def _spans(layer: Any, text: str, view: View) -> Iterator[tuple[int, int]]:
    """Where words begin and end: at blanks, and where the next character stands elsewhere."""
    start, before = -1, (0.0, 0.0, 0.0)
    for place, sign in enumerate(text):
        if sign.isspace() or sign == "\x00":
            if start >= 0:
                yield start, place
            start = -1
            continue
        x0, x1, y = _box(layer, place, view)
        if start >= 0:
            far = JUMP * max(before[2], 4.0)
            if not -far <= x0 - before[0] <= far or abs(y - before[1]) > far:
                yield start, place
                start = -1
        if start < 0:
            start = place
            size = _size(layer, place)
        before = (x1, y, size)
    if start >= 0:
        yield start, len(text)


def _word(layer: Any, text: str, view: View, start: int, end: int) -> Word | None:
    import pypdfium2.raw as raw

    first, last = _box(layer, start, view), _box(layer, end - 1, view)
    angle = round(float(raw.FPDFText_GetCharAngle(layer.raw, start)) * 57.29578) % 360
    if angle != (view.turned % 360) or last[1] < first[0]:
        return None
    x1 = max(first[1], last[1])
    return Word(text[start:end], first[0], x1, first[2], _size(layer, start), _bold(layer, start), start, end)


def _lowered(words: list[Word]) -> list[Word]:
    """The words, with raised marks put on the line of the word that they stand behind."""
    marks = [place for place, word in enumerate(words) if MARK.fullmatch(word.text)]
    if not marks or len(marks) > MOST_MARKS:
        return words
    order = sorted(range(len(words)), key=lambda place: words[place].y)
    ys = [words[place].y for place in order]
    lowered = list(words)
    for place in sorted(marks, key=lambda place: words[place].x0):
        mark = words[place]
        reach = 1.6 * mark.size
        for other in order[bisect_left(ys, mark.y - reach) : bisect_right(ys, mark.y + reach)]:
            before = words[other]
            size = lowered[other].size if mark.size < RAISED * before.size else 0.0
            near = -0.3 * size <= mark.x0 - before.x1 <= size
            if other != place and size and near and abs(mark.y - before.y) <= 0.7 * size:
                lowered[place] = replace(mark, y=before.y)
                break
        else:
            lowered[place] = _behind_mark(lowered, marks, place)
    return lowered


def _behind_mark(words: list[Word], marks: list[int], place: int) -> Word:
    """A mark behind another one stands on its line."""
    mark = words[place]
    for other in marks:
        before = words[other]
        alike = other != place and abs(before.size - mark.size) < 0.1
        if alike and -1.0 <= mark.x0 - before.x1 <= mark.size and 0.1 < abs(mark.y - before.y) <= mark.size:
            return replace(mark, y=before.y)
    return mark


def _box(layer: Any, place: int, view: View) -> tuple[float, float, float]:
    """Left and right edge and baseline of a character."""
    import pypdfium2.raw as raw

    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    raw.FPDFText_GetCharBox(layer.raw, place, left, right, bottom, top)
    raw.FPDFText_GetCharOrigin(layer.raw, place, x, y)
    one, two = view.seen(left.value, bottom.value), view.seen(right.value, top.value)
    return min(one[0], two[0]), max(one[0], two[0]), view.seen(x.value, y.value)[1]


def _size(layer: Any, place: int) -> float:
    """The size of a character as it is seen: that of its font, scaled by the page."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    scale = hypot(matrix.c, matrix.d) if raw.FPDFText_GetMatrix(layer.raw, place, matrix) else 1.0
    return float(raw.FPDFText_GetFontSize(layer.raw, place)) * scale or 10.0


def _bold(layer: Any, place: int) -> bool:
    import pypdfium2.raw as raw

    name = ctypes.create_string_buffer(256)
    raw.FPDFText_GetFontInfo(layer.raw, place, name, 256, ctypes.byref(ctypes.c_int()))
    font = name.value.decode("utf-8", "replace").casefold()
    return "bold" in font or "black" in font or "semibold" in font
