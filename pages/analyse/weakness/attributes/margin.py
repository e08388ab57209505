"""One attribute: the plot of its levels, the table behind it, the cases of the open level."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.domain.results.runs import Run
from core.weakness import CaseTable, Marginal
from core.weakness.service.data import ScoreChoice
from core.weakness.table import Ints
from pages.analyse.weakness import cases as weakness_cases
from pages.analyse.weakness import reads, words
from pages.analyse.weakness.attributes import frames, margin_chart
from pages.analyse.weakness.controls import Shown
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables

SIZE = 100
"""Levels on one page of the table."""

PLOT = "weakness_plot"
"""Key of the picture."""


def draw(page: Page, run: Run, shown: Shown) -> None:
    """Draws one attribute; a click on a mean opens the cases of its level, a click on a point opens the case."""
    name = words.label(reads.attributes(page.store, run.id), shown.attribute)
    choice = reads.choice(page.store, run.id, shown.score)
    cases = reads.values(page.store, run.id, shown)
    marginal = reads.marginal_levels(page.store, run.id, shown)
    if not (marginal.levels.n > 0).any():
        st.info(f"No case in view has the attribute {errors.plain(name)}. Choose another attribute.")
        return
    if not cases.scored.any():
        st.info("No case in view has this score, so there is nothing to compare. Choose another score.")
    elif (marginal.levels.n > 0).sum() == 1:
        st.info("One level only: nothing to compare it with. Choose another attribute, or take a filter away.")
    plain = reads.marginal_levels(page.store, run.id, replace(shown, threshold="")) if shown.threshold else marginal
    order = marginal.worst_first[marginal.levels.n[marginal.worst_first] > 0]
    rows = weakness_cases.rows("weakness_levels", order, SIZE, shown.attribute)
    _click(marginal, cases, rows.picked)
    _plot(run, shown, choice, cases, marginal, plain, name)
    tables.pages(len(order), size=SIZE, thing="level")
    tables.select(
        frames.levels_frame(marginal, rows.places, name).assign(id=[str(at) for at in rows.places.tolist()]),
        key=rows.key,
        id_column="id",
        columns=frames.widths(name, share=bool(shown.threshold)),
        height=318,
    )
    _opened(page, run, shown, name)


def _plot(
    run: Run, shown: Shown, choice: ScoreChoice, cases: CaseTable, marginal: Marginal, plain: Marginal, name: str
) -> None:
    levels = margin_chart.chosen(marginal)
    share = margin_chart.is_share(cases)
    box = not share and _shape() == "box"
    points = margin_chart.points(marginal, cases, levels)
    charts.show(
        margin_chart.draw(
            marginal,
            plain,
            cases,
            levels,
            points,
            title=_title(marginal, choice, shown),
            attribute=name,
            box=box,
            axis=words.axis(choice),
            lines=_lines(cases, choice, shown),
        ),
        key=PLOT,
        name=f"weakness_{run.id}",
        select=True,
    )
    # Written when it is asked for: there may be 100,000 rows.
    tables.download(
        lambda: frames.levels_data(marginal),
        name=f"weakness_{run.id}",
        key="weakness_plot_csv",
        label="Data as CSV",
    )
    _notes(cases, marginal, levels, points, name, share=share)


def _title(marginal: Marginal, choice: ScoreChoice, shown: Shown) -> str:
    # The axis is that of the score, and the figures of the title are shares.
    of = f" ({words.measure(choice, shown.threshold)})" if shown.threshold else ""
    return f"{words.level_finding(marginal)}{of}"


def _click(marginal: Marginal, cases: CaseTable, row: int | None) -> None:
    """Opens what was clicked just now, before anything is drawn."""
    kind, _, ident = weakness_cases.just(state.clicked(PLOT), PLOT).partition(":")
    if kind == "level":
        weakness_cases.open_levels(marginal.attribute.levels[int(ident)])
    elif kind == "case" and ident in cases.case_ids:
        at = int(marginal.attribute.codes[cases.case_ids.index(ident)])
        weakness_cases.open_levels(marginal.attribute.levels[at], case=ident)
    if row is not None:
        weakness_cases.open_levels(marginal.attribute.levels[row])


def _shape() -> str:
    return state.switch(
        "Shape", ["", "box"], "shape", name={"": "Violins", "box": "Boxes"}.__getitem__, label_visibility="collapsed"
    )


def _lines(cases: CaseTable, choice: ScoreChoice, shown: Shown) -> list[tuple[float, str]]:
    overall = reads.overall(cases)
    lines = [(float(overall.mean[0]), "all")] if overall.n[0] else []
    at = float(shown.threshold) if shown.threshold else choice.threshold
    return lines if at is None else [*lines, (at, "threshold")]


def _notes(
    cases: CaseTable,
    marginal: Marginal,
    levels: Ints,
    points: margin_chart.Points,
    name: str,
    *,
    share: bool,
) -> None:
    notes = ["Each point is a case; the large marks are means with 95% intervals over semantic groups."]
    if share:
        notes.append("A score of 0 or 1 has no shape: its points lie at both ends.")
    if points.drawn < points.of:
        notes.append(
            f"{points.drawn:,} of {points.of:,} cases are drawn, as many of each level, with seed "
            f"{margin_chart.SEED}; every figure and shape is of all of them."
        )
    every = int((marginal.levels.n > 0).sum())
    if levels.size < every:
        notes.append(f"{name}: {levels.size} levels drawn, and {every - levels.size:,} more: see the table.")
    if marginal.outside:
        notes.append(f"{numbers.count(marginal.outside, 'case')} without the attribute left out.")
    st.caption(errors.plain(" ".join(notes)))


def _opened(page: Page, run: Run, shown: Shown, name: str) -> None:
    level = state.link().a
    if not level:
        st.caption("Select a mean in the picture or a row of the table to see its cases and what to look at next.")
        return
    cases = reads.table(page.store, run.id, shown)
    places = reads.inside(cases, [(shown.attribute, level)])
    if not places.size:
        st.warning("No case in view has the level the link names. Select another one.")
        return
    case_ids = tuple(map(cases.case_ids.__getitem__, places.tolist()))
    weakness_cases.draw(page, run, case_ids, f"{name}: {level}", shown=shown)
