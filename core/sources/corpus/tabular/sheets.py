"""Sheets of a workbook as text: a heading for each, and its rows as a table."""

from __future__ import annotations

from collections.abc import Sequence

from core.sources.corpus.tabular.tables import table_lines


def sheet_text(name: str, rows: Sequence[Sequence[str]]) -> str:
    r"""A heading and the rows that hold anything, columns that hold nothing left out; empty for an empty sheet.

    >>> sheet_text("Fees", [["Card", "", "Fee"], ["Gold", "", "40"], ["", "", ""]])
    '## Fees\n\n| Card | Fee |\n| --- | --- |\n| Gold | 40 |'
    """
    filled = [row for row in rows if any(row)]
    if not filled:
        return ""
    width = max(map(len, filled))
    whole = [[*row, *[""] * (width - len(row))] for row in filled]
    used = [place for place in range(width) if any(row[place] for row in whole)]
    table = table_lines([[row[place] for place in used] for row in whole], headed=True)
    return "\n".join([f"## {' '.join(name.split())}", "", *table])
