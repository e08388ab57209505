"""Tables of plain text whose columns are set apart by blanks, as a printout has them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

FEWEST_LINES = 3
"""Lines below which blanks may stand below each other by chance."""
HEADED = 3
"""Columns from which on the first line is taken for the headers."""
APART = re.compile(r"\S\s{2,}\S")
"""What prose has not."""

DELIMITERS = (",", ";", "\t")
SEPARATED = 3
"""Cells of a line from which delimiters make a table."""
LONGEST = 40
"""Characters of a name of a column."""


def with_borders(lines: Sequence[str]) -> list[str]:
    r"""The lines of a text, those of tables that are set in columns as rows of a Markdown table.

    >>> with_borders(["Name  Job       Ext.", "Ann   Clerk     3049", "Ben   Sea pilot 4061"])
    ['| Name | Job | Ext. |', '|---|---|---|', '| Ann | Clerk | 3049 |', '| Ben | Sea pilot | 4061 |']
    >>> with_borders(["site,town,beds", "KES,Averley,61"])
    ['| site | town | beds |', '|---|---|---|', '| KES | Averley | 61 |']
    >>> with_borders(["A sentence that goes on", "in the next line and is", "no table at all."])[0]
    'A sentence that goes on'
    """
    lines = _with_separated(lines)
    if sum(APART.search(line) is not None for line in lines) < FEWEST_LINES - 1:
        return list(lines)
    bordered: list[str] = []
    for blank, group in groupby(lines, key=lambda line: not line.strip() or "|" in line):
        run = list(group)
        cells = [] if blank or len(run) < FEWEST_LINES else list(_rows(run))
        bordered.extend(cells or run)
    return bordered


def _with_separated(lines: Sequence[str]) -> list[str]:
    """The lines of a text, those of a piece of a CSV file as rows of a Markdown table."""
    bordered: list[str] = []
    for blank, group in groupby(lines, key=lambda line: not line.strip() or "|" in line):
        run = list(group)
        rows = [] if blank or len(run) < 2 else _cells(run)
        bordered.extend(
            (f"| {' | '.join(rows[0])} |", f"|{'---|' * len(rows[0])}", *(f"| {' | '.join(row)} |" for row in rows[1:]))
            if rows
            else run
        )
    return bordered


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines that a delimiter cuts alike, below a line of names; nothing where prose has commas."""
    for delimiter in DELIMITERS:
        if lines[0].count(delimiter) < SEPARATED - 1 or f"{delimiter} " in lines[0]:
            continue
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
        alike = len({len(row) for row in rows}) == 1
        if alike and all(cell and not cell[0].isdigit() and len(cell) <= LONGEST for cell in rows[0]):
            return rows
    return []


def _rows(lines: Sequence[str]) -> Iterator[str]:
    """The rows of a table; none where the lines are no table."""
    wide = [line.expandtabs() for line in lines]
    width = max(map(len, wide))
    wide = [line.ljust(width) for line in wide]
    blank = [all(line[place] == " " for line in wide) for place in range(width)]
    starts = [place for place in range(width) if not blank[place] and (place == 0 or blank[place - 1])]
    if len(starts) < 2 or any(line[starts[0]] == " " for line in wide):
        return
    cuts = [starts[0], *(place for place in starts[1:] if _is_gutter(wide, place)), width]
    if len(cuts) < HEADED:
        return
    rows = [[line[start:end].strip() for start, end in pairwise(cuts)] for line in wide]
    for place, row in enumerate(rows):
        yield f"| {' | '.join(row)} |"
        if place == 0 and len(row) >= HEADED:
            yield f"|{'---|' * len(row)}"


def _is_gutter(lines: Sequence[str], place: int) -> bool:
    """Whether two blanks stand before a column in the first line and in most of the others, as prose never has."""
    apart = [line[place - 2 : place] == "  " for line in lines]
    return apart[0] and sum(apart) * 2 > len(lines)
