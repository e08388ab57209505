"""How many answers people would accept: scores and labels together beside the labels alone; how many more labels."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.estimates import Estimate
from core.store.calibrations import StoredCalibration
from pages.ui import (
    calibrate_charts,
    calibrate_frames,
    calibrate_notes,
    calibrate_reads,
    calibrate_words,
    charts,
    errors,
    headline,
    numbers,
    tables,
)
from pages.ui.calibrate_charts import Row
from pages.ui.calibrate_reads import Failed, PassRate
from pages.ui.frame import Page

WIDTH = 0.1


def draw(page: Page, made: StoredCalibration) -> None:
    """Draws the pass rate and the planner of labels."""
    options, report = calibrate_reads.report(page.store, made)
    found = calibrate_reads.passing(page.store, made.id)
    calibrate_notes.standing(page, made, report, None if isinstance(found, Failed) else found)
    if isinstance(found, Failed):
        calibrate_notes.failed(found)
        return
    headline.draw(_figures(found))
    both, alone = found.found.estimate, found.found.labels_only
    charts.show(
        calibrate_charts.estimates(
            [
                Row(label="Scores and labels (PPI++)", value=both, note=_note(both, found.labels)),
                Row(label="Labels only", value=alone, note=_note(alone, found.labels), colour="not_judged"),
            ],
            axis="Share of the run's answers that people accept, 95% interval",
            title=finding(found),
        ),
        key="pass_rate_chart",
        name="pass_rate",
        data=calibrate_frames.pass_frame(found),
    )
    weighted = "weighted by one over the chance to be labelled" if found.weighted else "of equal chance to be labelled"
    st.caption(
        f"Of {found.cases:,} answers, {found.scored:,} with {errors.plain(calibrate_words.scores(options.metrics))}; "
        f"{found.labels:,} labels, {weighted}. Each label is predicted by a {found.model.value} model that has not "
        f"seen its source, in {found.folds} parts; trust in the scores (lambda) {found.found.power:.2f}. Answers "
        f"without a score are predicted by the mean label. {left_out(found)}"
    )
    _budget(page, made, both)


def left_out(found: PassRate) -> str:
    """Which answers the share is not of."""
    if not found.unjudged:
        return "Failed answers and those that cannot be judged are no part of the share."
    verb, them = ("is", "it has") if found.unjudged == 1 else ("are", "they have")
    return (
        f"{numbers.count(found.unjudged, 'answer')} that people looked at {verb} no part of the share: {them} no "
        "label, as raters could not judge or differ. It is the share of the answers that can be judged. Failed "
        "answers are no part of it either."
    )


def finding(found: PassRate) -> str:
    """How much the scores help."""
    both, alone = _width(found.found.estimate), _width(found.found.labels_only)
    if not alone:
        return "Every label is the same: nothing is left to narrow"
    change = 1.0 - both / alone
    if change < 0.005:
        return "The scores do not narrow the interval of the labels"
    worth = found.found.effective_labels
    more = f": as good as {worth:,.0f} labels alone" if worth else ""
    return f"The scores narrow the interval by {change:.0%}{more}"


def _figures(found: PassRate) -> list[headline.Figure]:
    both, alone = found.found.estimate, found.found.labels_only
    worth = found.found.effective_labels
    return [
        headline.Figure(
            key="ppi", label="Pass rate, scores and labels", value=numbers.share(both.value),
            note=f"{numbers.interval(both.low, both.high)} · {found.labels:,} labels, {found.cases:,} answers",
            help=calibrate_words.RATE,
        ),
        headline.Figure(
            key="labels_only", label="Pass rate, labels only", value=numbers.share(alone.value),
            note=f"{numbers.interval(alone.low, alone.high)} · {found.labels:,} labels",
            help="The same from the labels alone, with their weights and sources.",
        ),
        headline.Figure(
            key="worth", label="What the labels are worth", value=numbers.NONE if worth is None else f"{worth:,.0f}",
            note=f"labels alone, of {found.labels:,} there are",
            help="Labels that alone would give as narrow an interval as scores and labels together.",
        ),
    ]  # fmt: skip


def _budget(page: Page, made: StoredCalibration, now: Estimate) -> None:
    with st.container(border=True, key="budget"):
        st.markdown("**How many more labels?**")
        width = st.slider(
            "Wanted width of the interval", 0.02, 0.4, WIDTH, 0.01, key="budget_width",
            help="From end to end. The interval now is "
            f"{numbers.figure(_width(now))} wide.",
        )  # fmt: skip
        try:
            found = calibrate_reads.planned(page.store, made.id, width)
        except PlumblineError as error:
            errors.show(error)
            return
        st.markdown(errors.plain(found.sentence))
        alone, both = found.labels_only, found.with_scores
        st.caption(
            f"Scores and labels: {_more(both.more)}. Labels only: {_more(alone.more)}. Width now "
            f"{numbers.figure(both.width_now)} and {numbers.figure(alone.width_now)}. Design effect of sources and "
            f"weights {numbers.figure(found.design_effect)}."
        )
        tables.plain(calibrate_frames.budget_frame(found), key="budget_table")
        st.caption("Dealt to the ranges of the probability where answers are many and differ (Neyman).")


def _more(n: int | None) -> str:
    return "cannot be had from this run" if n is None else "no more" if n == 0 else f"{numbers.count(n, 'more label')}"


def _note(value: Estimate, labels: int) -> str:
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}  n = {labels:,}"


def _width(value: Estimate) -> float:
    return 0.0 if value.low is None or value.high is None else value.high - value.low
