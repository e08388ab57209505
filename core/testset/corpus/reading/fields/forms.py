"""Tables that are forms: the fields of what their document is about, one or more on a line, and no records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.facts import Fact
from core.testset.corpus.reading.fields.entries import fact_of_entry
from core.testset.corpus.reading.labels import Labels, is_property, tidy_label
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.grids import Grid, Row
from core.testset.corpus.reading.tables.row_names import GENERIC

FEWEST_FIELDS = 2
PAIRED = (4, 6)
"""Columns of a form with two or three fields on a line."""
_ENUMERATED = re.compile(r"(?:[A-Z]\d{1,2}[.)]?|[A-Z][.)]|\d{1,2}[.)]) (?=[A-Z])")
"""The number of a field."""
_OPENS = re.compile(
    r"(?:.* )?(?:no\.?|nr\.?|number|ref(?:erence|\.)?|id|date|name|title|code|version|project)", re.IGNORECASE
)
"""The label of the first field of a form."""
_DIGIT = re.compile(r"\d")
FEWEST_LINES, FEWEST_OPENED = 4, 3
"""Lines of a form in plain text; of one that begins with a number, a date or a name."""
GAP = " " * 8
MIDDLE = 30
"""The column from which a line that goes on belongs to the second field of the line above."""
_LABEL = re.compile(r"[A-Z][A-Za-z.()/-]*(?: [A-Za-z.()/-]+){0,3}:?")
_OPEN_KEY = re.compile(r" (?:to|by|on|at|with|from)$")
"""The end of a key that its value completes: "Reports to"."""


def is_form(grid: Grid, about: Subject | None) -> bool:
    """Whether the first field of a form took the place of the heads of a table.

    It numbers what the document is about, or the values are of several kinds, days and amounts and names, and most of
    the keys are properties.
    """
    if len(grid.heads) in PAIRED:
        return is_paired(grid)
    if len(grid.heads) != 2:
        return False
    if about is not None and not about.link and key(grid.heads[-1]) in about.keys:
        return True
    if len(grid.rows) < FEWEST_FIELDS or grid.heads[1].casefold() in GENERIC:
        return False
    first, second = map(tidy_label, grid.heads)
    if is_property(second) and not (is_property(first) or _OPEN_KEY.search(first)):
        return False
    kinds = {read_reference(row.cells[1]).kind for row in grid.rows}
    keys = sum(is_property(tidy_label(row.cells[0])) for row in grid.rows)
    return len(kinds) > 1 and 2 * keys > len(grid.rows)


def is_paired(grid: Grid) -> bool:
    """Whether every other column holds labels: "| Date | 24 June | Time | 11.10 |" below "| Report no. | IR-7 | ...".

    The heads are a line of fields, too: one of their values is a number, a code or a day.
    """
    if len(grid.heads) not in PAIRED:
        return False
    rows = [row.cells for row in grid.rows]
    headed = len(set(grid.heads)) > 1  # else one cell above all columns says what the form, or a part of it, is
    lines = [grid.heads, *rows] if headed else rows
    if not lines:
        return False
    labels = [tidy_label(unnumbered(cell)) for line in lines for cell in line[::2] if cell]
    told_apart = len(set(map(str.casefold, labels))) == len(labels) and not any(map(_DIGIT.search, labels))
    return told_apart and bool(_OPENS.fullmatch(labels[0])) and any(map(_DIGIT.search, lines[0][1::2]))


def is_numbered(table: Grid) -> bool:
    """Whether cells of a table are numbered labels, so that it is a form, however it is drawn: "A5 Injured person"."""
    cells = [cell for row in table.rows for cell in row.cells]
    return sum(bool(_ENUMERATED.match(cell)) for cell in cells) >= FEWEST_FIELDS


def unnumbered(label: str) -> str:
    """The label of a field without its number: "C2. First aid by"."""
    return _ENUMERATED.sub("", label).strip(" :")


def facts_of_form(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The fields of a form below its first one, which the heads hold."""
    for row in grid.rows if about is not None else ():
        for label, value in zip(row.cells[::2], row.cells[1::2], strict=True):
            entry = f"{unnumbered(label)}: {value}"
            yield from fact_of_entry(chunk, entry, (row.start, row.end), about, labels)


def forms_in_text(text: str) -> Iterator[Grid]:
    """Forms that blanks hold in columns: "Claim ref.      M-25-01187        Class       Motor, private car".

    At least four lines below each other begin with a label, a gap and a value; lines that begin with a gap go on with a
    value and are left out, as is the field that they go on with.
    """
    rows: list[Row] = []
    start = 0
    for line in [*text.split("\n"), ""]:
        cells = _columns(line)
        if cells:
            rows.append(Row(cells=cells, group="", start=start, end=start + len(line)))
        elif line.startswith(GAP) and line.strip() and rows:
            rows[-1] = _without_what_goes_on(rows[-1], line)
        else:
            yield from _form_of(rows)
            rows = []
        start += len(line) + 1


def _columns(line: str) -> tuple[str, ...]:
    """The labels and values of a line in turn; empty where it is none of a form."""
    cells = re.split(r"[ \t]{2,}", line.rstrip())
    labels = cells[::2]
    return tuple(cells) if len(cells) in (2, *PAIRED) and all(map(_LABEL.fullmatch, labels)) else ()


def _without_what_goes_on(row: Row, line: str) -> Row:
    """A line without the value whose second line stands below it."""
    column = len(line) - len(line.lstrip())
    last = len(row.cells) - 1 if len(row.cells) > 2 and column > MIDDLE else 1
    return replace(row, cells=tuple("" if place == last else cell for place, cell in enumerate(row.cells)))


def _form_of(rows: list[Row]) -> Iterator[Grid]:
    labels = Counter(cell.casefold() for row in rows for cell in row.cells[::2])
    opened = bool(rows) and _OPENS.fullmatch(rows[0].cells[0]) is not None and len(rows) >= FEWEST_OPENED
    if (opened or len(rows) >= FEWEST_LINES) and len(labels) == labels.total():
        yield Grid(title="", heads=("", ""), rows=tuple(rows))
