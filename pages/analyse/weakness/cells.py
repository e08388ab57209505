"""The map of two attributes: the picture, the table behind it, the cases of the open cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.domain.runs import Run
from core.evaluation.weakness_data import ScoreChoice
from core.weakness import CaseTable, WeaknessMap
from pages.ui import (
    charts,
    numbers,
    state,
    tables,
    weakness_cases,
    weakness_frames,
    weakness_map_chart,
    weakness_reads,
    weakness_squares,
    weakness_words,
)
from pages.ui.frame import Page
from pages.ui.weakness_controls import Shown

SIZE = 100
"""Cells on one page of the table."""

MAP = "weakness_map"
"""Key of the picture."""


def draw(page: Page, run: Run, shown: Shown) -> None:
    """Draws the map; a click on a cell or a margin opens its cases below."""
    known = weakness_reads.attributes(page.store, run.id)
    choice = weakness_reads.choice(page.store, run.id, shown.score)
    if not shown.by:
        st.info("A map needs two attributes, and these cases have one. Look at it under 'One attribute'.")
        return
    found = weakness_reads.two(page.store, run.id, shown)
    cases = weakness_reads.table(page.store, run.id, shown)
    if not found.cells.n.size:
        st.info("No case has both attributes. Choose another pair, or take a filter away.")
        return
    if not found.cells.scored.any():
        st.info("No case in view has this score, so there is nothing to compare. Choose another score.")
    row, column = weakness_words.label(known, shown.attribute), weakness_words.label(known, shown.by)
    drawn = weakness_squares.chosen(found, cases.score)
    order = weakness_frames.order(found)
    rows = weakness_cases.rows("weakness_cells", order, SIZE, shown.attribute, shown.by)
    _click(found, rows.picked)
    raw = _means() == "raw"
    charts.show(
        weakness_map_chart.draw(
            found,
            drawn,
            cases.score,
            title=weakness_words.map_finding(found, row, column),
            row=row,
            column=column,
            raw=raw,
            measure=weakness_words.measure(choice, shown.threshold),
            lines=_lines(cases, choice, shown),
            open_id=_open_id(found),
        ),
        key=MAP,
        name=f"weakness_{run.id}",
        select=True,
    )
    # Written when it is asked for: there may be 100,000 rows.
    tables.download(
        lambda: weakness_frames.cells_data(found),
        name=f"weakness_{run.id}",
        key="weakness_map_csv",
        label="Data as CSV",
    )
    _notes(found, drawn, row, column)
    tables.pages(len(order), size=SIZE, thing="cell")
    tables.select(
        weakness_frames.cells_frame(found, rows.places, row, column),
        key=rows.key,
        id_column="id",
        columns=weakness_frames.widths(row, column, share=bool(shown.threshold)),
        height=318,
    )
    _opened(page, run, shown, found)


def _click(found: WeaknessMap, row: int | None) -> None:
    """Opens what was clicked just now, before anything is drawn."""
    square = weakness_cases.just(state.clicked(MAP), MAP)
    if square:
        first, _, second = square.partition(":")
        a = found.rows.levels[int(first)] if first else ""
        weakness_cases.open_levels(a, found.columns.levels[int(second)] if second else "")
    if row is not None:
        weakness_cases.open_levels(found.rows.levels[found.row[row]], found.columns.levels[found.column[row]])


def _means() -> str:
    return state.switch(
        "Colours",
        ["", "raw"],
        "means",
        name={"": "Drawn towards the margins", "raw": "Plain means"}.__getitem__,
        label_visibility="collapsed",
    )


def _lines(cases: CaseTable, choice: ScoreChoice, shown: Shown) -> list[weakness_map_chart.Line]:
    overall = weakness_reads.overall(cases)
    made = [weakness_map_chart.Line(value=float(overall.mean[0]), name="all")] if overall.n[0] else []
    if choice.threshold is not None and not shown.threshold:
        made.append(weakness_map_chart.Line(value=choice.threshold, name="threshold"))
    return made


def _open_id(found: WeaknessMap) -> str:
    link = state.link()
    if not (link.a or link.b):
        return ""
    return ":".join(
        str(levels.index(level)) if level in levels else ""
        for levels, level in ((found.rows.levels, link.a), (found.columns.levels, link.b))
    )


def _notes(found: WeaknessMap, drawn: weakness_squares.Chosen, row: str, column: str) -> None:
    cells = found.cells
    key = ["In each cell: the mean and n."]
    if (cells.weak & ~found.compound).any():
        key.append(f"{weakness_words.WEAK} thick frame: weak.")
    if found.compound.any():
        key.append(f"{weakness_words.COMPOUND} double frame: weak, and worse than its row and column explain.")
    if ((cells.p_value != cells.p_value) & (cells.scored > 0)).any():
        key.append("Dotted frame: too few semantic groups to be tested.")
    pictured = np.isin(found.row, drawn.rows) & np.isin(found.column, drawn.columns)
    if pictured.sum() < len(drawn.rows) * len(drawn.columns):
        key.append("Hatched: no case.")
    if (cells.scored == 0).any():
        key.append("Crossed: no case scored.")
    for thing, shown, every in (
        (row, len(drawn.rows), int((found.by_row.n > 0).sum())),
        (column, len(drawn.columns), int((found.by_column.n > 0).sum())),
    ):
        if shown < every:
            key.append(f"{thing}: {shown} levels drawn, and {every - shown:,} more: see the table.")
    if found.outside:
        key.append(f"{numbers.count(found.outside, 'case')} without one of the attributes left out.")
    st.caption(" ".join(key))


def _opened(page: Page, run: Run, shown: Shown, found: WeaknessMap) -> None:
    link = state.link()
    levels: Sequence[tuple[str, str]] = [
        (name, level) for name, level in ((shown.attribute, link.a), (shown.by, link.b)) if level
    ]
    if not levels:
        st.caption("Select a cell of the map or a row of the table to see its cases and what to look at next.")
        return
    cases = weakness_reads.table(page.store, run.id, shown)
    places = weakness_reads.inside(cases, levels)
    if not places.size:
        st.warning("No case in view has the levels the link names. Select another cell.")
        return
    weakness_cases.draw(
        page,
        run,
        tuple(map(cases.case_ids.__getitem__, places.tolist())),
        weakness_words.TIMES.join(level for _, level in levels),
        shown=shown,
    )
