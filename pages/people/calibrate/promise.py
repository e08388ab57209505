"""Whether the promise is kept: labels that came after the calibration, against it, over time."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.calibration.audit import Standing
from core.domain.runs import Run
from core.evaluation.promise import Promise
from core.store.calibrations import StoredCalibration
from pages.ui import (
    calibrate_charts,
    calibrate_frames,
    calibrate_lines,
    calibrate_notes,
    calibrate_reads,
    charts,
    errors,
    frame,
    headline,
    numbers,
    tables,
)
from pages.ui.frame import Page

STANDINGS: Final = {
    Standing.KEPT: "Kept",
    Standing.OPEN: "Open",
    Standing.BELOW: "Below",
    Standing.BROKEN: "Broken",
}


def draw(page: Page, run: Run, made: StoredCalibration) -> None:
    """Draws coverage over time and what people said of each decision."""
    _, report = calibrate_reads.report(page.store, made)
    calibrate_notes.standing(page, made, report)
    found = calibrate_reads.audited(page.store, made.id)
    if not found.new:
        frame.empty(
            f"No label came after this calibration of {numbers.when(made.created_at)}.",
            "Labels of other answers, drawn at random, will be held against the promise here, day by day. The reading "
            "is valid however often you look.",
            "label",
            "Label more answers",
            run=run.id,
        )
        return
    calibrate_notes.simulated(found.simulated, found.new, "that came after it")
    if found.audit is not None:
        last = found.audit.periods[-1]
        headline.draw(
            [
                headline.Figure(
                    key="standing", label=f"Promise of {100 * found.audit.promise:g}%",
                    value=STANDINGS[found.audit.standing],
                    note=f"after {numbers.count(len(found.audit.periods), _unit(last.period))} of labels",
                    help="Kept: surely at least as promised. Open: the labels cannot tell yet. Below: less than "
                    "promised, as few calibration labels may explain. Broken: something has changed.",
                ),
                headline.share("so_far", "Coverage of new labels", last.so_far, "Valid at every reading."),
                headline.count("new", "New labels", found.random, found.new, "drawn at random"),
            ]
        )  # fmt: skip
        charts.show(
            calibrate_lines.coverage_over(found.audit, title=found.audit.sentence),
            key="coverage_over",
            name="promise",
            data=calibrate_frames.periods_frame(found),
        )
        tables.plain(calibrate_frames.periods_frame(found), key="periods_table")
    else:
        st.info(
            f"**None of the {numbers.count(found.new, 'new label')} was drawn at random.**  \nAnswers that were chosen "
            "because of their score say nothing about the others. A round with a random share will be read here."
        )
    _decisions(found)
    if found.unscored:
        st.caption(f"{numbers.count(found.unscored, 'new label')} on answers without a score have no set.")


def _unit(period: str) -> str:
    """Day or month: ``2026-11-21`` or ``2026-11``."""
    return "day" if period.count("-") > 1 else "month"


def _decisions(found: Promise) -> None:
    st.markdown("**What people said of each decision**, all new labels, targeted ones among them")
    charts.show(
        charts.dots(
            [
                charts.Dot(
                    label=calibrate_charts.DECISIONS[one.decision.value],
                    value=one.accepted,
                    colour=calibrate_charts.COLOURS[one.decision.value],
                )
                for one in found.by_decision
            ],
            axis="Share that people accept, 95% interval",
        ),
        key="decisions_kept",
        name="decisions_and_people",
    )
    if found.targeted:
        st.caption(
            errors.plain(
                f"{numbers.count(found.targeted, 'label')} of them targeted: they were chosen because of their scores."
            )
        )
