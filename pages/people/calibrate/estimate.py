"""How many answers people would accept: scores and labels together beside the labels alone; how many more labels."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.calibration.labels.budget import Budget
from core.calibration.service.pass_rate import PassRate
from core.domain.errors import PlumblineError
from core.domain.estimates import Estimate
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors
from pages.kit.calibrations import reads, words
from pages.kit.calibrations.reads import Failed
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, whiskers
from pages.kit.look.whiskers import Row
from pages.people.calibrate import notes

WIDTH = 0.1


def draw(page: Page, calibration: StoredCalibration) -> None:
    """Draws the pass rate and the planner of labels."""
    options, report = reads.report(page.store, calibration)
    figure = reads.passing(page.store, calibration.id)
    notes.standing(page, calibration, report, None if isinstance(figure, Failed) else figure)
    if isinstance(figure, Failed):
        notes.failed(figure)
        return
    headline.draw(_figures(figure))
    both, alone = figure.found.estimate, figure.found.labels_only
    charts.show(
        whiskers.estimates(
            [
                Row(label="Scores and labels (PPI++)", value=both, note=_note(both, figure.labels)),
                Row(label="Labels only", value=alone, note=_note(alone, figure.labels), colour="not_judged"),
            ],
            axis="Share of the run's answers that people accept, 95% interval",
            title=finding(figure),
        ),
        key="pass_rate_chart",
        name="pass_rate",
        data=pass_frame(figure),
    )
    weighted = "weighted by one over the chance to be labelled" if figure.weighted else "of equal chance to be labelled"
    st.caption(
        f"Of {figure.cases:,} answers, {figure.scored:,} with {errors.plain(words.scores(options.metrics))}; "
        f"{figure.labels:,} labels, {weighted}. Each label is predicted by a {figure.model.value} model that has not "
        f"seen its source, in {figure.folds} parts; trust in the scores (lambda) {figure.found.power:.2f}. Answers "
        f"without a score are predicted by the mean label. {left_out(figure)}"
    )
    _budget(page, calibration, both)


def left_out(pass_rate: PassRate) -> str:
    """Which answers the share is not of."""
    if not pass_rate.unjudged:
        return "The share leaves out failed answers and those that cannot be judged."
    verb, them = ("is", "it has") if pass_rate.unjudged == 1 else ("are", "they have")
    return (
        f"{numbers.count(pass_rate.unjudged, 'answer')} that people rated {verb} no part of the share: {them} no "
        "label, as raters could not judge or differ. It is the share of the answers that can be judged. Failed "
        "answers are no part of it either."
    )


def finding(pass_rate: PassRate) -> str:
    """How much the scores help."""
    both, alone = _width(pass_rate.found.estimate), _width(pass_rate.found.labels_only)
    if not alone:
        return "All labels are the same: scores cannot narrow the interval"
    change = 1.0 - both / alone
    if change < 0.005:
        return "The scores do not narrow the interval of the labels"
    worth = pass_rate.found.effective_labels
    more = f": as good as {worth:,.0f} labels alone" if worth else ""
    return f"The scores narrow the interval by {change:.0%}{more}"


def _figures(pass_rate: PassRate) -> list[headline.Figure]:
    both, alone = pass_rate.found.estimate, pass_rate.found.labels_only
    worth = pass_rate.found.effective_labels
    return [
        headline.Figure(
            key="ppi",
            label="Pass rate, scores and labels",
            value=numbers.share(both.value),
            note=f"{numbers.interval(both.low, both.high)} · {pass_rate.labels:,} labels, {pass_rate.cases:,} answers",
            help=words.RATE,
        ),
        headline.Figure(
            key="labels_only",
            label="Pass rate, labels only",
            value=numbers.share(alone.value),
            note=f"{numbers.interval(alone.low, alone.high)} · {pass_rate.labels:,} labels",
            help="The same from the labels alone, with their weights and sources.",
        ),
        headline.Figure(
            key="worth",
            label="What the labels are worth",
            value=numbers.NONE if worth is None else f"{worth:,.0f}",
            note=f"labels alone, of {pass_rate.labels:,} there are",
            help="Labels that alone would give as narrow an interval as scores and labels together.",
        ),
    ]


def _budget(page: Page, calibration: StoredCalibration, now: Estimate) -> None:
    with st.container(border=True, key="budget"):
        st.markdown("**How many more labels?**")
        width = st.slider(
            "Wanted width of the interval",
            0.02,
            0.4,
            WIDTH,
            0.01,
            key="budget_width",
            help=f"From end to end. The interval now is {numbers.figure(_width(now))} wide.",
        )
        try:
            budget = reads.planned(page.store, calibration.id, width)
        except PlumblineError as error:
            errors.show(error)
            return
        st.markdown(errors.plain(budget.sentence))
        alone, both = budget.labels_only, budget.with_scores
        st.caption(
            f"Scores and labels: {_more(both.more)}. Labels only: {_more(alone.more)}. Width now "
            f"{numbers.figure(both.width_now)} and {numbers.figure(alone.width_now)}. Design effect of sources and "
            f"weights {numbers.figure(budget.design_effect)}."
        )
        tables.plain(budget_frame(budget), key="budget_table")
        st.caption("Most labels go to ranges of the probability with many, differing answers (Neyman).")


def _more(n: int | None) -> str:
    return (
        "this run cannot give this width" if n is None else "no more" if n == 0 else f"{numbers.count(n, 'more label')}"
    )


def _note(value: Estimate, labels: int) -> str:
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}  n = {labels:,}"


def _width(value: Estimate) -> float:
    return 0.0 if value.low is None or value.high is None else value.high - value.low


def pass_frame(pass_rate: PassRate) -> pd.DataFrame:
    """Both estimates of the pass rate as numbers."""
    return pd.DataFrame(
        [
            {
                "estimate": name,
                "value": value.value,
                "low": value.low,
                "high": value.high,
                "labels": pass_rate.labels,
                "answers": pass_rate.cases,
                "scored": pass_rate.scored,
                "simulated": pass_rate.simulated,
                "method": value.method,
            }
            for name, value in (
                ("scores and labels", pass_rate.found.estimate),
                ("labels only", pass_rate.found.labels_only),
            )
        ]
    )


def budget_frame(budget: Budget) -> pd.DataFrame:
    """How the labels are dealt to ranges of the probability."""
    return pd.DataFrame(
        [
            {
                "Stratum": stratum.stratum,
                "Answers": stratum.cases,
                "Labelled": stratum.labelled,
                "More": stratum.more,
                "In all": stratum.total,
                "Spread": numbers.figure(stratum.spread),
            }
            for stratum in budget.strata
        ]
    )
