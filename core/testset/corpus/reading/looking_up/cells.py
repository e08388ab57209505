"""Cells that are asked for as their table has them, by its title, the row and the head of the column.

Most heads of strangers' tables are no nouns that a sentence could hold: "Per day open", "Commercial (v)", "Items at
once". Such a cell is asked for in the table's own words, in quotes: 'what figure does the table "Rooms (pounds per
hour)" show for "Main hall" under "Commercial"?'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fields.forms import is_numbered, is_paired
from core.testset.corpus.reading.looking_up.names import BARE, NAMED, label_of, names_a_column, names_a_row, unmarked
from core.testset.corpus.reading.looking_up.shown import Shown
from core.testset.corpus.reading.looking_up.units import unit_behind
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.control import is_of_control
from core.testset.corpus.reading.tables.grids import Grid, Row
from core.testset.corpus.reading.values import tells

FEWEST_ROWS = 2
FEWEST_COLUMNS = 3
"""A table of two columns is a form, or a list of properties."""
MOST_WORDS = 4
SHORTEST_NAME = 3
"""Signs of a name that says by itself what it names."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERED_BY = re.compile(r"#|no\.?|nr\.?|id|line|row|item no\.?|pos\.?", re.IGNORECASE)
_FIGURE = re.compile(r"[-+−–]?(?:[$€£] ?)?\d[\d,. ]*(?: ?(?:%|[$€£]|[a-zA-Z°]{1,2}[²³]?))?(?:/[a-z]+)?")
_NIL = re.compile(r"[-+−–]?[0.,]+ ?%?")
_ON_A_DAY = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}\b|\b\d{1,2} [A-Z][a-z]{2}")


def look_ups(chunk: Chunk, table: Grid, shown: Shown | None) -> Iterator[Fact]:
    """The cells of a table that hold one figure, day or name, for rows and columns that their names tell apart.

    Args:
        chunk: Where the table stands.
        table: The table.
        shown: How its document is called; None for one that is not asked about so.
    """
    called = shown.name_of(table, chunk) if shown is not None and shown.lead else ""
    if shown is None or not called or not _is_usable(table, filed=shown.filed):
        return
    names, heads = [label_of(row.cells[0]) for row in table.rows], list(map(label_of, table.heads))
    rows, columns = Counter(map(str.casefold, names)), Counter(map(str.casefold, heads))
    asked = [
        (place, head)
        for place, head in enumerate(heads)
        if place and columns[head.casefold()] == 1 and names_a_column(head, heads) and _holds_data(table, place)
    ]
    sort = _sort_of_rows(table.heads[0])
    for row, name in zip(table.rows, names, strict=True):
        if not sort and (len(name) < SHORTEST_NAME or BARE.fullmatch(name)):
            continue  # "E" of what?
        whole = _whole(chunk, row, name)
        if rows[name.casefold()] == 1 and names_a_row(whole, names):
            for place, head in asked:
                said = f'{sort} "{whole}"' if len(whole) < SHORTEST_NAME or BARE.fullmatch(whole) else f'"{whole}"'
                yield from _cell(chunk, table, row, place, (said, head, called), shown)


def _is_usable(table: Grid, *, filed: bool) -> bool:
    """Whether a table has rows with names and heads over all of its columns, and is no form."""
    return bool(
        (filed or len(table.rows) >= FEWEST_ROWS)
        and len(table.heads) >= FEWEST_COLUMNS
        and all(table.heads[1:])
        and not any(BARE.fullmatch(head) and not _YEAR.fullmatch(head) for head in table.heads)
        and not _NUMBERED_BY.fullmatch(table.heads[0])
        and not is_of_control(table)
        and not is_paired(table)
        and not is_numbered(table)
    )


def _holds_data(table: Grid, place: int) -> bool:
    """Whether the cells of a column are short, and not all the same."""
    cells = [row.cells[place] for row in table.rows if row.cells[place]]
    short = sum(len(cell.split()) for cell in cells) <= MOST_WORDS * len(cells)
    return short and (len(set(cells)) > 1 or len(cells) == 1)


def _sort_of_rows(head: str) -> str:
    """What rows are that a letter or a number names: "grade" for "Grade"; empty where the head does not say it."""
    words = head.strip(" :")
    return words.lower() if re.fullmatch(r"[A-Z][a-z]{2,}(?: [a-z]{3,})?", words) else ""


def _whole(chunk: Chunk, row: Row, name: str) -> str:
    """A row's name with what stands before a colon in its cell: "Bus stop: write to Highways"."""
    both = f"{row.group}: {name}"
    return both if row.group and both in chunk.text[row.start : row.end] else name


def _cell(chunk: Chunk, table: Grid, row: Row, place: int, names: tuple[str, str, str], shown: Shown) -> Iterator[Fact]:
    name, head, called = names
    value = unmarked(row.cells[place])
    kind = read_reference(value).kind if value else ""
    figure = bool(_FIGURE.fullmatch(value))
    if (
        not value
        or not tells(value)
        or _NIL.fullmatch(value)
        or '"' in value
        or value.casefold() == name.strip('"').casefold()
    ):
        return
    if not figure and kind != "date" and not (NAMED.fullmatch(value) and is_datum(value, MOST_WORDS)):
        return
    announced = shown.scale or table.scale
    unit = unit_behind(value, f"{called} {head} {name}", head, table.title, announced) if figure else ""
    if unit is None:
        return
    what = "figure" if figure else "date" if kind == "date" and _ON_A_DAY.search(value) else ""
    asked = f"what {what} does" if what else "what does"
    tail = f'show for {{}} under "{head}"'
    yield Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=FactRule.LOOK_UP,
        subject=Subject(words=name, within=shown.lead, link="for"),
        attribute=head,
        value=value,
        kind=kind,
        unit=unit,
        rest=table.title,
        asked=f"{asked} {called} {tail}{f', {unit}' if unit else ''}?",
        stated=f'does {called} show [] for {{}} under "{head}"{f", {unit}" if unit else ""}?',
        table=f"{table.title}|{'|'.join(table.heads)}",
        start=row.start,
        end=row.end,
    )
