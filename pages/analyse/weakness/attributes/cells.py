"""The map of two attributes: the picture, the table behind it, the cases of the open cell."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape

import numpy as np
import streamlit as st

from core.domain.results.runs import Run
from core.weakness import CaseTable, WeaknessMap
from core.weakness.service.data import ScoreChoice
from pages.analyse.weakness import cases as weakness_cases
from pages.analyse.weakness import reads, words
from pages.analyse.weakness.attributes import cells_chart, colours, frames, squares
from pages.analyse.weakness.controls import Shown
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables

SIZE = 100
"""Cells on one page of the table."""

MAP = "weakness_map"
"""Key of the picture."""


def draw(page: Page, run: Run, shown: Shown) -> None:
    """Draws the map; a click on a cell or a margin opens its cases beside it."""
    attributes = reads.attributes(page.store, run.id)
    if not shown.by:
        st.info("A map needs two attributes that cases have together. Look at this one under 'One attribute'.")
        return
    weakness_map = reads.weakness_map(page.store, run.id, shown)
    if not weakness_map.cells.n.size:
        st.info("No case has both attributes. Choose another pair, or take a filter away.")
        return
    if not weakness_map.cells.scored.any():
        st.info("No case in view has this score, so there is nothing to compare. Choose another score.")
    row, column = words.label(attributes, shown.attribute), words.label(attributes, shown.by)
    _few(weakness_map, row, column)
    order = frames.order(weakness_map)
    rows = weakness_cases.rows("weakness_cells", order, SIZE, shown.attribute, shown.by)
    _click(weakness_map, rows.picked)
    opened = _opened(shown)
    wide = len(squares.chosen(weakness_map, reads.table(page.store, run.id, shown).score).columns) > cells_chart.WIDE
    beside = bool(opened) and not wide
    if beside:  # half as wide, the picture has no room for it
        st.markdown(f"**{errors.plain(unescape(words.map_finding(weakness_map)))}**")
    map_at, part_at = st.columns([3, 2], gap="medium") if beside else (st.container(), st.container())
    with map_at:
        _picture(page, run, shown, weakness_map, row, column, beside=beside)
    if opened:
        with part_at:
            _part(page, run, shown, opened, beside=beside)
    tables.pages(len(order), size=SIZE, thing="cell")
    tables.select(
        frames.cells_frame(weakness_map, rows.places, row, column),
        key=rows.key,
        id_column="id",
        columns=frames.widths(row, column, share=bool(shown.threshold)),
        height=318,
    )
    # Written when it is asked for: there may be 100,000 rows.
    tables.download(
        lambda: frames.cells_data(weakness_map),
        name=f"weakness_{run.id}",
        key="weakness_map_csv",
        label="Data as CSV",
    )


def _few(weakness_map: WeaknessMap, row: str, column: str) -> None:
    """Says above the map that most cases in view are not in it."""
    inside = int(weakness_map.cells.n.sum())
    every = inside + weakness_map.outside
    if inside <= every / 2:
        st.info(
            f"The map has {inside:,} of {numbers.count(every, 'case')}: the others have no {errors.plain(row.lower())} "
            f"or no {errors.plain(column.lower())}. The second list says how many cases each attribute leaves."
        )


def _picture(
    page: Page, run: Run, shown: Shown, weakness_map: WeaknessMap, row: str, column: str, *, beside: bool
) -> None:
    choice = reads.choice(page.store, run.id, shown.score)
    cases = reads.table(page.store, run.id, shown)
    levels = squares.chosen(weakness_map, cases.score)
    charts.show(
        cells_chart.draw(
            weakness_map,
            levels,
            cases.score,
            title="" if beside else words.map_finding(weakness_map),
            row=row,
            column=column,
            measure=words.measure(choice, shown.threshold),
            lines=_lines(cases, choice, shown),
            open_id=_open_id(weakness_map),
        ),
        key=MAP,
        name=f"weakness_{run.id}",
        select=True,
    )
    _notes(weakness_map, levels, row, column)
    if not _opened(shown):
        st.caption("Select a cell of the map or a row of the table to see its cases and what to look at next.")


def _click(weakness_map: WeaknessMap, row: int | None) -> None:
    """Opens what was clicked just now, before anything is drawn."""
    square = weakness_cases.just(state.clicked(MAP), MAP)
    if square:
        first, _, second = square.partition(":")
        a = weakness_map.rows.levels[int(first)] if first else ""
        weakness_cases.open_levels(a, weakness_map.columns.levels[int(second)] if second else "")
    if row is not None:
        weakness_cases.open_levels(
            weakness_map.rows.levels[weakness_map.row[row]], weakness_map.columns.levels[weakness_map.column[row]]
        )


def _lines(cases: CaseTable, choice: ScoreChoice, shown: Shown) -> list[colours.Line]:
    overall = reads.overall(cases)
    made = [colours.Line(value=float(overall.mean[0]), name="all")] if overall.n[0] else []
    if choice.threshold is not None and not shown.threshold:
        made.append(colours.Line(value=choice.threshold, name="threshold"))
    return made


def _open_id(weakness_map: WeaknessMap) -> str:
    link = state.link()
    if not (link.a or link.b):
        return ""
    return ":".join(
        str(levels.index(level)) if level in levels else ""
        for levels, level in ((weakness_map.rows.levels, link.a), (weakness_map.columns.levels, link.b))
    )


def _notes(weakness_map: WeaknessMap, chosen: squares.Chosen, row: str, column: str) -> None:
    cells = weakness_map.cells
    key = ["In each cell: the mean, which its colour shows, and n."]
    if (cells.weak & ~weakness_map.compound).any():
        key.append(f"{words.WEAK} thick frame: weak.")
    if weakness_map.compound.any():
        key.append(f"{words.COMPOUND} double frame: weak, and worse than its row and column explain.")
    if ((cells.p_value != cells.p_value) & (cells.scored > 0)).any():
        key.append("Dotted frame: too few semantic groups to be tested.")
    pictured = np.isin(weakness_map.row, chosen.rows) & np.isin(weakness_map.column, chosen.columns)
    if pictured.sum() < len(chosen.rows) * len(chosen.columns):
        key.append("Hatched: no case.")
    if (cells.scored == 0).any():
        key.append("Crossed: no case scored.")
    for thing, levels, every in (
        (row, len(chosen.rows), int((weakness_map.by_row.n > 0).sum())),
        (column, len(chosen.columns), int((weakness_map.by_column.n > 0).sum())),
    ):
        if levels < every:
            key.append(f"{thing}: {levels} levels drawn, and {every - levels:,} more: see the table.")
    if weakness_map.outside:
        key.append(f"{numbers.count(weakness_map.outside, 'case')} without one of the attributes left out.")
    st.caption(" ".join(key))


def _opened(shown: Shown) -> Sequence[tuple[str, str]]:
    """The levels whose cases are open, none where nothing is."""
    link = state.link()
    return [(name, level) for name, level in ((shown.attribute, link.a), (shown.by, link.b)) if level]


def _part(page: Page, run: Run, shown: Shown, levels: Sequence[tuple[str, str]], *, beside: bool) -> None:
    cases = reads.table(page.store, run.id, shown)
    places = reads.inside(cases, levels)
    if not places.size:
        st.warning("No case in view has the levels the link names. Select another cell.")
        return
    weakness_cases.draw(
        page,
        run,
        tuple(map(cases.case_ids.__getitem__, places.tolist())),
        words.questions(tuple(levels)),
        shown=shown,
        beside=beside,
    )
