"""Tables: select a row and get its id, page in SQL, download what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal
from zlib import crc32

import pandas as pd
import streamlit as st

from core.text.display.formulas import neutral
from core.text.display.visible import unturned
from pages.kit import errors, state
from pages.kit.look import numbers

Height = int | Literal["auto", "content", "stretch"]
"""The height of a table, as Streamlit's."""

PAGE: Final = 100
"""Rows on one page of a long table."""

ROW: Final = 35
"""Height of a row, and of the header, in pixels."""

LINE: Final = 20
"""Height of a line in a cell, in pixels."""

PADDING: Final = 16
"""What stands around the text of a cell, in pixels."""

LETTER: Final = 5.8
"""Width of a letter in a cell with what stays blank where a word goes on the next line, in pixels."""

MOST_LINES: Final = 8
"""Lines of a row at most; what is longer is read by opening it."""

MOST: Final = 1000
"""The most rows any table brings to the screen."""


def select(
    frame: pd.DataFrame,
    *,
    key: str,
    id_column: str,
    columns: Mapping[str, Any] | None = None,
    order: Sequence[str] | None = None,
    height: Height = "auto",
) -> str:
    """A table with one selectable row.

    Args:
        frame: At most `MOST` rows; page in SQL for more (`pages`).
        key: Unique on the page.
        id_column: Holds the ids, as text; hidden.
        columns: Streamlit's column configuration by column name.
        order: The columns shown, in order; all but the id when None.
        height: As Streamlit's.

    Returns:
        The id of the selected row, "" when none is.
    """
    visible_columns = [name for name in (order or frame.columns) if name != id_column]
    event = st.dataframe(
        as_stored(frame.head(MOST)),
        key=key,
        hide_index=True,
        width="stretch",
        height=fitting(frame, height),
        column_order=visible_columns,
        column_config=dict(columns or {}),
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = event["selection"]["rows"]
    return str(frame.iloc[rows[0]][id_column]) if rows and rows[0] < len(frame) else ""


def follow(
    frame: pd.DataFrame,
    *,
    key: str,
    id_column: str,
    parameter: str,
    columns: Mapping[str, Any] | None = None,
    order: Sequence[str] | None = None,
    height: Height = "auto",
    row_height: int | None = None,
    whole: bool = False,
) -> bool:
    """A table whose selected row is a parameter of the URL: a click opens the row, a click on it again closes it.

    Only a new selection changes the URL, so that what was opened in another way (a link, a related case) stays; the row
    of what is open is marked when the table is first drawn. Other rows are another table: a page or a filter never
    carries a selection over to a row nobody chose.

    `row_height` in pixels gives texts room for more than one line; `whole` as much as the longest of them needs at the
    widths of `columns`.

    Returns:
        Whether the selection has just changed; what is open stands in the link.
    """
    own = row_key(key, frame[id_column])
    seen, touched = f"{own}_seen", f"{own}_touched"
    visible_columns = [name for name in (order or frame.columns) if name != id_column]
    opened = getattr(state.link(), parameter)
    at = [place for place, name in enumerate(frame[id_column].head(MOST)) if opened and str(name) == opened]
    if whole:
        row_height = row_of_lines(frame, columns or {})
    with st.container(key=key):
        event = st.dataframe(
            as_stored(frame.head(MOST)),
            key=own,
            hide_index=True,
            width="stretch",
            height=fitting(frame, height, row_height or ROW),
            row_height=row_height,
            column_order=visible_columns,
            column_config=dict(columns or {}),
            on_select=lambda: state.keep(touched, True),
            selection_mode="single-row",
            selection_default={"selection": {"rows": at[:1], "columns": [], "cells": []}} if at else None,
        )
    rows = event["selection"]["rows"]
    picked = str(frame.iloc[rows[0]][id_column]) if rows and rows[0] < len(frame) else ""
    # A row that is marked because it is open was not chosen just now.
    changed = picked not in (state.note(seen, ""), opened) if picked else bool(state.note(touched))
    state.keep(seen, picked)
    state.drop(touched)
    if changed:
        state.update(**{parameter: picked})
    return changed


def row_of_lines(frame: pd.DataFrame, columns: Mapping[str, Any]) -> int:
    """The height of rows in which the longest text is read whole, up to `MOST_LINES` lines, in pixels.

    Args:
        frame: The rows.
        columns: Streamlit's column configuration; those with a width in pixels are looked at.

    >>> row_of_lines(pd.DataFrame({"Question": ["?" * 150]}), {"Question": {"width": 330}})  # 54 letters a line
    76
    """
    lines = 1
    for name, column in columns.items():
        width = column.get("width")
        if name not in frame or not isinstance(width, int):
            continue
        letters = max(int((width - PADDING) / LETTER), 1)
        for text in frame[name].head(MOST):
            lines = max(lines, sum(-(-len(part) // letters) for part in str(text).split("\n")))
    return ROW if lines == 1 else min(lines, MOST_LINES) * LINE + PADDING


def row_key(key: str, ids: Sequence[str]) -> str:
    """The widget key of a `follow` table with these rows."""
    return f"{key}_{crc32(chr(0).join(map(str, ids)).encode()):08x}"


def plain(frame: pd.DataFrame, *, key: str, columns: Mapping[str, Any] | None = None, height: Height = "auto") -> None:
    """A table to read, without selection."""
    st.dataframe(
        as_stored(frame.head(MOST)),
        key=key,
        hide_index=True,
        width="stretch",
        height=fitting(frame, height),
        column_config=dict(columns or {}),
    )


def wrapped(frame: pd.DataFrame) -> None:
    """A short table of texts to read: every cell is shown whole, over several lines where it must."""
    safe = frame.head(MOST).map(lambda cell: _first(errors.plain(str(cell))))
    st.table(safe.rename(columns=lambda name: errors.plain(str(name))), border="horizontal", hide_index=True)


def _first(cell: str) -> str:
    """A cell whose first sign Markdown would take for a list or a rule."""
    return f"\\{cell}" if cell[:1] in ("-", "+", "=") else cell


def as_stored(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with each sign that turns the direction of writing as its code point: texts read as they are stored."""
    texts = [name for name in frame.columns if frame[name].dtype == object or pd.api.types.is_string_dtype(frame[name])]
    if not texts:
        return frame
    shown = frame.copy()
    for name in texts:
        cells = [unturned(cell) if isinstance(cell, str) else cell for cell in frame[name]]
        shown[name] = pd.Series(cells, index=frame.index, dtype=frame[name].dtype)
    return shown


def fitting(frame: pd.DataFrame, height: Height, row: int = ROW) -> Height:
    """The height of a table; one of few rows is as high as they are, and no empty row follows.

    >>> fitting(pd.DataFrame({"a": [1]}), 318), fitting(pd.DataFrame({"a": range(9)}), 318)
    ('content', 318)
    """
    return "content" if isinstance(height, int) and row * len(frame) + ROW <= height else height


def pages(total: int, *, size: int = PAGE, thing: str = "row", things: str = "") -> int:
    """A pager for `total` rows, bound to ``page`` in the URL, with the line that says what is shown.

    Returns:
        The offset for SQL; the limit is `size`.
    """
    what = numbers.count(total, thing, things)
    if total <= size:
        st.caption(what)
        return 0
    turn, line = st.columns([4, 3], vertical_alignment="center")
    with turn:
        offset = (state.turn_page(-(-total // size)) - 1) * size
    line.caption(f"{offset + 1:,} to {min(total, offset + size):,} of {what}")
    return offset


def download(
    frame: pd.DataFrame | Callable[[], pd.DataFrame], *, name: str, key: str, label: str = "Download CSV"
) -> None:
    """A button that downloads rows as CSV; a text that a spreadsheet would run as a formula is quoted.

    Args:
        frame: The rows, or how to read them when the button is clicked.
        name: File name without ending.
        key: Unique on the page.
        label: The button's words.
    """
    st.download_button(
        label,
        data=(lambda: as_csv(frame())) if callable(frame) else as_csv(frame),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=key,
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


def as_csv(frame: pd.DataFrame) -> bytes:
    """The rows as UTF-8 CSV; texts that begin like a formula get a quote in front."""
    safe = frame.copy()
    for column in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[column]) and not pd.api.types.is_bool_dtype(safe[column]):
            safe[column] = safe[column].map(neutral)
    safe.columns = pd.Index([neutral(name) for name in safe.columns])
    text: str = safe.to_csv(index=False)
    return text.encode("utf-8-sig")
