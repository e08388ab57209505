"""Facts from tables that stand upright: every column is a thing, every row one of its properties.

Sheets that compare two models are written so: "| | Alto 250 | Alto 400 |" over "| Rated load | 250 kg | 400 kg |".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import fits
from core.testset.corpus.reading.labels import Labels, is_property, tidy_label, usable, with_article
from core.testset.corpus.reading.naming.subjects import Subject, said_first
from core.testset.corpus.reading.tables.grids import Grid
from core.testset.corpus.reading.tables.units import needs_unit
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.periods import read_period

FEWEST_THINGS = 2
MOST_WORDS = 8
_CORNER = re.compile(
    r"(?:feature|property|item|specification|spec|data|parameter|technical data|characteristic|detail)?s?\W*"
)
_THING = re.compile(r"(?=.*[A-Z])(?:[A-Z][\w.'’/-]*|\d[\w.-]*)(?: (?:[A-Z][\w.'’/-]*|\d[\w.-]*|of|and|de))+")
"""A name of two words or more, such as of a model: "Alto 250"."""
_BARE = re.compile(r"[\d.,]+")


def is_turned(grid: Grid) -> bool:
    """Whether heads are names of things and the first cells of rows are properties of them."""
    heads = [tidy_label(head) for head in grid.heads[1:]]
    things = len(heads) >= FEWEST_THINGS and len(set(heads)) == len(heads) and all(map(_is_thing, heads))
    return things and bool(_CORNER.fullmatch(grid.heads[0].casefold()))


def _is_thing(head: str) -> bool:
    return bool(_THING.fullmatch(head)) and not is_property(head) and read_period(head)[0] is None


def facts_of_turned(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The properties that the rows give of the things in the heads.

    Args:
        chunk: Where the table stands.
        grid: The table.
        about: What its document is about; None where that has no name.
        labels: Letter case of the collection.
    """
    if about is None:
        return
    for row in grid.rows:
        attribute = labels.lowered(tidy_label(row.cells[0]), head=True)
        for head, cell in zip(grid.heads[1:], row.cells[1:], strict=True):
            value, kind = cell.rstrip(".").strip(), read_reference(cell).kind
            if not usable(attribute) or not tells(value) or not is_datum(value, MOST_WORDS) or "," in attribute:
                continue
            if (_BARE.fullmatch(value) and needs_unit(attribute)) or not fits(attribute, value, kind):
                continue
            yield Fact(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                rule=FactRule.TABLE,
                subject=Subject(words=with_article(tidy_label(head)), within=said_first(about)),
                attribute=attribute,
                value=value,
                kind=kind,
                table="|".join(grid.heads),
                start=row.start,
                end=row.end,
            )
