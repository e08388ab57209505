"""Tables as Markdown rows, so that every later step reads one kind of table."""

from __future__ import annotations

from collections.abc import Sequence


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
