"""Tables of two columns that are forms: the fields of what their document is about, and no records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.entries import fact_of_entry
from core.testset.corpus.reading.facts import Fact
from core.testset.corpus.reading.labels import Labels, is_property, tidy_label
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.grids import Grid
from core.testset.corpus.reading.tables.row_names import GENERIC

FEWEST_FIELDS = 2
_OPEN_KEY = re.compile(r" (?:to|by|on|at|with|from)$")
"""The end of a key that its value completes: "Reports to"."""


def is_form(grid: Grid, about: Subject | None) -> bool:
    """Whether the first field of a form took the place of the heads of a table.

    It numbers what the document is about, or the values are of several kinds, days and amounts and names, and most of
    the keys are properties.
    """
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


def facts_of_form(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The fields of a form below its first one, which the heads hold."""
    for row in grid.rows if about is not None else ():
        yield from fact_of_entry(chunk, ": ".join(row.cells), (row.start, row.end), about, labels)
