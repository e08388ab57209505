"""The metrics of a run: each in one row, the chosen one with its distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nextafter
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run
from core.judges.unit_tests.gate import Trust
from core.runs.scores.comparing import Distribution
from core.runs.scores.summary import MetricSummary
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables, verbatim
from pages.kit.models import trust
from pages.kit.scores import charts as metric_charts
from pages.kit.scores import names, panel, reads

WIDTHS: Final = {
    "Metric": st.column_config.TextColumn(width=165),
    "Mean": st.column_config.TextColumn("Mean and 95% interval", width=150),
    "Scored": st.column_config.TextColumn(width=112),
    "Spread": st.column_config.BarChartColumn(
        "Spread", width=95, y_min=0, help="Cases in twenty equal parts of the metric's range, least value left."
    ),
    "Without a value": st.column_config.TextColumn(width=122),
    "Better": st.column_config.TextColumn(width=62),
    "Looks at": st.column_config.TextColumn(width=105),
    "State": st.column_config.TextColumn(width=120),
    "What it answers": st.column_config.TextColumn(width=420),
}


def draw(page: Page, run: Run) -> None:
    """Draws the table of metrics, the chosen one, and the panel that scores more."""
    summaries = reads.summaries(page.store, run.id)
    spreads = reads.spreads(page.store, run.id, tuple(item.name for item in summaries))
    if not summaries:
        st.markdown(
            "**No metric has scored this run yet.**  \nEach metric will be a row here: its mean with an interval, how "
            "many of the answers it scored and why not the others, and how its values are spread."
        )
        panel.draw(page, run, summaries)
        return
    trusts = trust.all_of_run(page.store, run.id)
    tables.follow(
        frame(summaries, spreads, trusts),
        key="metrics_table",
        id_column="metric",
        parameter="metric",
        columns=WIDTHS,
    )
    chosen = next((item for item in summaries if item.name == state.link().metric), None)
    if chosen is None:
        st.caption("Select a metric to see how its values are spread; a click on a bar shows its cases.")
    else:
        trust.badge(trusts.get(chosen.name), key="metric")
        _chosen(chosen, spreads[chosen.name])
    panel.draw(page, run, summaries)
    tables.download(
        lambda: figures(summaries, trusts),
        name=f"metrics_{run.id}",
        key="metrics_csv",
        label="Download the metrics as CSV",
    )


def frame(
    summaries: Sequence[MetricSummary],
    spreads: Mapping[str, Distribution],
    trusts: Mapping[str, Trust] | None = None,
) -> pd.DataFrame:
    """One row a metric, for people; `trusts` says by metric whether its judge's scores count."""
    trusts = trusts or {}
    return pd.DataFrame(
        [
            {
                "metric": item.name,
                "Metric": f"{names.title(item.name)} {trust.word(trusts.get(item.name))}".strip(),
                "Mean": mean(item),
                "Scored": f"{item.scored:,} of {item.of:,}",
                "Spread": list(spreads[item.name].counts),
                "Without a value": reasons(item.unscored) or "none",
                "Better": item.spec.better if item.spec else "",
                "Looks at": names.FAMILIES[item.spec.family] if item.spec else "",
                "State": condition(item),
                "What it answers": item.spec.question if item.spec else "",
            }
            for item in summaries
        ],
        columns=["metric", *WIDTHS],
    )


def figures(summaries: Sequence[MetricSummary], trusts: Mapping[str, Trust] | None = None) -> pd.DataFrame:
    """One row a metric, as numbers for a file."""
    trusts = trusts or {}
    return pd.DataFrame(
        [
            {
                "metric": item.name,
                "mean": item.mean.value,
                "low": item.mean.low,
                "high": item.mean.high,
                "median": item.median,
                "scored": item.scored,
                "of": item.of,
                "clusters": item.clusters,
                "edited": item.edited,
                "unscored": reasons(item.unscored),
                "interval": item.mean.method,
                "version": item.version,
                "options": options(item.options),
                "scored_at": item.scored_at,
                **(trust.columns(trusts[item.name]) if item.name in trusts else {}),
            }
            for item in summaries
        ]
    )


def mean(item: MetricSummary) -> str:
    """The mean with its interval, two decimals each; the reason where there is none."""
    if item.mean.value is None:
        return f"{numbers.NONE} (no value)"
    return f"{numbers.share(item.mean.value)} {numbers.interval(item.mean.low, item.mean.high)}".strip()


def reasons(unscored: Mapping[str, int]) -> str:
    """Why cases have no value, most frequent first: "12 no model, 3 missing input"."""
    most = sorted(unscored.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {names.STATUS.get(reason, reason)}" for reason, count in most)


def options(settings: Mapping[str, object]) -> str:
    """The models and the language a metric was scored with."""
    return ", ".join(f"{name} {value or 'none'}" for name, value in settings.items())


def condition(item: MetricSummary) -> str:
    """Whether the scores are whole and of today's definition, and how many a person changed."""
    remarks = []
    if item.stale:
        remarks.append("older version")
    if item.outdated:
        remarks.append(f"{item.outdated:,} not yet measured again")
    elif not item.finished and item.version:
        remarks.append("not finished")
    if item.edited:
        remarks.append(f"{item.edited:,} edited")
    return ", ".join(remarks) or "current"


def _chosen(item: MetricSummary, distribution: Distribution) -> None:
    spec = item.spec
    title = names.title(item.name)
    with st.container(border=True, key="metric_view"):
        st.markdown(f"**{errors.plain(title)}**" + (f": {errors.plain(spec.question)}" if spec else ""))
        if distribution.n:
            clicked = charts.show(
                metric_charts.histogram(
                    distribution.edges,
                    distribution.counts,
                    mean=item.mean.value,
                    axis=f"{spec.unit.capitalize()}, {spec.better} is better" if spec else title,
                    title=(
                        f"{title}: {mean(item)}, {distribution.n:,} of {distribution.of:,} cases scored; click a "
                        f"bar for its cases"
                    ),
                ),
                key="histogram",
                name=f"{item.name}_distribution",
                select=True,
                data=pd.DataFrame(
                    {"from": distribution.edges[:-1], "to": distribution.edges[1:], "cases": distribution.counts}
                ),
            )
            if clicked:
                _open_range(item.name, clicked[0], distribution.edges[-1])
        if item.unscored:
            st.caption(f"Without a value: {errors.plain(reasons(item.unscored))}.")
        _about(item)


def ends_of(bar: str, last: float) -> tuple[float, float]:
    """The least and the greatest value of a bar; a value on an inner edge belongs to the bar above it.

    Args:
        bar: ``"low:high"``, as a click returns it.
        last: Where the last bar ends.

    >>> ends_of("0.5:1.0", 1.0), ends_of("0.5:1.0", 2.0)
    ((0.5, 1.0), (0.5, 0.9999999999999999))
    """
    low, high = (float(end) for end in bar.split(":"))
    return low, high if high >= last else nextafter(high, low)


def _open_range(metric: str, clicked: str, last: float) -> None:
    low, high = map(state.written, ends_of(clicked, last))
    state.update(
        view="", sort=metric, order="", low=low, high=high, scored="", verdict="", form="", search="", case="", page=1
    )
    st.rerun()


def _about(item: MetricSummary) -> None:
    """The definition, its source, how these scores were made."""
    provenance = [f"version {item.version}" if item.version else "", options(item.options)]
    when = f"on {numbers.when(item.scored_at)} by {item.scored_by}" if item.scored_at else ""
    st.caption(
        errors.plain(f"Scored {when} ({', '.join(part for part in provenance if part)})." if item.version else "")
    )
    if item.outdated:
        st.warning(
            f"{numbers.count(item.outdated, 'value')} of {item.of:,} have other options or an older version; the mean "
            f"mixes both. Resume the scoring, or start it again, to measure the rest."
        )
    if item.stale and item.spec:
        st.warning(
            f"These scores are of version {item.version}; the metric has version {item.spec.version} now and may give "
            "other values. Score the run again to bring them up to date."
        )
    if item.spec:
        with st.expander("Definition and source", key="metric_definition"):
            verbatim.show(item.spec.equation)
            st.caption(errors.plain(item.spec.source))
            for case, rule in item.spec.edges.items():
                st.caption(f"**{case.capitalize()}**: {errors.plain(rule)}")
