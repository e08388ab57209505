"""The figures of a comparison as rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from core.comparison.pairs import CasePair, Change
from core.comparison.result import LEVEL, Comparison
from core.comparison.several import Against
from core.domain.estimates import Estimate
from core.domain.results.runs import VERDICT_METRIC
from pages.kit.look import numbers, theme
from pages.kit.look.whiskers import Difference


def rows(comparison: Comparison) -> list[Difference]:
    """The accuracy and the modules, as rows of the picture; what no case shows is left out."""
    named = [("Correct answers", comparison.accuracy)]
    named += [(f"Wrong: {theme.NAMES[change.name].casefold()}", change) for change in comparison.modules]
    return [
        Difference(
            label=label,
            value=change.difference,
            shown=change.p_adjusted is not None and change.p_adjusted <= LEVEL,
            note=f"{numbers.share(change.before)} to {numbers.share(change.after)}, n = {change.difference.n:,}, "
            f"{_p(change)}",
            colour="correct" if _better(change) else "incorrect",
        )
        for label, change in named
        if change.difference.value is not None
    ]


def ends(difference: Estimate) -> str:
    """The ends of a difference with their signs, as exact as the difference itself; empty where there are none.

    >>> ends(Estimate(value=0.0011, low=-0.0026, high=0.0048, n=900))
    '[-0.003, +0.005], '
    """
    low, high = difference.low, difference.high
    return "" if low is None or high is None else f"[{low:+.3f}, {high:+.3f}], "


def changes_frame(changes: Sequence[tuple[str, str, Change]]) -> pd.DataFrame:
    """Changes with what they are of, as a table.

    Args:
        changes: Kind ("form"), name ("short") and the change.
    """
    return pd.DataFrame(
        [
            {
                "Of": kind,
                "Name": name,
                "Run A": change.before,
                "Run B": change.after,
                "B minus A": change.difference.value,
                "95% low": change.difference.low,
                "95% high": change.difference.high,
                "Adjusted p": change.p_adjusted,
                "Smallest change that could be shown": change.detectable,
                "n": change.difference.n,
                "Scored in one run only": change.one_sided,
            }
            for kind, name, change in changes
        ]
    )


def slice_changes(comparison: Comparison) -> list[tuple[str, str, Change]]:
    """The slices, those with the clearest change first."""
    ordered = sorted(
        comparison.slices, key=lambda one: (1.0 if one.change.p_value is None else one.change.p_value, one.attribute)
    )
    return [(one.attribute, one.level, one.change) for one in ordered]


def metric_changes(comparison: Comparison) -> list[tuple[str, str, Change]]:
    """The verdict and every metric of both runs."""
    return [
        ("verdict", VERDICT_METRIC, comparison.accuracy),
        *(("metric", one.name, one) for one in comparison.metrics),
    ]


def runs_frame(rows: Sequence[Against], called: Callable[[str], str]) -> pd.DataFrame:
    """Several runs against run A, for people."""
    return pd.DataFrame(
        [
            {
                "Run": called(row.run.id),
                "Accuracy": numbers.share(row.accuracy.after),
                "Change": numbers.NONE
                if row.accuracy.difference.value is None
                else f"{row.accuracy.difference.value:+.3f} {ends(row.accuracy.difference).rstrip(', ')}",
                "Adjusted p": numbers.p_value(row.accuracy.p_adjusted),
                "Became right": f"{row.fixed:,}",
                "Became wrong": f"{row.broken:,}",
                "n": f"{row.accuracy.difference.n:,}",
            }
            for row in rows
        ]
    )


def runs_data(rows: Sequence[Against], called: Callable[[str], str]) -> pd.DataFrame:
    """The same for a file, numbers as numbers."""
    told = changes_frame([(called(row.run.id), row.run.id, row.accuracy) for row in rows])
    return told.rename(columns={"Of": "Run", "Name": "Id"}).assign(
        **{"Became right": [row.fixed for row in rows], "Became wrong": [row.broken for row in rows]}
    )


def cases_frame(pairs: Sequence[CasePair]) -> pd.DataFrame:
    """Cases whose verdict changed."""
    return pd.DataFrame(
        [
            {
                "id": pair.case.case_id,
                "Question": pair.case.question,
                "Reference": " | ".join(pair.case.reference_answers),
                "Answer of A": pair.before.answer,
                "Answer of B": pair.after.answer,
            }
            for pair in pairs
        ],
        columns=["id", "Question", "Reference", "Answer of A", "Answer of B"],
    )


def _better(change: Change) -> bool:
    """More right answers, or fewer that a module made wrong."""
    rising = (change.difference.value or 0.0) > 0
    return rising if change.name == VERDICT_METRIC else not rising


def _p(change: Change) -> str:
    if change.p_adjusted is None:
        return f"too few: {change.difference.method}"
    shown = numbers.p_value(change.p_adjusted)
    return f"adjusted p {shown}" if shown.startswith("<") else f"adjusted p = {shown}"
