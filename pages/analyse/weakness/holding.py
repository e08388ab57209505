"""Does the chosen score tell right from wrong inside each level, or only because levels differ?"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain.estimates import Estimate
from core.domain.runs import VERDICT_METRIC, Run
from core.evaluation.weakness_data import label_of
from core.weakness.holding import CHANCE, FEW, HOLDS, LEVELS, Holding, LevelHolding, score_within
from pages.ui import charts, errors, numbers, readers, state, tables, weakness_cases, weakness_dots, weakness_reads
from pages.ui.frame import Page
from pages.ui.weakness_controls import Shown

DRAWN: Final = 16
"""Levels in the picture, those where the score tells least first; the table has all."""
VERDICTS: Final = {
    HOLDS: "✓ Holds inside the levels",
    LEVELS: "✗ Comes from differences between levels",
    CHANCE: "✗ No better than chance",
    FEW: "○ Too few cases to say",
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


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The verdict, the pooled figure beside the one inside the levels, every level, and the cases of one."""
    if shown.score == VERDICT_METRIC:
        st.info(
            "Choose a score other than the verdict. This part asks whether a high score means a right answer among "
            "cases of one level too, or only because levels that are answered well have high scores."
        )
        return
    cases = weakness_reads.values(page.store, run.id, shown)
    attribute = cases.attribute(shown.attribute)

    def read() -> Holding:
        judged = weakness_reads.values(page.store, run.id, replace(shown, score=VERDICT_METRIC))
        return score_within(
            cases.score.values, judged.score.values, cases.clusters, attribute,
            higher_is_better=cases.score.higher_is_better,
        )  # fmt: skip

    found: Holding = readers.cached(page.store, "weakness_holding", read, replace(shown, by="", threshold=""))  # type: ignore[assignment]
    name = label_of(shown.attribute)
    st.markdown(f"**{VERDICTS[found.verdict]}** · {errors.plain(found.sentence)}")
    st.caption(errors.plain(counted(found, name)))
    if found.pooled.value is None:
        return
    charts.show(picture(found, name), key="holding_chart", data=_data(found), name=f"holding_{run.id}")
    changed = tables.follow(
        holding_frame(found), key="holding_table", id_column="id", parameter="cell", columns=COLUMNS, height=318
    )
    if changed:
        state.update(case="", page=1)
    level = {str(place): one.level for place, one in enumerate(found.levels)}.get(state.link().cell)
    if level is None:
        st.caption("Select a level to see its cases.")
        return
    places = weakness_reads.inside(cases, [(shown.attribute, level)])
    title = f"{name}: {level}"
    weakness_cases.draw(page, run, [cases.case_ids[place] for place in places.tolist()], title, shown=shown)


def counted(found: Holding, name: str) -> str:
    """What the figures rest on, in one line."""
    asides = [
        f"{numbers.count(n, 'case')} {why}"
        for n, why in ((found.outside, f"without {name.lower()}"), (found.unscored, "without score or verdict"))
        if n
    ]
    left = f" Left out: {'; '.join(asides)}." if asides else ""
    return (
        f"{found.right:,} right and {found.wrong:,} wrong answers. AUC is the chance that a right answer scores above "
        f"a wrong one; inside the levels only pairs of one level count ({found.pairs_inside:.0%} of all pairs).{left}"
    )


def picture(found: Holding, name: str) -> go.Figure:
    """All cases and the inside of the levels above, then the levels where the score tells least."""
    rows = [
        _dot("All cases together", found.pooled, f"{found.right:,} right, {found.wrong:,} wrong", "diamond"),
        _dot("Inside the levels, on average", found.within, "weighted by pairs of right and wrong", "diamond"),
        *(
            _dot(one.level, one.auc, f"{one.right:,} right, {one.wrong:,} wrong", "circle")
            for one in sorted(found.levels, key=_least_first)[:DRAWN]
        ),
    ]
    more = len(found.levels) - DRAWN
    aside = f"; {more:,} more in the table" if more > 0 else ""
    axis = f"AUC: chance that a right answer scores above a wrong one, by {name.lower()}{aside}"
    return weakness_dots.figure(rows, axis=axis, line=0.5, told="chance", span=(0.0, 1.02))


def holding_frame(found: Holding) -> pd.DataFrame:
    """The levels for people, those where the score tells least first."""
    number = {one.level: str(place) for place, one in enumerate(found.levels)}
    return pd.DataFrame(
        [
            {
                "id": number[one.level],
                "Level": one.level,
                "Right": one.right,
                "Wrong": one.wrong,
                "AUC": area(one.auc),
                "How": one.auc.method,
            }
            for one in sorted(found.levels, key=_least_first)
        ]
    )


def area(value: Estimate) -> str:
    """An AUC with its interval.

    >>> area(Estimate(value=0.694, low=0.6, high=0.8, n=40)), area(Estimate(value=None, low=None, high=None, n=3))
    ('0.69 [0.60, 0.80]', '-')
    """
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}".strip()


def _dot(label: str, value: Estimate, note: str, symbol: str) -> weakness_dots.Dot:
    colour = "accent" if symbol == "diamond" else "not_judged"
    figure = area(value) if value.value is not None else f"- ({value.method})"
    return weakness_dots.Dot(label=label, value=value, figure=figure, note=note, colour=colour, symbol=symbol)


def _least_first(one: LevelHolding) -> tuple[bool, bool, float, str]:
    """Levels with an interval before those with too few cases for one, and these before those without a figure."""
    value = one.auc.value
    return (value is None, one.auc.low is None, 0.0 if value is None else value, one.level)


def _data(found: Holding) -> pd.DataFrame:
    """The figures for a file, numbers as numbers."""
    rows = [
        ("all cases together", found.right, found.wrong, found.pooled),
        ("inside the levels", found.right, found.wrong, found.within),
        *((one.level, one.right, one.wrong, one.auc) for one in found.levels),
    ]
    return pd.DataFrame(
        [
            {
                "level": level, "right": right, "wrong": wrong,
                "auc": value.value, "low": value.low, "high": value.high, "method": value.method,
            }
            for level, right, wrong, value in rows
        ]
    )  # fmt: skip
