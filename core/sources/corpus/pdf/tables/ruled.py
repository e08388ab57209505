"""Grids of a page as tables: heads of one row or more joined, cells that span rows or columns carried on."""

from __future__ import annotations

from collections.abc import Sequence

from core.sources.corpus.pdf.forms import Field
from core.sources.corpus.pdf.rows import Cell, joined
from core.sources.corpus.pdf.tables.grids import Box, Grid
from core.sources.corpus.pdf.words import Rule, Word

SMALLER = 0.88
"""Of the size of a value; the type of the label in its box is smaller."""
FEWEST_LABELS = 3
MOST_FRAMES = 120
"""Frames of a page that are looked at."""


def text_of(box: Box) -> str:
    """The words of a cell."""
    return joined(" ".join(word.text for word in box.words))


def table_of(grid: Grid, *, headless: bool = False) -> tuple[list[str], list[list[str]], str]:
    """Heads of the columns, rows as cells, and the title that a first row of one cell gives, or nothing.

    Args:
        grid: The table.
        headless: Whether it goes on from the page before without a head.
    """
    columns = len(grid.xs) - 1
    cells = _cells(grid)
    first = 0
    title = ""
    if cells[0].keys() and len({id(box) for box in cells[0].values()}) == 1 and not headless and len(cells) > 2:
        title = text_of(cells[0][0])
        first = 1
    below = first if headless else _head_rows(cells, first)
    heads: list[list[str]] = [[] for _ in range(columns)]
    for row in range(first, below):
        for column, box in cells[row].items():
            text = text_of(box)
            if text and (box.top == row or row == first):
                heads[column].append(text)
    lines: list[list[str]] = []
    group = ""
    for row in range(below, len(cells)):
        boxes = list({id(box): box for box in cells[row].values()}.values())
        if len(boxes) == 1 and columns > 1:
            group = text_of(boxes[0]).rstrip(": ")
            continue
        texts = [""] * columns
        for column, box in cells[row].items():
            if column == box.left and (box.top == row or box.bottom - box.top > 1):
                texts[column] = text_of(box)
        texts = _label_first(texts, cells[row])
        if group and texts[0]:
            texts[0] = f"{group}: {texts[0]}"
        if any(texts):
            lines.append(texts)
    return [" ".join(head) for head in heads], lines, title


def repeats_heads(grid: Grid, heads: Sequence[str]) -> bool:
    """Whether the first row of a grid has the heads of the table that it goes on with."""
    words = {word for head in heads for word in head.split()}
    first = [word.text for box in grid.boxes if box.top == 0 for word in box.words]
    return bool(first) and sum(word in words for word in first) * 2 > len(first)


def fields_of(grid: Grid) -> list[Field]:
    """The fields of a form whose boxes hold a small label and a value; none where it is no such form."""
    fields = [item for box in grid.boxes if (item := _field(box.top, box.words)) is not None]
    filled = sum(bool(box.words) for box in grid.boxes)
    return fields if len(fields) >= FEWEST_LABELS and len(fields) * 2 > filled else []


def boxed_fields(words: Sequence[Word], rules: Sequence[Rule]) -> list[Field]:
    """The fields of a page whose boxes stand alone: each is drawn around a small label and its value."""
    frames = [rule for rule in rules if rule.framed]
    fields: list[Field] = []
    alone: list[Field] = []
    for number, frame in enumerate(sorted(frames, key=lambda rule: (round(rule.y0), rule.x0))[:MOST_FRAMES]):
        inside = [
            word for word in words if frame.x0 <= word.x0 and word.x1 <= frame.x1 and frame.y0 <= word.y <= frame.y1
        ]
        holds = any(
            other is not frame
            and other.x0 >= frame.x0 - 1
            and other.x1 <= frame.x1 + 1
            and other.y0 >= frame.y0 - 1
            and other.y1 <= frame.y1 + 1
            for other in frames[:MOST_FRAMES]
        )
        item = _field(number, inside) if inside and not holds else None
        if item is not None:
            fields.append(item)
        elif inside and not holds:
            alone.append(Field(number, inside[0].x0, inside))
    if len(fields) < FEWEST_LABELS:
        return []
    size = max(word.size for item in fields for word in item.key)
    empty = [item for item in alone if all(word.size <= size for word in item.key)]
    return sorted([*fields, *empty], key=lambda item: item.row)


def _field(row: int, words: Sequence[Word]) -> Field | None:
    """A box as a field, where its first line is smaller than the others or ends with a colon."""
    lines: dict[int, list[Word]] = {}
    for word in words:
        near = next((y for y in lines if abs(y - word.y) <= 2), None)
        lines.setdefault(round(word.y) if near is None else near, []).append(word)
    ordered = [sorted(lines[y], key=lambda word: word.x0) for y in sorted(lines)]
    if not ordered:
        return None
    label, *others = ordered
    value = [word for line in others for word in line]
    named = label[-1].text.endswith(":") and bool(value)
    smaller = bool(value) and max(word.size for word in label) < SMALLER * min(word.size for word in value)
    if not smaller and not named:
        return None
    return Field(row, label[0].x0, label, value)


def _cells(grid: Grid) -> list[dict[int, Box]]:
    """For each row of a grid the cell that covers each column."""
    rows: list[dict[int, Box]] = [{} for _ in range(len(grid.ys) - 1)]
    for box in grid.boxes:
        for row in range(box.top, box.bottom):
            for column in range(box.left, box.right):
                rows[row][column] = box
    return [dict(sorted(row.items())) for row in rows]


def _head_rows(cells: Sequence[dict[int, Box]], first: int) -> int:
    """The place behind the rows of heads: the first row, and those that its cells reach down to or span."""
    if _figures(cells[first]):
        return first
    below = max((box.bottom for box in cells[first].values()), default=first + 1)
    below = min(below, len(cells) - 1)
    spanning = any(box.right - box.left > 1 for box in cells[first].values())
    if spanning and below == first + 1 < len(cells) - 1 and not _figures(cells[below]):
        below += 1
    return max(below, first + 1)


def _figures(row: dict[int, Box]) -> bool:
    """Whether a row has figures that are no years behind its first cell."""
    boxes = [box for column, box in row.items() if column and box.words]
    return any(Cell(box.words).figure and not Cell(box.words).dated for box in boxes)


def _label_first(texts: list[str], row: dict[int, Box]) -> list[str]:
    """A row whose label stands right before its figures, such as a subtotal, with the label in front."""
    if texts[0]:
        return texts
    words = [place for place, text in enumerate(texts) if text and not Cell(row[place].words).figure]
    figures = [place for place, text in enumerate(texts) if text and place not in words]
    if len(words) == 1 and figures and words[0] < figures[0]:
        texts[0], texts[words[0]] = texts[words[0]], ""
    return texts
