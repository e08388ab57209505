"""The figures of levels and cells as frames: a screen of them to read, all of them as data."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from core.weakness import Marginal, Parts, WeaknessMap
from core.weakness.table import Bools, Floats, Ints
from pages.analyse.weakness import words

MEAN: Final = "Mean [95% interval]"

WIDTHS: Final[dict[str, Any]] = {
    "Mark": st.column_config.TextColumn(width=96, help="Weak: shown by the test, and by at least the least effect."),
    MEAN: st.column_config.TextColumn(width=134),
    "Scored cases": st.column_config.TextColumn(width=100, help="Cases with a score, of all cases here."),
    "Groups": st.column_config.TextColumn(width=58, help="Semantic groups with a score; what the test counts."),
    "Rest": st.column_config.TextColumn(width=56, help="Mean of all scored cases elsewhere."),
    "Effect": st.column_config.TextColumn(width=56, help="How much worse than the rest; above 0 is worse."),
    "Adjusted p": st.column_config.TextColumn(
        width=80, help="Of no difference from the rest, adjusted for all that were tested; - where none was tested."
    ),
}


def widths(*levels: str, share: bool = False) -> dict[str, Any]:
    """The columns of a table with these columns of levels, all on the screen at 1280 pixels.

    Args:
        *levels: Columns of levels.
        share: Whether means are shares of cases that reach a threshold.
    """
    called = {MEAN: st.column_config.TextColumn("Share [95% interval]", width=134)} if share else {}
    return {**WIDTHS, **called, **{name: st.column_config.TextColumn(width=236 // len(levels)) for name in levels}}


def marks(parts: Parts, compound: Bools | None = None) -> list[str]:
    """A key of `words.MARKS` for each part."""
    keys = np.where(np.isnan(parts.p_value), "too few", "")
    keys = np.where(parts.scored == 0, "", keys)
    keys = np.where(parts.small, "small", keys)
    keys = np.where(parts.weak, "weak", keys)
    return list(keys if compound is None else np.where(compound & parts.weak, "compound", keys))


def pictured(parts: Parts, weak: Floats, most: int) -> Ints:
    """Which levels a picture shows: those with something weak, half of the rest the worst tested, then the largest.

    Args:
        parts: The levels.
        weak: The greatest effect of what is weak in each level, minus infinity for none.
        most: Levels that have room.
    """
    tested = np.where(np.isnan(parts.p_value), -np.inf, parts.effect)
    first = np.argsort(-weak, kind="stable")[: int((weak > -np.inf).sum())]
    worst = np.argsort(-tested, kind="stable")[: int((tested > -np.inf).sum())]
    half = worst[: max(most - first.size, 0) // 2]
    largest = np.argsort(-parts.n, kind="stable")
    levels = [at for at in dict.fromkeys(np.concatenate([first, half, largest]).tolist()) if parts.n[at]]
    return np.asarray(levels[:most], dtype=np.int64)


def order(weakness_map: WeaknessMap) -> Ints:
    """Cells, weak ones first by effect, then the others by mean, worst first."""
    cells = weakness_map.cells
    effect = np.where(np.isnan(cells.effect), -np.inf, cells.effect)
    return np.lexsort((-cells.scored, -effect, ~cells.weak)).astype(np.int64)


def _figures(parts: Parts, mark: str, at: int) -> dict[str, str]:
    return {
        "Mark": words.MARKS[mark],
        MEAN: words.full(parts, at),
        "Scored cases": words.scored(parts, at),
        "Groups": f"{int(parts.clusters[at]):,}",
        "Rest": words.value(float(parts.rest[at])),
        "Effect": words.value(float(parts.effect[at])),
        "Adjusted p": words.p_value(float(parts.p_adjusted[at])),
    }


def cells_frame(weakness_map: WeaknessMap, places: Ints, row: str, column: str) -> pd.DataFrame:
    """Some cells for people; column ``id`` is the number of the cell."""
    mark = marks(weakness_map.cells, weakness_map.compound)
    return pd.DataFrame(
        [
            {
                "id": str(at),
                row: weakness_map.rows.levels[weakness_map.row[at]],
                column: weakness_map.columns.levels[weakness_map.column[at]],
                **_figures(weakness_map.cells, mark[at], at),
            }
            for at in places.tolist()
        ]
    )


def levels_frame(marginal: Marginal, places: Ints, name: str) -> pd.DataFrame:
    """Some levels for people."""
    mark = marks(marginal.levels)
    return pd.DataFrame(
        [{name: marginal.attribute.levels[at], **_figures(marginal.levels, mark[at], at)} for at in places.tolist()]
    )


def cells_data(weakness_map: WeaknessMap) -> pd.DataFrame:
    """Every cell in numbers."""
    first = np.asarray(weakness_map.rows.levels, dtype=object)[weakness_map.row]
    second = np.asarray(weakness_map.columns.levels, dtype=object)[weakness_map.column]
    return pd.DataFrame(
        {
            weakness_map.rows.name: first,
            weakness_map.columns.name: second,
            **_data(weakness_map.cells, marks(weakness_map.cells, weakness_map.compound)),
            "explained_by_margins": weakness_map.explained,
            "shrunken_mean": weakness_map.shrunken,
            "p_compound": weakness_map.p_compound,
        }
    ).iloc[order(weakness_map)]


def levels_data(marginal: Marginal) -> pd.DataFrame:
    """Every level in numbers, worst first."""
    columns = {
        marginal.attribute.name: list(marginal.attribute.levels),
        **_data(marginal.levels, marks(marginal.levels)),
    }
    return pd.DataFrame(columns).iloc[marginal.worst_first]


def _data(parts: Parts, mark: list[str]) -> dict[str, Any]:
    return {
        "mark": mark,
        "mean": parts.mean,
        "low": parts.low,
        "high": parts.high,
        "scored": parts.scored,
        "cases": parts.n,
        "groups": parts.clusters,
        "rest": parts.rest,
        "effect": parts.effect,
        "p": parts.p_value,
        "p_adjusted": parts.p_adjusted,
    }
