"""Does the chosen score tell right from wrong inside each level, or only because levels differ?"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain.estimates import Estimate
from core.domain.results.runs import VERDICT_METRIC, Run
from core.store.database import Store
from core.weakness.holding import CHANCE, FEW, HOLDS, LEVELS, SOME, UNSHOWN, Holding, LevelHolding, score_within
from core.weakness.service.data import label_of
from pages.analyse.weakness import cases as weakness_cases
from pages.analyse.weakness import dots, reads
from pages.analyse.weakness.controls import Shown
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables

DRAWN: Final = 16
"""Levels in the picture, those where the score tells least first; the table has all."""
VERDICTS: Final = {
    HOLDS: "✓ Holds inside the levels",
    SOME: "✗ Holds in some levels only",
    UNSHOWN: "○ Not shown in every level",
    LEVELS: "✗ Comes from differences between levels",
    CHANCE: "✗ No better than chance",
    FEW: "○ Too few cases",
}
COLUMNS: Final = {
    "Level": st.column_config.TextColumn(width=230),
    "Right": st.column_config.NumberColumn(width=70, help="Cases judged right that have the score."),
    "Wrong": st.column_config.NumberColumn(width=70, help="Cases judged wrong that have the score."),
    "AUC": st.column_config.TextColumn(
        width=150, help="The chance that a right answer of this level scores above a wrong one of it; 0.5 is chance."
    ),
    "How": st.column_config.TextColumn(width=310, help="How the interval was made, or why there is none."),
}


@cache.read(*reads.KINDS)
def _holding(store: Store, run_id: str, shown: Shown) -> Holding:
    cases = reads.values(store, run_id, shown)
    judged = reads.values(store, run_id, replace(shown, score=VERDICT_METRIC))
    return score_within(
        cases.score.values,
        judged.score.values,
        cases.clusters,
        cases.attribute(shown.attribute),
        higher_is_better=cases.score.higher_is_better,
    )


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The verdict, the pooled figure beside the one inside the levels, every level, and the cases of one."""
    if shown.score == VERDICT_METRIC:
        st.info(
            "Choose a score other than the verdict. This part asks whether a high score means a right answer among "
            "cases of one level too, or only because levels that are answered well have high scores."
        )
        return
    cases = reads.values(page.store, run.id, shown)
    holding = _holding(page.store, run.id, replace(shown, by="", threshold=""))
    name = label_of(shown.attribute)
    st.markdown(f"**{VERDICTS[holding.verdict]}** · {errors.plain(holding.sentence)}")
    st.caption(errors.plain(counted(holding, name)))
    if holding.pooled.value is None:
        return
    charts.show(picture(holding, name), key="holding_chart", data=_data(holding), name=f"holding_{run.id}")
    changed = tables.follow(
        holding_frame(holding), key="holding_table", id_column="id", parameter="cell", columns=COLUMNS, height=318
    )
    if changed:
        state.update(case="", page=1)
    level = {str(place): level_row.level for place, level_row in enumerate(holding.levels)}.get(state.link().cell)
    if level is None:
        st.caption("Select a level to see its cases.")
        return
    places = reads.inside(cases, [(shown.attribute, level)])
    title = f"{name}: {level}"
    weakness_cases.draw(page, run, [cases.case_ids[place] for place in places.tolist()], title, shown=shown)


def counted(holding: Holding, name: str) -> str:
    """What the figures rest on, in one line."""
    asides = [
        f"{numbers.count(n, 'case')} {why}"
        for n, why in ((holding.outside, f"without {name.lower()}"), (holding.unscored, "without score or verdict"))
        if n
    ]
    left_out_note = f" Left out: {'; '.join(asides)}." if asides else ""
    return (
        f"{holding.right:,} right and {holding.wrong:,} wrong answers. AUC is the chance that a right answer scores "
        f"above a wrong one; inside the levels only pairs of one level count ({holding.pairs_inside:.0%} of all "
        f"pairs).{left_out_note}"
    )


def picture(holding: Holding, name: str) -> go.Figure:
    """All cases and the inside of the levels above, then the levels where the score tells least."""
    rows = [
        _dot("All cases together", holding.pooled, f"{holding.right:,} right, {holding.wrong:,} wrong", "diamond"),
        _dot("Inside the levels, on average", holding.within, "weighted by pairs of right and wrong", "diamond"),
        *(
            _dot(level.level, level.auc, f"{level.right:,} right, {level.wrong:,} wrong", "circle")
            for level in sorted(holding.levels, key=_least_first)[:DRAWN]
        ),
    ]
    more = len(holding.levels) - DRAWN
    aside = f"; {more:,} more in the table" if more > 0 else ""
    axis = f"AUC: chance that a right answer scores above a wrong one, by {name.lower()}{aside}"
    return dots.figure(rows, axis=axis, line=0.5, line_name="chance", span=(0.0, 1.02))


def holding_frame(holding: Holding) -> pd.DataFrame:
    """The levels for people, those where the score tells least first."""
    number = {level_row.level: str(place) for place, level_row in enumerate(holding.levels)}
    return pd.DataFrame(
        [
            {
                "id": number[level.level],
                "Level": level.level,
                "Right": level.right,
                "Wrong": level.wrong,
                "AUC": area(level.auc),
                "How": level.auc.method,
            }
            for level in sorted(holding.levels, key=_least_first)
        ]
    )


def area(value: Estimate) -> str:
    """An AUC with its interval.

    >>> area(Estimate(value=0.694, low=0.6, high=0.8, n=40)), area(Estimate(value=None, low=None, high=None, n=3))
    ('0.69 [0.60, 0.80]', '-')
    """
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}".strip()


def _dot(label: str, value: Estimate, note: str, symbol: str) -> dots.Dot:
    colour = "accent" if symbol == "diamond" else "not_judged"
    figure = area(value) if value.value is not None else f"- ({value.method})"
    return dots.Dot(label=label, value=value, figure=figure, note=note, colour=colour, symbol=symbol)


def _least_first(level: LevelHolding) -> tuple[bool, bool, float, str]:
    """Levels with an interval before those with too few cases for one, and these before those without a figure."""
    value = level.auc.value
    return (value is None, level.auc.low is None, 0.0 if value is None else value, level.level)


def _data(holding: Holding) -> pd.DataFrame:
    """The figures for a file, numbers as numbers."""
    rows = [
        ("all cases together", holding.right, holding.wrong, holding.pooled),
        ("inside the levels", holding.right, holding.wrong, holding.within),
        *((level_row.level, level_row.right, level_row.wrong, level_row.auc) for level_row in holding.levels),
    ]
    return pd.DataFrame(
        [
            {
                "level": level,
                "right": right,
                "wrong": wrong,
                "auc": value.value,
                "low": value.low,
                "high": value.high,
                "method": value.method,
            }
            for level, right, wrong, value in rows
        ]
    )
