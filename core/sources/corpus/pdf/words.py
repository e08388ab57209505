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
WIDEST = 1.5
"""Of the type's size; no character is wider."""
JUMP = 0.5
"""Of the type's size; characters farther apart belong to different words, blank or not."""
THIN = 2.5
"""Points; a drawn shape that is thinner is a rule."""
TWO_BOXES = 8
"""Pieces of the outline of two boxes."""
MOST_OBJECTS = 8_000
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
        turned: Whether it is written upwards or downwards.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    start: int
    end: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line or a filled box, by its edges in points from the top left of the page as it is seen."""

    x0: float
    y0: float
    x1: float
    y1: float
    framed: bool = False
    """Whether it is a box whose border is drawn, not one that is filled."""

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
    """The words of a page that are written from left to right or turned by a quarter, in the order of the text layer.

    Args:
        layer: A ``PdfTextPage`` of pypdfium2.
        text: Its text, one sign for each character of the layer.
        view: Of the page.
    """
    signs = _Signs(layer.raw, view)
    words: list[Word] = []
    for match in re.finditer(r"[^\s\x00]+", text):
        words += _words(signs, text, *match.span())
    return _lowered(words)


def page_rules(page: Any, view: View) -> list[Rule]:
    """The straight lines and boxes of a page; none where it holds more drawn objects than a table needs."""
    import pypdfium2.raw as raw

    if raw.FPDFPage_CountObjects(page.raw) > MOST_OBJECTS:
        return []
    return list(drawn_rules(page, view, MOST_OBJECTS))


def drawn_rules(page: Any, view: View, most: int) -> Iterator[Rule]:
    """The lines and boxes among the first objects of a page.

    Args:
        page: A page of pypdfium2.
        view: Its view.
        most: Objects that are looked at.
    """
    import pypdfium2.raw as raw

    get_object, get_type, get_bounds = raw.FPDFPage_GetObject, raw.FPDFPageObj_GetType, raw.FPDFPageObj_GetBounds
    path, handle = raw.FPDF_PAGEOBJ_PATH, page.raw
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    for place in range(min(raw.FPDFPage_CountObjects(handle), most)):
        drawn = get_object(handle, place)
        if get_type(drawn) != path:
            continue
        if not get_bounds(drawn, left, bottom, right, top):
            continue
        if view.turned:
            ends = (view.seen(left.value, bottom.value), view.seen(right.value, top.value))
            (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*ends, strict=True))
        else:
            x0, x1 = left.value - view.left, right.value - view.left
            y0, y1 = view.top - top.value, view.top - bottom.value
        yield Rule(x0, y0, x1, y1, x1 - x0 > THIN < y1 - y0 and _is_framed(drawn, fill, stroke))


def _is_framed(drawn: Any, fill: Any, stroke: Any) -> bool:
    """Whether the border of a box is drawn: as a line, or as what lies between two boxes."""
    import pypdfium2.raw as raw

    raw.FPDFPath_GetDrawMode(drawn, fill, stroke)
    return bool(stroke.value) or raw.FPDFPath_CountSegments(drawn) >= TWO_BOXES


class _Signs:
    """The characters of a page as PDFium places them; one buffer serves all of them."""

    def __init__(self, layer: Any, view: View) -> None:
        import pypdfium2.raw as raw

        self.raw, self.layer, self.view = raw, layer, view
        self.numbers = [ctypes.c_double() for _ in range(6)]
        self.matrix = raw.FS_MATRIX()
        self.name = ctypes.create_string_buffer(256)
        self.flags = ctypes.c_int()
        self._styles: dict[int, tuple[float, bool, int]] = {}

    def style(self, place: int) -> tuple[float, bool, int]:
        """Size, weight and angle of a character; all those of one drawn text share them."""
        run = self.raw.FPDFText_GetTextObject(self.layer, place)
        known = ctypes.cast(run, ctypes.c_void_p).value
        if known is None:
            return self.size(place), self.bold(place), self.angle(place)
        if known not in self._styles:
            self._styles[known] = self.size(place), self.bold(place), self.angle(place)
        return self._styles[known]

    def box(self, place: int) -> tuple[float, float, float]:
        """Left and right edge and baseline of a character."""
        left, right, bottom, top, x, y = self.numbers
        self.raw.FPDFText_GetCharBox(self.layer, place, left, right, bottom, top)
        self.raw.FPDFText_GetCharOrigin(self.layer, place, x, y)
        if not self.view.turned:
            return left.value - self.view.left, right.value - self.view.left, self.view.top - y.value
        one, two = self.view.seen(left.value, bottom.value), self.view.seen(right.value, top.value)
        return min(one[0], two[0]), max(one[0], two[0]), self.view.seen(x.value, y.value)[1]

    def size(self, place: int) -> float:
        """The size of a character as it is seen: that of its font, scaled by the page."""
        placed = self.raw.FPDFText_GetMatrix(self.layer, place, self.matrix)
        scale = hypot(self.matrix.c, self.matrix.d) if placed else 1.0
        return float(self.raw.FPDFText_GetFontSize(self.layer, place)) * scale or 10.0

    def bold(self, place: int) -> bool:
        """Whether the font of a character says that it is bold."""
        self.raw.FPDFText_GetFontInfo(self.layer, place, self.name, 256, self.flags)
        font = self.name.value.lower()
        return b"bold" in font or b"black" in font

    def angle(self, place: int) -> int:
        """By how many degrees a character is turned on the page as it is seen."""
        angle = round(float(self.raw.FPDFText_GetCharAngle(self.layer, place)) * 57.29578)
        return (angle - self.view.turned) % 360

    def turned(self, text: str, start: int, end: int, size: float) -> Iterator[Word]:
        """A word that is written upwards or downwards; its baseline is the middle of its height."""
        if self.angle(start) in (90, 270):
            boxes = [self.box(start), self.box(end - 1)]
            middle = (boxes[0][2] + boxes[1][2]) / 2
            x0, x1 = min(box[0] for box in boxes), max(box[1] for box in boxes)
            yield Word(text[start:end], x0, x1, middle, size, self.bold(start), start, end, turned=True)


def _words(signs: _Signs, text: str, start: int, end: int) -> Iterator[Word]:
    """A word of the text as a word of the page; as several where its next character stands elsewhere."""
    size, bold, angle = signs.style(start)
    first, last = signs.box(start), signs.box(end - 1)
    far = JUMP * size
    if angle:
        yield from signs.turned(text, start, end, size)
        return
    if abs(first[2] - last[2]) <= far and 0 <= last[1] - first[0] <= (end - start) * WIDEST * size:
        yield Word(text[start:end], first[0], last[1], first[2], size, bold, start, end)
        return
    before = first
    for place in range(start + 1, end + 1):
        box = signs.box(place) if place < end else before
        if place == end or not -far <= box[0] - before[1] <= far or abs(box[2] - before[2]) > far:
            if before[1] >= first[0]:
                yield Word(text[start:place], first[0], before[1], first[2], size, signs.bold(start), start, place)
            start, first = place, box
        before = box


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
