"""A text that somebody else wrote, laid out for reading: its headings, lists and paragraphs, and nothing else of it."""

from __future__ import annotations

import re
from typing import Final

import streamlit as st

from pages.kit import errors

_HEADING: Final = re.compile(r"#{1,6}\s+(\S.*?)\s*#*")
_BULLET: Final = re.compile(r"[-*+•]\s+(\S.*)")
_NUMBERED: Final = re.compile(r"([0-9]{1,3})[.)]\s+(\S.*)")
_INDENT: Final = 12
"""Leading spaces that are kept: a listing inside a passage keeps its shape, a page of spaces does not widen it."""


def draw(text: str) -> None:
    """Draws a passage: layout from the few signs at the start of its lines, every word as plain text."""
    st.markdown(laid_out(text))


def laid_out(text: str) -> str:
    r"""Markdown that shows a text as plain words with its headings, lists and line breaks.

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
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        stripped = line.strip()
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


def _start(words: str) -> str:
    """A line whose first sign Markdown would take for layout of its own (a rule, a list that is none)."""
    return f"\\{words}" if words[:1] in "-+=" else re.sub(r"\A([0-9]+)([.)])", r"\1\\\2", words)
