"""A text that somebody else wrote, laid out for reading: headings, lists, tables, paragraphs, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import streamlit as st

from pages.kit import errors

_HEADING: Final = re.compile(r"#{1,6}\s+(\S.*?)\s*#*")
_BULLET: Final = re.compile(r"[-*+•]\s+(\S.*)")
_NUMBERED: Final = re.compile(r"([0-9]{1,3})[.)]\s+(\S.*)")
_ROW: Final = re.compile(r"\|(.+)\|")
_RULE: Final = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
"""The line of a table below its header."""
_BAR: Final = re.compile(r"(?<!\\)\|")
_INDENT: Final = 12
"""Leading spaces that are kept: a listing inside a passage keeps its shape, a page of spaces does not widen it."""


def draw(text: str) -> None:
    """Draws a passage: layout from the few signs at the start of its lines, every word as plain text."""
    st.markdown(laid_out(text))


def laid_out(text: str) -> str:
    r"""Markdown that shows a text as plain words with its headings, lists, tables and line breaks.

    Only a line's first signs become layout, and only as ours: links, images, markup and formulas stay as written.

    >>> print(laid_out("# Fees\nOne *fee*\n\n- card <b>"))
    **Fees**
    <BLANKLINE>
    One \*fee\*
    <BLANKLINE>
    - card \<b\>
    """
    blocks: list[str] = []
    words: list[str] = []

    def close() -> None:
        if words:
            blocks.append("  \n".join(words))
            words.clear()

    listed = False
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tables = _tables(lines)
    for place, line in enumerate(lines):
        stripped = line.strip()
        if place in tables:
            if tables[place]:
                close()
                blocks.append(tables[place])
            listed = False
            continue
        heading, bullet, number = (pattern.fullmatch(stripped) for pattern in (_HEADING, _BULLET, _NUMBERED))
        item = ""
        if bullet:
            item = f"- {_start(errors.plain(bullet[1]))}"
        elif number:
            item = f"{number[1]}. {_start(errors.plain(number[2]))}"
        if item:
            close()
            # Items of one list follow each other without a blank line, or Markdown sets them apart.
            if listed:
                blocks[-1] = f"{blocks[-1]}\n{item}"
            else:
                blocks.append(item)
            listed = True
            continue
        listed = False if stripped else listed
        if heading:
            close()
            blocks.append(f"**{errors.plain(heading[1])}**")
        elif stripped:
            indent = min(len(line) - len(line.lstrip()), _INDENT)
            words.append("\u00a0" * indent + _start(errors.plain(stripped)))
        else:
            close()
    close()
    return "\n\n".join(blocks)


def _tables(lines: Sequence[str]) -> dict[int, str]:
    """The tables among the lines: Markdown at the place of the first line of each, nothing at those of its others."""
    drawn: dict[int, str] = {}
    for place in range(len(lines) - 1):
        header, rule = lines[place].strip(), lines[place + 1].strip()
        if place in drawn or not _ROW.fullmatch(header) or not _RULE.fullmatch(rule):
            continue
        columns = len(_cells(header))
        if len(_cells(rule)) != columns:
            continue
        end = place + 2
        while end < len(lines) and _ROW.fullmatch(lines[end].strip()):
            end += 1
        rows = [_cells(lines[at].strip()) for at in (place, *range(place + 2, end))]
        if any(len(row) != columns for row in rows):
            continue
        written = [f"| {' | '.join(map(errors.plain, row))} |" for row in rows]
        drawn[place] = "\n".join([written[0], "|" + "---|" * columns, *written[1:]])
        drawn.update(dict.fromkeys(range(place + 1, end), ""))
    return drawn


def _cells(row: str) -> list[str]:
    """The cells of a row, without their bars."""
    return [cell.strip() for cell in _BAR.split(row[1:-1])]


def _start(words: str) -> str:
    """A line whose first sign Markdown would take for layout of its own (a rule, a list that is none)."""
    return f"\\{words}" if words[:1] in "-+=" else re.sub(r"\A([0-9]+)([.)])", r"\1\\\2", words)
