"""Metrics beside each other: which go together, and the cases where two of them disagree most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import VERDICT_METRIC, Run
from core.runs.scores.applicable import BY_CHUNK, BY_DOCUMENT, DEFAULTS
from core.runs.scores.comparing import Correlation, Correlations
from pages.evaluate.results.case import case_view
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables
from pages.kit.scores import charts as metric_charts
from pages.kit.scores import heatmaps, reads
from pages.kit.scores import names as metric_names
from pages.kit.scores.reads import Pair
from pages.kit.state import links

MOST: Final = 10
"""Metrics of a heatmap that nobody chose."""
SEPARATOR: Final = "|"


def draw(page: Page, run: Run) -> None:
    """Draws the correlations, the chosen pair, its disagreements and the opened case."""
    metrics = reads.metrics(page.store, run.id)
    if not metrics:
        st.info("No metric has scored this run yet. The Metrics part of this page starts a scoring.")
        return
    chosen = state.several(
        "Metrics beside the verdict", metrics, "columns", name=metric_names.title, most=links.MOST_COLUMNS
    )
    unfinished = reads.unfinished(page.store, run.id)
    whole = [name for name in metrics if name not in unfinished] or metrics
    selected = chosen or usual(whole)
    if len(selected) < len(metrics) and not chosen:
        titles = [metric_names.title(name) for name in metrics if name not in whole]
        st.caption(
            f"{len(selected):,} of {len(metrics):,} metrics, one or two of each family; choose others above."
            + (f" Left out because their scoring is not finished: {errors.plain(', '.join(titles))}." if titles else "")
        )
    names = (VERDICT_METRIC, *selected)
    correlations = reads.together(page.store, run.id, names)
    _heatmap(correlations)
    a, b = _pair((VERDICT_METRIC, *metrics), _least(correlations))
    both = reads.together(page.store, run.id, (a, b)).of(a, b)
    st.caption(f"Spearman's rank correlation {errors.plain(wording(both))}.")
    _disagreement(reads.pair(page.store, run.id, a, b), a, b)
    if state.link().case:
        case_view.draw(page, run, state.link().case)


def usual(metrics: Sequence[str]) -> list[str]:
    """The metrics of a heatmap that nobody chose: one or two a family where the run has them.

    >>> usual(["recall", "mrr", "groundedness", "completeness"])
    ['recall', 'groundedness', 'completeness']
    >>> usual(["mrr", "map"])
    ['mrr', 'map']
    """
    some = [name for name in metrics if name in (*DEFAULTS, *BY_DOCUMENT[:1], *BY_CHUNK[:1])]
    return some if len(some) > 1 else list(metrics[:MOST])


def _heatmap(correlations: Correlations) -> None:
    titles = [metric_names.title(name) for name in correlations.names]
    cells = [
        [
            heatmaps.Cell(
                value=correlations.of(a, b).estimate.value,
                n=correlations.of(a, b).estimate.n,
                id=f"{a}{SEPARATOR}{b}",
                note=wording(correlations.of(a, b)),
            )
            for b in correlations.names[:row]
        ]
        for row, a in enumerate(correlations.names)
    ]
    clicked = charts.show(
        heatmaps.matrix(titles, cells, title=finding(correlations)),
        key="correlations",
        data=correlations_frame(correlations),
        name="correlations",
        select=True,
    )
    if clicked and state.note("correlation_seen") != clicked[0]:
        a, _, b = clicked[0].partition(SEPARATOR)
        state.update(a=a, b=b, case="")
    state.keep("correlation_seen", clicked[0] if clicked else "")


def _least(correlations: Correlations) -> tuple[str, str]:
    """The two that go together least, which is where looking pays."""
    items = [item for item in correlations.pairs.values() if item.estimate.value is not None]
    least = min(items, key=lambda item: item.estimate.value or 0.0, default=correlations.of(*correlations.names[:2]))
    return least.b, least.a


def finding(correlations: Correlations) -> str:
    """The pair that goes together most and the one that goes together least."""
    items = [item for item in correlations.pairs.values() if item.estimate.value is not None]
    if not items:
        return "No pair of metrics has enough cases in common"
    most = max(items, key=lambda item: item.estimate.value or 0.0)
    if len(items) == 1:
        return f"{_names(most)}: rank correlation {numbers.share(most.estimate.value)}"
    least = min(items, key=lambda item: item.estimate.value or 0.0)
    return (
        f"{_names(most)} agree most ({numbers.share(most.estimate.value)}), "
        f"{_names(least)} least ({numbers.share(least.estimate.value)})"
    )


def wording(item: Correlation) -> str:
    """A correlation in words: value, interval, n; the reason where there is none."""
    estimate = item.estimate
    if estimate.value is None:
        return f"{numbers.NONE} ({estimate.method}), {numbers.count(estimate.n, 'case')} in common"
    return (
        f"{numbers.share(estimate.value)} {numbers.interval(estimate.low, estimate.high)}, "
        f"{numbers.count(estimate.n, 'case')} in common, {numbers.count(item.clusters, 'cluster')}"
    )


def correlations_frame(correlations: Correlations) -> pd.DataFrame:
    """Every pair as numbers."""
    return pd.DataFrame(
        [
            {
                "metric": item.a,
                "other": item.b,
                "spearman": item.estimate.value,
                "low": item.estimate.low,
                "high": item.estimate.high,
                "n": item.estimate.n,
                "clusters": item.clusters,
                "method": item.estimate.method,
            }
            for item in correlations.pairs.values()
        ]
    )


def _pair(names: Sequence[str], usual_pair: tuple[str, str]) -> tuple[str, str]:
    """The two metrics that are compared: the URL's, else the usual pair."""
    a_at, b_at = st.columns(2)
    with a_at:
        a = state.choose("Disagreement of", names, "a", default=usual_pair[0], name=metric_names.title, pinned=True)
    others = [name for name in names if name != a]
    with b_at:
        other = usual_pair[1] if usual_pair[1] != a else usual_pair[0]
        b = state.choose("with", others, "b", default=other, name=metric_names.title, pinned=True)
    return a, b


def _disagreement(pair: Pair, a: str, b: str) -> None:
    if not pair.points:
        st.info("No case has a value of both metrics.")
        return
    clicked = charts.show(
        metric_charts.scatter(
            pair.points,
            x=metric_names.title(a),
            y=metric_names.title(b),
            title=f"{len(pair.points):,} of {pair.n:,} cases with both values; click one to open it",
        ),
        key=f"pair_{a}_{b}",
        data=pd.DataFrame([(p.case_id, p.x, p.y, p.verdict) for p in pair.points], columns=["case", a, b, "judged"]),
        name=f"{a}_and_{b}",
        select=True,
    )
    st.caption("Cases at one place are one mark with their number; marks of several verdicts stand side by side.")
    if pair.n > len(pair.points):
        st.caption(f"A random sample of the cases, drawn with seed {reads.SEED}; the list below is of all of them.")
    if clicked and state.note("pair_seen") != clicked[0]:
        state.update(case=clicked[0])
    state.keep("pair_seen", clicked[0] if clicked else "")
    st.markdown("**Where the two disagree most**")
    tables.follow(
        worst_frame(pair, a, b),
        key="disagreement_table",
        id_column="case_id",
        parameter="case",
        columns=_widths(a, b),
        height=318,
    )
    st.caption(
        "Ranks run from 0, the worst case, to 1, the best, in the direction that is good for each metric; equal values "
        "share their mean rank."
    )


def worst_frame(pair: Pair, a: str, b: str) -> pd.DataFrame:
    """The cases where two metrics disagree most."""
    return pd.DataFrame(
        [
            {
                "case_id": item.case_id,
                "Question": question,
                a: item.a,
                b: item.b,
                f"{a}_rank": item.a_rank,
                f"{b}_rank": item.b_rank,
                "Difference": item.difference,
            }
            for item, question in pair.worst
        ]
    )


def _widths(a: str, b: str) -> dict[str, object]:
    return {
        "Question": st.column_config.TextColumn(width=250),
        **{name: st.column_config.NumberColumn(metric_names.title(name), format="%.2f", width=110) for name in (a, b)},
        **{
            f"{name}_rank": st.column_config.NumberColumn(f"Rank: {metric_names.title(name)}", format="%.2f", width=110)
            for name in (a, b)
        },
        "Difference": st.column_config.NumberColumn(
            format="%+.2f",
            width=90,
            help="The first rank minus the second: above 0 the first metric ranks it higher.",
        ),
    }


def _names(item: Correlation) -> str:
    return f"{metric_names.title(item.a)} and {metric_names.title(item.b)}"
