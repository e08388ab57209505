"""Forms of a page: keys and values that stand beside each other, often in two columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.sources.corpus.pdf.rows import Cell, Row, joined
from core.sources.corpus.pdf.words import Word

FEWEST_KEYS = 3
"""Keys below each other from which on they are those of a form."""
ALIGNED = 3.0
"""Points between the left edges of keys of one column."""
LONGEST_KEY = 9
"""Words."""
NEAR = 2.2
"""Of the type's size, between the baselines of lines of one field."""
LARGER = 1.08
"""Of the size of keys; a line that is larger is a heading between fields."""
SHARE_BOLD = 0.8


@dataclass(slots=True)
class Field:
    """One field: its key and its value, each with its words in reading order."""

    row: int
    x0: float
    key: list[Word]
    value: list[Word] = field(default_factory=list)
    closed: bool = True
    """Whether the key has ended: it has its colon, or needs none."""

    @property
    def line(self) -> str:
        """``Key: value``, or nothing where the field is empty."""
        key = joined(" ".join(word.text for word in self.key)).rstrip(":").replace(": ", " ").strip()
        value = joined(" ".join(word.text for word in self.value))
        return f"{key}: {value}" if any(map(str.isalnum, value)) else ""

    @property
    def words(self) -> list[Word]:
        """Of key and value."""
        return [*self.key, *self.value]


def find_fields(rows: Sequence[Row]) -> list[list[Field]]:
    """The forms of a page: runs of rows that hold fields, each as its fields in reading order.

    A key is a short cell that ends with a colon, and stands below or above two more such cells. Where keys are bold, a
    bold cell in their column with a value behind it is one, too. Values are what stands to the right of a key up to the
    next key, and the lines below it.

    Args:
        rows: Of the page.
    """
    keys = [(place, cell) for place, row in enumerate(rows) for cell in row.cells if _is_key(cell)]
    columns = _columns([cell.x0 for _, cell in keys])
    keys = [(place, cell) for place, cell in keys if _in(cell.x0, columns)]
    if len(keys) < FEWEST_KEYS:
        return []
    bold = sum(cell.bold for _, cell in keys) >= SHARE_BOLD * len(keys)
    size = Counter(round(cell.size, 1) for _, cell in keys).most_common(1)[0][0]
    forms: list[list[Field]] = []
    form: list[Field] = []
    last = -1.0
    for place, row in enumerate(rows):
        near = bool(form) and row.y - last <= NEAR * row.size
        if near and _goes_on(form, row, bold=bold, size=size):
            last = row.y
            continue
        found = _fields(place, row, columns, bold=bold, size=size)
        if not found or (form and row.y - last > 2 * NEAR * size):
            if form:
                forms.append(form)
            form = []
        if found:
            form += found
            last = row.y
    if form:
        forms.append(form)
    return [form for form in forms if _is_form(form)]


def _is_form(form: Sequence[Field]) -> bool:
    beside = Counter(item.row for item in form)
    valued = sum(bool(item.value) for item in form)
    return valued >= 2 and (len(beside) >= FEWEST_KEYS or (len(beside) >= 2 and max(beside.values()) >= 2))


def _is_key(cell: Cell) -> bool:
    """Whether a cell ends with a colon and could name a field."""
    text = cell.text
    return text.endswith(":") and len(cell.words) <= LONGEST_KEY and text[0].isalpha()


def _columns(edges: Sequence[float]) -> list[float]:
    """Left edges that at least three keys share."""
    columns: list[list[float]] = []
    for edge in sorted(edges):
        if columns and edge - columns[-1][0] <= ALIGNED:
            columns[-1].append(edge)
        else:
            columns.append([edge])
    return [group[0] for group in columns if len(group) >= FEWEST_KEYS]


def _in(edge: float, columns: Sequence[float]) -> bool:
    return any(-0.01 <= edge - column <= ALIGNED for column in columns)


def _fields(place: int, row: Row, columns: Sequence[float], *, bold: bool, size: float) -> list[Field] | None:
    """The fields of a row, none where it holds no key."""
    if not row.cells or row.cells[0].size > LARGER * size:
        return None
    fields: list[Field] = []
    for number, cell in enumerate(row.cells):
        following = row.cells[number + 1] if number + 1 < len(row.cells) else None
        bare = bold and cell.bold and _in(cell.x0, columns) and not cell.text.endswith(":")
        if (_is_key(cell) and (cell.bold or not bold)) and (_in(cell.x0, columns) or fields):
            fields.append(Field(place, cell.x0, list(cell.words)))
        elif (bare and following is not None and not following.bold) or (bare and fields):
            fields.append(Field(place, cell.x0, list(cell.words), closed=False))
        elif fields:
            fields[-1].value += cell.words
        else:
            return None
    return fields or None


def _goes_on(form: list[Field], row: Row, *, bold: bool, size: float) -> bool:
    """Puts a line below fields to those that it continues; False where it continues none.

    Every cell must stand in the column of a value, or end a key that was wrapped.
    """
    last = max(item.row for item in form)
    above = [item for item in form if item.row == last]
    takers: list[tuple[Field, Cell, bool]] = []
    for cell in row.cells:
        if cell.size > LARGER * size and bold:
            return False
        candidates = [item for item in above if item.x0 <= cell.x0 + ALIGNED]
        if not candidates:
            return False
        taker = candidates[-1]
        ends_key = abs(cell.x0 - taker.x0) <= ALIGNED and not taker.closed and (cell.bold or not bold)
        in_value = cell.x0 > taker.key[-1].x1 or (bool(taker.value) and cell.x0 >= taker.value[0].x0 - ALIGNED)
        if not ends_key and (_is_key(cell) or not in_value or (bold and cell.bold)):
            return False
        takers.append((taker, cell, ends_key))
    for taker, cell, ends_key in takers:
        if ends_key:
            taker.key += cell.words
            taker.closed = cell.text.endswith(":")
        else:
            taker.value += cell.words
    return True
