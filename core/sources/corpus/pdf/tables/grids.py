"""Tables with rules: cells between drawn lines, or between lines across the page and the gaps of the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.sources.corpus.pdf.rows import is_figure
from core.sources.corpus.pdf.words import Rule, Word

SNAP = 3.0
"""Points; edges that are closer are one."""
MOST_EDGES = 400
"""Rules of one direction on a page that are looked at."""
MOST_CELLS = 4_000
FEWEST_BANDS = 3
WIDE = 0.5
"""Of the width of the text, from which on rules across the page part rows."""
GAP = 3.5
"""Points that no word covers in any row, between columns."""
BLANK = 0.55
"""Of the type's size, between words of one cell."""
LOOSE = 1.6
"""Of the type's size; lines above the first rule that stand farther apart are no heads."""
MOST_HEAD_LINES = 4
TALLEST = 14
"""Lines of text in one row between rules across the page; more are paragraphs between ornaments."""


@dataclass(frozen=True, slots=True)
class Box:
    """A cell: its rows and columns in the grid, the last ones exclusive, and its words in reading order."""

    top: int
    bottom: int
    left: int
    right: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with rules: edges of its rows and columns in points, and its cells."""

    ys: tuple[float, ...]
    xs: tuple[float, ...]
    boxes: tuple[Box, ...]

    @property
    def words(self) -> list[Word]:
        """Of all its cells."""
        return [word for box in self.boxes for word in box.words]


def find_grids(words: Sequence[Word], rules: Sequence[Rule]) -> list[Grid]:
    """The tables with rules of a page, from top to bottom.

    Args:
        words: Of the page.
        rules: Its lines and boxes.
    """
    flat = _merged([rule for rule in rules if rule.flat], across=True)
    upright = _merged([rule for rule in rules if rule.upright], across=False)
    if len(flat) > MOST_EDGES or len(upright) > MOST_EDGES:
        return []
    grids = [grid for part in _connected(flat, upright) if (grid := _boxed(*part, words))]
    taken = {word.start for grid in grids for word in grid.words}
    rest = [word for word in words if word.start not in taken]
    free = [rule for rule in flat if not any(grid.ys[0] - SNAP <= rule.y0 <= grid.ys[-1] + SNAP for grid in grids)]
    grids += _banded(rest, free, rules)
    return sorted(grids, key=lambda grid: grid.ys[0])


def _merged(rules: Sequence[Rule], *, across: bool) -> list[Rule]:
    """Rules of one direction, those that lie on each other or touch as one."""

    def place(rule: Rule) -> tuple[int, float]:
        return (round(rule.y0 / SNAP), rule.x0) if across else (round(rule.x0 / SNAP), rule.y0)

    merged: list[Rule] = []
    for rule in sorted(rules, key=place):
        last = merged[-1] if merged else None
        if last and across and abs(rule.y0 - last.y0) <= SNAP and rule.x0 - last.x1 <= SNAP:
            merged[-1] = Rule(last.x0, last.y0, max(last.x1, rule.x1), last.y1)
        elif last and not across and abs(rule.x0 - last.x0) <= SNAP and rule.y0 - last.y1 <= SNAP:
            merged[-1] = Rule(last.x0, last.y0, last.x1, max(last.y1, rule.y1))
        else:
            merged.append(rule)
    return merged


def _connected(flat: Sequence[Rule], upright: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules in groups that cross or touch each other, as horizontal and vertical ones."""
    groups: list[tuple[set[int], list[Rule]]] = []
    for line in upright:
        crossing = {place for place, rule in enumerate(flat) if _cross(rule, line)}
        if len(crossing) < 2:
            continue
        lines = [line]
        apart: list[tuple[set[int], list[Rule]]] = []
        for places, others in groups:
            if places.isdisjoint(crossing):
                apart.append((places, others))
            else:
                crossing |= places
                lines += others
        groups = [*apart, (crossing, lines)]
    return [([flat[place] for place in sorted(places)], lines) for places, lines in groups]


def _cross(flat: Rule, upright: Rule) -> bool:
    return flat.x0 - SNAP <= upright.x0 <= flat.x1 + SNAP and upright.y0 - SNAP <= flat.y0 <= upright.y1 + SNAP


def _edges(values: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > SNAP:
            edges.append(value)
    return edges


def _boxed(flat: Sequence[Rule], upright: Sequence[Rule], words: Sequence[Word]) -> Grid | None:
    """The grid that rules in both directions draw; None where they make no table."""
    ys, xs = _edges(rule.y0 for rule in flat), _edges(rule.x0 for rule in upright)
    if len(ys) < 3 or len(xs) < 3:
        return None

    def line_above(row: int, column: int) -> bool:
        middle = (xs[column] + xs[column + 1]) / 2
        return any(abs(rule.y0 - ys[row]) <= SNAP and rule.x0 - SNAP <= middle <= rule.x1 + SNAP for rule in flat)

    def line_left(row: int, column: int) -> bool:
        middle = (ys[row] + ys[row + 1]) / 2
        return any(abs(rule.x0 - xs[column]) <= SNAP and rule.y0 - SNAP <= middle <= rule.y1 + SNAP for rule in upright)

    rows, columns = len(ys) - 1, len(xs) - 1
    if rows * columns > MOST_CELLS:
        return None
    free = {(row, column) for row in range(rows) for column in range(columns)}
    placed = _by_cell(words, ys, xs)
    boxes: list[Box] = []
    for row in range(rows):
        for column in range(columns):
            if (row, column) not in free:
                continue
            right = column + 1
            while right < columns and (row, right) in free and not line_left(row, right):
                right += 1
            bottom = row + 1
            while bottom < rows and not any(line_above(bottom, place) for place in range(column, right)):
                bottom += 1
            inside = [(r, c) for r in range(row, bottom) for c in range(column, right)]
            free.difference_update(inside)
            boxes.append(
                Box(row, bottom, column, right, _read(word for place in inside for word in placed.get(place, ())))
            )
    filled = sum(bool(box.words) for box in boxes)
    if len(boxes) < 4 or filled < 3 or filled * 3 < len(boxes):
        return None
    return Grid(tuple(ys), tuple(xs), tuple(boxes))


def _by_cell(words: Sequence[Word], ys: Sequence[float], xs: Sequence[float]) -> dict[tuple[int, int], list[Word]]:
    """Words by the place in the grid that holds their middle."""
    placed: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        row = bisect_right(ys, word.y - 0.3 * word.size) - 1
        column = bisect_right(xs, (word.x0 + word.x1) / 2) - 1
        if 0 <= row < len(ys) - 1 and 0 <= column < len(xs) - 1:
            placed.setdefault((row, column), []).append(word)
    return placed


def _read(words: Iterable[Word]) -> tuple[Word, ...]:
    """Words of a cell line by line."""
    listed = list(words)
    if any(word.turned for word in listed):
        return tuple(sorted(listed, key=lambda word: word.start))
    lines: list[list[Word]] = []
    for word in sorted(listed, key=lambda word: word.y):
        if lines and word.y - lines[-1][0].y <= 0.4 * word.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    return tuple(word for line in lines for word in sorted(line, key=lambda word: word.x0))


def _banded(words: Sequence[Word], flat: Sequence[Rule], rules: Sequence[Rule]) -> list[Grid]:
    """Grids whose rows are parted by rules across the page, and whose columns by the pieces of these, or by gaps."""
    if not words:
        return []
    width = max(word.x1 for word in words) - min(word.x0 for word in words)
    across = sorted((rule for rule in flat if rule.x1 - rule.x0 >= WIDE * width), key=lambda rule: rule.y0)
    runs: list[list[Rule]] = []
    for rule in across:
        last = runs[-1][-1] if runs else None
        if last and abs(rule.x0 - last.x0) <= SNAP and abs(rule.x1 - last.x1) <= SNAP and rule.y0 - last.y0 > SNAP:
            runs[-1].append(rule)
        else:
            runs.append([rule])
    return [grid for run in runs if len(run) >= FEWEST_BANDS and (grid := _band(run, words, rules))]


def _band(run: Sequence[Rule], words: Sequence[Word], rules: Sequence[Rule]) -> Grid | None:
    x0, x1 = run[0].x0 - SNAP, run[0].x1 + SNAP
    inside = [word for word in words if x0 <= word.x0 and word.x1 <= x1]
    ruled = [rule.y0 for rule in run]
    ys = _with_shades(ruled, x0, x1, rules)
    if ys[0] == ruled[0] and (top := _head_top(inside, ys[0])) is not None:
        ys = [top, *ys]
    bands = [[word for word in inside if above < word.y <= below] for above, below in pairwise(ys)]
    xs = _pieces(run, rules) or _columns(bands, x0, x1)
    filled = [band for band in bands if band]
    if len(xs) < 3 or len(filled) < FEWEST_BANDS or any(_holds_rows(band, xs) for band in bands):
        return None
    placed = _by_cell(_drawn_together(inside, xs), ys, xs)
    boxes = tuple(
        Box(row, row + 1, column, column + 1, _read(placed.get((row, column), ())))
        for row in range(len(ys) - 1)
        for column in range(len(xs) - 1)
    )
    if sum(bool(box.words) for box in boxes) * 3 < len(boxes):
        return None
    return Grid(tuple(ys), tuple(xs), boxes)


def _drawn_together(words: Sequence[Word], xs: Sequence[float]) -> list[Word]:
    """Words, with the place of those moved that an edge of a column parts from the word behind them on their line."""
    together: list[Word] = []
    for word in sorted(words, key=lambda word: (round(word.y), -word.x0)):
        behind = together[-1] if together else None
        near = behind is not None and abs(behind.y - word.y) < 1 and 0 <= behind.x0 - word.x1 <= BLANK * word.size
        near = near and behind is not None and not (is_figure(behind.text) or is_figure(word.text))
        if behind is not None and near and bisect_right(xs, behind.x0) != bisect_right(xs, word.x0):
            word = replace(word, x0=behind.x0 - 0.1, x1=behind.x1 + 0.1)  # its middle is now that of the word behind
        together.append(word)
    return together


def _with_shades(ys: list[float], x0: float, x1: float, rules: Sequence[Rule]) -> list[float]:
    """Edges of rows, with those of shaded heads that stand on the first rule or close above it."""
    shades = [
        rule
        for rule in rules
        if not rule.flat and not rule.upright and x0 <= rule.x0 and rule.x1 <= x1 and rule.y0 < ys[0]
    ]
    edges = [edge for rule in shades for edge in (rule.y0, rule.y1) if rule.y1 - rule.y0 < 80 and ys[0] - rule.y1 < 80]
    return _edges([*edges, *ys])


def _pieces(run: Sequence[Rule], rules: Sequence[Rule]) -> list[float]:
    """Edges of columns, where the rules of a table are drawn cell by cell; else none."""
    ys = {round(rule.y0) for rule in run}
    pieces = [rule for rule in rules if rule.flat and any(abs(rule.y0 - line.y0) <= 1 for line in run)]
    xs = _edges(edge for rule in pieces for edge in (rule.x0, rule.x1))
    return xs if len(xs) > 2 and len(pieces) >= (len(xs) - 1) * len(ys) * 0.6 else []


def _holds_rows(band: Sequence[Word], xs: Sequence[float]) -> bool:
    """Whether a stretch between rules holds several rows: several lines with figures in one column, or a paragraph."""
    lines: dict[int, set[int]] = {}
    for word in band:
        if is_figure(word.text) and any(map(str.isdigit, word.text)):
            lines.setdefault(bisect_right(xs, (word.x0 + word.x1) / 2), set()).add(round(word.y))
    counted = [len(ys) for column, ys in lines.items() if column > 1]
    return len({round(word.y) for word in band}) > TALLEST or sum(count > 1 for count in counted) > 0


def _head_top(words: Sequence[Word], first: float) -> float | None:
    """Where the lines of heads above the first rule begin: those that stand close above it."""
    top: float | None = None
    y = first
    lines: set[int] = set()
    for word in sorted((word for word in words if word.y <= first), key=lambda word: -word.y):
        lines.add(round(word.y))
        if y - word.y > LOOSE * word.size or len(lines) > MOST_HEAD_LINES:
            break
        y = word.y
        top = word.y - word.size
    return top


def _columns(bands: Sequence[Sequence[Word]], x0: float, x1: float) -> list[float]:
    """Edges of columns: the middles of gaps that no word covers."""
    covered = sorted((word.x0, word.x1) for band in bands for word in band)
    edges = [x0]
    reach: float | None = None
    for start, end in covered:
        if reach is not None and start - reach >= GAP:
            edges.append((start + reach) / 2)
        reach = end if reach is None else max(reach, end)
    return [*edges, x1]
