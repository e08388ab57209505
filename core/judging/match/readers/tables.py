"""Tables in Markdown as statements: each cell with the names of its row and column."""

from __future__ import annotations

import re

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_NO_FIGURE = re.compile(r"[^\d]*|\W*(?:fy|fiscal|q[1-4]|[12][hq])?\s*'?(?:19|20)\d\d\W*", re.IGNORECASE)
_NEGATIVE = re.compile(r"[$€£]?\s?\(\s?([$€£]?\s?[\d.,]+\s?%?)\s?\)\s?(%?)")


def cells_as_statements(text: str) -> str:
    r"""A text whose Markdown tables are lines such as ``Capex (2018): 1,577``.

    Cells without figures and years belong to the name of their row. A cell that holds nothing but a figure in brackets
    is negative, as accountants write it.

    >>> print(cells_as_statements("| | 2021 | 2022 |\n|---|---|---|\n| Sales | 10 | (12) |"))
    Sales (2021): 10
    Sales (2022): -12
    """
    if "|" not in text:
        return text
    lines = text.split("\n")
    out: list[str] = []
    place = 0
    while place < len(lines):
        if "|" in lines[place] and place + 1 < len(lines) and _is_rule(lines[place + 1]):
            header = _cells(lines[place])
            place += 2
            while place < len(lines) and "|" in lines[place]:
                if not _is_rule(lines[place]):
                    out.extend(_statements(header, _cells(lines[place])))
                place += 1
        else:
            out.append(lines[place])
            place += 1
    return "\n".join(out)


def _is_rule(line: str) -> bool:
    return "|" in line and len(line) <= 2000 and _RULE.fullmatch(line) is not None


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*_").strip() for cell in line.strip().strip("|").split("|")]


def _statements(header: list[str], row: list[str]) -> list[str]:
    if not any(row):
        return []
    name = " ".join(cell for place, cell in enumerate(row) if cell and (place == 0 or _NO_FIGURE.fullmatch(cell)))
    figures = [(place, cell) for place, cell in enumerate(row) if place and cell and not _NO_FIGURE.fullmatch(cell)]
    if not figures:
        return [" ; ".join(cell for cell in row if cell)]
    statements = []
    for place, cell in figures:
        column = header[place] if place < len(header) else ""
        negative = _NEGATIVE.fullmatch(cell)
        value = f"-{negative[1].strip()}{negative[2]}" if negative else cell
        statements.append(f"{name} ({column}): {value}" if column else f"{name}: {value}")
    return statements
