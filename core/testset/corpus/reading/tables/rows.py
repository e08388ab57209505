"""Rows of files of records, which their loader writes one a line: ``name: card; fee (£): 3``."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.labels import is_property, tidy_label, usable
from core.testset.corpus.reading.tables.grids import MOST_COLUMNS, Grid, Row

FILES = (".csv", ".tsv")
FEWEST_ROWS = 2
"""Rows with the same heads, from which a file is a table."""
LINES_A_NOTE = 1
"""Rows beside each line that is none: a title, a note, the end of a remark that the next passage begins with."""
MOST_ROWS = 150
"""Rows of a file that are asked about, from its beginning to its end; more would only repeat the same questions."""
FEWEST_NAMING = 3
MOST_NAME_WORDS = 6
_CODES = re.compile(
    r"(?:(?:[a-z]+ )?(?:codes?|ids?)|(?:(?:account|branch|client|cust(?:omer)?\.?|employee|fund|member|site|staff|"
    r"store|supplier|unit|vendor) )?(?:no\.?|nr\.?|number)|#|key|abbr\.?|short)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z].*[a-z]")
_NO_NAMES = re.compile(
    r"(?:.* )?(?:model|make|type|kind|description|date|status|category|class|title|remarks?)", re.IGNORECASE
)
"""Heads of what rows are like, and not of what they are called."""
_CELL = re.compile(r"(?P<head>[^:;]{1,60}): (?P<value>\S.*)")
_REMARK = re.compile(r"(?:.* )?(?:remarks?|notes?|comments?|description|details|reason)", re.IGNORECASE)
_UNIT = re.compile(r" \([^()]+\)$")
_DATED = re.compile(r"(?:[a-z]+ )?(?:[a-z]+ed|born|built|sold|sent|made|paid)(?: on)?$|.*\bdate\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The columns of a file of records.

    Attributes:
        name: The head of the column that names its rows: the first one.
        heads: Of the columns that give a property of what a row names.
        every: Of all columns but the one that names the rows.
        named: The names of the rows that are asked about; no other row has one of them.
    """

    name: str
    heads: tuple[str, ...]
    every: tuple[str, ...]
    named: frozenset[str]


def files_of_records(chunks: Iterable[Chunk]) -> dict[str, Records]:
    """The files whose rows all begin with a cell of the same column, which names them.

    A column is asked about only if its head is a property or has a unit, or says what was done on a day: "Price (£)",
    "Status", "Received". What "Test" or "We sell" is, nobody asks of a row.
    """
    rows: dict[str, dict[int, dict[str, str]]] = defaultdict(dict)
    broken: Counter[str] = Counter()
    for chunk in chunks:
        if not chunk.document_id.casefold().endswith(FILES):
            continue
        for start, _, cells in _lines(chunk):
            if cells:
                rows[chunk.document_id][chunk.start + start] = cells
            else:
                broken[chunk.document_id] += 1
    return {
        document: records
        for document, lines in rows.items()
        if broken[document] * LINES_A_NOTE <= len(lines) and (records := _records(list(lines.values()))) is not None
    }


def _records(rows: list[dict[str, str]]) -> Records | None:
    firsts = Counter(next(iter(row)) for row in rows)
    first = firsts.most_common(1)[0][0]
    notes = len(rows) - firsts[first]
    rows = [row for row in rows if next(iter(row)) == first]
    heads = list(dict.fromkeys(head for row in rows for head in row))
    if notes * LINES_A_NOTE > len(rows) or len(rows) < FEWEST_ROWS or len(heads) > MOST_COLUMNS:
        return None
    name = named_by(list(heads), [[row.get(head, "") for head in heads] for row in rows])
    counts = Counter(row[name].casefold() for row in rows)
    alone = [words for words, count in counts.items() if count == 1]
    return Records(
        name=name,
        heads=tuple(head for head in heads if head != name and _is_asked(head)),
        every=tuple(head for head in heads if head != name),
        named=frozenset(alone[:: 1 + len(alone) // (MOST_ROWS + 1)]),
    )


def named_by(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The column that names the rows: the first, or the second where the first has only codes for its names.

    "OC" is the code of the branch Orton Central, by which people call it.
    """
    if len(heads) < FEWEST_NAMING or not _CODES.fullmatch(_words(heads[0])):
        return heads[0]
    names = [row[1].strip() for row in rows]
    plain = all(name and _NAME.match(name) and len(name.split()) <= MOST_NAME_WORDS for name in names)
    told_apart = len(set(map(str.casefold, names))) == len(names)
    return heads[1] if plain and told_apart and not _NO_NAMES.fullmatch(_words(heads[1])) else heads[0]


def _words(head: str) -> str:
    """A head as words, as a database writes it or a person: "site_code" is "site code"."""
    return head.replace("_", " ").strip()


def named(grid: Grid) -> Grid:
    """A table without the column of codes before the names of its rows."""
    name = named_by(grid.heads, [row.cells for row in grid.rows]) if grid.rows else grid.heads[0]
    if name == grid.heads[0]:
        return grid
    return replace(grid, heads=grid.heads[1:], rows=tuple(replace(row, cells=row.cells[1:]) for row in grid.rows))


def _is_asked(head: str) -> bool:
    label = tidy_label(_UNIT.sub("", head))
    return usable(label) and (is_property(label) or bool(_UNIT.search(head)) or bool(_DATED.match(label)))


def grids_of_records(chunk: Chunk, files: Mapping[str, Records], *, every: bool = False) -> Iterator[Grid]:
    """The rows of a chunk as a table with the columns that are properties, or with every one."""
    records = files.get(chunk.document_id)
    heads = () if records is None else records.every if every else records.heads
    if records is None or not heads:
        return
    rows = tuple(
        Row(
            cells=(cells[records.name], *(cells.get(head, "") for head in heads)),
            group="",
            start=start,
            end=end,
        )
        for start, end, cells in _lines(chunk)
        if cells.get(records.name, "").casefold() in records.named
    )
    if rows:
        yield Grid(title="", heads=(records.name, *heads), rows=rows)


def _lines(chunk: Chunk) -> Iterator[tuple[int, int, dict[str, str]]]:
    """Each line with its place and its cells by head; no cells where a piece of it has no head, or one comes twice."""
    start = 0
    for line in chunk.text.split("\n"):
        if line.strip():
            cells: dict[str, str] = {}
            for piece in line.split("; "):
                match = _CELL.fullmatch(piece.strip())
                last = next(reversed(cells), "")
                if match is None and _REMARK.fullmatch(last):
                    cells[last] += f"; {piece}"  # a remark that has a semicolon of its own
                    continue
                if match is None or match["head"] in cells:
                    cells = {}
                    break
                cells[match["head"]] = match["value"]
            yield start, start + len(line), cells
        start += len(line) + 1
