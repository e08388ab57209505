"""Tables as Markdown rows, so that every later step reads one kind of table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

MOST_CHARACTERS = 2_400
"""Of a table that is written in one piece: at most four times as many tokens as an encoder reads at once, so that a
chunk holds it with its head."""

FEWEST_HEADS = 3
"""Heads from which a line of one cell is none of their rows."""
LEAST_FILLED = 0.6
"""Share of the cells of a usual row that the heads have at least."""


def filled(row: Sequence[str]) -> int:
    """How many cells of a row hold something."""
    return sum(map(bool, row))


def row_of_heads(rows: Sequence[Sequence[str]], most_above: int) -> int:
    """The place of the row of heads: the first of the top ones that fills about as many cells as most rows do.

    >>> row_of_heads([["Funds", "", ""], ["as at", "31 March", ""], ["Code", "Fund", "Fee"], ["F1", "Swap", "5"]], 6)
    2
    """
    usual = median(map(filled, rows)) if rows else 0
    if not rows or filled(rows[0]) >= LEAST_FILLED * usual:
        return 0
    top = enumerate(rows[: most_above + 1])
    return next((place for place, row in top if filled(row) >= max(FEWEST_HEADS, LEAST_FILLED * usual)), 0)


def table_lines(rows: Sequence[Sequence[str]], *, headed: bool) -> list[str]:
    """Rows as lines ``| a | b |``, with a rule below the first row where it holds the headers.

    >>> table_lines([["Branch", "Manager"], ["Hill Road", "Jane Doe"]], headed=True)
    ['| Branch | Manager |', '| --- | --- |', '| Hill Road | Jane Doe |']
    """
    width = max((len(row) for row in rows), default=0)
    lines = []
    for place, row in enumerate(rows):
        cells = [" ".join(cell.replace("|", "/").split()) for cell in row] + [""] * (width - len(row))
        lines.append(f"| {' | '.join(cells)} |")
        if headed and place == 0:
            lines.append(f"| {' | '.join(['---'] * width)} |")
    return lines


def table_block(rows: Sequence[Sequence[str]], *, title: str = "", units: str = "") -> list[str]:
    """A table with what it is called: ``Table: title (units)`` above its rows, of which the first one is its head.

    A table that would not fit in one chunk is parted, and each part has the title and the head.

    >>> table_block([["", "2023"], ["Net sales: Products", "$63"]], title="Operations", units="in millions")
    ['Table: Operations (in millions)', '|  | 2023 |', '| --- | --- |', '| Net sales: Products | $63 |']
    """
    named = " ".join(title.replace("|", "/").split())
    measured = f" ({units[:1].lower()}{units[1:]})" if units else ""
    told = f"Table: {named}{measured}".replace("  ", " ").rstrip()
    head, rule, *lines = table_lines(rows, headed=True)
    parts: list[list[str]] = [[]]
    size = len(told) + len(head)
    for line in lines:
        if parts[-1] and size + len(line) > MOST_CHARACTERS:
            parts.append([])
            size = len(told) + len(head)
        parts[-1].append(line)
        size += len(line)
    whole: list[str] = []
    for number, part in enumerate(parts):
        whole += [""] if number else []
        whole += [told, head, rule, *part]
    return whole


def named_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines ``header: value; header: value``, blank cells left out; the first row holds the headers.

    >>> named_lines([["name", "fee"], ["card", "3"], ["cash", ""]]), named_lines([["only", "headers"]])
    (['name: card; fee: 3', 'name: cash'], ['only; headers'])
    """
    headers, *records = rows
    lines = []
    for record in records:
        cells = [
            f"{headers[place]}: {value}" if place < len(headers) and headers[place] else value
            for place, value in enumerate(record)
            if value
        ]
        lines.append("; ".join(cells))
    return lines or ["; ".join(headers)]
