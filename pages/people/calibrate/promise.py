"""Whether the promise is kept: labels that came after the calibration, against it, over time."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from core.calibration.service.promise import Promise
from core.calibration.sets.audit import Standing
from core.domain.results.runs import Run
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors
from pages.kit.calibrations import charts as calibrate_charts
from pages.kit.calibrations import reads
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, whiskers
from pages.people.calibrate import lines, notes

STANDINGS: Final = {
    Standing.KEPT: "Kept",
    Standing.OPEN: "Open",
    Standing.BELOW: "Below",
    Standing.BROKEN: "Broken",
}


def draw(page: Page, run: Run, calibration: StoredCalibration) -> None:
    """Draws coverage over time and what people said of each decision."""
    _, report = reads.report(page.store, calibration)
    notes.standing(page, calibration, report)
    promise = reads.audited(page.store, calibration.id)
    if not promise.new:
        with st.container(border=True, key="empty_state"):
            st.markdown(
                f"**No label came after this calibration of {numbers.when(calibration.created_at)}.**  \nLabels of "
                "other answers, drawn at random, will be compared with the promise here, day by day. The reading is "
                "valid however often you look."
            )
            if st.button("Label more answers", key="go_label", type="primary"):
                notes.label_more(page, run)
        return
    notes.simulated(promise.simulated, promise.new, "that came after it")
    if promise.audit is not None:
        last = promise.audit.periods[-1]
        headline.draw(
            [
                headline.Figure(
                    key="standing",
                    label=f"Promise of {100 * promise.audit.promise:g}%",
                    value=STANDINGS[promise.audit.standing],
                    note=f"after {numbers.count(len(promise.audit.periods), _unit(last.period))} of labels",
                    help="Kept: surely at least as promised. Open: the labels cannot tell yet. Below: less than "
                    "promised, as few calibration labels may explain. Broken: something has changed.",
                ),
                headline.share("so_far", "Coverage of new labels", last.so_far, "Valid at every reading."),
                headline.count("new", "New labels", promise.random, promise.new, "drawn at random"),
            ]
        )
        charts.show(
            lines.coverage_over(promise.audit, title=promise.audit.sentence),
            key="coverage_over",
            name="promise",
            data=periods_frame(promise),
        )
        tables.plain(periods_frame(promise), key="periods_table")
    else:
        st.info(
            f"**None of the {numbers.count(promise.new, 'new label')} was drawn at random.**  \nAnswers that were "
            f"chosen "
            "because of their score say nothing about the others. A round with a random share will be read here."
        )
    _decisions(promise)
    if promise.unscored:
        st.caption(f"{numbers.count(promise.unscored, 'new label')} on answers without a score have no set.")


def _unit(period: str) -> str:
    """Day or month: ``2026-11-21`` or ``2026-11``."""
    return "day" if period.count("-") > 1 else "month"


def _decisions(promise: Promise) -> None:
    st.markdown("**What people said of each decision**, all new labels, targeted ones among them")
    charts.show(
        whiskers.dots(
            [
                whiskers.Dot(
                    label=calibrate_charts.DECISIONS[decision_share.decision.value],
                    value=decision_share.accepted,
                    colour=calibrate_charts.COLOURS[decision_share.decision.value],
                )
                for decision_share in promise.by_decision
            ],
            axis="Share that people accept, 95% interval",
        ),
        key="decisions_kept",
        name="decisions_and_people",
    )
    if promise.targeted:
        st.caption(
            errors.plain(
                f"{numbers.count(promise.targeted, 'label')} of them targeted: they were chosen because of their "
                f"scores."
            )
        )


def periods_frame(promise: Promise) -> pd.DataFrame:
    """Coverage by period."""
    if promise.audit is None:
        return pd.DataFrame()
    return pd.DataFrame(
        [
            {
                "Period": period.period,
                "Coverage": numbers.proportion(period.coverage),
                "Labels": numbers.of(period.coverage),
                "So far": numbers.proportion(period.so_far),
                "All labels": numbers.of(period.so_far),
                "Promise": period.standing.value,
            }
            for period in promise.audit.periods
        ]
    )
