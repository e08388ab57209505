"""The worst slices of up to three attributes, found on one half of the cases and tested on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain.estimates import Estimate
from core.domain.identity import short_hash
from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.clusters.finder import failing_of
from core.weakness.findings.drafts.wording import where
from core.weakness.findings.search import telling
from core.weakness.service.data import AttributeInfo, label_of
from core.weakness.slices.finder import Conditions, Slice, SliceOptions, SliceReport, find_slices
from core.weakness.table import CaseTable, Ints
from pages.analyse.weakness import cases, dots, reads
from pages.analyse.weakness.controls import Shown
from pages.analyse.weakness.words import WEAK, questions
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables

DRAWN = 8
"""Slices in the picture; the table has all that were tested."""
COLUMNS = {
    "Verdict": st.column_config.TextColumn(
        width=72, help="Weak: shown on the held-out half, and nothing else explains it."
    ),
    "Slice": st.column_config.TextColumn(width=256),
    "n": st.column_config.TextColumn(
        width=56, help="Cases of the slice with a score in the held-out half: every figure of the row is of these."
    ),
    "Mean": st.column_config.TextColumn(width=118, help="With 95% interval over groups."),
    "Rest": st.column_config.TextColumn(width=50, help="Mean of all other cases of the held-out half."),
    "Worse by": st.column_config.TextColumn(width=118, help="Rest minus slice; positive is worse."),
    "Adjusted p": st.column_config.TextColumn(
        width=72,
        help="After Benjamini and Hochberg over the slices tested. It is one-sided, the interval beside it two-sided.",
    ),
}


@cache.read(*reads.KINDS)
def _slices(
    store: Store, run_id: str, shown: Shown, _table: CaseTable, _attributes: Sequence[AttributeInfo]
) -> SliceReport:
    return find_slices(searched_cases(_table, _attributes), SliceOptions(q=shown.q, min_effect=shown.min_effect))


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The slices that were tested, the weak ones first, and the cases of the chosen one."""
    table = reads.table(page.store, run.id, shown)
    attributes = reads.attributes(page.store, run.id)
    report = _slices(page.store, run.id, replace(shown, attribute="", by=""), table, attributes)
    if report.reason:
        st.info(errors.plain(report.reason))
        return
    st.markdown(f"**{errors.plain(headline(report, table))}**")
    st.caption(validated(report))
    if report.slices:
        charts.show(
            _picture(report.slices[:DRAWN], shares=in_shares(table)), key="slices_chart", name=f"slices_{run.id}"
        )
        frame = slices_frame(report, table)
        columns = {**COLUMNS, "Failing": failing_column(failing_of(table.score)[1])}
        if tables.follow(frame, key="slices_table", id_column="id", parameter="cell", columns=columns, height=318):
            state.update(case="", page=1)
        tables.download(lambda: _data(report, table), name=f"slices_{run.id}", key="slices_csv")
    _searched(report, attributes)
    chosen = next((slice_ for slice_ in report.slices if slice_id(slice_.conditions) == state.link().cell), None)
    if chosen is None:
        if report.slices:
            st.caption("Select a slice to see what to look at next, and its cases.")
        return
    _note(chosen)
    cases.draw(page, run, worst_first(table, chosen.cases), questions(chosen.conditions), shown=shown)


def searched_cases(table: CaseTable, attributes: Sequence[AttributeInfo]) -> CaseTable:
    """The cases with what is known of a question before it is asked, as findings have it."""
    names = telling(attributes)
    return replace(table, attributes=tuple(attribute for attribute in table.attributes if attribute.name in names))


def headline(report: SliceReport, table: CaseTable) -> str:
    """What was found, in one sentence."""
    if not report.carried:
        return f"None of {numbers.count(report.tried, 'slice')} looked worse than the rest by the least effect"
    if not report.weak:
        looked = "The slice" if report.carried == 1 else f"None of the {report.carried:,} slices"
        return f"{looked} that looked worst is{' not' if report.carried == 1 else ''} shown to be weak"
    worst, failing = report.weak[0], failing_of(table.score)
    many = f"{numbers.count(len(report.weak), 'weak slice')}{'; the worst is' if len(report.weak) > 1 else ':'}"
    there = f"{int(failing[0][worst.held_out].sum()):,} of {worst.held_out.size:,} {failing[1]}"
    return f"{many} questions {condition_text(worst.conditions)} ({there})"


def validated(report: SliceReport) -> str:
    """How the slices were shown, in one line."""
    lacking = f" {numbers.count(report.unscored, 'case')} without a score took no part." if report.unscored else ""
    if not report.carried:
        return (
            f"Looked for on one half of the cases (n = {report.discovery:,}); none was carried to the test on the "
            f"other "
            f"half (n = {report.held_out:,}).{lacking}"
        )
    them, are = ("it", "is") if report.carried == 1 else ("them", "are")
    return (
        f"Found on one half of the cases (n = {report.discovery:,}; {numbers.count(report.tried, 'slice')} of up to "
        f"three attributes looked at), tested on the other half (n = {report.held_out:,}), which had no part in "
        f"choosing {them}; the {numbers.count(report.carried, 'slice')} carried to the test {are} below.{lacking}"
    )


def condition_text(conditions: Conditions) -> str:
    """Conditions for people.

    >>> condition_text((("joins", "1"), ("form", "long"), ("cost_centre", "A")))
    'in long form that join two tables and with cost centre: A'
    """
    return where(conditions)


def slice_id(conditions: Conditions) -> str:
    """What a link names a slice by; short, however long its levels are."""
    return short_hash("\x1f".join(part for pair in conditions for part in pair))


def worst_first(table: CaseTable, places: Ints) -> list[str]:
    """Ids of cases, the worst score first, those without one last."""
    order = np.argsort(table.score.sign * table.score.values[places], kind="stable")
    return [table.case_ids[place] for place in places[order].tolist()]


def failing_column(means: str) -> object:
    """How the column of failing cases is drawn: what counts as failing depends on the score."""
    title = "Failing" if means == "failing" else "Worse"
    return st.column_config.TextColumn(title, width=62, help=f"Cases {means}, of those with a score.")


def in_shares(table: CaseTable) -> bool:
    """Whether the score lies between 0 and 1, so that two decimals say enough."""
    return (table.score.low, table.score.high) == (0.0, 1.0)


def figure(value: Estimate, *, shares: bool) -> str:
    """A number with its interval: two decimals for shares, three digits for other scores."""
    if not shares or value.value is None:
        return numbers.estimate(value)
    return f"{value.value:.2f} {numbers.interval(value.low, value.high)}".strip()


def mark(slice_: Slice) -> str:
    """Whether a slice is weak, with a mark beside the word."""
    return f"{WEAK} Weak" if slice_.weak else "○ Explained" if slice_.explained_by else "○ Not shown"


def slices_frame(report: SliceReport, table: CaseTable) -> pd.DataFrame:
    """The tested slices for people."""
    failing, _ = failing_of(table.score)
    shares = in_shares(table)
    return pd.DataFrame(
        [
            {
                "id": slice_id(slice_.conditions),
                "Verdict": mark(slice_),
                "Slice": condition_text(slice_.conditions),
                "n": f"{slice_.held_out.size:,}",
                "Failing": f"{int(failing[slice_.held_out].sum()):,}/{slice_.held_out.size:,}",
                "Mean": figure(slice_.mean, shares=shares),
                "Rest": numbers.share(slice_.rest.value) if shares else numbers.figure(slice_.rest.value),
                "Worse by": figure(slice_.effect, shares=shares),
                "Adjusted p": numbers.p_value(slice_.p_adjusted),
            }
            for slice_ in report.slices
        ]
    )


def _picture(slices: Sequence[Slice], *, shares: bool) -> go.Figure:
    return dots.figure(
        [
            dots.Dot(
                label=condition_text(slice_.conditions),
                value=slice_.effect,
                figure=figure(slice_.effect, shares=shares),
                note=f"{mark(slice_)}; n = {slice_.effect.n:,}, adjusted p {numbers.p_value(slice_.p_adjusted)}",
                colour="incorrect" if slice_.weak else "not_judged",
                symbol="x" if slice_.weak else "circle",
            )
            for slice_ in slices
        ],
        axis="How much worse than the rest, on the held-out half",
        line=0.0,
        line_name="as good as the rest",
    )


def _note(slice_: Slice) -> None:
    """What else must be known of a slice."""
    if slice_.explained_by:
        st.caption(
            f"It is no weakness of its own; this explains it: {errors.plain(condition_text(slice_.explained_by))}."
        )
    if slice_.same_as:
        st.caption(f"It has exactly the cases of: {errors.plain(condition_text(slice_.same_as))}.")
    st.caption(
        f"The figures above are of its {numbers.count(slice_.held_out.size, 'case')} in the held-out half; below are "
        f"all {slice_.n:,}. In the half it was found in it was worse by {numbers.figure(slice_.found_effect)} "
        f"(n = {slice_.found_n:,}); that figure is too large, because it was chosen for being large."
    )


def _searched(report: SliceReport, attributes: Sequence[AttributeInfo]) -> None:
    with st.expander("Which attributes were searched", key="slices_searched"):
        labels = {info.name: info.label for info in attributes}
        searched = ", ".join(labels[name].lower() for name in telling(attributes)) or "none"
        outcomes = ", ".join(info.label.lower() for info in attributes if info.outcome)
        st.caption(errors.plain(f"Asked for: {searched}."))
        if outcomes:
            st.caption(
                f"What the system did with a question is not searched ({errors.plain(outcomes)}): a wrong answer makes "
                "it what it is as often as it makes the answer wrong. The parts for one and two attributes show it."
            )
        for group in report.same:
            names = ", ".join(map(label_of, group))
            st.caption(errors.plain(f"{names}: they divide the cases in the same way, so they are searched as one."))
        for name, why in report.left_out:
            st.caption(errors.plain(f"{label_of(name)} was left out: {why}."))


def _data(report: SliceReport, table: CaseTable) -> pd.DataFrame:
    """The tested slices for a file, numbers as numbers."""
    failing, means = failing_of(table.score)
    return pd.DataFrame(
        [
            {
                "slice": condition_text(slice_.conditions),
                "weak": slice_.weak,
                "explained_by": condition_text(slice_.explained_by),
                "cases": slice_.n,
                "scored": slice_.scored,
                "groups": slice_.clusters,
                f"cases {means}": int(failing[slice_.cases].sum()),
                "held_out": int(slice_.held_out.size),
                f"held_out {means}": int(failing[slice_.held_out].sum()),
                **_columns("held_out_mean", slice_.mean),
                **_columns("held_out_rest", slice_.rest),
                **_columns("held_out_worse_by", slice_.effect),
                "p_value": slice_.p_value,
                "p_adjusted": slice_.p_adjusted,
                "found_worse_by": slice_.found_effect,
                "found_n": slice_.found_n,
                "case_ids": " ".join(table.case_ids[place] for place in slice_.cases.tolist()),
            }
            for slice_ in report.slices
        ]
    )


def _columns(name: str, value: Estimate) -> dict[str, float | int | None]:
    return {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high, f"{name}_n": value.n}
