"""Tables in Markdown as statements: each cell with the names of its row and column."""

from __future__ import annotations

import re

from core.judging.match.readers.figures.scales import stated_scales

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_NO_FIGURE = re.compile(r"[^\d]*|\W*(?:fy|fiscal|q[1-4]|[12][hq])?\s*'?(?:19|20)\d\d\W*", re.IGNORECASE)
FEWEST_ROWS = 1
_PERIOD_COLUMNS = re.compile(
    r"^[^.;!?]{0,60}?(?P<periods>(?:(?:FY|CY|Q[1-4][ -]?)?'?(?:19|20)\d\d|FY\d\d|Q[1-4]|[1-4]Q\d\d)"
    r"(?:\s+(?:(?:FY|CY|Q[1-4][ -]?)?'?(?:19|20)\d\d|FY\d\d|Q[1-4]|[1-4]Q\d\d)){1,7})\s*$",
    re.IGNORECASE,
)
_FIGURE_CELL = re.compile(r"[$€£]?\(?-?[$€£]?\d[\d.,]*\)?%?")
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
        return _columns_as_statements(text) if text.count("\n") >= FEWEST_ROWS else text
    lines = text.split("\n")
    out: list[str] = []
    place = 0
    while place < len(lines):
        if "|" in lines[place] and place + 1 < len(lines) and _is_rule(lines[place + 1]):
            header = _cells(lines[place])
            if header and len(header[0]) <= 30 and stated_scales(header[0].casefold()):
                out.append(header[0] if " in " in f" {header[0]}".replace("(", " ") else f"(in {header[0]})")
            place += 2
            while place < len(lines) and "|" in lines[place]:
                if not _is_rule(lines[place]):
                    out.extend(_statements(header, _cells(lines[place])))
                place += 1
        else:
            out.append(lines[place])
            place += 1
    return "\n".join(out)


def _columns_as_statements(text: str) -> str:
    r"""A text in which the rows of a table without bars are lines such as ``Tier 1 (2022): 14.2%``.

    A table is a line that ends with two periods or more, and lines behind it that end with as many figures.

    >>> print(_columns_as_statements("Ratio 2022 2021\nTier 1 14.2% 13.9%\nTotal 16.8% 16.1%"))
    Tier 1 (2022): 14.2%
    Tier 1 (2021): 13.9%
    Total (2022): 16.8%
    Total (2021): 16.1%
    """
    out: list[str] = []
    columns: list[str] = []
    for line in text.split("\n"):
        header = _PERIOD_COLUMNS.search(line)
        words = line.split()
        cells = words[-len(columns) :] if columns else []
        name = " ".join(words[: -len(columns)]).strip(" :") if cells else ""
        if header:
            columns = header["periods"].split()
        elif any(letter.isalpha() for letter in name) and all(_FIGURE_CELL.fullmatch(cell) for cell in cells):
            out.extend(_statements(["", *columns], [name, *cells]))
        else:
            columns = columns if not line.strip() else []
            out.append(line)
            continue
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
