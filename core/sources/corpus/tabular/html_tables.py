"""Tables, forms and form controls of HTML pages as lines."""

from __future__ import annotations

import re

from bs4 import Comment, Tag
from bs4.element import NavigableString

from core.sources.corpus.tabular.spans import SpanningCell, read_fields, read_spans, units_in, without_units
from core.sources.corpus.tabular.tables import table_block, table_lines

HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
FIGURE = re.compile(r"[-–(]*[$€£¥]?\s?[-–(]*\d[\d.,' ]{0,30}\)?\s?%?\)?")
YEAR = re.compile(r"(?:FY ?)?(?:19|20)\d\d")
SILENT = frozenset({"hidden", "submit", "button", "reset", "image", "password", "file"})
"""Inputs that show no value, or none that is a document's."""


def html_table(table: Tag, before: str) -> list[str]:
    """The lines of a table that holds no other one.

    A table whose keys and values alternate is a form: ``Key: value``. A table with a head has a line with its title and
    units above it; one of a single row or column, or without any head, is rows only.

    Args:
        table: The element.
        before: The text above it, whose last heading is its title where it has no caption.
    """
    trs = [row for row in table.find_all("tr") if row.find(["td", "th"])]
    rows = [[_cell(cell) for cell in row.find_all(["td", "th"])] for row in trs]
    rows = [row for row in rows if any(cell.text for cell in row)]
    heads = _heads(table, trs, rows)
    caption = table.find("caption")
    called = _text(caption) if isinstance(caption, Tag) else ""
    if not heads and (fields := read_fields(rows)):
        lines = [called] if called else []
        return [*lines, *(f"{key}: {value}" for key, value in fields if value)]
    width = max((sum(cell.columns for cell in row) for row in rows), default=0)
    if not heads or len(rows) <= heads or width < 2:
        lines = table_lines([[cell.text for cell in row] for row in rows], headed=bool(heads))
        return [called, *lines] if called else lines
    read = read_spans(rows, heads)
    above = [line for line in before.split("\n") if line.strip()][-2:]
    headings = HEADING.findall(before)
    title = called or read.title or (headings[-1] if headings else "")
    units = units_in(title) or read.units or next(filter(None, map(units_in, reversed(above))), "")
    return table_block([read.heads, *read.rows], title=without_units(title), units=units)


def control(tag: Tag) -> str:
    """What a control of a form shows: its value, the chosen option, or whether it is ticked."""
    kind = str(tag.get("type") or "text").casefold()
    if tag.name == "select":
        chosen = tag.find("option", selected=True)
        return f" {_text(chosen)} " if isinstance(chosen, Tag) else " "
    if kind in ("checkbox", "radio"):
        return "☒ " if tag.has_attr("checked") else "☐ "
    return "" if kind in SILENT else f" {tag.get('value') or ''} "


def _heads(table: Tag, trs: list[Tag], rows: list[list[SpanningCell]]) -> int:
    """How many rows of a table hold its heads: those of its ``thead``, the marked ones, else a first row set apart."""
    thead = table.find("thead")
    if isinstance(thead, Tag) and (count := len([row for row in thead.find_all("tr") if row.find(["td", "th"])])):
        return count
    count = 0
    open_rows = 0
    for row in rows:
        marked = all(cell.head or not cell.text for cell in row) and any(cell.head for cell in row)
        if not marked and open_rows <= 0:
            break
        open_rows = max([open_rows - 1, *(min(cell.rows, len(rows)) - 1 for cell in row if cell.head)])
        count += 1
        if not marked:
            break
    if count or len(rows) < 3:
        return count
    first, second = rows[0], rows[1]
    bold = all(_is_bold(cell) for cell in trs[0].find_all(["td", "th"]) if _text(cell))
    named = len(first) > 1 and not any(_figure(cell.text) for cell in first[1:])
    return int(named and (bold or any(_figure(cell.text) for cell in second[1:])))


def _figure(text: str) -> bool:
    return FIGURE.fullmatch(text) is not None and not YEAR.fullmatch(text)


def _is_bold(cell: Tag) -> bool:
    strong = "".join(part.get_text("") for part in cell.find_all(["b", "strong"]))
    return "".join(strong.split()) == "".join(cell.get_text("").split())


def _cell(cell: Tag) -> SpanningCell:
    return SpanningCell(
        text=_text(cell), rows=_count(cell, "rowspan"), columns=_count(cell, "colspan"), head=cell.name == "th"
    )


def _count(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or "1").strip()
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1


def _text(tag: Tag) -> str:
    """The text of an element, with what its form controls show."""
    if tag.find(["input", "select"]) is None:
        return " ".join(tag.get_text(" ").split())
    parts: list[str] = []
    skipped: set[int] = set()
    for part in tag.descendants:
        if isinstance(part, Tag) and part.name in ("input", "select"):
            parts.append(control(part))
            skipped |= {id(inner) for inner in part.descendants}
        elif isinstance(part, NavigableString) and not isinstance(part, Comment) and id(part) not in skipped:
            parts.append(str(part))
    return " ".join(" ".join(parts).split())
