"""Rows that only a number names, where several tables of a document number their rows: layer 2 of which treaty?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.tables.grids import Grid, Row, grids

_NUMBER = re.compile(r"[A-Z]?\d{1,2}|[A-Z]")
Numbered = tuple[str, str, str]


def numbered_by(chunk: Chunk, grid: Grid, row: Row) -> Numbered | None:
    """The document, the head and the number of a row that nothing else names; None for others."""
    first = row.cells[0]
    return (chunk.document_id, grid.heads[0].casefold(), first) if _NUMBER.fullmatch(first) else None


def numbers_of_several(chunks: Iterable[Chunk]) -> frozenset[Numbered]:
    """The numbers that rows of two tables of a document have, with other titles or below other headings."""
    places: dict[Numbered, set[tuple[str, ...]]] = defaultdict(set)
    for chunk in chunks:
        for grid in grids(chunk.text):
            for row in grid.rows:
                if number := numbered_by(chunk, grid, row):
                    places[number].add((grid.title, *chunk.section))
    return frozenset(number for number, tables in places.items() if len(tables) > 1)
