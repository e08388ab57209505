"""Heads of columns: which columns each one spans, level by level, and what a column's own head is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from operator import itemgetter

from core.sources.corpus.pdf.rows import YEAR, Cell, joined
from core.sources.corpus.pdf.tables.columns import Column
from core.sources.corpus.pdf.words import Rule

BARE, LITTLE = 10.0, 4.0
"""Points; what a column without a head, and one that has another head, cost against heads that stand off theirs."""
MANY, FEW = 16, 4
"""Columns from which on a head is tried above a few of them only."""
UNEVEN = 3.0
"""Points; what heads that span different numbers of columns cost."""
UNIT = re.compile(r"\(?(?:in|as a) ", re.IGNORECASE)
FORBIDDEN = 1e6
MOST_SHARED = 0.6
"""Of the width of the shorter line, that the other one covers where both are one head."""
SLACK = 1.0
"""Points by which a rule below a head may be shorter than what it belongs to."""
TOUCHING = 4.0
"""Points between rules that are one line."""
CLOSE = 1.45
"""Of the type's size, between the baselines of lines of one head."""


@dataclass(slots=True)
class _Head:
    """A head of one line or more, by its cells from top to bottom; `tier` is the place of its last line."""

    cells: list[Cell]
    tier: int

    @property
    def x0(self) -> float:
        return min(cell.x0 for cell in self.cells)

    @property
    def x1(self) -> float:
        return max(cell.x1 for cell in self.cells)

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)


def column_heads(levels: Sequence[Sequence[Cell]], columns: Sequence[Column], rules: Sequence[Rule]) -> list[str]:
    """The head of each column: those that span it joined from top to bottom.

    A line that stands close above one other line belongs to the same head. A rule below a head shows which columns it
    spans; where there is none, the columns are parted so that each head stands above its own. A head spans several
    columns only where they have heads of their own below it.

    Args:
        levels: The cells of each line of heads, from top to bottom.
        columns: From left to right.
        rules: Of the page.
    """
    lines = _merged([rule for rule in rules if rule.flat])
    heads = _stacked(levels, columns, lines)
    parts: list[list[tuple[int, str]]] = [[] for _ in columns]
    tiers: dict[int, list[_Head]] = {}
    for head in sorted(heads, key=lambda head: head.x0):
        tiers.setdefault(head.tier, []).append(head)
    for tier in sorted(tiers, key=lambda tier: (-len(tiers[tier]), -tier)):  # those of single columns first
        row = tiers[tier]
        headed = [" ".join(text for _, text in part) for part in parts]
        ruled = [_by_rule(head.cells[-1], levels[tier], columns, lines) for head in row]
        spans = [span for span in ruled if span is not None]
        if len(spans) < len(row) or any(before[1] > after[0] for before, after in pairwise(spans)):
            fixed = [span if span and span[1] - span[0] > 1 else None for span in ruled]
            spans = _by_place(row, columns, headed, fixed)
        for head, (first, last) in zip(row, spans, strict=True):
            for place in range(first, last):
                parts[place].append((tier, head.text))
    return [joined(" ".join(text for _, text in sorted(part, key=itemgetter(0)))) for part in parts]


def _stacked(levels: Sequence[Sequence[Cell]], columns: Sequence[Column], rules: Sequence[Rule]) -> list[_Head]:
    """Lines of heads put together to heads, from bottom to top."""
    heads: list[_Head] = []
    for tier in range(len(levels) - 1, -1, -1):
        level = levels[tier]
        for cell in level:
            below = [head for head in heads if _over(cell, head)]
            under = [head for head in below if _shared(cell, head) > MOST_SHARED] or below
            alone = len(under) == 1 and sum(_shared(other, under[0]) > MOST_SHARED for other in level) <= 1
            if alone and _by_rule(cell, level, columns, rules) is None:
                under[0].cells.insert(0, cell)
            else:
                heads.append(_Head([cell], tier))
    return heads


def _over(cell: Cell, head: _Head) -> bool:
    """Whether a cell stands close above a head."""
    return _shared(cell, head) > 0 and 0 < head.cells[0].words[0].y - cell.words[0].y <= CLOSE * cell.size


def _shared(cell: Cell, head: _Head) -> float:
    """How much of the narrower of both stands above or below the other one."""
    shared = min(cell.x1, head.x1) - max(cell.x0, head.x0)
    return shared / max(min(cell.x1 - cell.x0, head.x1 - head.x0), 1.0)


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Horizontal rules, those that touch as one."""
    merged: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.y0), rule.x0)):
        if merged and abs(rule.y0 - merged[-1].y0) <= 1.2 and rule.x0 - merged[-1].x1 <= TOUCHING:
            last = merged[-1]
            merged[-1] = Rule(min(last.x0, rule.x0), last.y0, max(last.x1, rule.x1), last.y1)
        else:
            merged.append(rule)
    return merged


def _by_rule(
    cell: Cell, level: Sequence[Cell], columns: Sequence[Column], rules: Sequence[Rule]
) -> tuple[int, int] | None:
    """The columns above whose middle a rule runs that stands below this head only."""
    y, size = cell.words[0].y, cell.size
    near = [rule for rule in rules if -0.1 * size <= rule.y0 - y <= size]
    for rule in sorted(near, key=lambda rule: rule.y0):
        above = [other for other in level if rule.x0 - SLACK < other.x1 and other.x0 < rule.x1 + SLACK]
        places = [place for place, column in enumerate(columns) if rule.x0 - SLACK <= column.middle <= rule.x1 + SLACK]
        if above == [cell] and places:
            return places[0], places[-1] + 1
    return None


def _by_place(
    row: Sequence[_Head],
    columns: Sequence[Column],
    headed: Sequence[str],
    fixed: Sequence[tuple[int, int] | None],
) -> list[tuple[int, int]]:
    """The columns in groups that stand best below the heads: below their middle, or flush with either edge."""
    heads, count = len(row), len(columns)
    widest = count if count <= MANY else FEW  # all groups of many columns would take too long

    def cost(head: int, first: int, last: int) -> float:
        if fixed[head] is not None:
            return 0.0 if fixed[head] == (first, last) else FORBIDDEN
        below = headed[first:last]
        single = last - first == 1
        if not single and (not all(below) or UNIT.match(row[head].text)):
            return FORBIDDEN
        if row[head].text.endswith(",") and any(text and not YEAR.match(text) for text in below):
            return FORBIDDEN  # a day lacks its year
        cell, x0, x1 = row[head], columns[first].x0, columns[last - 1].x1
        middle = abs((cell.x0 + cell.x1) / 2 - (x0 + x1) / 2)
        outside = max(0.0, cell.x0 - x1, x0 - cell.x1)
        return min(middle, abs(cell.x1 - x1), abs(cell.x0 - x0)) + 3 * outside

    def bare(first: int, last: int) -> float:
        return sum(LITTLE if headed[place] else BARE for place in range(first, last))

    @cache
    def best(head: int, place: int, before: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if head == heads:
            return bare(place, count), ()
        options: list[tuple[float, tuple[tuple[int, int], ...]]] = []
        for first in range(place, count):
            for last in range(first + 1, min(first + widest, count) + 1):
                rest, chosen = best(head + 1, last, last - first if headed[first] else before)
                uneven = UNEVEN * abs(last - first - before) if before and headed[first] else 0.0
                here = bare(place, first) + cost(head, first, last) + uneven
                options.append((here + rest, ((first, last), *chosen)))
        return min(options, default=(FORBIDDEN * heads, ((place, place),) * (heads - head)))

    return list(best(0, 0, 0)[1])
